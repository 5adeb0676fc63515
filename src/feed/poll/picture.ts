// The present state of a polled source, fixture by fixture, and its differences from the previous state, as
// the protocol's messages without their numbers. Pure: no I/O, no clock of its own.

import { hash52 } from '../../domain/ids.ts';
import type {
  Draft,
  FixtureFields,
  LiquidityFields,
  PolledQuote,
  ResultFields,
  StateFields,
} from './drafts.ts';

/** What one answer contains about one fixture. A field that is left out keeps its value. */
export interface PolledFixture {
  readonly event: string;
  readonly fixture?: FixtureFields;
  readonly state?: StateFields;
  /** Every present quote, by `quoteKeyOf`; quotes that are not in it are closed. */
  readonly quotes?: ReadonlyMap<string, PolledQuote>;
  readonly result?: ResultFields;
  /** How much can be staked now, on all quotes of the fixture. Only exchanges report it. */
  readonly liquidity?: LiquidityFields;
  /** Present if the fixture leaves the slate. */
  readonly gone?: true;
  /**
   * Present if the upstream has just confirmed the whole fixture. A heartbeat for this fixture passes that
   * on.
   */
  readonly confirmed?: true;
}

/** What is known now, and when liquidity was last sent. */
interface HeldLiquidity {
  readonly fields: LiquidityFields;
  readonly sentAtMs: number;
}

export interface PicturedFixture {
  readonly fixture: FixtureFields;
  readonly state: StateFields | null;
  readonly quotes: ReadonlyMap<string, PolledQuote>;
  readonly result: ResultFields | null;
  readonly liquidity?: HeldLiquidity | null;
  /** When the upstream last confirmed this fixture as a whole, Unix ms; null if it never did. */
  readonly confirmedAtMs: number | null;
  /** When an answer last contained the fixture, Unix ms. */
  readonly seenAtMs: number;
  /**
   * The fixture's key in the protocol: the upstream's key, with a suffix if the upstream has used the key
   * again for other teams.
   */
  readonly key: string;
}

/** The part of the picture that a source's parser may use. */
export type ReadonlyPicture = ReadonlyMap<string, PicturedFixture>;

/** Counts things that were noticed in an answer, each under a word. */
export type Count = (what: PictureCount) => void;
const PICTURE_COUNTS = ['changed_teams', 'quotes_older'] as const;
export type PictureCount = (typeof PICTURE_COUNTS)[number];

/** The identity of a quote within its fixture. */
export function quoteKeyOf(quote: Pick<PolledQuote, 'bookmaker' | 'market' | 'period' | 'line'>): string {
  return `${quote.bookmaker}|${quote.market}|${quote.period}|${quote.line ?? ''}`;
}

/** Maximum number of fixtures held at once. A further one is left out until another has gone. */
const FIXTURES_MAX = 8_192;
/** Sizes change with every order, so those of a fixture are sent at most this often. */
const LIQUIDITY_MS = 5_000;

export class Picture {
  readonly #fixtures = new Map<string, PicturedFixture>();
  /** Fixtures whose liquidity has changed too soon after it was sent. */
  readonly #waiting = new Set<string>();
  readonly #count: Count;

  constructor(count: Count) {
    this.#count = count;
  }

  get fixtures(): ReadonlyPicture {
    return this.#fixtures;
  }

