// Connects the parts between sources and a store: for each source a queue and a handler, then the applier,
// the outlet and the sweep. With several sources, the code in join/ merges them before the applier. The
// ingest worker has one pipeline over the service's store, `feed serve` one over its own store.

import type { Clock } from '../clock.ts';
import { BOOKMAKERS } from '../domain/catalogue.ts';
import { Random } from '../domain/random.ts';
import type { RetryPace } from '../feed/backoff.ts';
import { bookmakersByFeed } from '../feed/bookmaker-owners.ts';
import { openSource, type SourceSettings, type SourceToOpen } from '../feed/open-source.ts';
import type { FeedOutlet } from '../feed/outlet.ts';
import { sourceFacts } from '../feed/source-facts.ts';
import type { BoundedLog, Log } from '../log.ts';
import { SmallCollections } from '../platform/small-collections.ts';
import type { Config } from '../settings/config.ts';
import { feedNames } from '../settings/feed-settings.ts';
import { SlateReader } from '../store/reader.ts';
import { SlateWriter } from '../store/writer/writer.ts';
import { Applier } from './apply.ts';
import type { ArchivePort } from './archive-recorder.ts';
import { ClockWatch } from './clock-watch.ts';
import { FeedHandler, type FeedParts } from './feed-handler.ts';
import { FeedHealth } from './feed-health.ts';
import { FeedQueue } from './feed-queue.ts';
import type { JoiningOptions } from './join/join-feeds.ts';
import type { JoinReport } from './join/join-report.ts';
import { SlateOutlet } from './slate-outlet.ts';
import { SourceKeeper } from './source-keeper.ts';

export interface PipelineOptions {
  readonly settings: SourceSettings & Pick<Config, 'feeds' | 'liveFreshnessMs' | 'prematchFreshnessMs'>;
  readonly storeBuffer: SharedArrayBuffer;
  readonly writer: SlateWriter;
  readonly archive: ArchivePort;
  readonly clock: Clock;
  readonly log: Log;
  readonly rejectLog: BoundedLog;
  /** Seeds the jitter of retries. */
  readonly seed: number;
  /** How soon a source reconnects after a cut; if absent, at the service's pace. */
  readonly retryPace?: RetryPace;
  /** Called when a source that lost messages could not be opened again, so that it will send nothing more. */
  readonly onError: (error: unknown) => void;
  /**
   * With several sources: what the operator joins and forbids, and where identities are kept over a restart.
   */
  readonly joining?: JoiningOptions;
}

export interface Pipeline {
  /** Receives what is applied, for others to follow. */
  readonly outlet: FeedOutlet;
  /** Which fixtures of several sources are joined and which are not; null with one source. */
  readonly joinReport: (() => JoinReport) | null;
  /** Gives matches the leader's names; null with one source, because then its keys name the matches. */
  readonly takeLeaderNames: (() => void) | null;
  /** Closes the sources and ends the sweep. */
  close(): Promise<void>;
}

const SWEEP_INTERVAL_MS = 5_000;
/** How late a status that changes by time alone may be published. */
const STATUS_INTERVAL_MS = 1_000;
/**
 * How often the clock is checked. For this long after the clock was set back, answers may still carry times
 * ahead of it.
 */
const CLOCK_INTERVAL_MS = 100;

