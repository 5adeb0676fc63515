// What one of several sources says now, in its own words: its fixtures with their quotes, states and results, by its own
// sequence, epoch and snapshots. Nothing of it is on the slate before MergedSlate has put it there, so a gap, a snapshot
// under way or a death of one source touches no other.

import { outcomesOf } from '../../domain/catalogue.ts';
import type { RejectReason } from '../../domain/reject-reasons.ts';
import type {
  CloseMessage,
  EventMessage,
  FeedMessage,
  QuoteMessage,
  ResultMessage,
  StateMessage,
} from '../../feed/protocol.ts';
import { FIXTURES_MAX, QUOTES_PER_FIXTURE_MAX } from '../../limits.ts';
import { packQuoteKey } from '../../store/quote-key.ts';
import type { FeedTarget } from '../feed-handler.ts';
import { FeedSequence } from '../feed-sequence.ts';

/** A fixture as one source has it. */
export interface SourceFixture {
  /** Unique among all sources of this process. */
  readonly id: number;
  /** Place of its source in FEED. */
  readonly source: number;
  message: EventMessage;
  /** Last known score and cards included. */
  state: StateMessage | null;
  /** By their packed key. */
  quotes: Map<number, QuoteMessage>;
  result: ResultMessage | null;
}

/** Who puts what the sources say on the slate. */
export interface SourceListener {
  /** A new fixture, or one whose teams, league, kickoff or stamp changed. @returns why the slate has no room for it */
  described(fixture: SourceFixture): RejectReason | null;
  quoted(fixture: SourceFixture, quote: QuoteMessage): RejectReason | null;
  closed(fixture: SourceFixture, close: CloseMessage): void;
  stated(fixture: SourceFixture): void;
  resulted(fixture: SourceFixture): void;
  removed(fixture: SourceFixture): void;
  /** The source is alive and its open quotes stand. */
  confirmed(source: SourceSlate): void;
  /** A snapshot is complete: these fixtures are what there is now, and those have gone. */
  replaced(source: SourceSlate, gone: readonly SourceFixture[]): void;
  quoteOlder(): void;
  nextId(): number;
}

export interface SourceSlateOptions {
  /** Place in FEED. */
  readonly index: number;
  readonly name: string;
  /** Whether a bookmaker, by index, is this source's to quote. */
  readonly owns: (bookmaker: number) => boolean;
  readonly listener: SourceListener;
}

type Fixtures = Map<string, SourceFixture>;

export class SourceSlate implements FeedTarget {
  readonly sequence = new FeedSequence();
  readonly index: number;
  readonly name: string;
  readonly #owns: SourceSlateOptions['owns'];
  readonly #listener: SourceListener;
  #fixtures: Fixtures = new Map();
  /** What the snapshot under way has said so far. */
  #next: { readonly snapshot: number; readonly fixtures: Fixtures; latestMs: number } | null = null;
  /** Source time up to which its open quotes stand, by its heartbeats and by what a snapshot said last. Unix ms. */
  confirmedAtMs = Number.NEGATIVE_INFINITY;
  isComplete = false;

  constructor({ index, name, owns, listener }: SourceSlateOptions) {
    this.index = index;
    this.name = name;
    this.#owns = owns;
    this.#listener = listener;
  }

  fixtures(): IterableIterator<SourceFixture> {
    return this.#fixtures.values();
  }

  /** Takes one message that is in sequence and well-formed. @returns why it is refused, or null */
  apply(message: FeedMessage): RejectReason | null {
    if (message.type === 'heartbeat') {
      this.confirmedAtMs = Math.max(this.confirmedAtMs, message.atMs);
      this.#listener.confirmed(this);
      return null;
    }
    if (!('event' in message)) return null;
    if (!this.sequence.inSnapshot) return this.#live(message);
    if (this.#next?.snapshot !== this.sequence.snapshotCount) {
      this.#next = { snapshot: this.sequence.snapshotCount, fixtures: new Map(), latestMs: message.atMs };
    }
    this.#next.latestMs = Math.max(this.#next.latestMs, message.atMs);
    const { fixtures } = this.#next;
    if (message.type === 'event') return this.#describe(fixtures, message).reason;
    const fixture = fixtures.get(message.event);
    if (fixture === undefined) return 'unknown_event';
    if (message.type === 'remove') fixtures.delete(message.event);
    else if (message.type === 'quote') return this.#quote(fixture, message).reason;
    else if (message.type === 'close') closeIn(fixture, message);
    else if (message.type === 'state') stateIn(fixture, message);
    else fixture.result = message;
    return null;
  }