  /** The upstream's key of a fixture. The protocol may use another key for the same fixture. */
  upstreamKeyOf(key: string): string {
    if (this.#fixtures.get(key)?.key === key) return key;
    for (const [event, held] of this.#fixtures) if (held.key === key) return event;
    return key;
  }

  /** Drops everything: the first round of a new epoch follows. */
  clear(): void {
    this.#fixtures.clear();
    this.#waiting.clear();
  }

  /** Applies what an answer says about one fixture. @returns the changes, in the order of sending them */
  apply(update: PolledFixture, nowMs: number): Draft[] {
    const { event } = update;
    const held = this.#fixtures.get(event);
    const fixture = update.fixture ?? held?.fixture;
    if (update.gone === true) return this.#remove(event, nowMs);
    if (fixture === undefined) return []; // a change of a fixture that was never named
    if (held === undefined && this.#fixtures.size >= FIXTURES_MAX) return [];
    const isOther = held !== undefined && !hasSameTeams(held.fixture, fixture);
    // The old prices belong to another match, so the fixture is removed and added again.
    if (isOther) this.#count('changed_teams');
    const drafts = isOther ? this.#remove(event, nowMs) : [];
    const before = isOther ? undefined : held;
    // With other teams the fixture gets another key. Otherwise it would have the id and the openings of the
    // previous match.
    const key = isOther ? keyOfTeams(event, fixture) : (held?.key ?? event);
    if (before === undefined || !Bun.deepEquals(before.fixture, fixture)) {
      drafts.push({ type: 'event', event: key, atMs: nowMs, ...fixture });
    }
    const state = update.state ?? before?.state ?? null;
    if (state !== null && !Bun.deepEquals(before?.state ?? null, state)) {
      drafts.push({ type: 'state', event: key, atMs: nowMs, ...state });
    }
    const quotes = this.#quotes(update, before?.quotes ?? NO_QUOTES, { key, drafts, nowMs });
    const result = update.result ?? before?.result ?? null;
    if (result !== null && !Bun.deepEquals(before?.result ?? null, result)) {
      drafts.push({ type: 'result', event: key, atMs: nowMs, ...result });
    }
    const liquidity = this.#liquidity(update, before ?? null, { key, drafts, nowMs });
    const confirmedAtMs = update.confirmed === true ? nowMs : (before?.confirmedAtMs ?? null);
    if (update.confirmed === true) drafts.push({ type: 'heartbeat', event: key, atMs: nowMs });
    const facts = { fixture, state, quotes, result, liquidity };
    this.#fixtures.set(event, { ...facts, confirmedAtMs, seenAtMs: nowMs, key });
    return drafts;
  }

  /** All messages of a snapshot. */
  whole(nowMs: number): Draft[] {
    const drafts: Draft[] = [];
    for (const held of this.#fixtures.values()) {
      const { key: event, fixture, state, quotes, result, liquidity, confirmedAtMs } = held;
      const atMs = Math.min(nowMs, held.seenAtMs);
      drafts.push({ type: 'event', event, atMs, ...fixture });
      if (state !== null) drafts.push({ type: 'state', event, atMs, ...state });
      for (const quote of quotes.values()) drafts.push({ type: 'quote', event, atMs: quote.atMs, quote });
      if (liquidity != null) drafts.push({ type: 'liquidity', event, atMs, ...liquidity.fields });
      if (confirmedAtMs !== null) {
        drafts.push({ type: 'heartbeat', event, atMs: Math.min(nowMs, confirmedAtMs) });
      }
      if (result !== null) drafts.push({ type: 'result', event, atMs: nowMs, ...result });
    }
    return drafts;
  }

  /** The liquidity that had to wait and may be sent now. */
  dueLiquidity(nowMs: number): Draft[] {
    const drafts: Draft[] = [];
    for (const event of this.#waiting) {
      const held = this.#fixtures.get(event);
      if (held?.liquidity == null) this.#waiting.delete(event);
      else if (nowMs - held.liquidity.sentAtMs >= LIQUIDITY_MS) {
        this.#waiting.delete(event);
        const { fields } = held.liquidity;
        drafts.push({ type: 'liquidity', event: held.key, atMs: nowMs, ...fields });
        this.#fixtures.set(event, { ...held, liquidity: { fields, sentAtMs: nowMs } });
      }
    }
    return drafts;
  }

  /** When `dueLiquidity` has something to send, Unix ms; Infinity when nothing waits. */
  liquidityDueAtMs(): number {
    let dueAtMs = Number.POSITIVE_INFINITY;
    for (const event of this.#waiting) {
      dueAtMs = Math.min(dueAtMs, (this.#fixtures.get(event)?.liquidity?.sentAtMs ?? 0) + LIQUIDITY_MS);
    }
    return dueAtMs;
  }

  #liquidity(
    { event, liquidity: next }: PolledFixture,
    held: PicturedFixture | null,
    { key, drafts, nowMs }: { readonly key: string; readonly drafts: Draft[]; readonly nowMs: number },
  ): HeldLiquidity | null {
    const before = held?.liquidity ?? null;
    if (next === undefined || (before !== null && Bun.deepEquals(before.fields, next))) return before;
    if (before !== null && nowMs - before.sentAtMs < LIQUIDITY_MS) {
      this.#waiting.add(event);
      return { fields: next, sentAtMs: before.sentAtMs };
    }
    this.#waiting.delete(event);
    drafts.push({ type: 'liquidity', event: key, atMs: nowMs, ...next });
    return { fields: next, sentAtMs: nowMs };
  }

  #remove(event: string, nowMs: number): Draft[] {
    const held = this.#fixtures.get(event);
    if (held === undefined) return [];
    this.#fixtures.delete(event);
    return [{ type: 'remove', event: held.key, atMs: nowMs }];
  }

  #quotes(
    { quotes: next }: PolledFixture,
    held: ReadonlyMap<string, PolledQuote>,
    { key: event, drafts, nowMs }: { readonly key: string; readonly drafts: Draft[]; readonly nowMs: number },
  ): ReadonlyMap<string, PolledQuote> {
    if (next === undefined) return held;
    const kept = new Map<string, PolledQuote>();
    for (const quote of held.values()) {
      if (!next.has(quoteKeyOf(quote))) drafts.push({ type: 'close', event, atMs: nowMs, quote });
    }
    for (const [key, quote] of next) {
      const before = held.get(key);
      // The stamp is at most our present time, but never earlier than the stamp that was already sent,
      // because the slate would drop a quote with an earlier stamp.
      const atMs = Math.max(Math.min(quote.atMs, nowMs), before?.atMs ?? 0);
      if (before !== undefined && isSameQuote(before, quote)) {
        kept.set(key, { ...quote, atMs: before.atMs });
      } else if (
        before !== undefined &&
        quote.status === 'open' &&
        quote.atMs < before.atMs &&
        before.status === 'open'
      ) {
        this.#count('quotes_older'); // an answer from a cache, older than the present quote
        kept.set(key, before);
      } else {
        const sent = { ...quote, atMs };
        kept.set(key, sent);
        drafts.push({ type: 'quote', event, atMs, quote: sent });
      }
    }
    return kept;
  }
}

const NO_QUOTES: ReadonlyMap<string, PolledQuote> = new Map();

function keyOfTeams(event: string, { home, away }: FixtureFields): string {
  return `${event}~${hash52(`${home.key}|${away.key}`).toString(36)}`;
}

/** Whether two descriptions of a fixture are of the same match. */
export function hasSameTeams(a: FixtureFields, b: FixtureFields): boolean {
  return a.sport === b.sport && a.home.key === b.home.key && a.away.key === b.away.key;
}

/** Whether a quote has the same status and prices in both versions. Other fields are not compared. */
export function isSameQuote(a: PolledQuote, b: PolledQuote): boolean {
  return a.status === b.status && a.prices.every((price, index) => price === b.prices[index]);
}
