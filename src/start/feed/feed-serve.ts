// `feed serve`: serves one local source over WebSocket, without the API, as a peer for a second instance, a
// bridge under test or our own tests.

import type { Clock } from '../../clock.ts';
import { endThread } from '../../errors.ts';
import { checkRecording } from '../../feed/replay/recording.ts';
import { type FeedServer, serveFeed } from '../../feed/websocket/server.ts';
import { openPipeline, type PipelineOptions } from '../../ingest/pipeline.ts';
import { BoundedLog, type Log } from '../../log.ts';
import { createStore } from '../../store/layout.ts';
import { SlateWriter } from '../../store/writer/writer.ts';

export interface FeedServeOptions {
  readonly settings: Omit<PipelineOptions['settings'], 'startMs'>;
  readonly hostname: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Seeds the jitter of retries, and distinguishes this run's epochs from those of other runs. */
  readonly seed: number;
}

export interface ServedFeed {
  readonly url: string;
  readonly server: FeedServer;
  readonly storeBuffer: SharedArrayBuffer;
  stop(): Promise<void>;
}

const REJECT_LOG = { countMax: 5, windowMs: 10_000 };

/** Opens the source and serves it. @throws Error if the recording cannot be read or the port is taken */
export async function startFeedServe(options: FeedServeOptions): Promise<ServedFeed> {
  const { settings, clock, log, seed, hostname, port } = options;
  for (const feed of settings.feeds) if (feed.kind === 'replay') await checkRecording(feed.path);
  const startMs = clock.wallMs();
  const storeBuffer = createStore(startMs);
  const pipeline = await openPipeline({
    settings: { ...settings, startMs },
    storeBuffer,
    writer: new SlateWriter(storeBuffer),
    archive: { openingsOf: () => [], recordOpening: () => {}, recordResult: () => {} },
    clock,
    log,
    rejectLog: new BoundedLog(log, clock, REJECT_LOG),
    seed,
    onError: endThread, // without its source there is nothing to serve
  });
  const server = serveFeed({
    outlet: pipeline.outlet,
    listen: { hostname, port },
    token: settings.feedToken,
    epoch: `${startMs.toString(36)}-${seed.toString(36)}`,
  });
  const url = `ws://${hostname.includes(':') ? `[${hostname}]` : hostname}:${server.port}`;
  log.info('feed_served', { url });
  return {
    url,
    server,
    storeBuffer,
    stop: async () => {
      await server.stop();
      await pipeline.close();
    },
  };
}