  /** Ends the snapshot under way: it replaces what was known, but what was known is kept where it is newer. */
  endSnapshot(): void {
    const said = this.#next?.snapshot === this.sequence.snapshotCount ? this.#next : null;
    this.#next = null;
    this.confirmedAtMs = Math.max(this.confirmedAtMs, said?.latestMs ?? Number.NEGATIVE_INFINITY);
    this.sequence.finishSnapshot();
    const before = this.#fixtures;
    this.#fixtures = new Map();
    for (const [event, fixture] of said?.fixtures ?? []) {
      const held = before.get(event);
      const isKept = held !== undefined && held.message.sport === fixture.message.sport;
      this.#fixtures.set(event, isKept ? this.#merge(held, fixture) : fixture);
      if (isKept) before.delete(event);
    }
    this.isComplete = true;
    this.#listener.replaced(this, [...before.values()]);
  }

  #live(message: Extract<FeedMessage, { readonly event: string }>): RejectReason | null {
    const listener = this.#listener;
    if (message.type === 'event') {
      const { fixture, reason } = this.#describe(this.#fixtures, message);
      return fixture === null ? reason : listener.described(fixture);
    }
    const fixture = this.#fixtures.get(message.event);
    if (fixture === undefined) return 'unknown_event';
    switch (message.type) {
      case 'remove':
        this.#fixtures.delete(message.event);
        listener.removed(fixture);
        return null;
      case 'quote': {
        const { isTaken, reason } = this.#quote(fixture, message);
        return isTaken ? listener.quoted(fixture, message) : reason;
      }
      case 'close':
        if (closeIn(fixture, message)) listener.closed(fixture, message);
        return null;
      case 'state':
        if (stateIn(fixture, message)) listener.stated(fixture);
        return null;
      case 'result':
        fixture.result = message;
        listener.resulted(fixture);
        return null;
    }
  }

  #describe(
    fixtures: Fixtures,
    message: EventMessage,
  ): { readonly fixture: SourceFixture | null; readonly reason: RejectReason | null } {
    const held = fixtures.get(message.event);
    if (held !== undefined) {
      if (held.message.sport !== message.sport) return { fixture: null, reason: 'bad_sport' };
      held.message = message;
      return { fixture: held, reason: null };
    }
    if (fixtures.size >= FIXTURES_MAX) return { fixture: null, reason: 'fixture_table_full' };
    const id = this.#listener.nextId();
    const fixture: SourceFixture = {
      id,
      source: this.index,
      message,
      state: null,
      quotes: new Map(),
      result: null,
    };
    fixtures.set(message.event, fixture);
    return { fixture, reason: null };
  }

  #quote(
    fixture: SourceFixture,
    message: QuoteMessage,
  ): { readonly isTaken: boolean; readonly reason: RejectReason | null } {
    const { market, pricesE4, openingPricesE4 } = message;
    const outcomeCount = outcomesOf(fixture.message.sport, market).length;
    const isWhole =
      pricesE4.length === outcomeCount && (openingPricesE4?.length ?? outcomeCount) === outcomeCount;
    if (!isWhole) return { isTaken: false, reason: 'bad_outcomes' };
    if (!this.#owns(message.bookmaker)) return { isTaken: false, reason: 'other_source' };
    const key = packedKey(message);
    const held = fixture.quotes.get(key);
    if (held !== undefined && message.atMs < held.atMs) {
      this.#listener.quoteOlder();
      return { isTaken: false, reason: null };
    }
    if (held === undefined && fixture.quotes.size >= QUOTES_PER_FIXTURE_MAX) {
      return { isTaken: false, reason: 'quote_table_full' };
    }
    fixture.quotes.set(key, message);
    return { isTaken: true, reason: null };
  }

  /** What a snapshot says of a fixture that was known before. */
  #merge(held: SourceFixture, next: SourceFixture): SourceFixture {
    held.message = next.message;
    if (next.state !== null) stateIn(held, next.state);
    held.result = next.result ?? held.result;
    for (const [key, quote] of next.quotes) {
      const before = held.quotes.get(key);
      if (before === undefined || quote.atMs >= before.atMs) continue;
      next.quotes.set(key, before);
      this.#listener.quoteOlder();
    }
    held.quotes = next.quotes;
    return held;
  }
}

/** The packed key of a line and its bookmaker. */
export function packedKey({
  market,
  period,
  lineQuarters,
  bookmaker,
}: Pick<QuoteMessage, 'market' | 'period' | 'lineQuarters' | 'bookmaker'>): number {
  return packQuoteKey(market, period, lineQuarters, bookmaker);
}

/** @returns whether the line was there and is not newer */
function closeIn({ quotes }: SourceFixture, message: CloseMessage): boolean {
  const key = packedKey(message);
  const held = quotes.get(key);
  return held !== undefined && message.atMs >= held.atMs && quotes.delete(key);
}

/** Null keeps the last known. @returns whether the state is not older than the held one */
function stateIn(fixture: SourceFixture, message: StateMessage): boolean {
  const { state } = fixture;
  if (state !== null && message.atMs < state.atMs) return false;
  fixture.state = {
    ...message,
    score: message.score ?? state?.score ?? null,
    cards: message.cards ?? state?.cards ?? null,
  };
  return true;
}
