// The ingest worker's entry: opens the feed and is the store's only writer. It never blocks; a failure it cannot handle
// ends it, and main starts another, which takes the store over as published.

import { clockOf } from '../clock.ts';
import { helloBeginsSnapshot, openSource } from '../feed/open-source.ts';
import { BoundedLog, serviceLog } from '../log.ts';
import { SlateReader } from '../store/reader.ts';
import { SlateWriter } from '../store/writer.ts';
import { Applier } from './apply.ts';
import { FeedHandler } from './feed-handler.ts';
import { FeedQueue } from './feed-queue.ts';
import type { FromIngest, IngestStart, ToIngest } from './messages.ts';
import { openArchive } from './open-archive.ts';
import { sweepFinished } from './sweep.ts';

declare const self: Worker;

const SWEEP_INTERVAL_MS = 5_000;
const ARCHIVE_FLUSH_INTERVAL_MS = 250;
const ARCHIVE_PURGE_INTERVAL_MS = 60_000;
const REJECT_LOG = { countMax: 5, windowMs: 10_000 };

/** Stops what runs; null before the start message. */
let running: Promise<() => Promise<void>> | null = null;

self.onmessage = (event: MessageEvent<ToIngest>) => {
  const message = event.data;
  if (message.type === 'start') {
    running = start(message);
    running.then(() => say({ type: 'started' }), die);
  } else if (message.type === 'stop') {
    running?.then((stop) => stop()).then(() => say({ type: 'stopped' }), die);
  }
};

/** Rethrown from a task of its own: a rejection would end the worker without a word of why. */
function die(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

function say(message: FromIngest): void {
  self.postMessage(message);
}

/** @returns a function that closes the feed and flushes what is still to be written */
async function start({ storeBuffer, config, startMs }: IngestStart): Promise<() => Promise<void>> {
  const clock = clockOf(config.feedNowMs);
  const log = serviceLog(config, clock);
  const writer = new SlateWriter(storeBuffer);
  const rejectLog = new BoundedLog(log, clock, REJECT_LOG);
  const archive = openArchive({ dataDir: config.dataDir, writer, clock, log: rejectLog });
  const applier = new Applier(writer, archive.port);
  const handler = new FeedHandler({
    writer,
    applier,
    clock,
    log,
    rejectLog,
    helloBeginsSnapshot: helloBeginsSnapshot(config.feed),
  });
  const reader = new SlateReader(storeBuffer);
  function sweep(): void {
    sweepFinished(applier, reader, clock.wallMs());
    handler.publish();
  }
  const queue = new FeedQueue({
    drain: (entries, depth) => {
      handler.drain(entries, depth);
      if (entries.some((entry) => entry.mark?.mark === 'caught_up')) sweep();
    },
    schedule: (tick) => setImmediate(tick),
  });
  const source = await openSource({ ...config, startMs }, queue, clock);
  const sweepTimer = setInterval(sweep, SWEEP_INTERVAL_MS);
  const flushTimer = setInterval(() => archive.flush(), ARCHIVE_FLUSH_INTERVAL_MS);
  const purgeTimer = setInterval(() => archive.purge(), ARCHIVE_PURGE_INTERVAL_MS);
  return async () => {
    await source.close();
    clearInterval(sweepTimer);
    clearInterval(flushTimer);
    clearInterval(purgeTimer);
    archive.close();
  };
}
