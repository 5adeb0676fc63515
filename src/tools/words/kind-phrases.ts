// Middles and low hold in words.

import type { LowHold, Middle } from '../../contract/signals/kinds.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { bookName, joined, marketText, percentText, selectionText } from './phrases.ts';

/** Below it a probability is shown as 0 %. */
const LEAST_SHOWN = 0.0005;

/** "over 2.5 at 2.1 with Crown and under 3.5 at 1.9 with Sbobet (full-time totals), an expected ..." */
export function middleText(middle: Middle, fixture: FixtureNow): string {
  const { legs, market_type, period, ev_pct } = middle;
  const texts = legs.map(
    ({ outcome, line, price, bookmaker }) =>
      `${selectionText(outcome, line, fixture)} at ${price} with ${bookName(bookmaker)}`,
  );
  return `${joined(texts)} (${marketText(market_type, period)}): ${chanceText(middle)}, an expected return of ${ev_pct}%`;
}

/** A middle of neighbouring quarter lines may have no result at which both bets win. */
function chanceText({ both_win_prob, no_loss_prob }: Middle): string {
  return both_win_prob < LEAST_SHOWN
    ? `one wins and the other loses nothing with ${percentText(no_loss_prob)}`
    : `both win with ${percentText(both_win_prob)}`;
}

/** "over 2.5 at 2 with Crown and under 2.5 at 1.98 with Sbobet (full-time totals), a hold of 0.5%". */
export function holdText(
  { legs, line, market_type, period, hold_pct }: LowHold,
  fixture: FixtureNow,
): string {
  const texts = legs.map(
    ({ outcome, price, bookmaker }) =>
      `${selectionText(outcome, line, fixture)} at ${price} with ${bookName(bookmaker)}`,
  );
  return `${joined(texts)} (${marketText(market_type, period)}), a hold of ${hold_pct}%`;
}
