// Polymarket as a pull source with a push side: Gamma lists the matches, the market channel sends their order
// books, and the score channel sends scores and phases. While the market channel is down, the CLOB's REST
// interface replaces it. No key is needed.

import { mostOf } from '../contracts/answers.ts';
import type { Contract } from '../contracts/contract.ts';
import type { LiveSocket, SocketTools } from '../contracts/live-socket.ts';
import { type QuoteRules, quotesOf } from '../contracts/match-quotes.ts';
import { MatchUpdates } from '../contracts/match-updates.ts';
import type { ResultFields } from '../poll/drafts.ts';
import { PollFailure, requireReadable } from '../poll/failure.ts';
import type { PolledFixture } from '../poll/picture.ts';
import type {
  AnswerCount,
  PlannedRequest,
  PolledAnswer,
  PolledSource,
  PushSide,
  ReadContext,
} from '../poll/source.ts';
import type { SportChoice } from '../poll/sport-choice.ts';
import { TokenBooks } from './books.ts';
import { POLYMARKET_LEAGUES, type PolymarketLeague } from './leagues.ts';
import { isBook, isGammaEvent, isSportRow, type ScoreFrame, type SportRow } from './messages.ts';
import { type PolymarketMatch, readMatches } from './parse-events.ts';
import { BOOKS_PER_REQUEST, bookRequests, eventsRequest, SPORTS_REQUEST, TOKENS_MAX } from './plan.ts';
import { type Play, playOf } from './play.ts';
import { PolymarketRequests } from './requests.ts';
import { MarketSocket, openScoreSocket } from './sockets.ts';

export interface PolymarketOptions extends SocketTools, Pick<QuoteRules, 'bookmaker' | 'leastStake'> {
  /** Base addresses without a path: of Gamma and of the CLOB. */
  readonly baseUrl: string;
  readonly clobUrl: string;
  /** Addresses of the market channel and the score channel. */
  readonly socketUrl: string;
  readonly scoreUrl: string;
  readonly sports: SportChoice;
  /** The taker's fee as a share of price x (1 - price); null: the fee that each market states. */
  readonly feeRate: number | null;
}

const HEARD_AGO_MS_MAX = 15_000;

export function polymarket(options: PolymarketOptions): PolledSource {
  return new PolymarketSource(options);
}

/** The requested tokens, and the answer. */
interface BooksAnswer {
  readonly asked: readonly string[];
  readonly body: unknown;
}

interface HeldMatch {
  readonly league: PolymarketLeague;
  readonly match: PolymarketMatch;
  play: Play;
  /**
   * Where the score comes from: the score channel, or another source of the service. Null: it comes from an
   * answer, which may be cached.
   */
  scorer: 'channel' | 'other' | null;
}

