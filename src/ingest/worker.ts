// The entry of the ingest worker: it opens the feed and the archive, and is the store's only writer. It never
// blocks. A failure it cannot handle ends it; main then starts another, which takes over the store as last
// published.

import { type Clock, clockOf } from '../clock.ts';
import { endThread, messageOf } from '../errors.ts';
import { serveLocally } from '../feed/local-socket.ts';
import type { FeedServer } from '../feed/websocket/server.ts';
import { BoundedLog, type Log, serviceLog } from '../log.ts';
import { ThreadGarbage } from '../platform/thread-garbage.ts';
import { SlateFollower } from '../replication/follower.ts';
import { SlateLeader, type SlateLeaderOptions } from '../replication/leader.ts';
import { LeaderFixtures, Standby, type StandbyOptions } from '../replication/leader-fixtures.ts';
import type { Config } from '../settings/config.ts';
import { feedNames } from '../settings/feed-settings.ts';
import { RedisLink } from '../storage/redis.ts';
import { keepWindows } from '../store/writer/window-keeper.ts';
import { SlateWriter } from '../store/writer/writer.ts';
import { attachMetricsMemory } from '../telemetry/metrics-memory.ts';
import { NodeNumbers, redisWatch } from '../telemetry/node-numbers.ts';
import { JoinRules, joinRulesOf } from './join/join-rules.ts';
import { type IngestArchive, openIngestArchive } from './open-archive.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';

declare const self: Worker;

interface IngestStart {
  readonly type: 'start';
  readonly storeBuffer: SharedArrayBuffer;
  readonly metricsMemory: SharedArrayBuffer;
  /** The ring of the price history; null when it is off. */
  readonly tapeMemory: SharedArrayBuffer | null;
  readonly config: Config;
  /** The content of FEED_MATCH, which main has checked; null without it. */
  readonly matchFile: unknown;
  /** When the service started, Unix ms. */
  readonly startMs: number;
  /** How often this worker sends a heartbeat to main. */
  readonly heartbeatEveryMs: number;
}
/** The messages between main and this worker. Everything else passes through the store. */
export type ToIngest = IngestStart | { readonly type: 'collect' | 'stop' };

export type FromIngest = { readonly type: 'started' | 'stopped' | 'heartbeat' };

const REJECT_LOG = { countMax: 5, windowMs: 10_000 };

const garbage = ThreadGarbage.inBackground();
/** Stops the running parts; null before the start message. */
let running: Promise<() => Promise<void>> | null = null;

self.onmessage = (event: MessageEvent<ToIngest>) => {
  const message = event.data;
  if (message.type === 'start') {
    setInterval(() => post({ type: 'heartbeat' }), message.heartbeatEveryMs).unref();
    running = start(message);
    running.then(() => post({ type: 'started' }), endThread);
  } else if (message.type === 'collect') {
    garbage.collect();
  } else if (message.type === 'stop') {
    running?.then((stop) => stop()).then(() => post({ type: 'stopped' }), endThread);
  }
};

function post(message: FromIngest): void {
  self.postMessage(message);
}

