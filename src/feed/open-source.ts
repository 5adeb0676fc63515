// From the FEED setting to an opened source. A new feed is one folder here and one case below.

import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Random } from '../domain/random.ts';
import type { Log } from '../log.ts';
import { openReplay } from './replay/client.ts';
import { openSimulator } from './simulator/client.ts';
import type { FeedSink, FeedSource } from './source.ts';
import { openWebSocket } from './websocket/client.ts';

export type SourceSettings = Pick<Config, 'feed' | 'feedSpeed' | 'feedToken' | 'simulator'> & {
  /** When the service started, Unix ms: a restarted worker goes on with the same mapping of time. */
  readonly startMs: number;
};

/** What sources are given besides their settings. */
export interface SourceTools {
  readonly clock: Clock;
  readonly log: Log;
  /** For the jitter of retries. */
  readonly random: Random;
}

/** Whether the source's `hello` alone begins its snapshot, which `caughtUp` ends: recordings have no snapshot marks. */
export function helloBeginsSnapshot(feed: Config['feed']): boolean {
  return feed.kind === 'replay';
}

/** Opens the configured source. @throws when it cannot be opened; the worker dies of it and is restarted */
export function openSource(
  settings: SourceSettings,
  sink: FeedSink,
  { clock, log, random }: SourceTools,
): Promise<FeedSource> {
  const { feed, feedSpeed: speed, startMs } = settings;
  switch (feed.kind) {
    case 'replay':
      return openReplay({ path: feed.path, speed, startMs }, sink, clock);
    case 'websocket':
      return Promise.resolve(openWebSocket({ url: feed.url, token: settings.feedToken, random, log }, sink));
    case 'simulator':
      return Promise.resolve(openSimulator({ ...settings.simulator, speed, originMs: startMs }, sink, clock));
  }
}
