// Converts answers of /odds (before the match) and /odds/live into the quotes of each match. Pure. The two
// differ in bet ids, in how lines are written, and in what a line counts from.

import type { MarketType, Period } from '../../domain/catalogue.ts';
import { quartersFromLine } from '../../domain/handicap.ts';
import type { BookmakerMap } from '../poll/bookmaker-map.ts';
import type { PolledQuote } from '../poll/drafts.ts';
import { type PolledFixture, quoteKeyOf } from '../poll/picture.ts';
import { isPulled, numberOf, pricesOf } from '../poll/prices.ts';
import type { ReadContext } from '../poll/source.ts';
import { wireTimeMs } from '../wire-time.ts';
import { type Bet, isBet, isBookmaker, isLiveBet, isLiveOdds, isOdds, type LiveBet } from './messages.ts';
import { eventOf } from './parse-fixtures.ts';

/**
 * The roster has this in place of the upstream's id for the bookmaker of live odds, because live odds name no
 * bookmaker.
 */
export const LIVE_BOOKMAKER = 'live';

type Market = readonly [MarketType, Period];

/** The market of each kind of bet before the match, by its id, or by its name if no id is documented. */
const BETS: ReadonlyMap<number | string, Market> = new Map<number | string, Market>([
  [1, ['1x2', 'full_time']],
  [4, ['asian_handicap', 'full_time']],
  [5, ['totals', 'full_time']],
  [6, ['totals', 'half_time']],
  ['Asian Handicap First Half', ['asian_handicap', 'half_time']],
  ['First Half Winner', ['1x2', 'half_time']],
]);
/** The market of each kind of bet in play, by its id. Ids in play differ from those before the match. */
const LIVE_BETS: ReadonlyMap<number, Market> = new Map<number, Market>([
  [59, ['1x2', 'full_time']],
  [33, ['asian_handicap', 'full_time']],
  [36, ['totals', 'full_time']],
  [19, ['1x2', 'half_time']],
  [17, ['asian_handicap', 'half_time']],
  [49, ['totals', 'half_time']],
]);

/**
 * One price of a bet. `line` is null for a bet without lines, and NaN if the upstream's text is not a number.
 */
interface Value {
  readonly side: string;
  readonly line: number | null;
  readonly odd: unknown;
  readonly isSuspended: boolean;
}

/** Parses a page of /odds: all quotes of each match on it. */
export function readOdds(
  items: readonly unknown[],
  { bookmakers, context }: { readonly bookmakers: BookmakerMap; readonly context: ReadContext },
): PolledFixture[] {
  const { picture, count, unmapped } = context;
  const updates: PolledFixture[] = [];
  for (const item of items) {
    if (!isOdds(item)) {
      count('bad_fixture');
      continue;
    }
    const event = eventOf(item.fixture.id);
    const status = picture.get(event)?.state?.status;
    if (status === undefined) count('unknown_fixture');
    if (status !== 'scheduled') continue;
    const atMs = wireTimeMs(item.update);
    if (Number.isNaN(atMs)) {
      count('bad_time');
      continue;
    }
    const quotes = new Map<string, PolledQuote>();
    const seen = new Set<number>();
    for (const value of item.bookmakers) {
      const bookmaker = isBookmaker(value) ? bookmakers.get(String(value.id)) : undefined;
      if (!isBookmaker(value)) count('bad_row');
      else if (seen.has(value.id)) count('duplicate_bookmaker');
      else if (bookmaker === undefined) {
        count('unmapped_bookmaker');
        unmapped(value.name);
      } else {
        for (const bet of value.bets) {
          const market = isBet(bet) ? (BETS.get(bet.id) ?? BETS.get(bet.name)) : undefined;
          if (!isBet(bet)) count('bad_row');
          else if (market !== undefined) put(quotes, beforeValues(bet), { bookmaker, market, atMs, context });
        }
      }
      if (isBookmaker(value)) seen.add(value.id);
    }
    updates.push({ event, quotes, confirmed: true });
  }
  return updates;
}

