// Finds the present matches and quotes from an answer of /odds and what was known before. Pure.

import { HOUR_MS } from '../../clock.ts';
import type { Period } from '../../domain/catalogue.ts';
import { quartersFromLine } from '../../domain/handicap.ts';
import type { BookmakerMap } from '../poll/bookmaker-map.ts';
import type { PolledQuote } from '../poll/drafts.ts';
import { PollFailure, requireReadable } from '../poll/failure.ts';
import { type PicturedFixture, type PolledFixture, quoteKeyOf } from '../poll/picture.ts';
import { isPulled, pricesOf } from '../poll/prices.ts';
import { type AnswerCount, FINISHED_KEPT_MS, type ReadContext } from '../poll/source.ts';
import { wireTimeMs } from '../wire-time.ts';
import { fixtureOf, type OddsApiFixture } from './fixture.ts';
import { isBookmaker, isMarket, isOddsEvent, type Market } from './messages.ts';

/** A quote that this many answers in a row left out is closed; before that it is suspended. */
const MISSED_MAX = 3;
/** How long a match that has started and is no longer in the odds waits for its result. */
const RESULT_AWAITED_MS = 12 * HOUR_MS;

/**
 * The updates of one answer of /odds for a sport. Fixtures of that sport that the answer does not name leave
 * the slate or, if they have started, wait for their result.
 */
export function readOdds(
  sportKey: string,
  body: unknown,
  { bookmakers, context }: { readonly bookmakers: BookmakerMap; readonly context: ReadContext },
): PolledFixture[] {
  if (!Array.isArray(body)) throw new PollFailure('wrong_shape');
  const { picture, nowMs, count } = context;
  const updates: PolledFixture[] = [];
  const named = new Set<string>();
  let unreadable = 0;
  for (const value of body as readonly unknown[]) {
    const head = isOddsEvent(value) && value.sport_key === sportKey ? fixtureOf(value) : null;
    if (!isOddsEvent(value) || head === null) {
      count('bad_fixture');
      unreadable++;
      // A fixture that is in the answer but cannot be read has not left the slate. Its prices count as left
      // out.
      const id = (value as { id?: unknown } | null)?.id;
      if (typeof id !== 'string' || named.has(id)) continue;
      named.add(id);
      const quotes = picture.get(id)?.quotes;
      if (quotes !== undefined) updates.push({ event: id, quotes: withAbsent(new Map(), quotes, nowMs) });
      continue;
    }
    if (named.has(value.id)) {
      count('duplicate_fixture');
      continue;
    }
    named.add(value.id);
    const held = picture.get(value.id);
    const isLive = head.scheduledAtMs <= nowMs;
    const reader = new BookReader(head, { isLive, context });
    for (const bookmaker of value.bookmakers) reader.read(bookmaker, bookmakers);
    const isSameMatch = held?.fixture.home.key === head.home.key && held.fixture.away.key === head.away.key;
    const known = isSameMatch ? held.quotes : new Map<string, PolledQuote>();
    const state = held?.state?.status === 'finished' ? held.state : stateOf(isLive, held);
    updates.push({
      event: value.id,
      fixture: head,
      state,
      quotes: state.status === 'finished' ? new Map() : withAbsent(reader.quotes, known, nowMs),
      confirmed: true,
    });
  }
  requireReadable(body.length, unreadable);
  for (const [event, held] of picture) {
    if (held.fixture.league.key !== sportKey || named.has(event)) continue;
    updates.push(...vanished(event, held, nowMs));
  }
  return updates;
}

function stateOf(isLive: boolean, held: PicturedFixture | undefined): NonNullable<PolledFixture['state']> {
  const score = isLive ? (held?.state?.score ?? null) : null;
  return { status: isLive ? 'live' : 'scheduled', clock: null, score, cards: null };
}

/**
 * A fixture that the odds no longer name. A started match may be over and waits for its result; any other
 * match leaves.
 */
function vanished(event: string, held: PicturedFixture, nowMs: number): PolledFixture[] {
  const kickoffMs = held.fixture.scheduledAtMs ?? nowMs;
  const isOver = held.result !== null;
  const keptUntilMs = isOver ? held.result.finishedAtMs + FINISHED_KEPT_MS : kickoffMs + RESULT_AWAITED_MS;
  if (kickoffMs > nowMs || nowMs >= keptUntilMs) return [{ event, gone: true }];
  return held.quotes.size > 0 ? [{ event, quotes: new Map() }] : [];
}

/**
 * The present quotes, with those that the answer left out although their bookmaker was requested: suspended
 * the first time, closed the third. If a line has moved, the old line is closed immediately, because its
 * bookmaker quotes another.
 */
