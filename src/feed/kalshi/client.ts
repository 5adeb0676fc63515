// Kalshi's trade API v2 as a pull source. It needs no key: every market object carries its best bid and ask.
// One request of the plan reads a whole league, series by series and page by page. Near the kickoff and in
// play, the order books of all contracts are also requested, a hundred at a time.

import { mostOf } from '../contracts/answers.ts';
import type { Contract } from '../contracts/contract.ts';
import { type QuoteRules, quotesOf } from '../contracts/match-quotes.ts';
import { MatchUpdates } from '../contracts/match-updates.ts';
import { PollFailure, requireReadable } from '../poll/failure.ts';
import type { PolledFixture } from '../poll/picture.ts';
import type { PlannedRequest, PolledAnswer, PolledSource, PushSide, ReadContext } from '../poll/source.ts';
import type { SportChoice } from '../poll/sport-choice.ts';
import { KALSHI_LEAGUES, type KalshiLeague } from './leagues.ts';
import { isKalshiEvent, isOrderBook, isOrderBooks } from './messages.ts';
import { bookOf } from './order-book.ts';
import { type KalshiMatch, readMatches } from './parse-events.ts';
import { BOOKS_PER_REQUEST, bookRequests, leagueRequest, nearKickoff } from './plan.ts';
import { type KalshiRequestOptions, KalshiRequests, type LeagueAnswer } from './requests.ts';
import { KalshiSocket, type KalshiSocketOptions } from './socket.ts';

export interface KalshiOptions extends KalshiRequestOptions, Pick<QuoteRules, 'bookmaker' | 'leastStake'> {
  readonly sports: SportChoice;
  /** The taker's fee as a share of price x (1 - price). */
  readonly feeRate: number;
  /**
   * Kalshi's WebSocket, which needs a key; null without a key. Polling continues beside it and confirms the
   * prices.
   */
  readonly socket?: KalshiSocketOptions | null;
}

/** Maximum number of contracts that the socket follows. Those with the latest kickoffs are left out. */
const FOLLOWED_MAX = 2_000;

export function kalshi(options: KalshiOptions): PolledSource {
  return new KalshiSource(options);
}

interface HeldMatch {
  readonly league: KalshiLeague;
  readonly match: KalshiMatch;
  readonly contracts: Map<string, Contract>;
}

class KalshiSource implements PolledSource {
  readonly name = 'kalshi';
  readonly probe = null;
  readonly #options: KalshiOptions;
  readonly #leagues: readonly KalshiLeague[];
  readonly #requests: KalshiRequests;
  readonly #matches = new Map<string, HeldMatch>();
  readonly #scores = new Map<string, readonly [number, number]>();
  /** False after the endpoint of order books has required a key; prices then come from the events alone. */
  #hasBooks = true;
  #socket: KalshiSocket | null = null;
  readonly #updates = new MatchUpdates((event) => this.#pushedUpdate(event));
  #lostCount = 0;
  readonly push?: PushSide;

  constructor(options: KalshiOptions) {
    this.#options = options;
    this.#leagues = options.sports.among(KALSHI_LEAGUES);
    this.#requests = new KalshiRequests(options);
    const { socket = null } = options;
    if (socket !== null) this.push = this.#pushSide(socket);
  }

