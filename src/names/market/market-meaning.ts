// What words say about a market, and the rules by which several words mean one market and one outcome.

import { type MarketType, type Period, SPORT_BASKETBALL, SPORT_FOOTBALL } from '../../domain/catalogue.ts';
import { ServiceError } from '../../errors.ts';
import type { Item } from './market-items.ts';
import type { Meaning } from './market-vocabulary.ts';

/** A price or a probability that a text quotes. */
export interface QuotedPrice {
  readonly value: number;
  /** Prices without a sign are decimal, or of the format that the caller names. */
  readonly form: 'decimal' | 'american' | 'probability';
}

/** What words say about a market; null if they say nothing. */
export interface MarketWords {
  readonly market: MarketType | null;
  readonly period: Period | null;
  /**
   * The line as the words have it: for totals the total, otherwise the handicap of the team in `team`, or of
   * the home side if that is null.
   */
  readonly line: number | null;
  /**
   * `win` is a win of the team in `team`; beside a handicap, it is that team's side of the handicap. `lose`
   * is a win of the other team.
   */
  readonly outcome: 'over' | 'under' | 'draw' | 'win' | 'lose' | null;
  /** The words of the team that a handicap or a win refers to, or its side. */
  readonly team: { readonly words: string } | { readonly side: 'home' | 'away' } | null;
  /** Whether the words ask for a score: "correct score", or a score after the names, "chelsea 2-1". */
  readonly isScore: boolean;
  /** Numbers that are not lines: prices or probabilities that the text quotes. */
  readonly prices: readonly QuotedPrice[];
  /** The words themselves, for errors. */
  readonly written: string;
}

export interface ReadWords {
  readonly words: MarketWords;
  /** The remaining text, for the names of teams, leagues and days. */
  readonly rest: string;
}

/** The text has no words for a market. */
export const NO_MARKET_WORDS: MarketWords = {
  market: null,
  period: null,
  line: null,
  outcome: null,
  team: null,
  isScore: false,
  prices: [],
  written: '',
};

/** A total above this is one of points, a total up to it is one of goals. */
const GOALS_MAX = 20;
/** No football handicap is this large. */
const POINTS_HANDICAP_MIN = 6;

/**
 * The one sport in which people bet with these words; null if it may be either. Only football has a draw and
 * goals, only basketball has points, and some lines exist in one of them alone.
 */
export function sportMeant({ market, line, outcome, written }: MarketWords): number | null {
  if (outcome === 'draw' || /\b(?:goals?|goles|tore)\b/i.test(written)) return SPORT_FOOTBALL;
  if (/\b(?:points|pts)\b/i.test(written)) return SPORT_BASKETBALL;
  if (line === null) return null;
  if (market === 'totals') return line > GOALS_MAX ? SPORT_BASKETBALL : SPORT_FOOTBALL;
  if (!Number.isInteger(2 * line)) return SPORT_FOOTBALL;
  return Math.abs(line) >= POINTS_HANDICAP_MIN ? SPORT_BASKETBALL : null;
}

export function isTotal(meaning: Meaning): boolean {
  const { kind } = meaning;
  if (kind === 'market') return meaning.market === 'totals';
  return kind === 'over' || kind === 'under' || kind === 'over_under' || kind === 'unit';
}

/** @throws ServiceError if the words name two markets */
export function marketOf(
  phrases: readonly Extract<Item, { kind: 'phrase' }>[],
  lines: readonly { isHandicap: boolean }[],
  written: string,
): MarketType | null {
  const named = new Set<MarketType>(
    lines.map(({ isHandicap }) => (isHandicap ? 'asian_handicap' : 'totals')),
  );
  for (const { meaning } of phrases) {
    if (meaning.kind === 'market') named.add(meaning.market);
    else if (meaning.kind === 'over' || meaning.kind === 'under' || meaning.kind === 'over_under')
      named.add('totals');
    else if (meaning.kind === 'draw') named.add('1x2');
  }
  const kinds = new Set(phrases.map(({ meaning }) => meaning.kind));
  // Beside a handicap, "goals" does not mean totals, and a win is that of the handicap's team, not a 1x2.
  if (kinds.has('unit') && !named.has('asian_handicap')) named.add('totals');
  const isLost = kinds.has('lose') || kinds.has('lose_to');
  if ([...kinds].some(isOfWinner) && (isLost || !named.has('asian_handicap'))) named.add('1x2');
  return oneOf([...named], written);
}

export function oneOf<Value extends string>(values: readonly Value[], written: string): Value | null {
  const [first, second] = [...new Set(values)];
  if (second === undefined) return first ?? null;
  throw unclear(
    `"${written}" could mean ${first} or ${second}`,
    'Ask about one market of one period at a time',
  );
}

export function outcomeOf(
  has: (kind: Meaning['kind']) => boolean,
  market: MarketType | null,
  written: string,
): MarketWords['outcome'] {
  if (has('over_under') || (has('over') && has('under'))) return null;
  if (has('over')) return 'over';
  if (has('under')) return 'under';
  if (has('draw')) return 'draw';
  if (market === 'totals') return null;
  const isWon = has('win') || has('beat');
  const isLost = has('lose') || has('lose_to');
  if (isWon && isLost) throw unclear(`"${written}" asks for a win and a defeat`, 'Ask about one team to win');
  return isWon ? 'win' : isLost ? 'lose' : null;
}

export function isOfWinner(kind: Meaning['kind']): boolean {
  return kind === 'win' || kind === 'beat' || kind === 'lose' || kind === 'lose_to';
}

/** Whether a phrase with this meaning stands between the names of two teams, such as "beat" and "lose to". */
export function isBetweenTeams({ kind }: Meaning): boolean {
  return kind === 'beat' || kind === 'lose_to';
}

export function notOffered(name: string, isPeriod: boolean): ServiceError {
  return unusable(
    `Cannot answer about ${name}: there are no such prices here`,
    isPeriod
      ? 'Periods are full_time and half_time (the first half); ask about one of them'
      : 'Markets are 1x2 (the winner), asian_handicap and totals, of the full match or the first half; ask about one of them',
  );
}

/** The refusal of words with two meanings. @param why what they could mean */
export function unclear(why: string, fix: string): ServiceError {
  return unusable(`Cannot use these words: ${why}`, fix);
}

export function unusable(message: string, fix: string): ServiceError {
  return new ServiceError('invalid_request', message, { fix });
}
