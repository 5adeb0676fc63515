// Converts a decoded wire object into a feed message, or gives the reason why it is refused. Pure. A missing
// or invalid value is never replaced by a guess.

import {
  BOOKMAKER_KEYS,
  EVENT_STATUSES,
  MARKET_1X2,
  MARKET_TOTALS,
  MARKET_TYPES,
  OUTCOMES_MAX,
  PERIODS,
  QUOTE_STATUSES,
  QUOTE_SUSPENDED,
  QUOTE_WITHHELD,
  SPORT_KEYS,
} from '../domain/catalogue.ts';
import { quartersFromLine } from '../domain/handicap.ts';
import type { RejectReason } from '../domain/reject-reasons.ts';
import {
  AMOUNT_MAX,
  LINE_QUARTERS_MAX,
  LIQUIDITY_ROWS_MAX,
  PRICE_MAX,
  RESULT_AHEAD_MS_MAX,
} from '../limits.ts';
import {
  FEED_PROTOCOL_VERSION,
  type FeedMessage,
  type LiquidityMessageRow,
  type QuoteKeyFields,
} from './protocol.ts';
import { wireTimeMs } from './wire-time.ts';
import { countPair, isAbsent, isClock, isName, namedKey, type Wire, Words } from './wire-values.ts';

const SPORT_WORDS = new Words(SPORT_KEYS);
const EVENT_STATUS_WORDS = new Words(EVENT_STATUSES);
const QUOTE_STATUS_WORDS = new Words(QUOTE_STATUSES);
const BOOKMAKER_WORDS = new Words(BOOKMAKER_KEYS);
const MARKET_WORDS = new Words(MARKET_TYPES);
const PERIOD_WORDS = new Words(PERIODS);
const LINE_MAX = LINE_QUARTERS_MAX / 4;

/** Validates one wire message. @returns the message, or the reason it is refused */
export function parseMessage(value: unknown): FeedMessage | RejectReason {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not_an_object';
  const wire = value as Wire;
  if (wire.type === 'hello') return parseHello(wire);
  const parse = typeof wire.type === 'string' ? PARSERS.get(wire.type) : undefined;
  if (parse === undefined) return 'unknown_type';
  const seq = seqOf(wire);
  if (seq === null) return 'bad_seq';
  const atMs = wireTimeMs(wire.at);
  return Number.isNaN(atMs) && !UNTIMED.has(wire.type) ? 'bad_time' : parse(wire, seq, atMs);
}

/** The sequence number of a wire message, null when it has no usable one. */
export function seqOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return null;
  const seq = (value as Wire).seq;
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : null;
}

type Parser = (wire: Wire, seq: number, atMs: number) => FeedMessage | RejectReason;

/** Types of message without a time. */
const UNTIMED: ReadonlySet<unknown> = new Set(['snapshot_begin', 'snapshot_end']);

const PARSERS: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  ['snapshot_begin', (_wire, seq) => ({ type: 'snapshot_begin', seq })],
  ['snapshot_end', (_wire, seq) => ({ type: 'snapshot_end', seq })],
  ['event', parseEvent],
  ['state', parseState],
  ['quote', parseQuote],
  ['close', parseClose],
  ['remove', parseRemove],
  ['result', parseResult],
  ['liquidity', parseLiquidity],
  ['heartbeat', parseHeartbeat],
]);

function parseHello(wire: Wire): FeedMessage | RejectReason {
  if (wire.protocol !== FEED_PROTOCOL_VERSION) return 'bad_protocol';
  const atMs = wireTimeMs(wire.at);
  if (Number.isNaN(atMs)) return 'bad_time';
  if (!isName(wire.source)) return 'bad_name';
  const epoch = wire.epoch ?? null;
  if (epoch !== null && typeof epoch !== 'string' && typeof epoch !== 'number') return 'bad_seq';
  return {
    type: 'hello',
    protocol: FEED_PROTOCOL_VERSION,
    source: wire.source,
    atMs,
    epoch: epoch === null ? null : String(epoch),
  };
}

