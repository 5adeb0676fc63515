// The parts between a source and a store, wired: queue, handler, applier, outlet and the sweep. The ingest worker has
// one over the service's store, `feed serve` one over a store of its own.

import type { Clock } from '../clock.ts';
import { Random } from '../domain/random.ts';
import { helloBeginsSnapshot, openSource, type SourceSettings } from '../feed/open-source.ts';
import type { FeedOutlet } from '../feed/outlet.ts';
import type { BoundedLog, Log } from '../log.ts';
import { SlateReader } from '../store/reader.ts';
import type { SlateWriter } from '../store/writer.ts';
import { Applier } from './apply.ts';
import type { ArchivePort } from './archive-recorder.ts';
import { FeedHandler } from './feed-handler.ts';
import { FeedHealth } from './feed-health.ts';
import { FeedQueue } from './feed-queue.ts';
import { SlateOutlet } from './slate-outlet.ts';
import { SourceKeeper } from './source-keeper.ts';

export interface PipelineOptions {
  readonly settings: SourceSettings;
  readonly storeBuffer: SharedArrayBuffer;
  readonly writer: SlateWriter;
  readonly archive: ArchivePort;
  readonly clock: Clock;
  readonly log: Log;
  readonly rejectLog: BoundedLog;
  /** Seeds the jitter of retries. */
  readonly seed: number;
  /** A source that lost messages could not be opened anew: nothing more will come of it. */
  readonly onError: (error: unknown) => void;
}

export interface Pipeline {
  /** What is applied, for others to follow. */
  readonly outlet: FeedOutlet;
  /** Closes the source and ends the sweep. */
  close(): Promise<void>;
}

const SWEEP_INTERVAL_MS = 5_000;
/** How late a status that changes by time alone may be published. */
const STATUS_INTERVAL_MS = 1_000;

/** Opens the source and lets it run into the store. @throws when the source cannot be opened */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { settings, storeBuffer, writer, archive, clock, log, rejectLog } = options;
  const applier = new Applier(writer, archive);
  const reader = new SlateReader(storeBuffer);
  const outlet = new SlateOutlet({ reader, fixtures: applier.fixtures, clock });
  applier.outlet = outlet;
  const feedHealth = new FeedHealth(writer, clock);
  const health = feedHealth.add(settings.feed.kind);
  const handler = new FeedHandler({
    writer,
    applier,
    clock,
    log,
    rejectLog,
    helloBeginsSnapshot: helloBeginsSnapshot(settings.feed),
    outlet,
    health,
    onGap: () => source.lost(),
  });
  function sweep(): void {
    applier.sweep(reader, clock.wallMs());
    handler.publish();
  }
  const queue = new FeedQueue({
    drain: (entries, depth) => {
      handler.drain(entries, depth);
      if (entries.some((entry) => entry.mark?.mark === 'caught_up')) sweep();
    },
    schedule: (tick) => setImmediate(tick),
  });
  const source = new SourceKeeper({
    name: health.name,
    open: () =>
      openSource(settings, queue, {
        clock,
        log,
        random: new Random(options.seed),
        report: (status) => health.says(status),
      }),
    canReopen: !helloBeginsSnapshot(settings.feed),
    clock,
    log,
    onError: options.onError,
  });
  await source.open();
  const sweepTimer = setInterval(sweep, SWEEP_INTERVAL_MS);
  const statusTimer = setInterval(() => {
    writer.updateStatuses(clock.wallMs());
    handler.publish();
    feedHealth.publish();
  }, STATUS_INTERVAL_MS);
  return {
    outlet,
    close: async () => {
      await source.close();
      clearInterval(sweepTimer);
      clearInterval(statusTimer);
    },
  };
}
