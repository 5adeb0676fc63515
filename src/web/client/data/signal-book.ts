// The signals that are open in the followed view, as the stream reports them.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { systemClock } from '../../../clock.ts';
import type { StreamSignal, StreamSignals } from '../../../contract/stream/stream-signals.ts';
import type { MarketType, Outcome, Period } from '../../../domain/catalogue.ts';

export interface ListedSignal extends Static<typeof StreamSignal> {
  /** When this page received the signal, for showing its age. */
  readonly receivedAtMs: number;
}

/** The kinds of signals that pages follow. */
export const SHOWN_KINDS = [
  'value',
  'arbitrage',
  'middle',
  'low_hold',
] as const satisfies readonly ListedSignal['kind'][];
export type SignalKind = (typeof SHOWN_KINDS)[number];

/** SHOWN_KINDS as the stream's query parameter. */
export const SIGNAL_PARAMETER = SHOWN_KINDS.join();

export class SignalBook {
  readonly #open = new Map<string, ListedSignal>();
  /** Rises with every change. */
  readonly version = signal(0);
  /** The latest summary, with what was left out and why; null before the first one. */
  readonly summary = signal<Static<typeof StreamSignals> | null>(null);

  all(): Iterable<ListedSignal> {
    return this.#open.values();
  }

  /** The open signals of a kind, the largest (`sizeOf`) first. */
  of(kind: SignalKind): readonly ListedSignal[] {
    return [...this.#open.values()]
      .filter((one) => one.kind === kind)
      .sort((one, other) => sizeOf(other) - sizeOf(one));
  }

  clear(): void {
    this.#open.clear();
    this.summary.value = null;
    this.version.value += 1;
  }

  apply(change: Static<typeof StreamSignal>): void {
    if (change.change === 'closed') this.#open.delete(change.id);
    else this.#open.set(change.id, { ...change, receivedAtMs: systemClock.wallMs() });
    this.version.value += 1;
  }

  summarise(summary: Static<typeof StreamSignals>): void {
    if (summary.ids !== null) {
      const kept = new Set(summary.ids);
      for (const id of this.#open.keys()) if (!kept.has(id)) this.#open.delete(id);
      this.version.value += 1;
    }
    this.summary.value = summary;
  }
}

/**
 * The size of a signal in percent, of which more is better: edge, margin, the expected return of a middle, or
 * the negative of a hold.
 */
export function sizeOf({ value_bet: bet, opportunity, middle, low_hold: hold }: ListedSignal): number {
  return bet?.edge_pct ?? opportunity?.margin_pct ?? middle?.ev_pct ?? -(hold?.hold_pct ?? 0);
}

/** A price that a signal consists of. */
export interface SignalLeg {
  readonly outcome: Outcome;
  readonly line: number | null;
  readonly bookmaker: string;
  readonly price: number;
}

/**
 * The market of a signal and its prices: one for value, one for each outcome or line of the others. Null for
 * a kind that pages do not show.
 */
export function betOf({
  value_bet: bet,
  opportunity,
  middle,
  low_hold: hold,
}: ListedSignal): SignalBet | null {
  if (bet !== null) return { ...bet, legs: [bet] };
  if (middle !== null) return { ...middle, line: null };
  const covered = opportunity ?? hold;
  if (covered === null) return null;
  const { line } = covered;
  return { ...covered, legs: covered.legs.map((leg) => ({ ...leg, line })) };
}

export interface SignalBet {
  readonly market_type: MarketType;
  readonly period: Period;
  /** Null for 1x2, and for a middle, whose legs are at two lines. */
  readonly line: number | null;
  readonly legs: readonly SignalLeg[];
}