/** @returns a function that closes the feed and flushes what is still to be written */
async function start({
  storeBuffer,
  metricsMemory,
  tapeMemory,
  config,
  matchFile,
  startMs,
}: IngestStart): Promise<() => Promise<void>> {
  const clock = clockOf(config.feedNowMs);
  const log = serviceLog(config);
  const writer = new SlateWriter(storeBuffer);
  const endTape = tapeMemory === null ? null : recordTape(writer, tapeMemory, clock);
  const endWindows = keepWindows(storeBuffer, clock);
  const numbers = new NodeNumbers(attachMetricsMemory(metricsMemory));
  const rejectLog = new BoundedLog(log, clock, REJECT_LOG);
  let leader: SlateLeader | null = null;
  const onArchiveError = (error: unknown): void => {
    writer.facts.count('archive_errors');
    const text = messageOf(error);
    rejectLog.warn('archive_write_failed', { error: text });
  };
  const stored = await openIngestArchive({
    config,
    clock,
    numbers,
    onError: onArchiveError,
    isLeading: () => (leader === null ? config.role !== 'ingest' : leader.isLeading),
  });
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  const leaderFixtures = new LeaderFixtures();
  const pipeline = await openPipeline({
    settings: { ...config, startMs },
    storeBuffer,
    writer,
    archive: stored.archive,
    clock,
    log,
    rejectLog,
    seed,
    joining: {
      rules: matchFile === null ? new JoinRules() : joinRulesOf(matchFile, feedNames(config.feeds)),
      identities: stored.identities,
      leaderFixtures,
    },
    onError: endThread,
  });
  const names = namesOfLeader(leaderFixtures, pipeline, stored);
  leader = leaderOf(config, names, { storeBuffer, writer, clock, log, numbers });
  leader?.start();
  const local = offerLocally(config.dataDir, pipeline, { log, epoch: seed.toString(36) });
  return async () => {
    await stored.flushIdentities(); // first, because only a leader writes identities
    await leader?.close();
    await local?.stop();
    await pipeline.close();
    endTape?.();
    endWindows();
    await stored.close();
  };
}

/** What a standby of several feeds needs to adopt its leader's names; null with one feed. */
function namesOfLeader(
  fixtures: LeaderFixtures,
  { takeLeaderNames }: Pipeline,
  { followIdentities }: Pick<IngestArchive, 'followIdentities'>,
): Pick<StandbyOptions, 'fixtures' | 'takeNames'> | null {
  if (takeLeaderNames === null) return null;
  return {
    fixtures,
    takeNames: async () => {
      await followIdentities();
      takeLeaderNames();
    },
  };
}

/** How often the ring of the price history is checked when nothing is published. */
const TAPE_EVERY_MS = 100;

/** Records what the writer publishes for the price history. @returns a function that ends it */
function recordTape(writer: SlateWriter, tapeMemory: SharedArrayBuffer, clock: Clock): () => void {
  const tape = writer.recordTo(tapeMemory, clock);
  const timer = setInterval(() => tape.step(clock.wallMs()), TAPE_EVERY_MS);
  return () => {
    clearInterval(timer);
    tape.step(clock.wallMs());
  };
}

/** The leader that publishes the slate for other nodes; null on a node outside a cluster. */
function leaderOf(
  { role, redisUrl }: Config,
  names: Pick<StandbyOptions, 'fixtures' | 'takeNames'> | null,
  parts: Omit<SlateLeaderOptions, 'link' | 'holder' | 'standby'>,
): SlateLeader | null {
  if (role !== 'ingest' || redisUrl === null) return null;
  const { clock, log } = parts;
  const link = (): RedisLink => new RedisLink({ url: redisUrl, clock });
  const watched = new RedisLink({ url: redisUrl, clock, watch: redisWatch(parts.numbers, 'slate') });
  // The follower logs no state, because SlateLeader logs the state of this node.
  const quietLog = { ...log, info: () => {} };
  const standby =
    names === null
      ? null
      : new Standby({
          ...names,
          log,
          openFollower: () =>
            new SlateFollower({
              ...{ reads: link(), calls: link(), clock, log: quietLog },
              writer: names.fixtures,
              // The follower counts no metrics, because SlateLeader counts those of this node.
              numbers: null,
              onError: endThread,
            }),
        });
  return new SlateLeader({ ...parts, link: watched, holder: crypto.randomUUID(), standby });
}

/**
 * Lets a recorder on this machine follow. If the socket cannot be opened, for example because its path is too
 * long, only the recorder is affected.
 */
function offerLocally(
  dataDir: string,
  { outlet, joinReport }: Pipeline,
  { log, epoch }: { readonly log: Log; readonly epoch: string },
): FeedServer | null {
  try {
    return serveLocally(dataDir, { outlet, epoch, joinReport });
  } catch (error) {
    log.warn('feed_socket_unavailable', { error: messageOf(error) });
    return null;
  }
}
