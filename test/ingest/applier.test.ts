// What single messages do beyond the slate: openings, results, refusals by the tables, and what time alone does.

import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveWriter } from '../../src/archive/archive-writer.ts';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { clockOf } from '../../src/clock.ts';
import { openDatabase } from '../../src/database.ts';
import { entityNumber } from '../../src/domain/ids.ts';
import { FixtureNumbers } from '../../src/ingest/fixture-numbers.ts';
import { FEED_AHEAD_MS_MAX } from '../../src/limits.ts';
import { createStore } from '../../src/store/layout.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import type { OpeningRow } from '../../src/store/records.ts';
import {
  eventWire,
  helloWire,
  markWire,
  quoteWire,
  removeWire,
  resultWire,
  stateWire,
  wireTime,
} from '../feed/wire.ts';
import { type DeskOptions, IngestDesk, MemoryArchive, ROOMY } from './ingest-desk.ts';

const KICKOFF_MS = Date.parse('2026-03-01T15:00:00Z');
const MINUTE_MS = 60_000;
const NUMBER = entityNumber('event', 0, 'e1');

/** A desk in sequence with e1 on the slate; `next` numbers what follows. */
function deskWithFixture(options: DeskOptions = {}) {
  const archive = new MemoryArchive();
  const desk = new IngestDesk({ archive, ...options });
  let seq = 1;
  desk.send(helloWire(), markWire('snapshot_begin', seq), eventWire(++seq), markWire('snapshot_end', ++seq));
  return { desk, archive, next: () => ++seq };
}

function fail(error: unknown): never {
  throw error;
}

function openingRows(archive: MemoryArchive): Omit<OpeningRow, 'key'>[] {
  return archive.openingsOf(NUMBER).map(({ key: _key, ...opening }) => opening);
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

  test('one that was shown and not yet written when the worker died is archived by the next', () => {
    const { desk, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { at: wireTime(1_000), prices: [1.9, 2] }));
    const archive = new MemoryArchive(); // as the disk has it: without the opening
    new IngestDesk({ archive, buffer: desk.buffer });
    expect(openingRows(archive)).toEqual([
      { a: 19_000, b: 20_000, c: 0, openedAtMs: 1_000, upstream: false },
    ]);
  });

  test('the feed’s own opening is taken with its time', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(
      quoteWire(next(), 'e1', { opening: [1.5, 2.5], opened_at: wireTime(500), status: 'suspended' }),
    );
    expect(openingRows(archive)).toEqual([{ a: 15_000, b: 25_000, c: 0, openedAtMs: 500, upstream: true }]);
  });

  test('an opening of another line is that line’s, and what is seen is the quote’s own', () => {
    const { desk, archive, next } = deskWithFixture();
    const sent = { line: -0.5, opening: [1.5, 2.5], opening_line: -1, opened_at: wireTime(500) };
    desk.send(quoteWire(next(), 'e1', { ...sent, at: wireTime(1_000), prices: [1.9, 2] }));
    desk.send(quoteWire(next(), 'e1', { ...sent, at: wireTime(2_000), prices: [1.8, 2.1] }));
    const key = (lineQuarters: number) => packQuoteKey(1, 0, lineQuarters, 0);
    expect(archive.openingsOf(NUMBER)).toEqual([
      { key: key(-4), a: 15_000, b: 25_000, c: 0, openedAtMs: 500, upstream: true },
      { key: key(-2), a: 19_000, b: 20_000, c: 0, openedAtMs: 1_000, upstream: false },
    ]);
    expect(desk.reader.counters().openings_recorded).toBe(2);
  });

  test('an opening that is no price falls back to the first seen, at the time it was seen', () => {
    const { desk, archive, next } = deskWithFixture();
    const quote = { at: wireTime(9_000), opening: [0, 0], opened_at: wireTime(500), prices: [1.9, 2] };
    desk.send(quoteWire(next(), 'e1', quote));
    expect(openingRows(archive)).toEqual([
      { a: 19_000, b: 20_000, c: 0, openedAtMs: 9_000, upstream: false },
    ]);
  });

  test('a pulled or suspended line has no first price yet', () => {
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

  test('restored from the database after a restart: the same first prices, whatever comes', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'overround-openings-'));
    try {
      const buffers = [createStore(1, ROOMY), createStore(2, ROOMY)];
      const seen = buffers.map((buffer, run) => {
        const path = join(dataDir, 'archive.sqlite');
        const database = openDatabase({ path, schemas: [ARCHIVE_SCHEMA], create: true });
        const archive = new ArchiveWriter({ database, clock: clockOf(5_000), onError: fail });
        const { desk, next } = deskWithFixture({ buffer, archive });
        desk.send(quoteWire(next(), 'e1', { at: wireTime(run * 1_000), prices: [1.9 + run / 10, 2] }));
        archive.flush();
        database.close();
        return desk.reader.readEvent(NUMBER, (_page, slot) => {
          const { columns, openingsPerFixture } = desk.reader;
          const row = slot * openingsPerFixture;
          return [desk.reader.openingCount(slot), columns.openingE4A[row], columns.openedAtMs[row]];
        });
      });
      expect(seen).toEqual([
        [1, 19_000, 0],
        [1, 19_000, 0],
      ]);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test('a killed worker’s store, taken over, records nothing twice', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { prices: [1.9, 2] }));
    const second = deskWithFixture({ buffer: desk.buffer, archive });
    second.desk.send(quoteWire(second.next(), 'e1', { at: wireTime(KICKOFF_MS), prices: [1.5, 2.5] }));
    expect(openingRows(archive)).toMatchObject([{ a: 19_000 }]);
  });
});

