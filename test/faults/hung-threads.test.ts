// A thread that hangs, and one that dies at every start: each is noticed, named in the log and replaced, and
// the service reports which parts of it are missing. test/service/thread-deaths.test.ts tests HTTP threads
// that hang under load; test/scoring/scoring-workers.test.ts tests workers that miss the deadline of a task.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { systemClock } from '../../src/clock.ts';
import { createLog } from '../../src/log.ts';
import { Slate } from '../../src/query/slate/slate.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { Supervisor } from '../../src/start/supervisor.ts';
import { startIngestWorker } from '../../src/start/workers.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { createMetricsMemory } from '../../src/telemetry/metrics-memory.ts';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Entry {
  readonly event: string;
  readonly worker?: string;
  readonly silentMs?: number;
  readonly meanwhile?: string;
}

test('an ingest worker that hangs is noticed within five seconds, /health reports it, and another takes over', async () => {
  using folder = temporaryFolder();
  const config = loadConfig({ FEED: 'simulator', DATA_DIR: folder.path, LOG_LEVEL: 'error' });
  openDatabase({ path: join(folder.path, DATABASE_NAME), schemas: [ARCHIVE_SCHEMA], create: true }).close();
  const storeBuffer = createStore(1);
  const slate = new Slate(new SlateReader(storeBuffer), { liveMs: 60_000, prematchMs: 300_000 });
  const isLive = () => slate.health(systemClock.wallMs()).feed_live;
  const entries: Entry[] = [];
  let isLiveWhenLost: boolean | null = null;
  // The thread is started as main starts it. The state of the feed is read when the loss of the thread is
  // logged.
  const ingest = startIngestWorker({
    metricsMemory: createMetricsMemory(1),
    ...{ config, storeBuffer, tapeMemory: null, matchFile: null, clock: systemClock },
    log: collect(entries, ({ event }) => {
      if (event === 'worker_restarting') isLiveWhenLost = isLive();
    }),
    onRestart: () => undefined,
    onCrashLoop: () => undefined,
    url: new URL('../service/mirrors/mortal-ingest.worker.ts', import.meta.url),
  });
  await until('the feed is live', isLive);
  const death = new BroadcastChannel('overround-ingest-death');
  death.postMessage('hang');
  await until('it is noticed', () => entries.some(({ event }) => event === 'worker_restarting'));
  expect(entries.find(({ event }) => event === 'worker_hung')).toMatchObject({ worker: 'ingest' });
  expect(entries.find(({ event }) => event === 'worker_hung')!.silentMs).toBeLessThanOrEqual(5_000);
  expect(isLiveWhenLost!).toBe(false);
  await until('another has the feed', isLive);
  death.close();
  await ingest.stop();
});

test('a worker that dies at every start is a crash loop, which is logged once with its name and what still works', async () => {
  const entries: Entry[] = [];
  let crashLoops = 0;
  const supervisor = new Supervisor<{ readonly type: string }>({
    name: 'accounts',
    url: new URL('../start/mortal.worker.ts', import.meta.url),
    clock: systemClock,
    log: collect(entries),
    startMessage: { type: 'throw' },
    withoutIt: '/platform is answered 503',
    onCrashLoop: () => crashLoops++,
  });
  supervisor.start();
  await until('the crash loop is said', () => crashLoops > 0);
  await until('it is tried again', () => entries.at(-1)?.event === 'worker_restarting');
  supervisor.terminate();
  expect(entries.filter(({ event }) => event === 'worker_crash_loop')).toMatchObject([
    { worker: 'accounts', meanwhile: '/platform is answered 503' },
  ]);
});

function collect(entries: Entry[], heard: (entry: Entry) => void = () => undefined) {
  const write = (line: string) => {
    const entry = JSON.parse(line) as Entry;
    entries.push(entry);
    heard(entry);
  };
  return createLog({ clock: systemClock, json: true, level: 'error', write });
}