/** Opens the sources and connects them to the store. @throws when a source cannot be opened */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { settings, storeBuffer, writer, archive, clock } = options;
  const applier = new Applier(writer, archive);
  const reader = new SlateReader(storeBuffer);
  const outlet = new SlateOutlet({ reader, fixtures: applier.fixtures, clock });
  applier.outlet = outlet;
  const feeds = sourcesToOpen(settings);
  const keepers: SourceKeeper[] = [];
  const joint =
    feeds.length === 1
      ? null
      : // Loaded only when it is needed, because the large club tables are loaded with it.
        (await import('./join/join-feeds.ts')).joinFeeds(feeds, {
          ...options,
          applier,
          outlet,
          sendScore: (source, event, score) => keepers[source]?.setScore(event, score),
        });
  const feedHealth = new FeedHealth(writer, clock);
  const handlers = feeds.map((feed, index) => {
    const parts = joint === null ? { target: applier, store: writer, outlet } : joint.parts[index]!;
    const { handler, keeper } = wire(feed, { ...options, parts, feedHealth, onCaughtUp: sweep });
    keepers.push(keeper);
    return handler;
  });
  function publish(): void {
    if (joint === null) handlers[0]!.publish();
    else joint.publish();
  }
  function sweep(): void {
    applier.sweep(reader, clock.wallMs());
    joint?.slate.forgetExpired();
    publish();
  }
  await Promise.all(keepers.map((keeper) => keeper.open()));
  const sweepTimer = setInterval(sweep, SWEEP_INTERVAL_MS);
  const clockWatch = new ClockWatch(clock);
  const clockTimer = setInterval(() => restartIfSetBack(clockWatch, options), CLOCK_INTERVAL_MS);
  const statusTimer = setInterval(() => {
    joint?.tick(clock.wallMs());
    writer.updateStatuses(clock.wallMs());
    publish();
    feedHealth.publish();
  }, STATUS_INTERVAL_MS);
  return {
    outlet,
    joinReport: joint?.report ?? null,
    takeLeaderNames: joint?.takeLeaderNames ?? null,
    close: async () => {
      await Promise.all(keepers.map((keeper) => keeper.close()));
      clearInterval(sweepTimer);
      clearInterval(clockTimer);
      clearInterval(statusTimer);
    },
  };
}

/** @throws when the clock was set back, which ends this thread */
function restartIfSetBack(watch: ClockWatch, { storeBuffer, log }: PipelineOptions): void {
  const setBack = watch.check();
  if (setBack === null) return;
  log.warn('clock_set_back', { byMs: setBack.byMs });
  // A new writer sets the published stamps back. This thread's writer has drafts that may be half of a
  // snapshot, and they must not be published.
  const heir = new SlateWriter(storeBuffer);
  heir.setBackClock(setBack);
  heir.publish(setBack.nowMs);
  throw new Error('The clock was set back: the sources start again, on a thread without their earlier state');
}

/** The configured sources, each with its name and its bookmakers. */
function sourcesToOpen(settings: PipelineOptions['settings']): readonly SourceToOpen[] {
  const names = feedNames(settings.feeds);
  const bookmakers = bookmakersByFeed(settings, BOOKMAKERS);
  return settings.feeds.map((feed, index) => ({ feed, name: names[index]!, bookmakers: bookmakers[index]! }));
}

/** A source's own queue and handler, and the keeper that keeps it open. */
function wire(
  source: SourceToOpen,
  {
    settings,
    parts,
    feedHealth,
    onCaughtUp,
    ...options
  }: PipelineOptions & {
    readonly parts: FeedParts;
    readonly feedHealth: FeedHealth;
    /** Called after a recording has caught up. */
    readonly onCaughtUp: () => void;
  },
): { readonly handler: FeedHandler; readonly keeper: SourceKeeper } {
  const { clock, log, rejectLog, retryPace } = options;
  const health = feedHealth.add(source.name);
  const { helloBeginsSnapshot, hasOwnClock } = sourceFacts(source.feed);
  const handler = new FeedHandler({
    writer: options.writer,
    store: parts.store,
    applier: parts.target,
    clock,
    log,
    rejectLog,
    helloBeginsSnapshot,
    hasOwnClock,
    ...(parts.outlet === null ? {} : { outlet: parts.outlet }),
    health,
    onGap: () => keeper.lost(),
  });
  const collections = new SmallCollections();
  const queue = new FeedQueue({
    drain: (entries, depth) => {
      handler.drain(entries, depth);
      // If the garbage collector did not run during a snapshot, the objects that stay would lie scattered
      // among its garbage, over twice the memory.
      if (parts.target.sequence.inSnapshot) collections.count(entries.length);
      if (entries.some((entry) => entry.mark?.mark === 'caught_up')) onCaughtUp();
    },
    schedule: (tick) => setImmediate(tick),
  });
  const random = new Random(options.seed);
  const keeper = new SourceKeeper({
    name: health.name,
    open: () =>
      openSource(source, settings, {
        sink: queue,
        tools: {
          ...{ clock, log, random, report: (status) => health.setReported(status) },
          ...(retryPace === undefined ? {} : { retryPace }),
        },
      }),
    canReopen: !helloBeginsSnapshot,
    clock,
    log,
    onError: options.onError,
  });
  return { handler, keeper };
}