class PolymarketSource implements PolledSource, PushSide {
  readonly name = 'polymarket';
  readonly probe = null;
  readonly push = this;
  readonly #options: PolymarketOptions;
  readonly #leagues: readonly PolymarketLeague[];
  readonly #requests: PolymarketRequests;
  readonly #rows = new Map<string, SportRow>();
  readonly #matches = new Map<string, HeldMatch>();
  readonly #books = new TokenBooks();
  /** The match that each followed token belongs to. */
  #eventOf: ReadonlyMap<string, string> = new Map();
  readonly #market: MarketSocket;
  #scores: LiveSocket | null = null;
  readonly #updates = new MatchUpdates((event) => {
    const held = this.#matches.get(event);
    return held === undefined ? null : this.#updateOf(held, this.#options.clock.wallMs());
  });
  /**
   * Events of the sockets. They are counted when the next answer is read, because counting needs the context
   * of an answer.
   */
  readonly #counted: AnswerCount[] = [];
  #isOpen = false;

  constructor(options: PolymarketOptions) {
    this.#options = options;
    this.#leagues = options.sports.among(POLYMARKET_LEAGUES);
    this.#requests = new PolymarketRequests({ ...options, nowMs: () => options.clock.wallMs() });
    this.#market = new MarketSocket({
      ...options,
      url: options.socketUrl,
      books: this.#books,
      changed: (tokens) => this.#changed(tokens),
      lost: (tokens) => this.#note(tokens.map(() => 'book_lost')),
      unreadable: () => this.#note(['bad_row']),
    });
  }

  plan(_picture: unknown, nowMs: number): readonly PlannedRequest[] {
    const leagues = this.#leagues.filter(({ code }) => this.#rows.has(code));
    const events = leagues.map((league) => {
      const kickoffs = [...this.#matches.values()].filter((held) => held.league === league);
      return eventsRequest(
        league,
        kickoffs.map(({ match }) => match.fixture.scheduledAtMs),
        nowMs,
      );
    });
    const isHeard = this.confirmedAtMs() !== null;
    return [SPORTS_REQUEST, ...events, ...bookRequests(this.#eventOf.size, isHeard)];
  }

  async ask({ key }: PlannedRequest, signal: AbortSignal): Promise<PolledAnswer> {
    const [what, which = ''] = key.split(':');
    const body =
      what === 'sports'
        ? await this.#requests.sports(signal)
        : what === 'events'
          ? await this.#requests.events(this.#rows.get(which)?.series ?? '', signal)
          : await this.#askBooks(this.#tokensOf(Number(which)), signal);
    return { body, quota: null, gapMs: 0, serverAtMs: null };
  }

  read({ key }: PlannedRequest, body: unknown, context: ReadContext): readonly PolledFixture[] {
    for (const what of this.#counted.splice(0)) context.count(what);
    const [what, which = ''] = key.split(':');
    if (what === 'sports') return this.#readSports(body, context);
    return what === 'events'
      ? this.#readEvents(which, body as readonly unknown[], context)
      : this.#readBooks(body as BooksAnswer, context);
  }

  forget(): void {
    this.#matches.clear();
  }

  setScore(event: string, score: readonly [number, number]): void {
    const held = this.#matches.get(event);
    if (held === undefined || held.scorer === 'channel') return; // the channel's score is as new
    held.play = { ...held.play, score };
    held.scorer = 'other';
    this.#updates.publish([this.#updateOf(held, this.#options.clock.wallMs())]);
  }

  start(news: (updates: readonly PolledFixture[]) => void): void {
    const { scoreUrl } = this.#options;
    this.#updates.start(news);
    this.#isOpen = true;
    this.#scores = openScoreSocket({
      ...this.#options,
      url: scoreUrl,
      score: (frame) => this.#scored(frame),
    });
  }

  confirmedAtMs(): number | null {
    const agoMs = this.#isOpen && this.#eventOf.size > 0 ? this.#market.heardAgoMs : null;
    return agoMs === null || agoMs > HEARD_AGO_MS_MAX ? null : this.#options.clock.wallMs() - agoMs;
  }

  close(): Promise<void> {
    this.#isOpen = false;
    this.#updates.close();
    this.#market.close();
    this.#scores?.close();
    return Promise.resolve();
  }

  #readSports(body: unknown, { count }: ReadContext): PolledFixture[] {
    if (!Array.isArray(body)) throw new PollFailure('source_changed', { field: 'sports' });
    const rows = mostOf(body, isSportRow, 'series');
    for (let refused = rows.length; refused < body.length; refused++) count('bad_row');
    this.#rows.clear();
    for (const row of rows) this.#rows.set(row.sport, row);
    return [];
  }

  #readEvents(code: string, events: readonly unknown[], { nowMs, count }: ReadContext): PolledFixture[] {
    const league = this.#leagues.find((candidate) => candidate.code === code)!;
    const isAwayFirst = this.#rows.get(code)?.ordering === 'away';
    requireReadable(events.length, events.filter((event) => !isGammaEvent(event)).length);
    const { feeRate } = this.#options;
    const series = this.#rows.get(code)?.series;
    const matches = readMatches(events, {
      ...{ league, isAwayFirst, feeRate, nowMs, count },
      ...(series === undefined ? {} : { series }),
    });
    const named = new Set(matches.map(({ event }) => event));
    const gone = [...this.#matches].flatMap(([event, held]) =>
      held.league === league && !named.has(event) ? [event] : [],
    );
    for (const event of gone) this.#matches.delete(event);
    for (const match of matches) {
      const before = this.#matches.get(match.event);
      const scorer = match.play.status === 'live' ? (before?.scorer ?? null) : null;
      // The score and clock of the score channel are preferred, because an answer may be older.
      const { score, clock } = (scorer === null ? undefined : before?.play) ?? match.play;
      this.#matches.set(match.event, { league, match, play: { ...match.play, score, clock }, scorer });
    }
    this.#chooseTokens();
    return [
      ...matches.map(({ event }) => this.#updateOf(this.#matches.get(event)!, nowMs, count)),
      ...gone.map((event) => ({ event, gone: true }) as const),
    ];
  }

  async #askBooks(asked: readonly string[], signal: AbortSignal): Promise<BooksAnswer> {
    return { asked, body: await this.#requests.books(asked, signal) };
  }

  #readBooks({ asked, body }: BooksAnswer, context: ReadContext): PolledFixture[] {
    if (!Array.isArray(body)) throw new PollFailure('source_changed', { field: 'books' });
    const books = mostOf(body, isBook, 'bids');
    for (let refused = books.length; refused < body.length; refused++) context.count('bad_row');
    const events = new Set<string>();
    const answered = new Set(books.map(({ asset_id }) => asset_id));
    for (const book of books) this.#books.put(book);
    for (const token of asked) {
      const event = this.#eventOf.get(token);
      if (event === undefined) continue;
      // The CLOB leaves out tokens that have no book any more, so their books are dropped.
      if (!answered.has(token) && books.length === body.length) this.#books.drop(token);
      events.add(event);
    }
    return [...events].map((event) => ({
      ...this.#updateOf(this.#matches.get(event)!, context.nowMs, context.count),
      confirmed: true,
    }));
  }

  /** The tokens of one request for books. */
  #tokensOf(index: number): readonly string[] {
    const from = (index - 1) * BOOKS_PER_REQUEST;
    return [...this.#eventOf.keys()].slice(from, from + BOOKS_PER_REQUEST);
  }

  /** The tokens to follow: first those of matches in play, then those of the matches that start soonest. */
  #chooseTokens(): void {
    const byKickoff = [...this.#matches.values()].sort(
      (one, other) => one.match.fixture.scheduledAtMs - other.match.fixture.scheduledAtMs,
    );
    const pairs = byKickoff.flatMap(({ match, play }) =>
      play.status === 'finished' ? [] : match.contracts.map(({ id }) => [id, match.event] as const),
    );
    this.#eventOf = new Map(pairs.slice(0, TOKENS_MAX));
    this.#books.keep(new Set(this.#eventOf.keys()));
    if (this.#isOpen) this.#market.follow([...this.#eventOf.keys()]);
  }

  #changed(tokens: readonly string[]): void {
    for (const token of tokens) {
      const event = this.#eventOf.get(token);
      if (event !== undefined) this.#updates.moved(event);
    }
  }

  #scored(frame: ScoreFrame): void {
    const nowMs = this.#options.clock.wallMs();
    for (const held of this.#matches.values()) {
      const { gameId, isAwayFirst, fixture } = held.match;
      if (gameId !== String(frame.gameId)) continue;
      held.play = playOf(frame, { isAwayFirst, kickoffMs: fixture.scheduledAtMs, nowMs });
      if (held.play.score !== null) held.scorer = 'channel';
      this.#updates.publish([this.#updateOf(held, nowMs)]);
    }
  }

  #updateOf({ match, play, scorer }: HeldMatch, nowMs: number, count?: QuoteRules['count']): PolledFixture {
    const { event, fixture, winnerCount } = match;
    const { bookmaker, leastStake } = this.#options;
    const rules = { bookmaker, leastStake, atMs: nowMs, count: count ?? (() => {}) };
    const isOver = play.status === 'finished';
    const contracts = isOver ? [] : match.contracts.map((contract) => this.#withBook(contract));
    const score = scorer === null ? null : play.score;
    const isLive = play.status === 'live';
    const { quotes, liquidity } = quotesOf(
      { sport: fixture.sport, isLive, score, winnerCount, contracts },
      rules,
    );
    const state = { status: play.status, clock: play.clock, score: play.score, cards: null };
    const result = resultOf(match, play);
    return {
      event,
      fixture,
      state,
      quotes,
      liquidity: { bookmaker, currency: 'USD', rows: liquidity },
      ...(result === null ? {} : { result }),
    };
  }

  #withBook(contract: Contract): Contract {
    const book = this.#books.topOf(contract.id);
    return this.#books.isLost(contract.id) ? { ...contract, book, status: 'paused' } : { ...contract, book };
  }

  #note(counts: readonly AnswerCount[]): void {
    if (this.#counted.length < COUNTED_MAX) this.#counted.push(...counts);
  }
}

/** Most counts that are kept until the next answer; above that, further ones are dropped. */
const COUNTED_MAX = 10_000;

/** The result, once the venue has verified it. Null for cup football, whose score may include extra time. */
function resultOf({ fixture, isOver90 }: PolymarketMatch, play: Play): ResultFields | null {
  const { isVerified, score, finishedAtMs } = play;
  const isCertain = isVerified && (fixture.sport === 'basketball' || isOver90);
  if (!isCertain || score === null || finishedAtMs === null) return null;
  return { score, redCards: null, finishedAtMs };
}
