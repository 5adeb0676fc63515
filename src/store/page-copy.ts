// Copying one page into another, column by column: only the rows in use move.

import { CLOCK_BYTES_MAX } from '../limits.ts';
import type { StoreViews } from './layout.ts';

/** Copies everything of page `source` into page `target` except its version and generation. */
export function copyPage(views: StoreViews, source: number, target: number): void {
  views.eventNumber[target] = views.eventNumber[source]!;
  views.sport[target] = views.sport[source]!;
  views.leagueEntity[target] = views.leagueEntity[source]!;
  views.homeEntity[target] = views.homeEntity[source]!;
  views.awayEntity[target] = views.awayEntity[source]!;
  views.scheduledAtMs[target] = views.scheduledAtMs[source]!;
  views.feedStatus[target] = views.feedStatus[source]!;
  views.feedStatusAtMs[target] = views.feedStatusAtMs[source]!;
  views.stateAtMs[target] = views.stateAtMs[source]!;
  views.scoreHome[target] = views.scoreHome[source]!;
  views.scoreAway[target] = views.scoreAway[source]!;
  views.cardsHome[target] = views.cardsHome[source]!;
  views.cardsAway[target] = views.cardsAway[source]!;
  const clockStart = source * CLOCK_BYTES_MAX;
  const clockByteCount = views.clockByteCount[source]!;
  views.clockBytes.copyWithin(target * CLOCK_BYTES_MAX, clockStart, clockStart + clockByteCount);
  views.clockByteCount[target] = clockByteCount;
  views.clockChangedAtMs[target] = views.clockChangedAtMs[source]!;
  views.lastMessageAtMs[target] = views.lastMessageAtMs[source]!;
  views.quoteCount[target] = views.quoteCount[source]!;
  views.openQuoteCount[target] = views.openQuoteCount[source]!;

  const to = target * views.capacity.quotesPerFixture;
  const from = source * views.capacity.quotesPerFixture;
  const end = from + views.quoteCount[source]!;
  views.quoteKey.copyWithin(to, from, end);
  views.priceE4A.copyWithin(to, from, end);
  views.priceE4B.copyWithin(to, from, end);
  views.priceE4C.copyWithin(to, from, end);
  views.quoteStatus.copyWithin(to, from, end);
  views.quoteAtMs.copyWithin(to, from, end);
}
