// Converts one row of an odds answer, which is text with commas, into a quote. Pure. This file has what is
// special about this upstream: the sign of handicaps, Hong Kong prices beside decimal ones, and company ids
// that differ between markets.

import type { MarketType, Period } from '../../domain/catalogue.ts';
import { quartersFromLine } from '../../domain/handicap.ts';
import type { BookmakerMap } from '../poll/bookmaker-map.ts';
import type { PolledQuote } from '../poll/drafts.ts';
import { isPulled, numberOf, pricesOf } from '../poll/prices.ts';
import type { AnswerCount } from '../poll/source.ts';
import { COLUMNS } from './messages.ts';

export interface OddsRow
  extends Pick<PolledQuote, 'bookmaker' | 'market' | 'period' | 'line' | 'prices' | 'atMs'> {
  readonly match: string;
  /**
   * Distinguishes the several lines of a bookmaker. The line of one `index` may change. Empty if the
   * bookmaker has one line.
   */
  readonly index: string;
  readonly isSuspended: boolean;
  /** Football: whether the row has in-play prices; null if the row does not say. */
  readonly isInPlay: boolean | null;
  /** Unix ms, NaN if the row has no time. */
  readonly atMs: number;
  readonly opening: readonly number[] | null;
  readonly openingLine: number | null;
}

const MARKETS: Readonly<Record<string, readonly [MarketType, Period]>> = {
  handicap: ['asian_handicap', 'full_time'],
  europeOdds: ['1x2', 'full_time'],
  overUnder: ['totals', 'full_time'],
  handicapHalf: ['asian_handicap', 'half_time'],
  overUnderHalf: ['totals', 'half_time'],
  spread: ['asian_handicap', 'full_time'],
  moneyLine: ['1x2', 'full_time'],
  total: ['totals', 'full_time'],
};
const TYPE_UNKNOWN = '0';
const TYPE_IN_PLAY = '3';

/**
 * Football's company id of a bookmaker, by its id in basketball's spread and moneyline, where the two differ.
 */
const FOOTBALL_COMPANY: Readonly<Record<string, string>> = { 2: '12', 9: '14', 10: '9', 20: '4' };
/**
 * A bookmaker's company id in basketball's spreads, by its id in basketball's totals. Other ids in totals
 * belong to no known bookmaker.
 */
const SPREAD_COMPANY: Readonly<Record<string, string>> = {
  4: '1',
  5: '2',
  6: '3',
  11: '8',
  12: '9',
  13: '10',
  22: '19',
  23: '20',
  27: '24',
  33: '30',
  34: '31',
  52: '49',
};

export interface RowContext {
  readonly endpoint: string;
  /** Our bookmakers by football's company ids. */
  readonly bookmakers: BookmakerMap;
  readonly count: (what: AnswerCount) => void;
  readonly unmapped: (bookmaker: string) => void;
}

/**
 * Reads one row of an odds answer.
 * @param array the name of the array that has the row
 * @returns null for a refused row, which is counted, and for a row of an unknown array, which is not
 */
export function rowOf(array: string, value: unknown, context: RowContext): OddsRow | null {
  const names = COLUMNS[context.endpoint]?.[array];
  const market = MARKETS[array];
  if (names === undefined || market === undefined) return null; // an unknown array
  if (typeof value !== 'string') return refuse(context, 'bad_row');
  const cells = value.split(',');
  if (cells.length !== names.length) return refuse(context, 'column_count');
  const cell = (name: string): string | undefined => {
    const index = names.indexOf(name);
    return index < 0 ? undefined : cells[index];
  };
  const match = cell('match')!;
  if (!/^\d{1,12}$/.test(match)) return refuse(context, 'bad_row');
  const company = companyOf(array, cell('company')!, context.endpoint);
  const bookmaker = context.bookmakers.get(company);
  if (bookmaker === undefined) {
    context.unmapped(company);
    return refuse(context, 'unmapped_bookmaker');
  }
  const line = lineOf(market[0], cell('line'));
  if (line === undefined) return refuse(context, 'bad_line');
  const prices = decimalPrices(market[0], [cell('a'), cell('d'), cell('b')]);
  if (prices === null) return refuse(context, 'bad_price');
  const isFlagged = flag(cell('close')) || flag(cell('maintenance'));
  const isPriceless = isPulled(prices);
  if (isPriceless && !isFlagged) context.count('price_pulled');
  const at = cell('at');
  const atMs = at === undefined ? Number.NaN : numberOf(at) * 1_000;
  if (at !== undefined && !(atMs >= 0 && atMs < 1e13)) return refuse(context, 'bad_time');
  const type = cell('type');
  const openingLine = lineOf(market[0], cell('initLine'));
  const opening = decimalPrices(market[0], [cell('initA'), cell('initD'), cell('initB')]);
  const isOpening = opening !== null && openingLine !== undefined && !isPulled(opening);
  return {
    match,
    bookmaker,
    market: market[0],
    period: context.endpoint === 'basketball/odds/half' ? 'half_time' : market[1],
    index: cell('index') ?? '',
    line,
    prices,
    isSuspended: isFlagged || isPriceless,
    isInPlay: type === undefined || type === TYPE_UNKNOWN ? null : type === TYPE_IN_PLAY,
    atMs,
    opening: isOpening ? opening : null,
    openingLine: isOpening && openingLine !== line ? (openingLine ?? null) : null,
  };
}

function refuse({ count }: RowContext, why: AnswerCount): null {
  count(why);
  return null;
}

/**
 * The id that football's answers give a row's company. A company without such an id keeps its id of
 * basketball's spreads. An unknown id of a total gets `total` before it, so that no bookmaker matches.
 */
function companyOf(array: string, company: string, endpoint: string): string {
  if (endpoint.startsWith('football')) return company;
  const spread = array === 'total' ? (SPREAD_COMPANY[company] ?? `total ${company}`) : company;
  return FOOTBALL_COMPANY[spread] ?? spread;
}

/** The protocol's line; null for a 1x2, undefined for a line that is missing or invalid. */
function lineOf(market: MarketType, cell: string | undefined): number | null | undefined {
  if (market === '1x2') return null;
  const line = numberOf(cell);
  if (Number.isNaN(line) || quartersFromLine(line, 1_000) === null) return undefined;
  if (market === 'totals') return line < 0 ? undefined : line;
  // Here a positive handicap means that home gives goals: the opposite of the protocol.
  return line === 0 ? 0 : -line;
}

/**
 * A row's prices as decimal odds; null when one is missing or invalid. The upstream sends Hong Kong prices
 * for handicaps and totals, and decimal ones for 1x2 and moneyline, although its documentation says
 * otherwise.
 */
function decimalPrices(market: MarketType, cells: readonly (string | undefined)[]): readonly number[] | null {
  const given = cells.filter((cell) => cell !== undefined);
  if (given.length < 2) return null;
  const values = given.map(numberOf);
  return pricesOf(market === '1x2' ? values : values.map((value) => (value < 0 ? value : value + 1)));
}

function flag(cell: string | undefined): boolean {
  return cell === 'true';
}
