// Whether the service has a slate and how old it is.

import { toIsoText } from '../clock.ts';
import type { Health } from '../contract/health.ts';
import type { Slate } from './slate.ts';

/** Answers at all times, whatever the state of the feed. */
export function health(slate: Slate, nowMs: number): Health {
  const { reader } = slate;
  const feed = reader.feed();
  const isLive = slate.isFeedLive(nowMs);
  let matches = 0;
  let odds = 0;
  for (let slot = 0, count = reader.slotCount(); slot < count; slot++) {
    const quoteCount = reader.read(slot, (page) => reader.columns.quoteCount[page]!);
    if (quoteCount === undefined) continue;
    matches++;
    odds += quoteCount;
  }
  const wasHeard = feed.heardAtMs > 0;
  return {
    status: !feed.snapshotComplete ? 'starting' : isLive ? 'ok' : 'degraded',
    feed_live: isLive,
    as_of: wasHeard ? toIsoText(feed.heardAtMs) : null,
    as_of_stale: !wasHeard || nowMs - feed.heardAtMs > slate.windows.liveMs,
    matches,
    odds,
  };
}
