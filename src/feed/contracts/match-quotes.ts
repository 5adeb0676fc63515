// Converts the contracts of one match into the quotes of its venue: the 1x2 from its winner contracts, and a
// handicap or a total from each contract with a line. Pure.
//
// An outcome's price is the cheapest way to take it: Yes of its own contract, or No of the contract that says
// the opposite. Handicaps settle on the whole match. In play a football line is sent as the Asian convention
// wants it, whole-match line + (home - away), so without a score no football handicap is sent in play.

import type { SportKey } from '../../domain/catalogue.ts';
import type { PolledLiquidityRow, PolledQuote } from '../poll/drafts.ts';
import { quoteKeyOf } from '../poll/picture.ts';
import type { AnswerCount } from '../poll/source.ts';
import {
  type Contract,
  cheapest,
  decimalOf,
  isCrossed,
  type Offer,
  offerOfNo,
  offerOfYes,
  stakeOf,
} from './contract.ts';

export interface MatchContracts {
  readonly sport: SportKey;
  readonly isLive: boolean;
  /** The score; null when unknown. */
  readonly score: readonly [number, number] | null;
  /** How many contracts a complete 1x2 has in this sport. */
  readonly winnerCount: number;
  readonly contracts: readonly Contract[];
}

export interface QuoteRules {
  /** The venue's key on our roster. */
  readonly bookmaker: string;
  /** A line is suspended when less than this can be staked on one of its outcomes, dollars. */
  readonly leastStake: number;
  /** When the books were received, Unix ms. */
  readonly atMs: number;
  readonly count: (what: AnswerCount) => void;
}

export interface MatchQuotes {
  readonly quotes: ReadonlyMap<string, PolledQuote>;
  readonly liquidity: readonly PolledLiquidityRow[];
}

/** One line with the offers for its outcomes, in outcome order. */
interface Line {
  readonly market: PolledQuote['market'];
  readonly line: number | null;
  readonly offers: readonly (Offer | null)[];
  readonly contracts: readonly Contract[];
}

export function quotesOf(match: MatchContracts, rules: QuoteRules): MatchQuotes {
  const quotes = new Map<string, PolledQuote>();
  const liquidity: PolledLiquidityRow[] = [];
  for (const { market, line, offers, contracts } of linesOf(match, rules.count)) {
    const prices = offers.map(decimalOf);
    const why = whySuspended(contracts, { prices, offers, leastStake: rules.leastStake });
    if (prices.every((price) => price === 0)) continue; // nobody offers anything, so the line is left out
    if (why !== null) rules.count(why);
    const key = { bookmaker: rules.bookmaker, market, period: 'full_time', line } as const;
    if (quotes.has(quoteKeyOf(key))) {
      rules.count('duplicate_market');
      continue;
    }
    const status = why === null ? 'open' : 'suspended';
    quotes.set(quoteKeyOf(key), { ...key, prices, status, atMs: rules.atMs });
    liquidity.push({
      market,
      period: 'full_time',
      line,
      sizes: offers.map(stakeOf),
      matched: volumeOf(contracts),
    });
  }
  return { quotes, liquidity };
}

/** Why a line is not open, null when it is. */
function whySuspended(
  contracts: readonly Contract[],
  line: {
    readonly prices: readonly number[];
    readonly offers: readonly (Offer | null)[];
    readonly leastStake: number;
  },
): AnswerCount | null {
  if (contracts.some(({ status }) => status === 'paused')) return 'paused_contract';
  if (contracts.some(({ book }) => isCrossed(book))) return 'crossed_book';
  if (line.prices.some((price) => price === 0)) return 'empty_book';
  return line.offers.some((offer) => stakeOf(offer) < line.leastStake) ? 'thin_book' : null;
}

function* linesOf(match: MatchContracts, count: QuoteRules['count']): Generator<Line> {
  const winner = winnerOf(match);
  if (winner === 'incomplete') count('incomplete_market');
  else if (winner !== null) yield winner;
  const { sport, isLive, score } = match;
  for (const contract of match.contracts) {
    const { meaning } = contract;
    const offers = [offerOfYes(contract), offerOfNo(contract)];
    if (meaning.market === 'totals') {
      yield { market: 'totals', line: meaning.line, offers, contracts: [contract] };
    } else if (meaning.market === 'asian_handicap') {
      const isConverted = isLive && sport === 'football';
      if (isConverted && score === null) {
        count('handicap_scope_unknown');
        continue;
      }
      const goals = isConverted ? score![0] - score![1] : 0;
      const isHome = meaning.side === 'home';
      yield {
        market: 'asian_handicap',
        line: (isHome ? -meaning.line : meaning.line) + goals,
        offers: isHome ? offers : offers.toReversed(),
        contracts: [contract],
      };
    }
  }
}

/** The 1x2 of a match; null if the venue lists none, 'incomplete' if a contract is missing or repeated. */
function winnerOf({ sport, winnerCount, contracts }: MatchContracts): Line | 'incomplete' | null {
  const winners = contracts.filter(({ meaning }) => meaning.market === '1x2');
  if (winners.length === 0) return null;
  const ofSide = (side: 'home' | 'draw' | 'away') =>
    winners.filter(({ meaning }) => meaning.market === '1x2' && meaning.side === side);
  const [home, draw, away] = [ofSide('home'), ofSide('draw'), ofSide('away')];
  const isOneEach = [home, draw, away].every(({ length }) => length <= 1);
  if (winners.length !== winnerCount || !isOneEach) return 'incomplete';
  const yes = (side: readonly Contract[]) => side.map(offerOfYes);
  // With three outcomes, No of a team means "a draw or the other team", which is not an outcome of the 1x2.
  const no = (side: readonly Contract[]) => side.map(offerOfNo);
  const offers =
    sport === 'football'
      ? [cheapest(yes(home)), cheapest(yes(draw)), cheapest(yes(away))]
      : [cheapest([...yes(home), ...no(away)]), cheapest([...yes(away), ...no(home)])];
  return { market: '1x2', line: null, offers, contracts: winners };
}

function volumeOf(contracts: readonly Contract[]): number | null {
  let sum = 0;
  for (const { volume } of contracts) {
    if (volume === null) return null;
    sum += volume;
  }
  return Math.round(sum * 100) / 100;
}
