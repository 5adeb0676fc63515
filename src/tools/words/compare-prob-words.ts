// The words of compare_prob: the sentence (what is fair, what was offered, what follows) and the caveats.
// Caveats are what a caller must know before acting on an edge: how the market settles, how old and how
// trustworthy the price is, and what is happening in the match.

import {
  BOOKMAKER_KEYS,
  isSharpBookmaker,
  type MarketType,
  type Outcome,
  type Period,
} from '../../domain/catalogue.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { BookRow, MarketComparison, ProbabilityEdge } from '../../query/markets/market-comparison.ts';
import type { ReferenceFair } from '../../query/markets/reference-fair.ts';
import { roundedPct } from '../../query/rounding.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { labelOf } from './match-summary.ts';
import {
  bookName,
  closedText,
  fairSourceCaveat,
  leftOutText,
  lineNotOfferedText,
  marketText,
  percentText,
  selectionText,
} from './phrases.ts';

interface AskedBet {
  readonly market_type: MarketType;
  readonly period: Period;
  /** What the caller named as the reference. */
  readonly reference?: string | undefined;
}

interface FairFacts {
  readonly fair: ReferenceFair;
  readonly edge: ProbabilityEdge;
  /** Every visible quote of the market. */
  readonly rows: readonly BookRow[];
  readonly principal: Principal;
}

/**
 * Sentences: first what makes the edge doubtful, then how the bet settles, then where the fair price is from
 * and the state of the prices and the match.
 */
export function compareProbCaveats(
  { market_type: marketType, period, reference }: AskedBet,
  fixture: FixtureNow,
  { fair, edge, rows, principal }: FairFacts,
): string[] {
  const caveats = [
    implausibleCaveat(edge),
    periodCaveat(fixture, period),
    lineCaveat(fair.line),
    liveHandicapCaveat(fixture, marketType),
    sourceCaveat(fair, reference, principal),
    leftOutText(fair.leftOut),
    suspendedCaveat(rows, fair.line),
    liveCaveat(fixture),
  ];
  return caveats.filter((caveat) => caveat !== null);
}

/** The caveat for an edge that is too large to be real; null for any other. */
export function implausibleCaveat({ isImplausible, roi }: ProbabilityEdge): string | null {
  if (!isImplausible) return null;
  const size =
    roi === null || roi > ROI_SPOKEN_MAX ? 'This return' : `An expected return of ${percentText(roi)}`;
  return `${size} is implausibly large: most often the price is wrong, old, or for another bet.`;
}

/** The caveat for a caller who named only the away team and left out the outcome, whose default is home. */
export function assumedHomeCaveat({ view: { homeTeam, awayTeam } }: FixtureNow): string {
  return `This judges ${homeTeam.name}, because outcome was left out and is home by default; send outcome away for ${awayTeam.name}.`;
}

/** Why the fair price deserves less trust than the sharp book's; null for the consensus. */
function sourceCaveat(
  { fromBookmaker }: ReferenceFair,
  reference: string | undefined,
  principal: Principal,
): string | null {
  if (fromBookmaker === null) return null;
  if (reference === undefined) return fairSourceCaveat(fromBookmaker, principal);
  if (isSharpBookmaker(BOOKMAKER_KEYS.indexOf(fromBookmaker))) return null;
  return `The fair price is from ${bookName(fromBookmaker)}, the book named as the reference, and not from a sharp book, so confidence is reduced.`;
}

function periodCaveat({ view }: FixtureNow, period: Period): string | null {
  if (period === 'half_time') return 'The price settles on the first half only.';
  if (view.sport !== 'football') return null;
  return 'The price settles on regulation time only (90 minutes and stoppage time); extra time and penalties do not count.';
}