describe('results', () => {
  test('a result is recorded as final, finishes the match and keeps its score', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(stateWire(next(), 'e1', { score: [2, 0] }), resultWire(next()));
    expect(archive.results).toMatchObject([
      { score: [2, 1], redCards: [0, 1], source: 'final', finishedAtMs: Date.parse('2026-03-01T16:50:00Z') },
    ]);
    expect(desk.slate(['e1']).e1).toMatchObject({ status: 'finished', score: [2, 1] });
  });

  test('without one the last score stands in, a minute after the end and not before', () => {
    const { desk, archive, next } = deskWithFixture();
    const at = wireTime(KICKOFF_MS + 110 * MINUTE_MS);
    desk.nowMs = Date.parse(at);
    desk.send(stateWire(next(), 'e1', { at, status: 'finished', score: [3, 3], cards: [1, 0] }));
    desk.nowMs = KICKOFF_MS + 110 * MINUTE_MS + 59_999;
    desk.sweep();
    expect(archive.results).toEqual([]);
    desk.nowMs++;
    desk.sweep();
    desk.sweep();
    expect(archive.results).toMatchObject([
      { score: [3, 3], redCards: [1, 0], source: 'inferred', finishedAtMs: Date.parse(at) },
    ]);
  });

  test('finished by elapsed time alone, from the kickoff', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(stateWire(next(), 'e1', { score: [1, 0] }));
    desk.nowMs = KICKOFF_MS + 151 * MINUTE_MS;
    desk.sweep();
    expect(archive.results).toMatchObject([{ score: [1, 0], finishedAtMs: KICKOFF_MS + 150 * MINUTE_MS }]);
  });

  test('a match that seemed over and went on is recorded again, and a final result ends it', () => {
    const { desk, archive, next } = deskWithFixture();
    const stopMs = KICKOFF_MS + 70 * MINUTE_MS;
    desk.nowMs = stopMs;
    desk.send(stateWire(next(), 'e1', { at: wireTime(stopMs), clock: '2h 55', score: [1, 1] }));
    desk.nowMs = stopMs + 4 * MINUTE_MS;
    desk.sweep();
    const endMs = stopMs + 40 * MINUTE_MS;
    desk.nowMs = endMs;
    desk.send(
      stateWire(next(), 'e1', { at: wireTime(endMs), clock: null, status: 'finished', score: [2, 1] }),
    );
    desk.nowMs = endMs + MINUTE_MS;
    desk.sweep();
    expect(archive.results.map(({ score, source }) => [score, source])).toEqual([
      [[1, 1], 'inferred'],
      [[2, 1], 'inferred'],
    ]);
    desk.send(resultWire(next(), 'e1', { score: [2, 2] }));
    desk.nowMs += MINUTE_MS;
    desk.sweep();
    expect(archive.results.slice(2)).toMatchObject([{ score: [2, 2], source: 'final' }]);
  });

  test('a finished match that the feed removes at once leaves its score behind, an unfinished one nothing', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(stateWire(next(), 'e1', { status: 'finished', score: [4, 0] }), removeWire(next()));
    desk.send(eventWire(next(), 'e2'), stateWire(next(), 'e2'), removeWire(next(), 'e2'));
    expect(archive.results).toMatchObject([{ score: [4, 0], source: 'inferred' }]);
    desk.send(
      eventWire(next(), 'e3'),
      stateWire(next(), 'e3', { status: 'finished' }),
      resultWire(next(), 'e3'),
    );
    desk.send(removeWire(next(), 'e3'));
    expect(archive.results.slice(1)).toMatchObject([{ source: 'final' }]);
  });

  test('a finished fixture leaves after 24 hours, not a millisecond before', () => {
    const { desk, next } = deskWithFixture();
    desk.nowMs = KICKOFF_MS;
    desk.send(stateWire(next(), 'e1', { at: wireTime(KICKOFF_MS), status: 'finished' }));
    desk.nowMs = KICKOFF_MS + 24 * 60 * MINUTE_MS - 1;
    desk.sweep();
    expect(desk.fixtureCount).toBe(1);
    desk.nowMs++;
    desk.sweep();
    expect(desk.fixtureCount).toBe(0);
    desk.send(quoteWire(next()));
    expect(desk.reader.counters().rejected_unknown_event).toBe(1);
  });
});

