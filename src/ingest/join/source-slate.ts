// The present state of one of several sources: its fixtures with their quotes, states and results, from its
// own sequence, epoch and snapshots. MergedSlate alone puts it on the slate, so a gap, a snapshot or the loss
// of one source affects no other.

import { outcomesOf } from '../../domain/catalogue.ts';
import type { RejectReason } from '../../domain/reject-reasons.ts';
import type {
  CloseMessage,
  EventMessage,
  FeedMessage,
  HeartbeatMessage,
  LiquidityMessage,
  QuoteMessage,
  ResultMessage,
  StateMessage,
} from '../../feed/protocol.ts';
import { FIXTURES_MAX, QUOTES_PER_FIXTURE_MAX } from '../../limits.ts';
import { quoteKeyOf } from '../../store/quote-key.ts';
import type { FeedTarget } from '../feed-handler.ts';
import { FeedSequence } from '../feed-sequence.ts';

/** A fixture as one source has it. */
export interface SourceFixture {
  /** Unique among all sources of this process. */
  readonly id: number;
  /** Index of its source in FEED. */
  readonly source: number;
  /** The bookmakers that come from its source, as a mask. */
  readonly bookmakerMask: number;
  message: EventMessage;
  /** Last known score and cards included. */
  state: StateMessage | null;
  /** When its source last confirmed the open quotes of this one fixture; -Infinity before it did. Unix ms. */
  confirmedAtMs: number;
  /** The quotes by their packed key. */
  quotes: Map<number, QuoteMessage>;
  result: ResultMessage | null;
  /** Liquidity by bookmaker; absent for a source without exchanges. */
  liquidity?: Map<number, LiquidityMessage>;
}

/** Puts the messages of sources on the slate. */
export interface SourceListener {
  /**
   * Called with a new fixture, or with one whose teams, league, kickoff or stamp changed.
   * @returns why the slate refuses it, or null
   */
  described(fixture: SourceFixture): RejectReason | null;
  quoted(fixture: SourceFixture, quote: QuoteMessage): RejectReason | null;
  closed(fixture: SourceFixture, close: CloseMessage): void;
  stated(fixture: SourceFixture): void;
  resulted(fixture: SourceFixture): void;
  measured(fixture: SourceFixture, liquidity: LiquidityMessage): void;
  removed(fixture: SourceFixture): void;
  /** Called when the source is alive and has confirmed its open quotes. */
  confirmed(source: SourceSlate): void;
  /** Called when a source has confirmed the open quotes of one fixture. */
  confirmedAlone(fixture: SourceFixture): void;
  /**
   * Called when a snapshot is complete. `source` has the fixtures of the snapshot now; `gone` are its former
   * fixtures that the snapshot did not name.
   */
  replaced(source: SourceSlate, gone: readonly SourceFixture[]): void;
  quoteOlder(): void;
  nextId(): number;
}

export interface SourceSlateOptions {
  /** Index in FEED. */
  readonly index: number;
  readonly name: string;
  /** The bookmakers whose quotes are taken from this source, as a mask. */
  readonly bookmakerMask: number;
  readonly listener: SourceListener;
}

type Fixtures = Map<string, SourceFixture>;

export class SourceSlate implements FeedTarget {
  readonly sequence = new FeedSequence();
  readonly index: number;
  readonly name: string;
  readonly bookmakerMask: number;
  readonly #listener: SourceListener;
  #fixtures: Fixtures = new Map();
  /** What the snapshot in progress has sent so far. */
  #next: { readonly snapshot: number; readonly fixtures: Fixtures; latestMs: number } | null = null;
  /**
   * Source time up to which the source's open quotes are confirmed, by its heartbeats and by the last message
   * of a snapshot. Unix ms.
   */
  confirmedAtMs = Number.NEGATIVE_INFINITY;
  isComplete = false;

  constructor({ index, name, bookmakerMask, listener }: SourceSlateOptions) {
    this.index = index;
    this.name = name;
    this.bookmakerMask = bookmakerMask;
    this.#listener = listener;
  }

  fixtures(): IterableIterator<SourceFixture> {
    return this.#fixtures.values();
  }

