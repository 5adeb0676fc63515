// From the FEED setting to an opened source. A new feed is one folder here and one case below.

import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { openReplay } from './replay/client.ts';
import { openSimulator } from './simulator/client.ts';
import type { FeedSink, FeedSource } from './source.ts';

export type SourceSettings = Pick<Config, 'feed' | 'feedSpeed' | 'simulator'> & {
  /** When the service started, Unix ms: a restarted worker goes on with the same mapping of time. */
  readonly startMs: number;
};

/** Whether the source's `hello` alone begins its snapshot, which `caughtUp` ends: recordings have no snapshot marks. */
export function helloBeginsSnapshot(feed: Config['feed']): boolean {
  return feed.kind === 'replay';
}

/** Opens the configured source. @throws when it cannot be opened; the worker dies of it and is restarted */
export function openSource(settings: SourceSettings, sink: FeedSink, clock: Clock): Promise<FeedSource> {
  const { feed, feedSpeed: speed, startMs } = settings;
  switch (feed.kind) {
    case 'replay':
      return openReplay({ path: feed.path, speed, startMs }, sink, clock);
    case 'simulator':
      return Promise.resolve(openSimulator({ ...settings.simulator, speed, originMs: startMs }, sink, clock));
  }
}
