// The sentence of score_prob: the likeliest scores and the goals behind them, or why there are none.

import type { Principal } from '../../domain/tiers.ts';
import type { FixtureScoreline, NoScoreline } from '../../query/fixture-scoreline.ts';
import type { FixtureNow } from '../../query/fixture-view.ts';
import { roundedPct } from '../../query/rounding.ts';
import { bookName, fairSourceCaveat } from './fair-source.ts';
import { labelOf } from './match-summary.ts';
import { percentText } from './selection-text.ts';

/** Scores that are read out; the answer may list more. */
const SPOKEN_COUNT = 3;

/** The likeliest scores, what they cover, and the goals they rest on. */
export function scoresSentence(
  fixture: FixtureNow,
  { fit, score, scorelines, covered, fromBookmaker }: FixtureScoreline,
  principal: Principal,
): string {
  const { homeTeam, awayTeam } = fixture.view;
  const spoken = scorelines
    .slice(0, SPOKEN_COUNT)
    .map(({ home, away, probability }) => `${home}-${away} (${percentText(probability)})`);
  const list = spoken.length === 1 ? spoken[0] : `${spoken.slice(0, -1).join(', ')} and ${spoken.at(-1)}`;
  const verb = spoken.length === 1 ? 'score is' : 'scores are';
  const cover =
    scorelines.length === 1 ? '' : `, the ${scorelines.length} listed cover ${percentText(covered)}`;
  const now = fixture.isLive ? ` from ${score.home}-${score.away} now` : '';
  const more = fixture.isLive ? 'more goals' : 'goals';
  const home = roundedPct(fit.rates.lambdaHome);
  const away = roundedPct(fit.rates.lambdaAway);
  const caveat = fairSourceCaveat(fromBookmaker, principal);
  const notes = [caveat === null ? '' : ` ${caveat}`, fixture.stale ? ' The prices are stale.' : ''].join('');
  return `${labelOf(fixture)}: the likeliest full-time ${verb} ${list}${cover}${now}; ${bookName(fromBookmaker)}'s prices imply ${home} ${more} for ${homeTeam.name} and ${away} for ${awayTeam.name}.${notes}`;
}

/** Why there is no score to name. */
export function noScoresSentence(fixture: FixtureNow, reason: NoScoreline): string {
  const label = labelOf(fixture);
  const { score } = fixture.view;
  if (reason === 'finished') {
    return `${label} has finished${score === null ? '' : ` ${score.home}-${score.away}`}, so there is no score left to predict.`;
  }
  return `${label}: no scores can be derived right now, because ${REASONS[reason]}.`;
}

const REASONS: Readonly<Record<Exclude<NoScoreline, 'finished'>, string>> = {
  score_unknown: 'the match is live and its current score is not known',
  no_totals_market: 'no book has a usable open full-time totals price',
  totals_decided: 'the goals so far have already reached every open totals line',
  no_supremacy_market: 'no book has a usable open full-time 1x2 or Asian handicap price',
  inconsistent_prices: 'the open 1x2, totals and handicap prices contradict each other',
};
