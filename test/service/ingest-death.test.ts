// If the ingest worker dies, another one takes over its store. Until then, readers see the last published
// slate become older.

import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { systemClock } from '../../src/clock.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import { createLog } from '../../src/log.ts';
import { OddsQueries } from '../../src/query/odds/odds.ts';
import { oddsFilter } from '../../src/query/odds/odds-filter.ts';
import { OpeningQueries } from '../../src/query/odds/openings.ts';
import { Slate } from '../../src/query/slate/slate.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { Supervisor } from '../../src/start/supervisor.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { createMetricsMemory } from '../../src/telemetry/metrics-memory.ts';
import { until } from '../support/condition.ts';
import { twoFixtures, writeLines } from '../support/recording-file.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const WINDOWS = { liveMs: 60_000, prematchMs: 300_000 };
const CALLER: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
const FILTER = oddsFilter({}, CALLER);

/**
 * The real ingest worker under the real supervisor, on a recording; readers of its store as in HTTP threads.
 */
function superviseIngest(directory: TemporaryFolder) {
  const config = loadConfig({
    FEED: writeLines(join(directory.path, 'two.ndjson'), twoFixtures()),
    DATA_DIR: directory.path,
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  });
  const path = join(directory.path, DATABASE_NAME);
  openDatabase({ path, schemas: [ARCHIVE_SCHEMA], create: true }).close();
  const storeBuffer = createStore(1);
  const reports: string[] = [];
  const restarts = { count: 0 };
  const supervisor = new Supervisor<{ readonly type: string }>({
    name: 'ingest',
    url: new URL('./mirrors/mortal-ingest.worker.ts', import.meta.url),
    clock: systemClock,
    log: createLog({ clock: systemClock, json: true, level: 'error', write: () => {} }),
    startMessage: Object.assign({
      type: 'start',
      storeBuffer,
      metricsMemory: createMetricsMemory(1),
      config,
      startMs: systemClock.wallMs(),
      matchFile: null,
      heartbeatEveryMs: 500,
      tapeMemory: null,
    }),
    onMessage: ({ type }) => reports.push(type),
    onRestart: () => restarts.count++,
  });
  const reader = new SlateReader(storeBuffer);
  const slate = new Slate(reader, WINDOWS);
  return { supervisor, reports, restarts, reader, slate };
}

/** All odds and openings that a caller can see at an instant, without the stamps that heartbeats change. */
function shownAt({ reader, slate }: ReturnType<typeof superviseIngest>, nowMs: number): unknown[] {
  return slate
    .peek(nowMs)
    .map((fixture) => ({
      ...new OddsQueries(reader).block(fixture, FILTER),
      as_of: null,
      status: fixture.status,
      opening: new OpeningQueries(reader).ofQuotes(fixture, FILTER),
    }))
    .sort((left, right) => (left.event_id < right.event_id ? -1 : 1));
}

describe('an ingest worker', () => {
  test('if the worker dies by a throw, a rejection or an exit, readers keep the slate, and the next worker takes it over', async () => {
    using directory = temporaryFolder();
    const ingest = superviseIngest(directory);
    const { supervisor, reports, restarts, reader, slate } = ingest;
    try {
      supervisor.start();
      await until('the first snapshot is complete', () => reader.feed().snapshotComplete);
      const before = shownAt(ingest, systemClock.wallMs());
      expect(before).toMatchObject([
        { odds: { length: expect.any(Number) } },
        { odds: { length: expect.any(Number) } },
      ]);
      expect(before.flatMap((block) => (block as { odds: unknown[] }).odds)).toHaveLength(3);
      const ids = slate.peek(systemClock.wallMs()).map(({ view }) => view.id);
      let deathCount = 0;
      for (const death of ['throw', 'reject', 'exit']) {
        const snapshots = reader.counters().snapshots;
        deathCount++;
        supervisor.post({ type: death });
        await until(`worker ${deathCount} is dead`, () => restarts.count === deathCount);
        // The new worker is starting. Nothing may be missing now, and nothing after it has read everything
        // again.
        expect(shownAt(ingest, systemClock.wallMs())).toEqual(before);
        await until('the next worker has caught up', () => reader.counters().snapshots > snapshots);
        await until(
          'it has reported its start',
          () => reports.filter((type) => type === 'started').length === deathCount + 1,
        );
        expect(shownAt(ingest, systemClock.wallMs())).toEqual(before);
      }
      expect(slate.peek(systemClock.wallMs()).map(({ view }) => view.id)).toEqual(ids);
    } finally {
      supervisor.terminate();
    }
  });

  test('if the worker is gone and not replaced, the slate becomes stale, first for matches in play, and in the end is refused', async () => {
    using directory = temporaryFolder();
    const ingest = superviseIngest(directory);
    const { supervisor, reader, slate } = ingest;
    supervisor.start();
    await until('the first snapshot is complete', () => reader.feed().snapshotComplete);
    supervisor.terminate();
    const { appliedAtMs } = reader.feed();
    const staleAt = (ageMs: number) =>
      Object.fromEntries(slate.peek(appliedAtMs + ageMs).map(({ status, stale }) => [status, stale]));
    expect(staleAt(0)).toEqual({ live: false, scheduled: false });
    expect(staleAt(WINDOWS.liveMs + 1)).toEqual({ live: true, scheduled: false });
    // as_of counts heartbeats in steps of 10 s, so it may be that much older than the last message.
    expect(staleAt(WINDOWS.prematchMs)).toMatchObject({ live: true });
    expect(() => slate.requireReady(appliedAtMs + WINDOWS.prematchMs + 1)).toThrow('silent for too long');
    expect(slate.peek(appliedAtMs + WINDOWS.prematchMs + 10_001).map(({ stale }) => stale)).toEqual([
      true,
      true,
    ]);
  });

  test('if the worker is asked to stop, it writes its openings to the database and reports that it has stopped', async () => {
    using directory = temporaryFolder();
    const { supervisor, reports, reader } = superviseIngest(directory);
    try {
      supervisor.start();
      await until('the first snapshot is complete', () => reader.feed().snapshotComplete);
      await supervisor.stop({ type: 'stop' }, 120_000);
      expect(reports).toContain('stopped');
      const database = openDatabase({
        path: join(directory.path, DATABASE_NAME),
        schemas: [ARCHIVE_SCHEMA],
        create: false,
        check: false,
      });
      const row = database.query('SELECT count(*) AS count FROM openings').get();
      database.close();
      expect(row).toEqual({ count: 3 });
    } finally {
      supervisor.terminate();
    }
  });
});
