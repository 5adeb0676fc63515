// The page's copy of the slate for its view, kept up to date by answers of /v1/odds and /v1/stream. A
// component that reads a fixture's version is drawn again only when that fixture changes.

import { batch, type Signal, signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { HeldSlate, type SlateChanges } from '../../../../clients/typescript/src/held-slate.ts';
import { systemClock } from '../../../clock.ts';
import type { Event } from '../../../contract/event.ts';
import type { EventOpening } from '../../../contract/odds.ts';
import type { FixtureChange, OddsChanges, OddsDeltaState } from '../../../contract/stream/odds-changes.ts';
import type { StreamHeartbeat } from '../../../contract/stream/stream.ts';
import { localMsOf } from './api.ts';
import type { StandingPrice } from './opening-steps.ts';
import { decimalsOf, lineKey, type MirrorQuote, mirrorQuote, movedFrom, quoteKey } from './quote.ts';
import { Trails } from './trails.ts';

export interface Fixture {
  readonly id: string;
  event: Event;
  state: OddsDeltaState;
  readonly quotes: Map<string, MirrorQuote>;
  /** Rises with every change of the fixture, and when its openings are known. */
  readonly version: Signal<number>;
  readonly trails: Trails;
  /** When the score last changed while this page was open; null when it has not. */
  scoredAtMs: number | null;
}

export type Changes = SlateChanges<Static<typeof FixtureChange>> &
  Pick<Static<typeof OddsChanges>, 'as_of' | 'stale'>;

export class Mirror extends HeldSlate<Fixture, Static<typeof FixtureChange>> {
  #isListChanged = false;
  /**
   * Rises when a fixture is added, is removed, or changes its event data or status: the order of the board
   * may change.
   */
  readonly listVersion = signal(0);
  /** When the feed last confirmed the slate; null before the first answer. */
  readonly asOf = signal<string | null>(null);
  readonly isStale = signal(false);
  /**
   * If the server joins several sources: for each bookmaker, when its source last confirmed its open prices,
   * Unix ms. Null with a single source, which confirms everything at `asOf`. Also null after a whole view,
   * until the next heartbeat.
   */
  readonly confirmations = signal<ReadonlyMap<string, number> | null>(null);
  readonly isFilled = signal(false);

  /** Drops everything, because another view begins. */
  override clear(): void {
    super.clear();
    batch(() => {
      this.isFilled.value = false;
      this.listVersion.value += 1;
    });
  }

  /** Applies an answer. Quotes that remain after a full answer keep their moves. */
  override apply(changes: Changes): boolean {
    return batch(() => {
      const isApplied = super.apply(changes);
      if (isApplied) {
        const { full, removed } = changes;
        if (this.#isListChanged || full || removed.length) this.listVersion.value += 1;
        this.#isListChanged = false;
        this.#note(changes);
        // A whole view may come from a server that was restarted with other sources, so forget what the
        // former sources confirmed.
        if (full) this.confirmations.value = null;
        this.isFilled.value = true;
      }
      return isApplied;
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
   * The earliest of the times at which the open quotes of a fixture were confirmed; without open quotes, when
   * one of its quotes was last confirmed. Unix ms, null while that is not known.
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

  /**
   * Stores a fixture's opening prices. A fixture that has left the slate meanwhile is ignored.
   * @param past prices between the openings and now, as far as they are known
   */
  open({ event_id, opening }: EventOpening, past: readonly StandingPrice[] = []): void {
    const fixture = this.get(event_id);
    if (fixture === undefined) return;
    const opened = opening.flatMap((one) =>
      one.opened_at === null
        ? []
        : [{ ...one, line: lineKey(one), decimals: decimalsOf(one), atMs: localMsOf(one.opened_at) }],
    );
    const byQuote = new Map(opened.map((one) => [`${one.bookmaker} ${one.line}`, one]));
    for (const [key, quote] of fixture.quotes) {
      const first = byQuote.get(key);
      if (first !== undefined) fixture.quotes.set(key, movedFrom(first, quote));
    }
    const now = [...fixture.quotes.values()].map((quote) => ({
      ...quote,
      line: lineKey(quote),
      decimals: quote.status === 'open' ? quote.decimals : null,
    }));
    fixture.trails.opened(opened, [...past, ...now]);
    fixture.version.value += 1;
  }

  protected put(
    held: Fixture | undefined,
    { event_id: id, event, state, odds }: Static<typeof FixtureChange>,
    isWhole: boolean,
  ): Fixture {
    const nowMs = systemClock.wallMs();
    const fixture = held ?? {
      id,
      event: event!,
      state: state!,
      quotes: new Map(),
      version: signal(0),
      trails: new Trails(nowMs),
      scoredAtMs: null,
    };
    const { quotes } = fixture;
    const { status, score } = fixture.state;
    if (!held || event || (state && state.status !== status)) this.#isListChanged = true;
    if (state && score && (state.score?.home !== score.home || state.score?.away !== score.away))
      fixture.scoredAtMs = nowMs;
    fixture.event = event ?? fixture.event;
    fixture.state = state ?? fixture.state;
    const lines = new Set(odds.map(lineKey));
    held?.trails.begin(quotes.values(), lines);
    const former = isWhole ? new Map(quotes) : quotes;
    if (isWhole) quotes.clear();
    for (const quote of odds) {
      const key = quoteKey(quote);
      quotes.set(key, mirrorQuote(quote, former.get(key), nowMs));
    }
    held?.trails.record(quotes.values(), lines, nowMs);
    fixture.version.value += 1;
    return fixture;
  }
}
