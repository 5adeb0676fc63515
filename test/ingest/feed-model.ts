// The rules of the protocol page on plain maps: makes the slate from a stream of wire messages, one message
// at a time, without regard to speed. Football only.

import { isWellFormed, plainTimeMs } from '../feed/plain-validator.ts';
import type { WireMessage } from '../feed/wire.ts';
import type { SeenFixture, SeenQuote } from './ingest-desk.ts';

export interface ModelFixture {
  home: string;
  away: string;
  scheduledAtMs: number;
  status: string;
  clock: string | null;
  score: readonly [number, number] | null;
  cards: readonly [number, number] | null;
  stateAtMs: number;
  lastMessageAtMs: number;
  quotes: Map<string, SeenQuote>;
}

export class FeedModel {
  readonly fixtures: Map<string, ModelFixture>;
  /**
   * Fixtures of the previous worker's slate without an event message since then. Other messages about these
   * fixtures do not apply.
   */
  readonly #strangers: Set<string>;
  olderCount = 0;
  duplicateCount = 0;
  gapCount = 0;
  ignoredCount = 0;
  snapshotCount = 0;
  isComplete = false;
  #isRefused = false;
  #isLost = true;
  #epoch: unknown = null;
  #lastSeq: number | null = null;
  #unnumberedCount = 0;
  /** The events that the current snapshot has listed so far, each with its lines. */
  #named: Map<string, Set<string>> | null = null;

  /** @param published the slate that the previous worker left */
  constructor(published: ReadonlyMap<string, ModelFixture> = new Map()) {
    this.fixtures = new Map(published);
    this.#strangers = new Set(published.keys());
  }

  hear(wire: WireMessage): void {
    if (wire.type === 'hello') this.#hello(wire);
    else if (this.#isRefused) return;
    else if (wire.type === 'snapshot_begin') this.#begin(wire);
    else if (this.#isNext(wire) && isWellFormed(wire)) this.#apply(wire);
  }

  /**
   * Whether readers still see the previous slate, because a snapshot is shown only at its end, as a whole.
   */
  get isInSnapshot(): boolean {
    return this.#named !== null;
  }

  /** Whether messages were lost and a snapshot is needed. */
  get isLost(): boolean {
    return this.#isLost;
  }

  slate(): Record<string, SeenFixture> {
    return Object.fromEntries(
      [...this.fixtures].map(([event, { stateAtMs: _stateAtMs, quotes, ...fixture }]) => [
        event,
        { ...fixture, quotes: Object.fromEntries(quotes) },
      ]),
    );
  }

  #hello(wire: WireMessage): void {
    if (!isWellFormed(wire)) {
      this.#isRefused ||= wire.protocol !== 1;
      this.#isLost = true;
      this.#named = null;
      return;
    }
    this.#isRefused = false;
    this.#unnumberedCount = 0;
    if ((wire.epoch ?? null) === null || wire.epoch !== this.#epoch) this.#isLost = true;
    this.#epoch = wire.epoch ?? null;
    if (this.#isLost) this.#named = null;
  }

  #begin(wire: WireMessage): void {
    this.#named = null;
    this.#isLost = !isWellFormed(wire);
    if (this.#isLost) return;
    this.#lastSeq = wire.seq as number;
    this.#unnumberedCount = 0;
    this.#named = new Map();
  }

  #isNext({ seq }: WireMessage): boolean {
    if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0) {
      this.#unnumberedCount++;
      return !this.#isLost;
    }
    if (this.#isLost) {
      this.ignoredCount++;
      return false;
    }
    const last = this.#lastSeq!;
    if (seq === last) {
      this.duplicateCount++;
      return false;
    }
    if (seq < last || seq > last + 1 + this.#unnumberedCount) {
      this.gapCount++;
      this.#isLost = true;
      this.#named = null;
      return false;
    }
    this.#lastSeq = seq;
    this.#unnumberedCount = 0;
    return true;
  }

  #apply(wire: WireMessage): void {
    if (wire.type === 'snapshot_end') this.#end();
    else if (wire.type === 'event') this.#event(wire);
    const event = String(wire.event);
    const fixture = this.fixtures.get(event);
    if (fixture === undefined || this.#strangers.has(event)) return;
    const atMs = plainTimeMs(wire.at);
    if (wire.type === 'state') state(fixture, wire, atMs);
    else if (wire.type === 'quote') this.#quote(event, fixture, wire, atMs);
    else if (wire.type === 'close') this.#close(fixture, wire, atMs);
    else if (wire.type === 'remove') {
      this.fixtures.delete(event);
      this.#named?.delete(event);
    }
  }

  #end(): void {
    const named = this.#named;
    this.#named = null;
    if (named === null) return;
    for (const [event, fixture] of this.fixtures) {
      const lines = named.get(event);
      if (lines === undefined) this.fixtures.delete(event);
      else for (const line of fixture.quotes.keys()) if (!lines.has(line)) fixture.quotes.delete(line);
    }
    this.snapshotCount++;
    this.isComplete = true;
  }

  #event(wire: WireMessage): void {
    const event = String(wire.event);
    const atMs = plainTimeMs(wire.at);
    this.#strangers.delete(event);
    const held = this.fixtures.get(event) ?? {
      status: 'scheduled',
      clock: null,
      score: null,
      cards: null,
      stateAtMs: Number.NEGATIVE_INFINITY,
      lastMessageAtMs: atMs,
      quotes: new Map(),
    };
    this.fixtures.set(event, {
      ...held,
      home: (wire.home as { name: string }).name,
      away: (wire.away as { name: string }).name,
      scheduledAtMs: plainTimeMs(wire.scheduled_at),
      lastMessageAtMs: Math.max(held.lastMessageAtMs, atMs),
    });
    if (this.#named !== null && !this.#named.has(event)) this.#named.set(event, new Set());
  }

  #quote(event: string, fixture: ModelFixture, wire: WireMessage, atMs: number): void {
    const prices = wire.prices as number[];
    if (wire.market_type === '1x2' && prices.length !== 3) return;
    const line = lineOf(wire);
    this.#named?.get(event)?.add(line);
    if (atMs < (fixture.quotes.get(line)?.atMs ?? Number.NEGATIVE_INFINITY)) {
      this.olderCount++;
      return;
    }
    const pricesE4 = [0, 1, 2].map((index) => Math.round((prices[index] ?? 0) * 10_000));
    fixture.quotes.set(line, { pricesE4, status: String(wire.status), atMs });
    fixture.lastMessageAtMs = Math.max(fixture.lastMessageAtMs, atMs);
  }

  #close(fixture: ModelFixture, wire: WireMessage, atMs: number): void {
    const held = fixture.quotes.get(lineOf(wire));
    if (held === undefined) return;
    if (atMs < held.atMs) {
      this.olderCount++;
      return;
    }
    fixture.quotes.delete(lineOf(wire));
    fixture.lastMessageAtMs = Math.max(fixture.lastMessageAtMs, atMs);
  }
}

function state(fixture: ModelFixture, wire: WireMessage, atMs: number): void {
  if (atMs < fixture.stateAtMs) return;
  fixture.stateAtMs = atMs;
  fixture.status = String(wire.status);
  fixture.clock = (wire.clock as string | null) ?? null;
  fixture.score = (wire.score as [number, number] | null) ?? fixture.score;
  fixture.cards = (wire.cards as [number, number] | null) ?? fixture.cards;
  fixture.lastMessageAtMs = Math.max(fixture.lastMessageAtMs, atMs);
}

function lineOf(wire: WireMessage): string {
  return [wire.bookmaker, wire.market_type, wire.period, wire.line ?? null].join('|');
}
