// What the ingest worker has to know about a kind of source before it opens one. A new kind of source needs
// an entry here, unless it is polled.

import type { FeedSetting, PullSourceName } from '../settings/feed-settings.ts';

interface SourceFacts {
  /**
   * Whether the source's messages name bookmakers by our keys. Otherwise the roster has the source's own
   * names or ids of them.
   */
  readonly usesOurKeys: boolean;
  /** Whether the source's messages have the time of the upstream's clock, which may differ from ours. */
  readonly hasOwnClock: boolean;
  /**
   * Whether the source's `hello` begins its snapshot, which `caughtUp` ends. This is so for recordings, which
   * have no snapshot marks.
   */
  readonly helloBeginsSnapshot: boolean;
}

const POLLED: SourceFacts = { usesOurKeys: false, hasOwnClock: false, helloBeginsSnapshot: false };

const OTHERS: Readonly<Record<Exclude<FeedSetting['kind'], PullSourceName>, SourceFacts>> = {
  simulator: { usesOurKeys: true, hasOwnClock: false, helloBeginsSnapshot: false },
  replay: { usesOurKeys: true, hasOwnClock: false, helloBeginsSnapshot: true },
  websocket: { usesOurKeys: true, hasOwnClock: true, helloBeginsSnapshot: false },
  betfair: { usesOurKeys: false, hasOwnClock: true, helloBeginsSnapshot: false },
};

export function sourceFacts({ kind }: FeedSetting): SourceFacts {
  return (OTHERS as Readonly<Partial<Record<FeedSetting['kind'], SourceFacts>>>)[kind] ?? POLLED;
}
