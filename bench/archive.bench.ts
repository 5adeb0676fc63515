// The archive: finding a fixture's openings in the columns of the store, as every answer does, compared with
// asking SQLite for them; and searching the results.

import { join } from 'node:path';
import { bench, do_not_optimize, group } from 'mitata';
import { ArchiveReader } from '../src/archive/archive-reader.ts';
import { ArchiveWriter } from '../src/archive/archive-writer.ts';
import type { ArchivedResult } from '../src/archive/tables.ts';
import { ARCHIVE_SCHEMA } from '../src/archive/tables.ts';
import { systemClock } from '../src/clock.ts';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { ARCHIVE_FLUSH_ROWS } from '../src/limits.ts';
import { openDatabase } from '../src/storage/database.ts';
import { sqliteSql } from '../src/storage/sqlite-sql.ts';
import { createStore, DEFAULT_CAPACITY } from '../src/store/layout.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchFolder } from './bench-folder.ts';
import { benchKeys, fillSlate } from './store-slate.ts';

const SEED = 20_221_120;
const QUOTES = 75;
const RESULTS = 9_000;

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const fixtureCount = size === 'smoke' ? 20 : 1_000;
  const buffer = createStore(0, { ...DEFAULT_CAPACITY, fixtures: fixtureCount });
  fillSlate(new SlateWriter(buffer), { fixtureCount, keys: benchKeys(QUOTES), random: new Random(SEED) });
  const slate = new SlateReader(buffer);

  const folder = benchFolder();
  const path = join(folder, 'bench.sqlite');
  function open() {
    return openDatabase({ path, schemas: [ARCHIVE_SCHEMA], create: true });
  }
  const writer = new ArchiveWriter({ database: open(), clock: systemClock, onError: fail });
  const stored = new ArchiveWriter({ database: open(), clock: systemClock, onError: fail });
  const reader = new ArchiveReader(sqliteSql(open()));
  for (let slot = 0; slot < fixtureCount; slot++) archiveOpenings(slate, writer, slot);
  const results = Array.from({ length: size === 'smoke' ? 100 : RESULTS }, (_, index) => resultOf(index));
  for (const result of results) writer.recordResult(result);
  assert(await writer.flush(), 'the bench file takes its rows');

  defineOpenings(slate, stored, fixtureCount);
  await defineResults(reader, results);
  defineWrites(writer);
}

function fail(error: unknown): never {
  throw error;
}

function defineOpenings(slate: SlateReader, stored: ArchiveWriter, fixtureCount: number): void {
  for (let slot = 0; slot < fixtureCount; slot++) {
    const prices = stored.openingsOf(slot + 1).reduce((sum, opening) => sum + opening.a, 0);
    assert(prices > 0 && prices === sumOfOpenings(slate, slot), 'store and SQLite hold the same openings');
  }
  let slot = 0;
  let event = 0;
  group(`look up the ${QUOTES} openings of a fixture`, () => {
    bench('store columns', () => {
      slot = (slot + 1) % fixtureCount;
      do_not_optimize(sumOfOpenings(slate, slot));
    });
    bench('SQLite, prepared', () => {
      event = (event + 1) % fixtureCount;
      do_not_optimize(stored.openingsOf(event + 1));
    }).baseline(true);
  });
}

async function defineResults(reader: ArchiveReader, results: readonly ArchivedResult[]): Promise<void> {
  const wanted = { teamText: 'ATLÉTICO 7', limit: 50 };
  function naive(): ArchivedResult[] {
    return results
      .filter(({ home, away }) => `${home?.name}\n${away?.name}`.toLowerCase().includes('atlético 7'))
      .sort((left, right) => right.finishedAtMs - left.finishedAtMs)
      .slice(0, wanted.limit);
  }
  const found = (await reader.results(wanted)).map((result) => result.eventNumber);
  assert(found.length > 0, 'the bench search finds something');
  assert(
    found.join() ===
      naive()
        .map((result) => result.eventNumber)
        .join(),
    'both searches find the same',
  );
  group(`search ${results.length} results by team`, () => {
    bench('SQLite', async () => do_not_optimize(await reader.results(wanted)));
    bench('array of objects', () => do_not_optimize(naive())).baseline(true);
  });
  group('look up one result', () => {
    bench('SQLite', async () => do_not_optimize(await reader.result(7)));
  });
}

function defineWrites(writer: ArchiveWriter): void {
  let event = 1_000_000;
  group(`write ${ARCHIVE_FLUSH_ROWS - 1} openings behind the feed`, () => {
    bench('recordOpening and flush', async () => {
      event++;
      for (let key = 1; key < ARCHIVE_FLUSH_ROWS; key++) {
        writer.recordOpening(event, { key, a: 19_000, b: 19_000, c: 0, openedAtMs: 0, upstream: false });
      }
      assert(await writer.flush(), 'the bench file takes its rows');
    });
  });
}

function sumOfOpenings(slate: SlateReader, slot: number): number {
  const { openingE4A } = slate.columns;
  return (
    slate.read(slot, () => {
      const base = slot * slate.openingsPerFixture;
      let sum = 0;
      for (let row = base, end = base + slate.openingCount(slot); row < end; row++) sum += openingE4A[row]!;
      return sum;
    }) ?? 0
  );
}

function archiveOpenings(slate: SlateReader, writer: ArchiveWriter, slot: number): void {
  const { columns } = slate;
  const base = slot * slate.openingsPerFixture;
  for (let row = base, end = base + slate.openingCount(slot); row < end; row++) {
    writer.recordOpening(slot + 1, {
      key: columns.openingKey[row]!,
      a: columns.openingE4A[row]!,
      b: columns.openingE4B[row]!,
      c: columns.openingE4C[row]!,
      openedAtMs: columns.openedAtMs[row]!,
      upstream: columns.openingUpstream[row] === 1,
    });
  }
}

function resultOf(index: number): ArchivedResult {
  return {
    eventNumber: index,
    sport: 0,
    league: { number: index % 40, name: `Liga ${index % 40}` },
    home: { number: 1_000 + index, name: `Atlético ${index}` },
    away: { number: 20_000 + index, name: `Grêmio ${index}` },
    scheduledAtMs: index * 1_000,
    score: [index % 5, index % 3],
    redCards: null,
    finishedAtMs: index * 1_000 + 500,
    source: 'final',
  };
}