function parseEvent(wire: Wire, seq: number, atMs: number): FeedMessage | RejectReason {
  if (!isName(wire.event)) return 'bad_name';
  const sport = SPORT_WORDS.indexOf(wire.sport);
  if (sport < 0) return 'bad_sport';
  const league = namedKey(wire.league);
  const home = namedKey(wire.home);
  const away = namedKey(wire.away);
  if (league === null || home === null || away === null || home.key === away.key) return 'bad_name';
  const scheduledAtMs = isAbsent(wire.scheduled_at) ? Number.NaN : wireTimeMs(wire.scheduled_at);
  if (Number.isNaN(scheduledAtMs) && !isAbsent(wire.scheduled_at)) return 'bad_time';
  const message = {
    type: 'event',
    seq,
    atMs,
    event: wire.event,
    sport,
    league,
    home,
    away,
    scheduledAtMs,
  } as const;
  if (isAbsent(wire.bookmakers)) return message;
  const bookmakerMask = maskOf(wire.bookmakers);
  return bookmakerMask === null ? 'unknown_book' : { ...message, bookmakerMask };
}

function parseState(wire: Wire, seq: number, atMs: number): FeedMessage | RejectReason {
  if (!isName(wire.event)) return 'bad_name';
  const status = EVENT_STATUS_WORDS.indexOf(wire.status);
  if (status < 0) return 'bad_status';
  const clock = isAbsent(wire.clock) || wire.clock === '' ? null : wire.clock;
  if (clock !== null && !isClock(clock)) return 'bad_clock';
  const score = isAbsent(wire.score) ? null : countPair(wire.score);
  const cards = isAbsent(wire.cards) ? null : countPair(wire.cards);
  if (score === undefined || cards === undefined) return 'bad_score';
  return { type: 'state', seq, atMs, event: wire.event, status, clock, score, cards };
}

function parseHeartbeat(wire: Wire, seq: number, atMs: number): FeedMessage | RejectReason {
  const event = isAbsent(wire.event) ? null : wire.event;
  if (event !== null && !isName(event)) return 'bad_name';
  if (isAbsent(wire.bookmakers)) return { type: 'heartbeat', seq, atMs, event, bookmakerMask: null };
  const bookmakerMask = maskOf(wire.bookmakers);
  return bookmakerMask === null ? 'unknown_book' : { type: 'heartbeat', seq, atMs, event, bookmakerMask };
}

/** A list of bookmakers as a mask; null when it is not a list, or a bookmaker is unknown. */
function maskOf(bookmakers: unknown): number | null {
  if (!Array.isArray(bookmakers)) return null;
  let mask = 0;
  for (const key of bookmakers as readonly unknown[]) {
    const bookmaker = BOOKMAKER_WORDS.indexOf(key);
    if (bookmaker < 0) return null;
    mask |= 1 << bookmaker;
  }
  return mask;
}

function parseQuote(wire: Wire, seq: number, atMs: number): FeedMessage | RejectReason {
  const key = quoteKeyOf(wire);
  if (typeof key === 'string') return key;
  const status = QUOTE_STATUS_WORDS.indexOf(wire.status);
  if (status < 0) return 'bad_status';
  const pricesE4 = pricesOf(wire.prices, key.market);
  if (typeof pricesE4 === 'string') return pricesE4;
  const openingPricesE4 = isAbsent(wire.opening) ? null : pricesOf(wire.opening, key.market);
  if (typeof openingPricesE4 === 'string') return openingPricesE4;
  const openingLineQuarters = isAbsent(wire.opening_line)
    ? key.lineQuarters
    : lineQuartersOf(wire.opening_line, key.market);
  if (openingLineQuarters === null) return 'bad_line';
  const openedAtMs = isAbsent(wire.opened_at) ? Number.NaN : wireTimeMs(wire.opened_at);
  if (Number.isNaN(openedAtMs) && !isAbsent(wire.opened_at)) return 'bad_time';
  const { event, bookmaker, market, period, lineQuarters } = key; // a spread would cost as much as all the checks
  return {
    type: 'quote',
    seq,
    atMs,
    event,
    bookmaker,
    market,
    period,
    lineQuarters,
    pricesE4,
    status: status === QUOTE_SUSPENDED && wire.withheld === true ? QUOTE_WITHHELD : status,
    openedAtMs,
    openingPricesE4,
    openingLineQuarters,
  };
}

function parseClose(wire: Wire, seq: number, atMs: number): FeedMessage | RejectReason {
  const key = quoteKeyOf(wire);
  return typeof key === 'string' ? key : { type: 'close', seq, atMs, ...key };
}

