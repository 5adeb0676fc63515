// Converts Betfair's market changes into the drafts of feed messages. Holds the order books and what was last
// sent for each market; no I/O and no clock: times are those of the stream.
//
// Handicaps: Betfair settles them on the whole match. In play the protocol's football lines follow the Asian
// convention, whole-match line + (home - away), which needs the score. The stream has no score, so without
// one from another source no football handicap is sent in play.

import type { MarketType, SportKey } from '../../domain/catalogue.ts';
import type { Draft, FixtureFields, PolledLiquidityRow, PolledQuote } from '../poll/drafts.ts';
import { isSameQuote, quoteKeyOf } from '../poll/picture.ts';
import { BetfairLiquidity } from './liquidity.ts';
import type {
  CatalogueMarket,
  ChangeMessage,
  MarketChange,
  MarketDefinition,
  RunnerDefinition,
} from './messages.ts';
import { OrderBook } from './order-book.ts';

export const BETFAIR_EVENT_TYPES: Readonly<Record<string, SportKey>> = {
  '1': 'football',
  '7522': 'basketball',
};
const BETFAIR_OVER_UNDER = /^OVER_UNDER_(\d{2,3})$/;
/** The market types to follow. The totals are Betfair's own list: half-goal lines up to 8.5. */
export const BETFAIR_MARKET_TYPES: readonly string[] = [
  'MATCH_ODDS',
  'ASIAN_HANDICAP',
  ...['05', '15', '25', '35', '45', '55', '65', '75', '85'].map((line) => `OVER_UNDER_${line}`),
];

export interface BetfairParseOptions {
  /** The exchange's key on our roster. */
  readonly bookmaker: string;
  /** Betfair's share of winnings, 0 to 1; prices are shown after this deduction. */
  readonly commission: number;
}

/** Why a market is not shown. */
export type SkipReason = 'unknown_event' | 'unknown_market' | 'unknown_runners' | 'handicap_without_score';

interface Fixture {
  readonly fields: FixtureFields;
  status: 'scheduled' | 'live' | 'finished';
  score: readonly [number, number] | null;
}

export class BetfairBooks {
  readonly #options: BetfairParseOptions;
  readonly #books = new Map<string, OrderBook>();
  /** Quotes last sent, by market and then by their key. */
  readonly #quotes = new Map<string, Map<string, PolledQuote>>();
  readonly #fixtures = new Map<string, Fixture>();
  readonly #liquidity: BetfairLiquidity;
  readonly #catalogue = new Map<string, CatalogueMarket>();
  readonly #runnerNames = new Map<number, string>();
  /** Why each market that is not shown is left out. */
  readonly leftOut = new Map<string, SkipReason>();

  constructor(options: BetfairParseOptions) {
    this.#options = options;
    this.#liquidity = new BetfairLiquidity(options.bookmaker);
  }

  /** Sets the names of events and runners, which the stream does not send. */
  learn(markets: readonly CatalogueMarket[]): void {
    this.#catalogue.clear(); // a match that is no longer listed is over
    this.#runnerNames.clear();
    for (const market of markets) {
      this.#catalogue.set(market.eventId, market);
      for (const { id, name } of market.runners) this.#runnerNames.set(id, name);
    }
  }

  /** Drops everything except the names, because an image follows. */
  clear(): void {
    this.#books.clear();
    this.#quotes.clear();
    this.#fixtures.clear();
    this.#liquidity.clear();
    this.leftOut.clear();
  }