describe('refusals', () => {
  test('a time far ahead of our clock is refused: its line would not move until then', () => {
    const { desk, next } = deskWithFixture();
    const ahead = (ms: number) => wireTime(desk.nowMs + ms);
    desk.send(quoteWire(next(), 'e1', { at: ahead(FEED_AHEAD_MS_MAX + 1), prices: [1.1, 9] }));
    expect(desk.reader.counters().rejected_future_time).toBe(1);
    desk.send(quoteWire(next(), 'e1', { at: ahead(FEED_AHEAD_MS_MAX), prices: [1.9, 2] }));
    expect(Object.values(desk.slate(['e1']).e1!.quotes)).toMatchObject([{ pricesE4: [19_000, 20_000, 0] }]);
    expect(desk.reader.counters()).toMatchObject({ rejected_future_time: 1, gaps: 0 });
  });

  test('a time within the bound counts as of its arrival: no stamp is later than when it was applied', () => {
    const { desk, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { at: wireTime(desk.nowMs + 3_000), prices: [1.9, 2] }));
    expect(Object.values(desk.slate(['e1']).e1!.quotes)).toMatchObject([{ atMs: desk.nowMs }]);
    desk.send(stateWire(next(), 'e1', { at: wireTime(desk.nowMs + 3_000) }));
    expect(desk.slate(['e1']).e1!.lastMessageAtMs).toBe(desk.nowMs);
    desk.send({ type: 'heartbeat', seq: next(), at: wireTime(desk.nowMs + 3_000) });
    expect(desk.reader.feed().heartbeatAtMs).toBe(desk.nowMs);
    desk.mark({ mark: 'alive', atMs: desk.nowMs + 3_000 });
    expect(desk.reader.feed().heartbeatAtMs).toBe(desk.nowMs);
  });

  test('older quotes and closes are dropped and counted, equal times are applied', () => {
    const { desk, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { at: wireTime(2_000), prices: [1.9, 2] }));
    desk.send(quoteWire(next(), 'e1', { at: wireTime(1_999), prices: [1.1, 9] }));
    desk.send({ ...quoteWire(next(), 'e1', { at: wireTime(1_999) }), type: 'close' });
    expect(Object.values(desk.slate(['e1']).e1!.quotes)).toMatchObject([{ pricesE4: [19_000, 20_000, 0] }]);
    expect(desk.reader.counters().quotes_older).toBe(2);
    desk.send(quoteWire(next(), 'e1', { at: wireTime(2_000), prices: [1.8, 2] }));
    expect(Object.values(desk.slate(['e1']).e1!.quotes)).toMatchObject([{ pricesE4: [18_000, 20_000, 0] }]);
  });

  test('outcomes are those of the sport: two in a basketball 1x2, three in football', () => {
    const { desk, next } = deskWithFixture();
    desk.send(eventWire(next(), 'b1', { sport: 'basketball' }));
    const winner = { market_type: '1x2', line: null };
    desk.send(quoteWire(next(), 'b1', { ...winner, prices: [1.5, 2.5] }));
    desk.send(quoteWire(next(), 'b1', { ...winner, prices: [1.5, 2.5, 3] }));
    desk.send(quoteWire(next(), 'e1', { ...winner, prices: [1.5, 2.5] }));
    desk.send(quoteWire(next(), 'e1', { ...winner, prices: [2, 3, 4], opening: [2, 3] }));
    expect(desk.reader.counters()).toMatchObject({ rejected_bad_outcomes: 3, quotes_applied: 1 });
    const quote = desk.slate(['b1'], 1).b1!.quotes['crown|1x2|full_time|'];
    expect(quote?.pricesE4).toEqual([15_000, 25_000, 0]);
  });

  test('everything about an event that no message has named is unknown_event', () => {
    const { desk, next } = deskWithFixture();
    const wires = [stateWire, quoteWire, removeWire, resultWire].map((wire) => wire(next(), 'nobody'));
    desk.send(...wires, { ...quoteWire(next(), 'nobody'), type: 'close' });
    expect(desk.reader.counters().rejected_unknown_event).toBe(5);
  });

  test('an event does not change its sport', () => {
    const { desk, next } = deskWithFixture();
    desk.send(eventWire(next(), 'e1', { sport: 'basketball' }));
    expect(desk.reader.counters().rejected_bad_sport).toBe(1);
    expect(desk.fixtureCount).toBe(1);
  });

  test('full tables refuse and count, and what was there stays', () => {
    const { desk, next } = deskWithFixture({
      capacity: { ...ROOMY, fixtures: 2, quotesPerFixture: 2, openingsPerFixture: 1 },
    });
    desk.send(eventWire(next(), 'e2'), eventWire(next(), 'e3'));
    const bookmakers = ['crown', 'sbobet', 'macau'];
    desk.send(...bookmakers.map((bookmaker) => quoteWire(next(), 'e1', { bookmaker })));
    expect(desk.reader.counters()).toMatchObject({
      rejected_fixture_table_full: 1,
      rejected_quote_table_full: 1,
      rejected_opening_table_full: 1,
    });
    expect(Object.keys(desk.slate(['e1', 'e2', 'e3']))).toEqual(['e1', 'e2']);
    expect(Object.keys(desk.slate(['e1']).e1!.quotes)).toHaveLength(2);
  });

  test('a refused fixture uses up no names: a full slate can refuse for ever and still take a newcomer later', () => {
    const { desk, next } = deskWithFixture({ capacity: { ...ROOMY, fixtures: 1 } });
    for (let index = 0; index < 13_000; index++) desk.send(eventWire(next(), `refused-${index}`));
    desk.send(removeWire(next()), eventWire(next(), 'e2'));
    expect(Object.keys(desk.slate(['e2']))).toEqual(['e2']);
    expect(desk.reader.counters()).toMatchObject({
      rejected_fixture_table_full: 13_000,
      rejected_name_table_full: 0,
    });
  });
});

