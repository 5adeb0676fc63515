// The market that a question is about. It follows from the words, the arguments, and the fixture, which shows
// whose handicap is meant. Words and arguments that contradict each other are refused. Words that the answer
// would not use are refused too. Otherwise the answer to another question would look like the answer to this
// one.

import {
  indexIn,
  MARKET_TYPES,
  type MarketType,
  type Outcome,
  outcomesOf,
  type Period,
  SPORT_KEYS,
  type SportKey,
} from '../../domain/catalogue.ts';
import { LINE_BOUNDS } from '../../domain/handicap.ts';
import { type ServiceError, ValidationError } from '../../errors.ts';
import { type MarketWords, unusable } from '../../names/market/market-meaning.ts';
import { sideNamed } from '../../names/market/side-named.ts';
import { takeQueryDates } from '../../names/query-dates.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';

/** Arguments of a call that can also be given in words. */
export interface MarketArguments {
  readonly market_type?: MarketType | undefined;
  readonly markets?: readonly MarketType[] | undefined;
  readonly period?: Period | undefined;
  readonly line?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly price?: number | undefined;
  readonly external_prob?: number | undefined;
}

/** Which kinds of words an answer uses. Other kinds are refused. */
export interface Reads {
  /** Why other kinds of words are refused: "find_value searches whole markets". */
  readonly answer: string;
  /** What to do instead. */
  readonly instead: string;
  readonly markets?: readonly MarketType[];
  readonly periods?: readonly Period[];
  readonly line: boolean;
  readonly outcome: boolean;
  readonly score?: boolean;
}

export interface AskedMarket {
  /** Null when neither words nor arguments name a market. */
  readonly market: MarketType | null;
  readonly period: Period | null;
  /** The total, or the home side's handicap. */
  readonly line: number | null;
  readonly outcome: Outcome | null;
  /** The one market that the words name; otherwise the argument `markets`. */
  readonly markets: readonly MarketType[] | undefined;
}

/**
 * @throws ServiceError `invalid_request` when words and arguments contradict each other, when the answer does
 * not use some of the words, when it is unclear whose handicap is meant, and for an outcome or a line that
 * the market does not have
 * @throws ValidationError for a line out of the bounds of its sport and market
 */
export function askedMarket(
  words: MarketWords,
  input: MarketArguments,
  {
    fixture,
    reads,
    assumed,
  }: { readonly fixture: FixtureNow; readonly reads: Reads; readonly assumed?: MarketType },
): AskedMarket {
  requireRead(words, reads);
  requirePrices(words, input);
  const own = handicapOf(words, fixture, input.outcome !== undefined || reads.outcome);
  const outcome = agreed('outcome', own.outcome, input.outcome, words);
  const market = marketAsked(words, input, outcome);
  const line = agreed('line', own.line, input.line, words);
  const judged = market ?? assumed ?? null;
  if (line !== null && judged !== null) requireLineFits(judged, line, fixture);
  if (outcome !== null && market !== null) requireOutcome(outcome, market, fixture.view.sport);
  return {
    market,
    period: agreed('period', words.period, input.period, words),
    line,
    outcome,
    markets: words.market === null ? input.markets : [words.market],
  };
}

/** @throws ServiceError `invalid_request` for words that the answer does not use */
export function requireRead(words: MarketWords, reads: Reads): void {
  const { market, period, line, outcome } = words;
  const isUnread =
    (market !== null && reads.markets?.includes(market) === false) ||
    (period !== null && reads.periods?.includes(period) === false) ||
    (line !== null && !reads.line) ||
    (outcome !== null && !reads.outcome) ||
    (words.isScore && reads.score !== true);
  if (!isUnread) return;
  throw unusable(`Cannot use "${words.written}": ${reads.answer}`, reads.instead);
}

/** Refuses numbers in the words that are neither a line nor the price or probability to judge. */
function requirePrices(
  { prices }: MarketWords,
  { price, external_prob: probability }: MarketArguments,
): void {
  const given = [price, probability].filter((value) => value !== undefined);
  const numbers = prices.map(({ value }) => value);
  const stray = numbers.find((number) => !given.some((value) => Math.abs(value - number) < 1e-9));
  if (stray === undefined) return;
  if (given.length > 0) {
    throw unusable(
      `Cannot use the number ${stray}: the price asked about is ${given[0]}`,
      'Leave one of the two out, or write "over" or a sign in front of a line',
    );
  }
  throw unusable(
    `Cannot use the number ${stray}: it could be a handicap or a total`,
    `Write +${Math.abs(stray)} or -${Math.abs(stray)} for a handicap of the team named, "over ${Math.abs(stray)}" for a total; a price is for POST /v1/mcp/compare_prob, as price`,
  );
}

