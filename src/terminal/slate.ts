// The copy of the slate that `overround watch` keeps from the stream, and when and in which direction each
// price moved.

import type { Static } from '@sinclair/typebox';
import { HeldSlate } from '../../clients/typescript/src/held-slate.ts';
import type { Event } from '../contract/event.ts';
import type { OddsQuote } from '../contract/odds.ts';
import type { FixtureChange, OddsDeltaState } from '../contract/stream/odds-changes.ts';
import { toDecimal } from '../domain/shown-prices.ts';
import type { Delta, SlateSnapshot } from './follow.ts';
import { isChosen, type QuoteChoice } from './prices-asked.ts';

type Change = Static<typeof FixtureChange>;

export interface PriceMove {
  readonly isUp: boolean;
  readonly atMs: number;
}

export interface HeldQuote extends OddsQuote {
  /**
   * The moves of prices, by outcome. An outcome is absent if its price has not moved since the program
   * started.
   */
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

/** The fixtures that a command watches. */
export class WatchedSlate extends HeldSlate<HeldFixture, Change> {
  readonly #isWanted: (eventId: string) => boolean;
  readonly #choice: QuoteChoice;
  #nowMs = 0;
  #found: QuoteChange[] = [];

  /** @param isWanted selects the fixtures to keep; others are ignored. @param choice selects their quotes */
  constructor(isWanted: (eventId: string) => boolean = () => true, choice: QuoteChoice = {}) {
    super();
    this.#isWanted = isWanted;
    this.#choice = choice;
  }

  /** Ordered by kickoff; fixtures without one come last. */
  override fixtures(): readonly HeldFixture[] {
    const kickoff = ({ event }: HeldFixture) => event.scheduled_at ?? '9999';
    return [...super.fixtures()].sort((one, other) => {
      const [a, b] = [kickoff(one), kickoff(other)];
      return a < b ? -1 : a > b ? 1 : one.id < other.id ? -1 : 1;
    });
  }

  /** Applies a part of a snapshot, or a delta. @returns the quotes that changed */
  take(changes: SlateSnapshot | Delta, nowMs: number): readonly QuoteChange[] {
    this.#nowMs = nowMs;
    this.#found = [];
    const fixtures = changes.fixtures.filter(({ event_id }) => this.#isWanted(event_id));
    this.apply({ ...changes, fixtures });
    return this.#found;
  }

  protected put(held: HeldFixture | undefined, change: Change, isWhole: boolean): HeldFixture {
    const { event_id: id, event, state, odds } = change;
    const quotes = new Map(isWhole ? [] : held?.quotes);
    // A new fixture comes with its event and state.
    const fixture = { id, event: (event ?? held?.event)!, state: (state ?? held?.state)!, quotes };
    for (const odd of odds) {
      if (!isChosen(odd, this.#choice)) continue;
      const key = `${odd.bookmaker} ${odd.market_type} ${odd.period} ${odd.line}`;
      const former = held?.quotes.get(key) ?? null;
      const quote = { ...odd, moves: movesOf(odd, former, this.#nowMs) };
      quotes.set(key, quote);
      if (former === null || former.status !== quote.status || !isSame(former.prices, quote.prices)) {
        this.#found.push({ fixture, quote, former });
      }
    }
    return fixture;
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
    moves[outcome] = { isUp: toDecimal(price, quote.format) > toDecimal(before, quote.format), atMs: nowMs };
  }
  return moves;
}

function isSame(one: OddsQuote['prices'], other: OddsQuote['prices']): boolean {
  return JSON.stringify(one) === JSON.stringify(other); // outcomes are always in the same order
}
