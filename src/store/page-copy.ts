// Copying one page into another, column by column (only the rows in use move), and emptying one.

import { STATUS_SCHEDULED } from '../domain/catalogue.ts';
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

/** Makes `page` that of a fixture of which nothing is known: no state, no quotes. Identity and version are the caller's. */
export function clearPage(views: StoreViews, page: number): void {
  views.feedStatus[page] = STATUS_SCHEDULED;
  views.feedStatusAtMs[page] = Number.NaN;
  views.stateAtMs[page] = Number.NEGATIVE_INFINITY;
  views.scoreHome[page] = UNKNOWN;
  views.scoreAway[page] = UNKNOWN;
  views.cardsHome[page] = UNKNOWN;
  views.cardsAway[page] = UNKNOWN;
  views.clockByteCount[page] = 0;
  views.clockChangedAtMs[page] = Number.NaN;
  views.lastMessageAtMs[page] = Number.NEGATIVE_INFINITY;
  views.quoteCount[page] = 0;
  views.openQuoteCount[page] = 0;
}

const UNKNOWN = -1;
