// The slate as this page holds it: a mirror of the view, kept up to date with the answers of /v1/odds and /v1/stream. A
// component that reads a fixture's version is drawn again when that fixture changes, and only then.

import { batch, type Signal, signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { systemClock } from '../../../clock.ts';
import type { Event } from '../../../contract/event.ts';
import type { EventOpening, OddsQuote } from '../../../contract/odds.ts';
import type { FixtureChange, OddsChanges, OddsDeltaState } from '../../../contract/odds-changes.ts';
import { localMsOf } from './api.ts';
import type { StandingPrice } from './opening-steps.ts';
import { toDecimal } from './prices.ts';
import { Trails } from './trails.ts';

export type Outcome = 'home' | 'draw' | 'away' | 'over' | 'under';

/** A price that moved. */
export interface Move {
  readonly isUp: boolean;
  readonly atMs: number;
  /** The page did not see it: the direction is that from the opening, the time that of the last message. */
  readonly isFromOpening?: boolean;
}

export interface MirrorQuote extends OddsQuote {
  /** Prices in decimal odds, by outcome, in the API's order. */
  readonly decimals: ReadonlyMap<Outcome, number>;
  readonly moves: ReadonlyMap<Outcome, Move>;
  /** `as_of` on this machine's clock. */
  readonly atMs: number;
}

export interface Fixture {
  readonly id: string;
  event: Event;
  state: OddsDeltaState;
  readonly quotes: Map<string, MirrorQuote>;
  /** Rises with every change. */
  readonly version: Signal<number>;
  readonly trails: Trails;
  /** When the score last changed while this page looked; null when it did not. */
  scoredAtMs: number | null;
}

export type Changes = Pick<Static<typeof OddsChanges>, 'full' | 'as_of' | 'stale' | 'removed'> & {
  readonly fixtures: readonly Static<typeof FixtureChange>[];
};

/** What names a quote within its fixture. */
function quoteKey({ bookmaker, market_type, period, line }: OddsQuote): string {
  return `${bookmaker} ${market_type} ${period} ${line}`;
}

export function lineKey({
  market_type,
  period,
  line,
}: Pick<OddsQuote, 'market_type' | 'period' | 'line'>): string {
  return `${market_type} ${period} ${line}`;
}

export class Mirror {
  readonly #fixtures = new Map<string, Fixture>();
  /** Rises when a fixture comes, leaves, or its event or status changes: when the order of the board may be another. */
  readonly listVersion = signal(0);
  /** Null before the first answer. */
  readonly asOf = signal<string | null>(null);
  readonly isStale = signal(false);
  readonly isFilled = signal(false);

  fixtures(): Iterable<Fixture> {
    return this.#fixtures.values();
  }

  get(id: string): Fixture | undefined {
    return this.#fixtures.get(id);
  }

  get size(): number {
    return this.#fixtures.size;
  }

  /** Drops everything: another view begins. */
  clear(): void {
    this.#fixtures.clear();
    batch(() => {
      this.isFilled.value = false;
      this.listVersion.value += 1;
    });
  }

  /** Takes over an answer. What stays in a full answer keeps its movement. */
  apply(changes: Changes): void {
    batch(() => {
      const kept = changes.full ? new Set(changes.fixtures.map(({ event_id }) => event_id)) : null;
      let isListChanged = changes.full;
      if (kept !== null) {
        for (const id of this.#fixtures.keys()) if (!kept.has(id)) this.#fixtures.delete(id);
      }
      for (const id of changes.removed) isListChanged = this.#fixtures.delete(id) || isListChanged;
      for (const change of changes.fixtures) isListChanged = this.#applyOne(change) || isListChanged;
      if (isListChanged) this.listVersion.value += 1;
      this.confirm(changes);
      this.isFilled.value = true;
    });
  }

  /** Takes over when the feed confirmed the slate, of an answer without changes. */
  confirm({ as_of, stale }: Pick<Changes, 'as_of' | 'stale'>): void {
    batch(() => {
      this.asOf.value = as_of;
      this.isStale.value = stale;
    });
  }

  /** Takes over where a fixture's prices began; one that has left meanwhile is passed over. */
  open({ event_id, opening }: EventOpening): void {
    const fixture = this.#fixtures.get(event_id);
    if (fixture === undefined) return;
    const opened = opening.flatMap((one) =>
      one.opened_at === null
        ? []
        : [
            {
              bookmaker: one.bookmaker,
              line: lineKey(one),
              decimals: decimalsOf(one),
              atMs: localMsOf(one.opened_at),
            },
          ],
    );
    const byQuote = new Map(opened.map((one) => [`${one.bookmaker} ${one.line}`, one]));
    for (const [key, quote] of fixture.quotes) {
      const first = byQuote.get(`${quote.bookmaker} ${lineKey(quote)}`);
      if (first !== undefined) fixture.quotes.set(key, movedFrom(first, quote));
    }
    const now = [...fixture.quotes.values()].map((quote) => ({
      bookmaker: quote.bookmaker,
      line: lineKey(quote),
      decimals: quote.status === 'open' ? quote.decimals : null,
      atMs: quote.atMs,
    }));
    fixture.trails.opened(opened, now);
    fixture.version.value += 1;
  }

  /** @returns whether the order of the list may be another now */
  #applyOne(change: Static<typeof FixtureChange>): boolean {
    const nowMs = systemClock.wallMs();
    const held = this.#fixtures.get(change.event_id);
    if (held === undefined) {
      if (change.event === null || change.state === null) return false; // Of a view that was left meanwhile.
      const fixture: Fixture = {
        id: change.event_id,
        event: change.event,
        state: change.state,
        quotes: new Map(),
        version: signal(0),
        trails: new Trails(nowMs),
        scoredAtMs: null,
      };
      for (const quote of change.odds)
        fixture.quotes.set(quoteKey(quote), mirrorQuote(quote, undefined, nowMs));
      this.#fixtures.set(change.event_id, fixture);
      return true;
    }
    const isListChanged =
      change.event !== null || (change.state !== null && change.state.status !== held.state.status);
    if (change.state !== null) {
      const { score } = held.state;
      const isScored = change.state.score?.home !== score?.home || change.state.score?.away !== score?.away;
      if (isScored && score !== null) held.scoredAtMs = nowMs;
    }
    held.event = change.event ?? held.event;
    held.state = change.state ?? held.state;
    const lines = new Set(change.odds.map(lineKey));
    held.trails.begin(held.quotes.values(), lines);
    const former = change.replace ? new Map(held.quotes) : held.quotes;
    if (change.replace) held.quotes.clear();
    for (const quote of change.odds) {
      const key = quoteKey(quote);
      held.quotes.set(key, mirrorQuote(quote, former.get(key), nowMs));
    }
    held.trails.record(held.quotes.values(), lines, nowMs);
    held.version.value += 1;
    return isListChanged;
  }
}

const NO_MOVES: ReadonlyMap<Outcome, Move> = new Map();

/** Prices in decimal odds, by outcome, in the API's order. */
function decimalsOf({ prices, format }: Pick<OddsQuote, 'prices' | 'format'>): Map<Outcome, number> {
  return new Map(
    Object.entries(prices).map(([name, price]) => [name as Outcome, toDecimal(price, format)] as const),
  );
}

/** A quote with the moves from its opening, of outcomes that did not move while the page looked. */
function movedFrom(first: Pick<StandingPrice, 'atMs' | 'decimals'>, quote: MirrorQuote): MirrorQuote {
  if (quote.atMs <= first.atMs) return quote;
  const moves = new Map(quote.moves);
  for (const [outcome, decimal] of quote.decimals) {
    const before = first.decimals?.get(outcome) ?? 0;
    if (moves.has(outcome) || before === 0 || decimal === 0 || before === decimal) continue;
    moves.set(outcome, { isUp: decimal > before, atMs: quote.atMs, isFromOpening: true });
  }
  return { ...quote, moves };
}

function mirrorQuote(quote: OddsQuote, former: MirrorQuote | undefined, nowMs: number): MirrorQuote {
  const decimals = decimalsOf(quote);
  let moves: Map<Outcome, Move> | null = null;
  for (const [outcome, decimal] of decimals) {
    const before = former?.decimals.get(outcome);
    // A change of format is no movement, nor is a line that was pulled or came back.
    const isMove = former?.format === quote.format && before !== undefined && before > 0 && decimal > 0;
    const move =
      isMove && before !== decimal ? { isUp: decimal > before, atMs: nowMs } : former?.moves.get(outcome);
    if (move !== undefined) {
      moves ??= new Map();
      moves.set(outcome, move);
    }
  }
  return { ...quote, decimals, moves: moves ?? NO_MOVES, atMs: localMsOf(quote.as_of) };
}