function lineCaveat(line: number | null): string | null {
  if (line === null) return null;
  if (Number.isInteger(line)) {
    return `On the whole line ${line} the stake is returned when the result lands on it (a push); the fair probability is the chance of winning when it does not.`;
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

function liveCaveat({ isLive, view }: FixtureNow): string | null {
  if (!isLive) return null;
  const score = view.score === null ? '' : ` at ${view.score.home}-${view.score.away}`;
  return `The match is live${score}: prices move with every event, so check again before acting.`;
}

interface ProbabilityWords {
  readonly market_type: MarketType;
  readonly period: Period;
  readonly outcome: Outcome;
  readonly external_prob: number;
  readonly price?: number | undefined;
  readonly line?: number | undefined;
  readonly external_label?: string | undefined;
  readonly reference?: string | undefined;
}

/** A gain larger than a hundredfold is left out of the sentence: read aloud it would only confuse. */
const ROI_SPOKEN_MAX = 100;
const IMPLAUSIBLE_TEXT = 'implausibly large, so most likely a wrong price or another bet';
const VERDICT_TEXTS = { good: 'a good edge', marginal: 'a marginal edge', no_edge: 'no edge' } as const;

/**
 * "Arsenal vs Chelsea, full-time 1x2: Pinnacle's fair probability of Arsenal is 52.3% (1.91) against 48%,
 * ..."
 */
export function compareProbSentence(
  words: ProbabilityWords,
  fixture: FixtureNow,
  { fair, edge }: { readonly fair: ReferenceFair; readonly edge: ProbabilityEdge },
): string {
  const head = `${labelOf(fixture)}, ${marketText(words.market_type, words.period)}`;
  const outcome = selectionText(words.outcome, fair.line, fixture);
  const fairPct = percentText(fair.probabilities[words.outcome]!);
  const fairPrice = roundedPct(fair.decimalFair[words.outcome]!);
  const label = words.external_label?.replace(/\s+/g, ' ').trim();
  const at = label === undefined || label === '' ? '' : ` at ${label}`;
  const asked = words.price === undefined ? '' : ` (the price ${words.price})`;
  const points = roundedPct(edge.edgePp);
  const returned =
    edge.roi === null || edge.roi > ROI_SPOKEN_MAX ? '' : `, an expected return of ${percentText(edge.roi)}`;
  return `${head}: ${fair.fromBookmaker === null ? "the consensus's" : `${bookName(fair.fromBookmaker)}'s`} fair probability of ${outcome} is ${fairPct} (decimal ${fairPrice}) against ${percentText(words.external_prob)}${asked}${at}, ${points > 0 ? '+' : ''}${points} percentage points${returned}: ${edge.isImplausible ? IMPLAUSIBLE_TEXT : VERDICT_TEXTS[edge.verdict]}.`;
}

/** Why there is no fair price to compare with. */
export function noLineSentence(
  words: ProbabilityWords,
  fixture: FixtureNow,
  { rows, linesOffered, consensus, closedBy }: MarketComparison,
): string {
  const market = marketText(words.market_type, words.period);
  const head = `${labelOf(fixture)}: there is no fair probability to compare with, because`;
  if (closedBy !== null) return `${head} ${closedText(closedBy, words.period)}.`;
  if (rows.length === 0) return `${head} no book quotes the ${market}.`;
  if (rows.every((row) => row.status === 'suspended')) {
    return `${head} every book has suspended the ${market}.`;
  }
  if (words.line !== undefined && consensus !== null && !linesOffered.includes(words.line)) {
    const asked = { market_type: words.market_type, line: words.line };
    return `${head} in the ${market} ${lineNotOfferedText(asked, linesOffered, fixture)}.`;
  }
  if (words.reference !== undefined)
    return `${head} ${referenceText(words.reference)} at this line of the ${market}.`;
  if (fixture.stale)
    return `${head} the feed has not confirmed any price of the ${market} within the freshness window.`;
  return `${head} no open price of the ${market} can have its margin removed.`;
}

function referenceText(reference: string): string {
  if (reference === 'sharp') return 'the sharp book has no open price';
  if (reference === 'consensus') return 'fewer than three owners have an open price';
  return `${bookName(reference)} has no open price`;
}