/** Parses /odds/live into quotes of the one bookmaker that the operator has mapped it to. */
export function readLiveOdds(
  items: readonly unknown[],
  { bookmaker, context }: { readonly bookmaker: string; readonly context: ReadContext },
): PolledFixture[] {
  const { picture, count } = context;
  const updates: PolledFixture[] = [];
  for (const item of items) {
    const atMs = isLiveOdds(item) ? wireTimeMs(item.update) : Number.NaN;
    if (!isLiveOdds(item) || Number.isNaN(atMs)) {
      count('bad_fixture');
      continue;
    }
    const event = eventOf(item.fixture.id);
    if (picture.get(event)?.state?.status !== 'live') continue;
    const { stopped, blocked, finished } = item.status;
    const lead = (item.teams.home.goals ?? 0) - (item.teams.away.goals ?? 0);
    const quotes = new Map<string, PolledQuote>();
    for (const bet of item.odds) {
      const market = isLiveBet(bet) ? LIVE_BETS.get(bet.id) : undefined;
      if (!isLiveBet(bet)) count('bad_row');
      else if (market !== undefined) {
        const values = liveValues(bet, market[0], { lead, isStopped: stopped || blocked || finished });
        put(quotes, values, { bookmaker, market, atMs, context });
      }
    }
    updates.push({ event, quotes, confirmed: true });
  }
  return updates;
}

/** "Home -0.75" and "Away -0.75" are the two sides of one line, and both show the home side's handicap. */
function beforeValues({ values }: Bet): Value[] {
  return values.map(({ value, odd }) => {
    const [side = '', line] = String(value).split(' ');
    return { side, line: line === undefined ? null : numberOf(line), odd, isSuspended: false };
  });
}

/**
 * In play each side has its own handicap, which counts the whole match; the protocol's line counts only later
 * goals. If a side repeats at a line, the lines were rounded, as in old answers. Then only the main line can
 * be trusted.
 */
function liveValues(
  { values }: LiveBet,
  market: MarketType,
  { lead, isStopped }: { readonly lead: number; readonly isStopped: boolean },
): Value[] {
  const written = values.map(
    ({ value, handicap }) => `${value} ${handicap === null ? '' : numberOf(handicap)}`,
  );
  const hasRepeats = new Set(written).size < written.length;
  return values.flatMap(({ value: side, odd, handicap, main, suspended }) => {
    if (hasRepeats && main !== true) return [];
    const number = handicap === null ? null : numberOf(handicap);
    const own = number !== null && market === 'asian_handicap' && side === 'Away' ? -number : number;
    const line = own !== null && market === 'asian_handicap' ? own + lead : own;
    return [{ side, line, odd, isSuspended: isStopped || suspended }];
  });
}

const SIDES: Readonly<Record<MarketType, readonly string[]>> = {
  '1x2': ['Home', 'Draw', 'Away'],
  asian_handicap: ['Home', 'Away'],
  totals: ['Over', 'Under'],
};

/** Joins the sides of each line into quotes. */
function put(
  quotes: Map<string, PolledQuote>,
  values: readonly Value[],
  {
    bookmaker,
    market: [market, period],
    atMs,
    context,
  }: {
    readonly bookmaker: string;
    readonly market: Market;
    readonly atMs: number;
    readonly context: ReadContext;
  },
): void {
  const { count } = context;
  const sides = SIDES[market];
  const byLine = Map.groupBy(values, ({ line }) => line ?? Number.NaN);
  for (const [number, group] of byLine) {
    const line = market === '1x2' ? null : number === 0 ? 0 : number;
    const chosen = sides.map((side) => group.filter((value) => value.side === side));
    if (
      line === null
        ? !Number.isNaN(number)
        : quartersFromLine(line, 1_000) === null || (market === 'totals' && line < 0)
    ) {
      count('bad_line');
      continue;
    }
    if (chosen.some((found) => found.length !== 1)) {
      count('bad_outcomes');
      continue;
    }
    const prices = pricesOf(chosen.map(([value]) => value!.odd));
    if (prices === null) {
      count('bad_price');
      continue;
    }
    const isSuspended = chosen.some(([value]) => value!.isSuspended);
    if (isPulled(prices) && !isSuspended) {
      count('price_pulled');
      continue;
    }
    const quote: PolledQuote = {
      bookmaker,
      market,
      period,
      line,
      prices,
      status: isSuspended ? 'suspended' : 'open',
      atMs,
    };
    quotes.set(quoteKeyOf(quote), quote);
  }
}
