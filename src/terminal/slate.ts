// The copy of the slate that `overround watch` keeps from the stream, and when and in which direction each
// price moved.

import type { Event } from '../contract/event.ts';
import type { OddsQuote } from '../contract/odds.ts';
import type { OddsDeltaState } from '../contract/stream/odds-changes.ts';
import { impliedProbability, isValidOdds } from '../domain/odds-format.ts';
import type { Delta, SlateSnapshot } from './follow.ts';

export interface PriceMove {
  readonly isUp: boolean;
  readonly atMs: number;
}

export interface HeldQuote extends OddsQuote {
  /** By outcome. An outcome is absent if its price has not moved since the program started. */
  readonly moves: Readonly<Record<string, PriceMove>>;
}

export interface HeldFixture {
  readonly id: string;
  readonly event: Event;
  readonly state: OddsDeltaState;
  readonly quotes: ReadonlyMap<string, HeldQuote>;
}

/** A quote whose prices or status changed, with its former state. */
export interface QuoteChange {
  readonly fixture: HeldFixture;
  readonly quote: HeldQuote;
  /** Null for a new quote. */
  readonly former: HeldQuote | null;
}

export class HeldSlate {
  readonly #fixtures = new Map<string, HeldFixture>();
  readonly #isWanted: (eventId: string) => boolean;
  /**
   * Fixtures named in the parts of the current snapshot. After its last part, all other fixtures are removed.
   */
  #named = new Set<string>();

  /** @param isWanted selects the fixtures to keep; others are ignored */
  constructor(isWanted: (eventId: string) => boolean = () => true) {
    this.#isWanted = isWanted;
  }

  /** Ordered by kickoff; fixtures without one come last. */
  fixtures(): readonly HeldFixture[] {
    const kickoff = ({ event }: HeldFixture) => event.scheduled_at ?? '9999';
    return [...this.#fixtures.values()].sort((one, other) => {
      const [a, b] = [kickoff(one), kickoff(other)];
      return a < b ? -1 : a > b ? 1 : one.id < other.id ? -1 : 1;
    });
  }

  /** Applies a part of a snapshot, or a delta. @returns the quotes that changed */
  apply(changes: SlateSnapshot | Delta, nowMs: number): readonly QuoteChange[] {
    if ('part' in changes) this.#note(changes);
    else if (changes.full) this.#fixtures.clear();
    for (const id of changes.removed) this.#fixtures.delete(id);
    const found: QuoteChange[] = [];
    for (const { event_id: id, event, state, replace, odds } of changes.fixtures) {
      if (!this.#isWanted(id)) continue;
      const held = this.#fixtures.get(id);
      const nowEvent = event ?? held?.event;
      const nowState = state ?? held?.state;
      // the change belongs to a view that was left meanwhile
      if (nowEvent === undefined || nowState === undefined) continue;
      const quotes = new Map(replace ? [] : held?.quotes);
      const fixture = { id, event: nowEvent, state: nowState, quotes };
      for (const odd of odds) {
        const key = `${odd.bookmaker} ${odd.market_type} ${odd.period} ${odd.line}`;
        const former = held?.quotes.get(key) ?? null;
        const quote = { ...odd, moves: movesOf(odd, former, nowMs) };
        quotes.set(key, quote);
        if (former === null || former.status !== quote.status || !isSame(former.prices, quote.prices)) {
          found.push({ fixture, quote, former });
        }
      }
      this.#fixtures.set(id, fixture);
    }
    return found;
  }

  #note({ part, last, fixtures }: SlateSnapshot): void {
    if (part === 1) this.#named = new Set();
    for (const { event_id } of fixtures) this.#named.add(event_id);
    if (!last) return;
    for (const id of this.#fixtures.keys()) if (!this.#named.has(id)) this.#fixtures.delete(id);
  }
}

function movesOf(
  quote: OddsQuote,
  former: HeldQuote | null,
  nowMs: number,
): Readonly<Record<string, PriceMove>> {
  if (former === null) return {};
  const moves = { ...former.moves };
  for (const [outcome, price] of Object.entries(quote.prices)) {
    const before = (former.prices as Readonly<Record<string, number>>)[outcome];
    // A price of 0 was pulled. Pulling a price or bringing it back is not a move.
    if (before === undefined || before === 0 || price === 0 || before === price) continue;
    moves[outcome] = { isUp: isLonger(price, before, quote.format), atMs: nowMs };
  }
  return moves;
}

function isSame(one: OddsQuote['prices'], other: OddsQuote['prices']): boolean {
  return JSON.stringify(one) === JSON.stringify(other); // outcomes are always in the same order
}

/** Whether a price pays more than another one of the same format. */
function isLonger(price: number, other: number, format: OddsQuote['format']): boolean {
  return (probabilityOf(price, format) ?? 1) < (probabilityOf(other, format) ?? 1);
}

/** The implied probability of a price; null for a pulled price. */
export function probabilityOf(price: number, format: OddsQuote['format']): number | null {
  return isValidOdds(price, format) ? impliedProbability(price, format) : null;
}