function withAbsent(
  quotes: Map<string, PolledQuote>,
  known: ReadonlyMap<string, PolledQuote>,
  nowMs: number,
): ReadonlyMap<string, PolledQuote> {
  const quoted = new Set([...quotes.values()].map(marketOf));
  for (const [key, quote] of known) {
    if (quotes.has(key) || quoted.has(marketOf(quote))) continue;
    const missed = (quote.missed ?? 0) + 1;
    if (missed < MISSED_MAX) quotes.set(key, { ...quote, status: 'suspended', missed, atMs: nowMs });
  }
  return quotes;
}

function marketOf({ bookmaker, market, period }: PolledQuote): string {
  return `${bookmaker}|${market}|${period}`;
}

/** Parses the bookmakers of one fixture into quotes. */
class BookReader {
  readonly quotes = new Map<string, PolledQuote>();
  readonly #seen = new Set<string>();
  readonly #fixture: OddsApiFixture;
  readonly #isLive: boolean;
  readonly #context: ReadContext;

  constructor(
    fixture: OddsApiFixture,
    { isLive, context }: { readonly isLive: boolean; readonly context: ReadContext },
  ) {
    this.#fixture = fixture;
    this.#isLive = isLive;
    this.#context = context;
  }

  read(value: unknown, bookmakers: BookmakerMap): void {
    const { count, unmapped } = this.#context;
    if (!isBookmaker(value)) {
      count('bad_row');
      return;
    }
    const bookmaker = bookmakers.get(value.key);
    if (bookmaker === undefined) {
      count('unmapped_bookmaker');
      unmapped(value.key);
      return;
    }
    if (this.#seen.has(value.key)) {
      count('duplicate_bookmaker');
      return;
    }
    this.#seen.add(value.key);
    for (const market of value.markets) {
      const refused = isMarket(market)
        ? this.#market(market, bookmaker, market.last_update ?? value.last_update)
        : 'bad_row';
      if (refused !== null) count(refused);
    }
  }

  /** @returns why the market is left out, or null if it is used */
  #market(market: Market, bookmaker: string, lastUpdate: string | undefined): AnswerCount | null {
    const shape = MARKETS.get(market.key);
    if (shape === undefined) return null; // h2h_lay is sent without a request; others are not requested
    const atMs = wireTimeMs(lastUpdate);
    if (Number.isNaN(atMs)) return 'bad_time';
    if (this.#isLive && this.#fixture.sport === 'football' && shape === 'asian_handicap') {
      // Left out, because the upstream does not say whether this handicap counts from the present score, and
      // a guess could be a wrong price.
      return 'handicap_scope_unknown';
    }
    const found = this.#outcomes(market, shape);
    if (found === null) return 'bad_outcomes';
    const { prices: raw, line } = found;
    if (line !== null && (quartersFromLine(line, 1_000) === null || (shape === 'totals' && line < 0))) {
      return 'bad_line';
    }
    const prices = pricesOf(raw);
    if (prices === null) return 'bad_price';
    if (isPulled(prices)) return 'price_pulled';
    const period: Period = 'full_time';
    const quote: PolledQuote = {
      bookmaker,
      market: shape,
      period,
      line,
      prices,
      status: 'open',
      atMs,
      missed: 0,
    };
    const key = quoteKeyOf(quote);
    if (this.quotes.has(key)) return 'duplicate_market';
    this.quotes.set(key, quote);
    return null;
  }

  /**
   * Prices in the protocol's order. Outcomes are found by their names, because the upstream's order is not
   * fixed.
   */
  #outcomes(market: Market, shape: Shape): { prices: unknown[]; line: number | null } | null {
    const { sport, home, away } = this.#fixture;
    const isThreeWay = shape === '1x2' && sport === 'football';
    const names =
      shape === 'totals'
        ? ['Over', 'Under']
        : isThreeWay
          ? [home.name, 'Draw', away.name]
          : [home.name, away.name];
    if (market.outcomes.length !== names.length) return null;
    const outcomes = names.map((name) => market.outcomes.find((outcome) => outcome.name === name));
    if (outcomes.some((outcome) => outcome === undefined)) return null;
    const prices = outcomes.map((outcome) => outcome!.price);
    if (shape === '1x2') return { prices, line: null };
    const first = outcomes[0]!.point;
    const second = outcomes[1]!.point;
    if (typeof first !== 'number' || typeof second !== 'number') return null;
    // Each side of a spread has its own handicap; both sides of a total have the same line.
    const isPair = shape === 'totals' ? first === second : first === -second;
    return isPair ? { prices, line: first === 0 ? 0 : first } : null;
  }
}

type Shape = PolledQuote['market'];
const MARKETS: ReadonlyMap<string, Shape> = new Map([
  ['h2h', '1x2'],
  ['spreads', 'asian_handicap'],
  ['totals', 'totals'],
]);