describe('a slate that rolls on for ever', () => {
  test('uses up nothing: events that left give their number back, their clubs play again', () => {
    const { desk, next } = deskWithFixture();
    const clubs = { home: { key: 'h', name: 'H' }, away: { key: 'a', name: 'A' } };
    for (let index = 0; index < 37_000; index++) {
      const event = `rolling-${index}`;
      desk.send(eventWire(next(), event, clubs), removeWire(next(), event));
    }
    expect(desk.reader.counters()).toMatchObject({
      rejected_name_table_full: 0,
      rejected_fixture_table_full: 0,
    });
    expect(desk.fixtureCount).toBe(1);
  });
});

describe('FixtureNumbers', () => {
  const named = { key: 'k', name: 'K' };
  const message = {
    type: 'event',
    seq: 1,
    atMs: 0,
    event: 'e1',
    sport: 0,
    league: named,
    home: { key: 'h', name: 'H' },
    away: { key: 'a', name: 'A' },
    scheduledAtMs: Number.NaN,
  } as const;

  test('tells apart what shares a key across kinds and sports, and forgets an event that left', () => {
    const numbers = new FixtureNumbers();
    const first = numbers.describe({ ...message, league: { key: 'h', name: 'H' } });
    if (typeof first === 'string') throw new Error(first);
    numbers.keep({ ...message, league: { key: 'h', name: 'H' } }, first);
    const other = numbers.describe({ ...message, event: 'e2', sport: 1 });
    if (typeof other === 'string') throw new Error(other);
    expect(other.home.number).not.toBe(first.home.number);
    expect(numbers.keyOf(first.eventNumber)).toBe('e1');
    numbers.remove('e1');
    expect(numbers.keyOf(first.eventNumber)).toBeUndefined();
    expect(numbers.get('e1')).toBeUndefined();
  });

  test('refuses the later of two entities that hash alike, with all of its event', () => {
    const numbers = new FixtureNumbers();
    const first = numbers.describe(message);
    if (typeof first === 'string') throw new Error(first);
    // No two keys are known to collide, so the first team is given the other's number.
    numbers.keep(message, { ...first, home: { number: entityNumber('team', 0, 'other'), name: 'H' } });
    const later = { ...message, event: 'e2', home: { key: 'other', name: 'Other' } };
    expect(numbers.describe(later)).toBe('id_collision');
    expect(numbers.get('e2')).toBeUndefined();
    expect(numbers.describe({ ...later, home: { key: 'third', name: 'Third' } })).toBeObject();
  });
});
