// First prices: which of them count, and that they stay the same after closes, restarts and the death of a
// worker.

import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ArchiveWriter } from '../../src/archive/archive-writer.ts';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { clockOf } from '../../src/clock.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createStore } from '../../src/store/layout.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import type { OpeningRow } from '../../src/store/records.ts';
import { eventWire, quoteWire, removeWire, wireTime } from '../feed/wire.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { deskWithFixture, FIRST_EVENT, IngestDesk, MemoryArchive, ROOMY } from './ingest-desk.ts';

function fail(error: unknown): never {
  throw error;
}

function openingRows(archive: MemoryArchive): Omit<OpeningRow, 'key'>[] {
  return archive.openingsOf(FIRST_EVENT).map(({ key: _key, ...opening }) => opening);
}

describe('openings', () => {
  test('the first price seen of a key is recorded once, with its time, and never changes', () => {
    const { desk, archive, next } = deskWithFixture();
    const first = wireTime(1_000);
    desk.send(quoteWire(next(), 'e1', { at: first, prices: [1.9, 2] }));
    desk.send(quoteWire(next(), 'e1', { at: wireTime(2_000), prices: [1.8, 2.1] }));
    desk.send(quoteWire(next(), 'e1', { at: wireTime(3_000), opening: [1.5, 2.5], opened_at: wireTime(0) }));
    expect(openingRows(archive)).toEqual([
      { a: 19_000, b: 20_000, c: 0, openedAtMs: 1_000, upstream: false },
    ]);
    expect(desk.reader.counters().openings_recorded).toBe(1);
  });

  test('if openings are not kept, a full table of openings refuses no quote, and the slate has no openings', () => {
    const archive = Object.assign(new MemoryArchive(), { keepsOpenings: false });
    const { desk, next } = deskWithFixture({ archive, capacity: { ...ROOMY, openingsPerFixture: 1 } });
    for (const line of [1.5, 2.5, 3.5]) desk.send(quoteWire(next(), 'e1', { line }));
    const { quotes_applied: applied, rejected_opening_table_full: refused } = desk.reader.counters();
    expect([applied, refused, desk.writer.openingsOf(0)]).toEqual([3, 0, []]);
  });

  test('an opening that was published but not yet written when the worker died is archived by the next worker', () => {
    const { desk, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { at: wireTime(1_000), prices: [1.9, 2] }));
    const archive = new MemoryArchive(); // The archive on the disk, which does not have the opening.
    new IngestDesk({ archive, buffer: desk.buffer });
    expect(openingRows(archive)).toEqual([
      { a: 19_000, b: 20_000, c: 0, openedAtMs: 1_000, upstream: false },
    ]);
  });

  test('an opening that was archived after the slate was saved is on the slate of the next process', () => {
    const archive = new MemoryArchive();
    const saved = deskWithFixture({ archive }).desk;
    const key = packQuoteKey(1, 0, -2, 0);
    const opening = { key, a: 19_000, b: 20_000, c: 0, openedAtMs: 1_000, upstream: false };
    archive.recordOpening(FIRST_EVENT, opening);
    const { writer, reader } = new IngestDesk({ archive, buffer: saved.buffer });
    expect(writer.openingsOf(0)).toEqual([opening]);
    expect(reader.counters().openings_restored).toBe(1);
  });

  test('the feed’s own opening is recorded with its time', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(
      quoteWire(next(), 'e1', { opening: [1.5, 2.5], opened_at: wireTime(500), status: 'suspended' }),
    );
    expect(openingRows(archive)).toEqual([{ a: 15_000, b: 25_000, c: 0, openedAtMs: 500, upstream: true }]);
  });

  test('an opening of another line is recorded for that line; the quote’s own line gets its first price seen', () => {
    const { desk, archive, next } = deskWithFixture();
    const sent = { line: -0.5, opening: [1.5, 2.5], opening_line: -1, opened_at: wireTime(500) };
    desk.send(quoteWire(next(), 'e1', { ...sent, at: wireTime(1_000), prices: [1.9, 2] }));
    desk.send(quoteWire(next(), 'e1', { ...sent, at: wireTime(2_000), prices: [1.8, 2.1] }));
    const key = (lineQuarters: number) => packQuoteKey(1, 0, lineQuarters, 0);
    expect(archive.openingsOf(FIRST_EVENT)).toEqual([
      { key: key(-4), a: 15_000, b: 25_000, c: 0, openedAtMs: 500, upstream: true },
      { key: key(-2), a: 19_000, b: 20_000, c: 0, openedAtMs: 1_000, upstream: false },
    ]);
    expect(desk.reader.counters().openings_recorded).toBe(2);
  });

  test('if an opening is not a price, the first price seen is recorded, at the time it was seen', () => {
    const { desk, archive, next } = deskWithFixture();
    const quote = { at: wireTime(9_000), opening: [0, 0], opened_at: wireTime(500), prices: [1.9, 2] };
    desk.send(quoteWire(next(), 'e1', quote));
    expect(openingRows(archive)).toEqual([
      { a: 19_000, b: 20_000, c: 0, openedAtMs: 9_000, upstream: false },
    ]);
  });

  test('a withdrawn or suspended line has no first price yet', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { prices: [0, 0], status: 'suspended' }));
    desk.send(quoteWire(next(), 'e1', { prices: [1.9, 2], status: 'suspended' }));
    desk.send(quoteWire(next(), 'e1', { prices: [1, 2] }));
    expect(openingRows(archive)).toEqual([]);
    desk.send(quoteWire(next(), 'e1', { prices: [1.7, 2.2] }));
    expect(openingRows(archive)).toMatchObject([{ a: 17_000, b: 22_000 }]);
  });

  test('a line that closes and opens again keeps its opening, and so does a fixture that comes back', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { prices: [1.9, 2] }));
    desk.send(removeWire(next()));
    desk.send(eventWire(next()), quoteWire(next(), 'e1', { prices: [1.5, 2.5] }));
    expect(openingRows(archive)).toMatchObject([{ a: 19_000 }]);
    expect(desk.reader.counters()).toMatchObject({ openings_recorded: 1, openings_restored: 1 });
  });

  test('after a restart the first prices from the database stay, whatever prices follow', async () => {
    using folder = temporaryFolder();
    const seen: unknown[] = [];
    for (const run of [0, 1]) {
      const path = join(folder.path, 'archive.sqlite');
      const database = openDatabase({ path, schemas: [ARCHIVE_SCHEMA], create: true });
      const archive = new ArchiveWriter({ database, clock: clockOf(5_000), onError: fail });
      const { desk, next } = deskWithFixture({ buffer: createStore(run + 1, ROOMY), archive });
      desk.send(quoteWire(next(), 'e1', { at: wireTime(run * 1_000), prices: [1.9 + run / 10, 2] }));
      await archive.flush();
      database.close();
      seen.push(
        desk.reader.readEvent(FIRST_EVENT, (_page, slot) => {
          const { columns, openingsPerFixture } = desk.reader;
          const row = slot * openingsPerFixture;
          return [desk.reader.openingCount(slot), columns.openingE4A[row], columns.openedAtMs[row]];
        }),
      );
    }
    expect(seen).toEqual([
      [1, 19_000, 0],
      [1, 19_000, 0],
    ]);
  });

  test('a worker that takes over the store of a killed one records nothing twice', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { prices: [1.9, 2] }));
    const second = deskWithFixture({ buffer: desk.buffer, archive });
    second.desk.send(
      quoteWire(second.next(), 'e1', {
        at: wireTime(Date.parse('2026-03-01T15:00:00Z')),
        prices: [1.5, 2.5],
      }),
    );
    expect(openingRows(archive)).toMatchObject([{ a: 19_000 }]);
  });
});