  /** Applies a change and returns the messages for it, in the order in which they must be sent. */
  apply({ markets, publishedAtMs }: Pick<ChangeMessage, 'markets' | 'publishedAtMs'>): Draft[] {
    return markets.flatMap((change) => this.#market(change, publishedAtMs));
  }

  /**
   * Receives the score of a match from another source, so that from now on its in-play handicaps can be sent.
   * The other source sends the score itself.
   * @param event the feed's key of the match
   */
  setScore(event: string, score: readonly [number, number], atMs: number): Draft[] {
    const fixture = this.#fixtures.get(event);
    if (fixture === undefined) return [];
    fixture.score = score;
    const drafts: Draft[] = [];
    for (const [id, book] of this.#books) {
      const { definition } = book;
      if (definition !== null && eventKeyOf(definition.eventId) === event) {
        drafts.push(...this.#requote(id, book, atMs));
      }
    }
    return drafts;
  }

  /** All messages of a snapshot. */
  whole(atMs: number): Draft[] {
    const drafts: Draft[] = [];
    for (const [event, fixture] of this.#fixtures) {
      drafts.push({ type: 'event', event, atMs, ...fixture.fields }, this.#stateDraft(event, fixture, atMs));
    }
    for (const [id, quotes] of this.#quotes) {
      const event = eventKeyOf(this.#books.get(id)!.definition!.eventId);
      for (const quote of quotes.values()) drafts.push({ type: 'quote', event, atMs: quote.atMs, quote });
    }
    for (const event of this.#fixtures.keys()) drafts.push(...this.#liquidity.whole(event, atMs));
    return drafts;
  }

  #market(change: MarketChange, atMs: number): Draft[] {
    const book = this.#books.getOrInsertComputed(change.id, newBook);
    if (change.isImage) book.clear();
    if (change.definition !== null) book.definition = change.definition;
    if (change.matched !== null) book.matched = change.matched;
    for (const runner of change.runners) book.apply(runner);
    if (book.definition === null) return []; // the definition of the market was refused, so nothing is known about it
    const drafts = change.definition === null ? [] : this.#event(change.definition, atMs);
    drafts.push(...this.#requote(change.id, book, atMs));
    drafts.push(...this.#liquidity.due(eventKeyOf(book.definition.eventId), atMs));
    return drafts;
  }

  /**
   * Drafts about the fixture of a market: an event message if the fixture is new or has changed, a state
   * message if its state has changed.
   */
  #event(definition: MarketDefinition, atMs: number): Draft[] {
    const event = eventKeyOf(definition.eventId);
    const fields = this.#fieldsOf(definition);
    if (fields === null) return [];
    const held = this.#fixtures.get(event);
    const fixture: Fixture = { fields, status: held?.status ?? 'scheduled', score: held?.score ?? null };
    const before = held?.status ?? null;
    if (fixture.status !== 'finished' && definition.isInPlay) fixture.status = 'live';
    // Goal markets close as soon as they are decided; the match is over when MATCH_ODDS closes.
    if (definition.marketType === 'MATCH_ODDS' && definition.status === 'CLOSED') fixture.status = 'finished';
    this.#fixtures.set(event, fixture);
    const drafts: Draft[] = [];
    if (held === undefined || !Bun.deepEquals(held.fields, fields)) {
      drafts.push({ type: 'event', event, atMs, ...fields });
    }
    if (fixture.status !== before) {
      drafts.push(this.#stateDraft(event, fixture, atMs));
      // A new status may change what the quotes of the match's other markets mean, so they are made again.
      for (const [id, book] of this.#books) {
        if (book.definition?.eventId === definition.eventId && book.definition !== definition) {
          drafts.push(...this.#requote(id, book, atMs));
        }
      }
    }
    return drafts;
  }

  #stateDraft(event: string, { status }: Fixture, atMs: number): Draft {
    return { type: 'state', event, atMs, status, clock: null, score: null, cards: null };
  }

  #fieldsOf(definition: MarketDefinition): FixtureFields | null {
    const sport = BETFAIR_EVENT_TYPES[definition.eventTypeId];
    const listed = this.#catalogue.get(definition.eventId);
    const name = listed?.eventName ?? definition.eventName;
    const teams = name === null || name === undefined ? null : teamsOf(name);
    const held = this.#fixtures.get(eventKeyOf(definition.eventId));
    if (sport === undefined || teams === null) return held?.fields ?? null;
    const { id, name: leagueName } = listed?.competition ?? { id: `of-${sport}`, name: 'Other' };
    // A market's own start time can move in play after a late start, so the start time that was stated first
    // stays.
    const scheduledAtMs =
      held?.fields.scheduledAtMs ?? (Number.isNaN(definition.marketAtMs) ? null : definition.marketAtMs);
    return {
      sport,
      league: { key: `betfair-${id}`, name: leagueName },
      home: { key: `betfair-${teams.home.toLowerCase()}`, name: teams.home },
      away: { key: `betfair-${teams.away.toLowerCase()}`, name: teams.away },
      scheduledAtMs,
    };
  }

  /** The present quotes of a market, as drafts of the difference from what was sent. */
  #requote(id: string, book: OrderBook, atMs: number): Draft[] {
    const definition = book.definition!;
    const event = eventKeyOf(definition.eventId);
    const fixture = this.#fixtures.get(event);
    const found =
      fixture === undefined ? 'unknown_event' : this.#quotesOf(book, definition, { fixture, atMs });
    if (typeof found === 'string') this.leftOut.set(id, found);
    else this.leftOut.delete(id);
    const next = typeof found === 'string' ? new Map<string, PolledQuote>() : found.quotes;
    this.#liquidity.set(event, id, typeof found === 'string' ? [] : found.rows);
    const held = this.#quotes.get(id) ?? new Map<string, PolledQuote>();
    const drafts: Draft[] = [];
    for (const [key, quote] of held) if (!next.has(key)) drafts.push({ type: 'close', event, atMs, quote });
    for (const [key, quote] of next) {
      const before = held.get(key);
      if (before !== undefined && isSameQuote(before, quote)) next.set(key, before);
      else drafts.push({ type: 'quote', event, atMs, quote });
    }
    if (next.size > 0) this.#quotes.set(id, next);
    else this.#quotes.delete(id);
    return drafts;
  }

  #quotesOf(
    book: OrderBook,
    definition: MarketDefinition,
    { fixture, atMs }: { readonly fixture: Fixture; readonly atMs: number },
  ):
    | { readonly quotes: Map<string, PolledQuote>; readonly rows: readonly PolledLiquidityRow[] }
    | SkipReason {
    const lines = this.#linesOf(definition, fixture);
    if (typeof lines === 'string') return lines;
    const quotes = new Map<string, PolledQuote>();
    const rows: PolledLiquidityRow[] = [];
    if (definition.status === 'CLOSED') return { quotes, rows };
    for (const { market, line, runners } of lines) {
      const offers = runners.map(({ id, handicap }) => book.bestBack(id, handicap));
      const prices = offers.map(({ price }) => this.#net(price));
      if (!prices.some((price) => price > 0)) continue; // a line without prices is left out
      const isWhole = prices.every((price) => price > 0);
      const quote: PolledQuote = {
        bookmaker: this.#options.bookmaker,
        market,
        period: 'full_time',
        line,
        prices,
        status: definition.status === 'OPEN' && isWhole ? 'open' : 'suspended',
        atMs,
      };
      quotes.set(quoteKeyOf(quote), quote);
      // Betfair states one matched amount for the whole market. With several lines it is left out, because it
      // belongs to no single line.
      const matched = lines.length === 1 ? book.matched : null;
      rows.push({ market, period: 'full_time', line, sizes: offers.map(({ size }) => size), matched });
    }
    return { quotes, rows };
  }

  /** The lines of a market, with their runners in outcome order. */
  #linesOf(definition: MarketDefinition, fixture: Fixture): Line[] | SkipReason {
    const { marketType } = definition;
    const runners = definition.runners.filter(({ isActive }) => isActive);
    if (marketType === 'MATCH_ODDS')
      return matchOdds(runners, fixture.fields.sport, this.#isAwayFirst(definition));
    if (marketType === 'ASIAN_HANDICAP') {
      const [first, second] = [...runners].sort((a, b) => a.sortPriority - b.sortPriority);
      if (first === undefined || second === undefined) return 'unknown_runners';
      const [homeId, awayId] = this.#isAwayFirst(definition) ? [second.id, first.id] : [first.id, second.id];
      let goals = 0;
      if (fixture.status !== 'scheduled' && fixture.fields.sport === 'football') {
        if (fixture.score === null) return 'handicap_without_score';
        goals = fixture.score[0] - fixture.score[1];
      }
      return runners
        .filter(
          (home) =>
            home.id === homeId &&
            runners.some(({ id, handicap }) => id === awayId && handicap === -home.handicap),
        )
        .map((home) => ({
          market: 'asian_handicap',
          line: home.handicap + goals + 0,
          runners: [home, { id: awayId, handicap: 0 - home.handicap }],
        }));
    }
    const total = BETFAIR_OVER_UNDER.exec(marketType)?.[1];
    if (total === undefined) return 'unknown_market';
    const over = runners.find((runner) => /^over\b/i.test(this.#nameOf(runner)));
    const under = runners.find((runner) => /^under\b/i.test(this.#nameOf(runner)));
    if (over === undefined || under === undefined) return 'unknown_runners';
    return [{ market: 'totals', line: Number(total) / 10, runners: [over, under] }];
  }

  #nameOf({ id, name }: { readonly id: number; readonly name: string | null }): string {
    return name ?? this.#runnerNames.get(id) ?? '';
  }

  #isAwayFirst({ eventId, eventName }: MarketDefinition): boolean {
    return (this.#catalogue.get(eventId)?.eventName ?? eventName ?? '').includes(' @ ');
  }

  /** What a price pays after commission on the winnings. */
  #net(price: number): number {
    return price === 0 ? 0 : 1 + (price - 1) * (1 - this.#options.commission);
  }
}

interface Line {
  readonly market: MarketType;
  readonly line: number | null;
  readonly runners: readonly { readonly id: number; readonly handicap: number }[];
}

type ActiveRunner = Pick<RunnerDefinition, 'id' | 'handicap' | 'sortPriority'>;

function newBook(): OrderBook {
  return new OrderBook();
}

/** Priority 1 is the team named first, 2 the other, 3 the draw. */
function matchOdds(
  runners: readonly ActiveRunner[],
  sport: SportKey,
  isAwayFirst: boolean,
): Line[] | SkipReason {
  const [first, second, draw] = [1, 2, 3].map((priority) =>
    runners.find(({ sortPriority }) => sortPriority === priority),
  );
  if (first === undefined || second === undefined) return 'unknown_runners';
  const [home, away] = isAwayFirst ? [second, first] : [first, second];
  if (sport === 'basketball') return [{ market: '1x2', line: null, runners: [home, away] }];
  return draw === undefined
    ? 'unknown_runners'
    : [{ market: '1x2', line: null, runners: [home, draw, away] }];
}

/** "Home v Away", or "Away @ Home" in American sports. */
function teamsOf(name: string): { home: string; away: string } | null {
  const [, first, sign, second] = /^(.+?) (v|@) (.+)$/.exec(name) ?? [];
  if (first === undefined || second === undefined || first === second) return null;
  return sign === '@' ? { home: second, away: first } : { home: first, away: second };
}

function eventKeyOf(eventId: string): string {
  return `betfair-${eventId}`;
}