function parseRemove(wire: Wire, seq: number, atMs: number): FeedMessage | RejectReason {
  return isName(wire.event) ? { type: 'remove', seq, atMs, event: wire.event } : 'bad_name';
}

function parseResult(wire: Wire, seq: number, atMs: number): FeedMessage | RejectReason {
  const finishedAtMs = wireTimeMs(wire.finished_at);
  if (!(finishedAtMs <= atMs + RESULT_AHEAD_MS_MAX)) return 'bad_time'; // NaN too
  if (!isName(wire.event)) return 'bad_name';
  const score = countPair(wire.score);
  const redCards = isAbsent(wire.red_cards) ? null : countPair(wire.red_cards);
  if (score === undefined || redCards === undefined) return 'bad_score';
  return { type: 'result', seq, atMs, event: wire.event, score, redCards, finishedAtMs };
}

function parseLiquidity(wire: Wire, seq: number, atMs: number): FeedMessage | RejectReason {
  if (!isName(wire.event)) return 'bad_name';
  const bookmaker = BOOKMAKER_WORDS.indexOf(wire.bookmaker);
  if (bookmaker < 0) return 'unknown_book';
  const { currency, rows } = wire;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return 'bad_size';
  if (!Array.isArray(rows) || rows.length > LIQUIDITY_ROWS_MAX) return 'bad_size';
  const parsed: LiquidityMessageRow[] = [];
  for (const row of rows as readonly unknown[]) {
    const one = liquidityRowOf(row);
    if (typeof one === 'string') return one;
    parsed.push(one);
  }
  return { type: 'liquidity', seq, atMs, event: wire.event, bookmaker, currency, rows: parsed };
}

function liquidityRowOf(row: unknown): LiquidityMessageRow | RejectReason {
  if (typeof row !== 'object' || row === null) return 'bad_size';
  const { market_type, period: periodWord, line, sizes, matched } = row as Wire;
  const market = MARKET_WORDS.indexOf(market_type);
  if (market < 0) return 'bad_market';
  const period = PERIOD_WORDS.indexOf(periodWord);
  if (period < 0) return 'bad_period';
  const lineQuarters = lineQuartersOf(line, market);
  if (lineQuarters === null) return 'bad_line';
  if (!Array.isArray(sizes) || sizes.length < 2 || sizes.length > OUTCOMES_MAX) return 'bad_outcomes';
  if (!sizes.every(isAmount) || !(isAbsent(matched) || isAmount(matched))) return 'bad_size';
  return { market, period, lineQuarters, sizes, matched: isAbsent(matched) ? null : (matched as number) };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= AMOUNT_MAX;
}

function quoteKeyOf(wire: Wire): QuoteKeyFields | RejectReason {
  if (!isName(wire.event)) return 'bad_name';
  const bookmaker = BOOKMAKER_WORDS.indexOf(wire.bookmaker);
  if (bookmaker < 0) return 'unknown_book';
  const market = MARKET_WORDS.indexOf(wire.market_type);
  if (market < 0) return 'bad_market';
  const period = PERIOD_WORDS.indexOf(wire.period);
  if (period < 0) return 'bad_period';
  const lineQuarters = lineQuartersOf(wire.line, market);
  return lineQuarters === null ? 'bad_line' : { event: wire.event, bookmaker, market, period, lineQuarters };
}

/** A 1x2 has no line. A handicap or total needs a line on the quarter grid, and a total's is not negative. */
function lineQuartersOf(line: unknown, market: number): number | null {
  if (market === MARKET_1X2) return isAbsent(line) ? 0 : null;
  if (typeof line !== 'number') return null;
  return market === MARKET_TOTALS && line < 0 ? null : quartersFromLine(line, LINE_MAX);
}

function pricesOf(prices: unknown, market: number): readonly number[] | RejectReason {
  if (!Array.isArray(prices)) return 'bad_outcomes';
  const fits = market === MARKET_1X2 ? prices.length === 2 || prices.length === 3 : prices.length === 2;
  if (!fits) return 'bad_outcomes';
  const pricesE4: number[] = [];
  for (const price of prices as readonly unknown[]) {
    if (typeof price !== 'number' || !(price >= 0 && price <= PRICE_MAX)) return 'bad_price';
    pricesE4.push(Math.round(price * 10_000));
  }
  return pricesE4;
}