  #pushSide(options: KalshiSocketOptions): PushSide {
    return {
      start: (news) => {
        this.#updates.start(news);
        this.#socket = new KalshiSocket(options, {
          book: (ticker, book) => this.#take(ticker, book),
          lost: () => this.#lostCount++,
        });
        this.#follow();
      },
      confirmedAtMs: () => null,
      close: () => {
        this.#updates.close();
        this.#socket?.close();
        return Promise.resolve();
      },
    };
  }

  plan(_picture: unknown, nowMs: number): readonly PlannedRequest[] {
    const kickoffs = [...this.#matches.values()].map(({ league, match }) => ({
      league,
      kickoffMs: match.fixture.scheduledAtMs,
    }));
    const leagues = this.#leagues.map((league) => leagueRequest(league, kickoffs, nowMs));
    return this.#hasBooks ? [...leagues, ...bookRequests(this.#nearTickers(nowMs).length)] : leagues;
  }

  async ask({ key }: PlannedRequest, signal: AbortSignal): Promise<PolledAnswer> {
    const [what, which = ''] = key.split(':');
    const body =
      what === 'books'
        ? await this.#askBooks(Number(which), signal)
        : await this.#requests.league(this.#leagueOf(which), signal);
    return { body, quota: null, gapMs: 0, serverAtMs: null };
  }

  read({ key }: PlannedRequest, body: unknown, context: ReadContext): readonly PolledFixture[] {
    for (; this.#lostCount > 0; this.#lostCount--) context.count('book_lost');
    const [what, which = ''] = key.split(':');
    return what === 'books'
      ? this.#readBooks(body, context)
      : this.#readLeague(which, body as LeagueAnswer, context);
  }

  forget(): void {
    this.#matches.clear();
  }

  setScore(event: string, score: readonly [number, number]): void {
    this.#scores.set(event, score);
  }

  async #askBooks(index: number, signal: AbortSignal): Promise<unknown> {
    const from = (index - 1) * BOOKS_PER_REQUEST;
    const tickers = this.#nearTickers(this.#options.nowMs()).slice(from, from + BOOKS_PER_REQUEST);
    const body = await this.#requests.books(tickers, signal);
    if (body === null) this.#hasBooks = false;
    return body;
  }

  #readLeague(
    code: string,
    { events, multipliers }: LeagueAnswer,
    { nowMs, count }: ReadContext,
  ): PolledFixture[] {
    const context = { nowMs, count };
    const league = this.#leagueOf(code);
    const { feeRate } = this.#options;
    requireReadable(events.GAME.length, events.GAME.filter((event) => !isKalshiEvent(event)).length);
    const matches = readMatches(events, { league, feeRate, multipliers, ...context });
    const updates = matches.map((match) => {
      const contracts = new Map(match.contracts.map((contract) => [contract.id, contract]));
      const held = { league, match, contracts };
      this.#matches.set(match.event, held);
      return this.#updateOf(held, context, true);
    });
    const named = new Set(matches.map(({ event }) => event));
    for (const [event, held] of this.#matches) {
      if (held.league !== league || named.has(event)) continue;
      this.#matches.delete(event);
      this.#scores.delete(event);
      updates.push({ event, gone: true });
    }
    this.#follow();
    return updates;
  }

  #readBooks(body: unknown, context: ReadContext): PolledFixture[] {
    if (body === null) {
      context.count('book_refused');
      return [];
    }
    if (!isOrderBooks(body)) throw new PollFailure('source_changed', { field: 'orderbooks' });
    // An answer without the new field must fail. The former field is still sent, but its books are empty.
    const books = mostOf(body.orderbooks, isOrderBook, 'orderbook_fp');
    const byTicker = new Map(books.map((book) => [book.ticker, bookOf(book.orderbook_fp)]));
    return [...this.#matches.values()].flatMap((held) => {
      const heard = [...held.contracts.values()].filter(({ id }) => byTicker.has(id));
      for (const contract of heard) {
        held.contracts.set(contract.id, { ...contract, book: byTicker.get(contract.id)! });
      }
      return heard.length === 0 ? [] : [this.#updateOf(held, context, heard.length === held.contracts.size)];
    });
  }

  #updateOf(
    { match, contracts }: HeldMatch,
    context: Pick<ReadContext, 'nowMs' | 'count'>,
    isWhole: boolean,
  ): PolledFixture {
    const { nowMs: atMs, count } = context;
    const { event, fixture, winnerCount } = match;
    const { bookmaker, leastStake } = this.#options;
    const isLive = fixture.scheduledAtMs <= atMs;
    const rules: QuoteRules = { bookmaker, leastStake, atMs, count };
    const score = this.#scores.get(event) ?? null;
    const { quotes, liquidity } = quotesOf(
      { sport: fixture.sport, isLive, score, winnerCount, contracts: [...contracts.values()] },
      rules,
    );
    return {
      event,
      fixture,
      state: { status: isLive ? 'live' : 'scheduled', clock: null, score: null, cards: null },
      quotes,
      liquidity: { bookmaker, currency: 'USD', rows: liquidity },
      ...(isWhole ? { confirmed: true } : {}),
    };
  }

  #leagueOf(code: string): KalshiLeague {
    return this.#leagues.find((league) => league.code === code)!;
  }

  /** Makes the socket follow the contracts of the matches with the earliest kickoffs. */
  #follow(): void {
    const byKickoff = [...this.#matches.values()].sort(byKickoffFirst);
    const tickers = byKickoff.flatMap(({ contracts }) => [...contracts.keys()]);
    this.#socket?.follow(tickers.slice(0, FOLLOWED_MAX));
  }

  #take(ticker: string, book: Contract['book']): void {
    for (const [event, { contracts }] of this.#matches) {
      const contract = contracts.get(ticker);
      if (contract === undefined) continue;
      contracts.set(ticker, { ...contract, book });
      this.#updates.moved(event);
    }
  }

  #pushedUpdate(event: string): PolledFixture | null {
    const held = this.#matches.get(event);
    const context = { nowMs: this.#options.nowMs(), count: () => {} };
    return held === undefined ? null : this.#updateOf(held, context, false);
  }

  /** Contracts whose books are requested between two reads of their league, soonest kickoff first. */
  #nearTickers(nowMs: number): readonly string[] {
    return [...this.#matches.values()]
      .filter(({ match }) => nearKickoff(match.fixture.scheduledAtMs, nowMs))
      .sort(byKickoffFirst)
      .flatMap(({ contracts }) => [...contracts.keys()]);
  }
}

function byKickoffFirst(one: HeldMatch, other: HeldMatch): number {
  return one.match.fixture.scheduledAtMs - other.match.fixture.scheduledAtMs;
}
