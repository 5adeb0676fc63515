// The page's copy of the slate for its view, kept up to date by answers of /v1/odds and /v1/stream. A
// component that reads a fixture's version is drawn again only when that fixture changes.

import { batch, type Signal, signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { systemClock } from '../../../clock.ts';
import type { Event } from '../../../contract/event.ts';
import type { EventOpening } from '../../../contract/odds.ts';
import type { FixtureChange, OddsChanges, OddsDeltaState } from '../../../contract/stream/odds-changes.ts';
import type { StreamHeartbeat } from '../../../contract/stream/stream.ts';
import { localMsOf } from './api.ts';
import { decimalsOf, lineKey, type MirrorQuote, mirrorQuote, movedFrom, quoteKey } from './quote.ts';
import { Trails } from './trails.ts';

export interface Fixture {
  readonly id: string;
  event: Event;
  state: OddsDeltaState;
  readonly quotes: Map<string, MirrorQuote>;
  /** Rises with every change of the fixture. */
  readonly version: Signal<number>;
  readonly trails: Trails;
  /** When the score last changed while this page was open; null when it has not. */
  scoredAtMs: number | null;
}

export type Changes = Pick<Static<typeof OddsChanges>, 'full' | 'as_of' | 'stale' | 'removed'> & {
  readonly fixtures: readonly Static<typeof FixtureChange>[];
};

export class Mirror {
  readonly #fixtures = new Map<string, Fixture>();
  /**
   * Rises when a fixture is added, is removed, or changes its event data or status: the order of the board
   * may change.
   */
  readonly listVersion = signal(0);
  /** When the feed last confirmed the slate; null before the first answer. */
  readonly asOf = signal<string | null>(null);
  readonly isStale = signal(false);
  /**
   * Where the server joins several sources, when each bookmaker's last confirmed its open prices, Unix ms.
   * Null with one source, which confirms everything at `asOf`, and before the first heartbeat of a whole
   * view.
   */
  readonly confirmations = signal<ReadonlyMap<string, number> | null>(null);
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

  /** Drops everything, because another view begins. */
  clear(): void {
    this.#fixtures.clear();
    batch(() => {
      this.isFilled.value = false;
      this.listVersion.value += 1;
    });
  }

  /** Applies an answer. Quotes that remain after a full answer keep their moves. */
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
      this.#note(changes);
      // A whole view may be of a server that was started with other sources.
      if (changes.full) this.confirmations.value = null;
      this.isFilled.value = true;
    });
  }

  /** Stores what a heartbeat of the stream says of each source. */
  confirm(heartbeat: Pick<Static<typeof StreamHeartbeat>, 'as_of' | 'stale' | 'confirmations'>): void {
    const { confirmations } = heartbeat;
    batch(() => {
      this.#note(heartbeat);
      this.confirmations.value =
        confirmations === undefined
          ? null
          : new Map(
              confirmations.flatMap(({ bookmakers, as_of }) =>
                bookmakers.map((bookmaker) => [bookmaker, Date.parse(as_of)] as const),
              ),
            );
    });
  }

  /**
   * When everything of a fixture that is shown as open is known to have been confirmed; with nothing open,
   * when anything of it was. Unix ms, null while that is not known.
   */
  confirmedAtMs({ quotes }: Fixture): number | null {
    const slateMs = this.asOf.value === null ? null : Date.parse(this.asOf.value);
    const confirmations = this.confirmations.value;
    if (confirmations === null) return slateMs;
    const heard = Array.from(quotes.values(), ({ bookmaker, status, as_of }) => ({
      isOpen: status === 'open',
      atMs: Math.max(Date.parse(as_of), confirmations.get(bookmaker) ?? 0),
    }));
    const open = heard.filter(({ isOpen }) => isOpen);
    if (open.length > 0) return open.reduce((least, { atMs }) => Math.min(least, atMs), Infinity);
    return heard.length === 0 ? slateMs : heard.reduce((most, { atMs }) => Math.max(most, atMs), 0);
  }

  #note({ as_of, stale }: Pick<Changes, 'as_of' | 'stale'>): void {
    this.asOf.value = as_of;
    this.isStale.value = stale;
  }

  /** Stores a fixture's opening prices. A fixture that has left the slate meanwhile is ignored. */
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

  /** @returns whether the order of the board may have changed */
  #applyOne(change: Static<typeof FixtureChange>): boolean {
    const nowMs = systemClock.wallMs();
    const held = this.#fixtures.get(change.event_id);
    if (held === undefined) {
      // The change belongs to a view that was left meanwhile.
      if (change.event === null || change.state === null) return false;
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