/** The market that words, arguments and the outcome agree on. */
function marketAsked(words: MarketWords, input: MarketArguments, outcome: Outcome | null): MarketType | null {
  const implied = outcome === 'over' || outcome === 'under' ? 'totals' : outcome === 'draw' ? '1x2' : null;
  const market = agreed('market_type', words.market, input.market_type, words);
  const { markets } = input;
  if (
    words.market !== null &&
    markets !== undefined &&
    markets.length > 0 &&
    !markets.includes(words.market)
  ) {
    throw contradiction('markets', words.market, markets.join(', '), words);
  }
  if (market !== null && implied !== null && market !== implied) {
    throw unusable(
      `Cannot compare "${outcome}": this ${market} has no such outcome`,
      `Send market_type ${implied}, or an outcome of ${market}`,
    );
  }
  return market ?? implied;
}

function agreed<Value extends string | number>(
  name: string,
  said: Value | null,
  sent: Value | undefined,
  words: MarketWords,
): Value | null {
  if (said !== null && sent !== undefined && said !== sent) throw contradiction(name, said, sent, words);
  return said ?? sent ?? null;
}

function contradiction(name: string, said: unknown, sent: unknown, { written }: MarketWords): ServiceError {
  return unusable(
    `Cannot use ${name} ${sent}: the words "${written}" ask for ${said}`,
    `Leave ${name} out, or leave "${written}" out of query`,
  );
}

/** The line as the home side's, and the outcome as home or away. */
function handicapOf(
  words: MarketWords,
  fixture: FixtureNow,
  needsSide: boolean,
): { readonly line: number | null; readonly outcome: Outcome | null } {
  const { line, outcome, market } = words;
  if (outcome !== null && outcome !== 'win' && outcome !== 'lose') return { line, outcome };
  if (words.team === null) return { line, outcome: null };
  const named = 'side' in words.team ? words.team.side : sideOf(words.team.words, fixture);
  const side = outcome === 'lose' ? otherSide(named) : named;
  if (market !== 'asian_handicap' || line === null) return { line, outcome: needsSide ? side : null };
  if (side === null && line !== 0) throw handicapOfEither(line, fixture);
  return { line: side === 'away' && line !== 0 ? -line : line, outcome: side };
}

function otherSide(side: 'home' | 'away' | null): 'home' | 'away' | null {
  return side === null ? null : side === 'home' ? 'away' : 'home';
}

/** The one side that words name; null when they name both sides, or none. */
export function sideOf(words: string, { view, moment }: FixtureNow): 'home' | 'away' | null {
  if (words === view.id) return null;
  const { rest } = takeQueryDates(words, { nowMs: moment.nowMs });
  return sideNamed(rest, { home: view.homeTeam.name, away: view.awayTeam.name, sport: view.sportIndex });
}

function handicapOfEither(line: number, { view }: FixtureNow): ServiceError {
  const own = line > 0 ? `+${line}` : String(line);
  return unusable(
    `Cannot use the handicap ${own}: it could be that of either team`,
    `Send line ${line} for ${view.homeTeam.name} ${own}, or line ${-line} for ${view.awayTeam.name} ${own}; or name only one team, followed by ${own}`,
  );
}

/**
 * @throws ServiceError `invalid_request` for a line of a market that has none
 * @throws ValidationError for a line out of the bounds of its sport and market
 */
function requireLineFits(market: MarketType, line: number, { view }: Pick<FixtureNow, 'view'>): void {
  if (market === '1x2') {
    throw unusable(
      'Cannot use line: a 1x2 has none',
      'Leave line out, or set market_type to totals or asian_handicap',
    );
  }
  const { min, max } = LINE_BOUNDS[view.sport][market];
  if (line >= min && line <= max) return;
  const [type, msg] =
    line < min
      ? ['greater_than_equal', `A line of ${view.sport} ${market} should be greater than or equal to ${min}`]
      : ['less_than_equal', `A line of ${view.sport} ${market} should be less than or equal to ${max}`];
  throw new ValidationError([{ type, loc: ['body', 'line'], msg, input: null }]);
}

/** @throws ServiceError `invalid_request` when the market has no such outcome */
export function requireOutcome(outcome: Outcome, market: MarketType, sport: SportKey): void {
  const outcomes = outcomesOf(indexIn(SPORT_KEYS, sport), indexIn(MARKET_TYPES, market));
  if (outcomes.includes(outcome)) return;
  throw unusable(
    `Cannot compare "${outcome}": this ${market} has no such outcome`,
    `Send outcome as ${outcomes.slice(0, -1).join(', ')} or ${outcomes.at(-1)}`,
  );
}
