// The record of signals while another process has locked its database.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { HistoryDatabase } from '../../src/start/record/history-database.ts';
import { keepRecord } from '../../src/start/record/keep-record.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { attachMetricsMemory, createMetricsMemory } from '../../src/telemetry/metrics-memory.ts';
import { NodeNumbers } from '../../src/telemetry/node-numbers.ts';
import { helloWire, markWire } from '../feed/wire.ts';
import { IngestDesk } from '../ingest/ingest-desk.ts';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a database that another process has locked is counted as a failure and logged', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, DATABASE_NAME);
  openDatabase({ path, schemas: [], create: true }).close();
  const numbers = new NodeNumbers(attachMetricsMemory(createMetricsMemory(1)));
  const logged: string[] = [];
  const log = (event: string) => void logged.push(event);
  const desk = new IngestDesk();
  desk.send(helloWire(), markWire('snapshot_begin', 1), markWire('snapshot_end', 2));
  const stop = keepRecord({
    config: {
      liveFreshnessMs: 60_000,
      prematchFreshnessMs: 300_000,
      valueEdgeMaxPct: 20,
      arbitrageMarginMaxPct: 10,
    },
    storeBuffer: desk.buffer,
    clock: systemClock,
    log: { debug: log, info: log, warn: log, error: log },
    numbers,
    database: new HistoryDatabase({ dataDir: folder.path, databaseUrl: null }),
    closings: { frozen: async () => null },
    isWriting: () => true,
  });
  try {
    await until('the record has begun', () => numbers.get('record_waiting') === 0);
    using other = new Database(path);
    other.run('PRAGMA busy_timeout = 5000');
    other.run('BEGIN EXCLUSIVE');
    await until('the failure is counted', () => numbers.get('record_failures') === 1);
  } finally {
    await stop();
  }
  expect(logged).toEqual(['signal_record_failed']);
});
