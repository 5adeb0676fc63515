// What a caller of compare_prob must know before acting on an edge: how the market settles, how old and how trustworthy
// the price is, and what is going on in the match.

import type { MarketType, Period } from '../../domain/catalogue.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { FixtureNow } from '../../query/fixture-view.ts';
import type { BookRow, FairMarket } from '../../query/market-comparison.ts';
import { fairSourceCaveat } from './fair-source.ts';

export interface FairFacts {
  readonly fair: FairMarket;
  /** Every visible quote of the market. */
  readonly rows: readonly BookRow[];
  readonly principal: Principal;
}

/** Sentences, the ones about settlement first. */
export function compareProbCaveats(
  { market_type: marketType, period }: { readonly market_type: MarketType; readonly period: Period },
  fixture: FixtureNow,
  { fair, rows, principal }: FairFacts,
): string[] {
  const caveats = [
    periodCaveat(fixture, period),
    lineCaveat(fair.line),
    liveHandicapCaveat(fixture, marketType),
    fairSourceCaveat(fair.fromBookmaker, principal),
    suspendedCaveat(rows, fair.line),
    stateCaveat(fixture),
    fixture.stale
      ? 'The prices are stale: the feed has not confirmed them within the freshness window.'
      : null,
  ];
  return caveats.filter((caveat) => caveat !== null);
}

function periodCaveat({ view }: FixtureNow, period: Period): string | null {
  if (period === 'half_time') return 'The price settles on the first half only.';
  if (view.sport !== 'football') return null;
  return 'The price settles on regulation time only (90 minutes and stoppage time); extra time and penalties do not count.';
}

function lineCaveat(line: number | null): string | null {
  if (line === null) return null;
  if (Number.isInteger(line)) {
    return `On the whole line ${line} the stake is returned when the result lands on it (a push); the fair probability is that of winning when it does not.`;
  }
  if (Number.isInteger(line * 2)) return null;
  return `The quarter line ${line} settles in two halves, so half the stake can be won, lost or returned; the fair probability is the break-even one, not the chance of a single event.`;
}

function liveHandicapCaveat({ view, isLive }: FixtureNow, marketType: MarketType): string | null {
  if (!isLive || view.sport !== 'football' || marketType !== 'asian_handicap') return null;
  return 'In play an Asian handicap counts only the goals from now on, not the current score.';
}

function suspendedCaveat(rows: readonly BookRow[], line: number | null): string | null {
  const onLine = rows.filter((row) => row.line === line);
  const suspendedCount = onLine.filter((row) => row.status === 'suspended').length;
  if (suspendedCount === 0) return null;
  return `${suspendedCount} of ${onLine.length} books have suspended this price right now.`;
}

function stateCaveat({ status, view }: FixtureNow): string | null {
  if (status === 'finished') return 'The match has finished; what is still quoted is left over.';
  if (status !== 'live') return null;
  const score = view.score === null ? '' : ` at ${view.score.home}-${view.score.away}`;
  return `The match is live${score}: prices move with every event, so check again before acting.`;
}
