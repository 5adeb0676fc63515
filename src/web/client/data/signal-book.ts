// The signals that are open in the followed view, as the stream reports them.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { systemClock } from '../../../clock.ts';
import type { StreamSignal, StreamSignals } from '../../../contract/stream/stream-signals.ts';

export interface ListedSignal extends Static<typeof StreamSignal> {
  /** When this page received the signal, for showing its age. */
  readonly receivedAtMs: number;
}

/** Pages show two of the kinds. */
export type SignalKind = Extract<ListedSignal['kind'], 'value' | 'arbitrage'>;

/** The kinds of signals that pages follow, as the stream's query parameter. */
export const SIGNAL_PARAMETER = 'value,arbitrage';

export class SignalBook {
  readonly #open = new Map<string, ListedSignal>();
  /** Rises with every change. */
  readonly version = signal(0);
  /** The last summary, with what was left out and why; null before the first one. */
  readonly summary = signal<Static<typeof StreamSignals> | null>(null);

  /** Largest edge or margin first. */
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

/** Edge or margin in percent. */
export function sizeOf({ value_bet: bet, opportunity }: ListedSignal): number {
  return bet?.edge_pct ?? opportunity?.margin_pct ?? 0;
}
