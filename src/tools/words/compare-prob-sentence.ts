// The sentence of compare_prob: what is fair, what was offered and what follows.

import type { MarketType, Outcome, Period } from '../../domain/catalogue.ts';
import type { FixtureNow } from '../../query/fixture-view.ts';
import type { BookRow, FairMarket, ProbabilityEdge } from '../../query/market-comparison.ts';
import { roundedPct } from '../../query/rounding.ts';
import { bookName } from './fair-source.ts';
import { labelOf } from './match-summary.ts';
import { marketText, percentText, selectionText } from './selection-text.ts';

export interface ProbabilityWords {
  readonly market_type: MarketType;
  readonly period: Period;
  readonly outcome: Outcome;
  readonly external_prob: number;
  readonly external_label?: string | undefined;
}

/** Above a hundredfold gain the percentage says nothing to a listener. */
const ROI_SPOKEN_MAX = 100;
const VERDICT_TEXTS = { good: 'a good edge', marginal: 'a marginal edge', no_edge: 'no edge' } as const;

/** "Arsenal vs Chelsea, full-time 1x2: Pinnacle's fair probability of Arsenal is 52.3% (1.91) against 48%, ..." */
export function compareProbSentence(
  words: ProbabilityWords,
  fixture: FixtureNow,
  { fair, edge }: { readonly fair: FairMarket; readonly edge: ProbabilityEdge },
): string {
  const head = `${labelOf(fixture)}, ${marketText(words.market_type, words.period)}`;
  const outcome = selectionText(words.outcome, fair.line, fixture);
  const fairPct = percentText(fair.probabilities[words.outcome]!);
  const fairPrice = roundedPct(fair.decimalFair[words.outcome]!);
  const label = words.external_label?.replace(/\s+/g, ' ').trim();
  const at = label === undefined || label === '' ? '' : ` at ${label}`;
  const points = roundedPct(edge.edgePp);
  const returned =
    edge.roi === null || edge.roi > ROI_SPOKEN_MAX ? '' : `, an expected return of ${percentText(edge.roi)}`;
  return `${head}: ${bookName(fair.fromBookmaker)}'s fair probability of ${outcome} is ${fairPct} (decimal ${fairPrice}) against ${percentText(words.external_prob)}${at}, ${points > 0 ? '+' : ''}${points} percentage points${returned}: ${VERDICT_TEXTS[edge.verdict]}.`;
}

/** Why there is nothing to compare with. */
export function noLineSentence(
  words: ProbabilityWords,
  fixture: FixtureNow,
  rows: readonly BookRow[],
): string {
  const market = marketText(words.market_type, words.period);
  const head = `${labelOf(fixture)}: there is no fair probability to compare with, because`;
  if (rows.length === 0) return `${head} no book quotes the ${market}.`;
  if (rows.every((row) => row.status === 'suspended')) {
    return `${head} every book has suspended the ${market}.`;
  }
  return `${head} no open price of the ${market} can have its margin removed.`;
}