  /** Applies one message that is in sequence and well-formed. @returns why it is refused, or null */
  apply(message: FeedMessage): RejectReason | null {
    if (message.type === 'heartbeat' && message.event === null) {
      this.confirmedAtMs = Math.max(this.confirmedAtMs, message.atMs);
      this.#listener.confirmed(this);
      return null;
    }
    if (!('event' in message)) return null; // the feed handler has dealt with hello and the snapshot marks
    if (!this.sequence.inSnapshot) return this.#live(message);
    if (this.#next?.snapshot !== this.sequence.snapshotCount) {
      this.#next = {
        snapshot: this.sequence.snapshotCount,
        fixtures: new Map(),
        latestMs: Number.NEGATIVE_INFINITY,
      };
    }
    const { fixtures } = this.#next;
    if (message.type === 'heartbeat')
      return confirmAlone(fixtures, message) === null ? 'unknown_event' : null;
    this.#next.latestMs = Math.max(this.#next.latestMs, message.atMs);
    if (message.type === 'event') return this.#describe(fixtures, message).reason;
    const fixture = fixtures.get(message.event);
    if (fixture === undefined) return 'unknown_event';
    if (message.type === 'remove') fixtures.delete(message.event);
    else if (message.type === 'quote') return this.#quote(fixture, message).reason;
    else if (message.type === 'close') closeIn(fixture, message);
    else if (message.type === 'state') stateIn(fixture, message);
    else if (message.type === 'liquidity') return this.#measure(fixture, message);
    else fixture.result = message;
    return null;
  }

  /**
   * Ends the snapshot in progress. Its fixtures replace the former ones, except what is newer in the former
   * ones.
   */
  endSnapshot(): void {
    const sent = this.#next?.snapshot === this.sequence.snapshotCount ? this.#next : null;
    this.#next = null;
    this.confirmedAtMs = Math.max(this.confirmedAtMs, sent?.latestMs ?? Number.NEGATIVE_INFINITY);
    this.sequence.finishSnapshot();
    const before = this.#fixtures;
    this.#fixtures = new Map();
    for (const [event, fixture] of sent?.fixtures ?? []) {
      const held = before.get(event);
      const isKept = held !== undefined && held.message.sport === fixture.message.sport;
      this.#fixtures.set(event, isKept ? this.#merge(held, fixture) : fixture);
      if (isKept) before.delete(event);
    }
    this.isComplete = true;
    this.#listener.replaced(this, [...before.values()]);
  }

  #live(message: Extract<FeedMessage, { readonly event: string | null }>): RejectReason | null {
    const listener = this.#listener;
    if (message.type === 'heartbeat') {
      const confirmed = confirmAlone(this.#fixtures, message);
      if (confirmed === null) return 'unknown_event';
      listener.confirmedAlone(confirmed);
      return null;
    }
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
      case 'liquidity': {
        const reason = this.#measure(fixture, message);
        if (reason === null) listener.measured(fixture, message);
        return reason;
      }
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
      bookmakerMask: this.bookmakerMask,
      message,
      state: null,
      confirmedAtMs: Number.NEGATIVE_INFINITY,
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
    if (((this.bookmakerMask >> message.bookmaker) & 1) === 0)
      return { isTaken: false, reason: 'other_source' };
    const key = quoteKeyOf(message);
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

  #measure(fixture: SourceFixture, message: LiquidityMessage): RejectReason | null {
    if (((this.bookmakerMask >> message.bookmaker) & 1) === 0) return 'other_source';
    fixture.liquidity ??= new Map();
    fixture.liquidity.set(message.bookmaker, message);
    return null;
  }

  /** Merges a fixture of a snapshot into the former state of the fixture. */
  #merge(held: SourceFixture, next: SourceFixture): SourceFixture {
    held.message = next.message;
    held.confirmedAtMs = Math.max(held.confirmedAtMs, next.confirmedAtMs);
    if (next.state !== null) stateIn(held, next.state);
    held.result = next.result ?? held.result;
    for (const [key, quote] of next.quotes) {
      const before = held.quotes.get(key);
      if (before === undefined || quote.atMs >= before.atMs) continue;
      next.quotes.set(key, before);
      this.#listener.quoteOlder();
    }
    held.quotes = next.quotes;
    if (next.liquidity !== undefined) held.liquidity = next.liquidity;
    return held;
  }
}

/** Notes that a heartbeat has confirmed one fixture. @returns the fixture, null when it is not known */
function confirmAlone(fixtures: Fixtures, { event, atMs }: HeartbeatMessage): SourceFixture | null {
  const fixture = fixtures.get(event ?? '');
  if (fixture === undefined) return null;
  fixture.confirmedAtMs = Math.max(fixture.confirmedAtMs, atMs);
  return fixture;
}

/** Removes a closed line, unless its quote is newer. @returns whether it was removed */
function closeIn({ quotes }: SourceFixture, message: CloseMessage): boolean {
  const key = quoteKeyOf(message);
  const held = quotes.get(key);
  return held !== undefined && message.atMs >= held.atMs && quotes.delete(key);
}

/**
 * Stores a state, unless a newer one is held. For score or cards that are null, the last known ones stay.
 * @returns whether it was stored
 */
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
