// The signals that are open in the followed view, as the stream tells of them.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { systemClock } from '../../../clock.ts';
import type { StreamSignal, StreamSignals } from '../../../contract/stream-signals.ts';

export interface OpenSignal extends Static<typeof StreamSignal> {
  /** When this page was told, for ages. */
  readonly toldAtMs: number;
}

export type SignalKind = OpenSignal['kind'];

/** The kinds that pages follow, as the stream's parameter. */
export const SIGNAL_PARAMETER = 'value,arbitrage';

export class SignalBook {
  readonly #open = new Map<string, OpenSignal>();
  /** Rises with every change. */
  readonly version = signal(0);
  /** The last summary: why there are no more; null before it came. */
  readonly summary = signal<Static<typeof StreamSignals> | null>(null);

  /** Highest edge or margin first. */
  of(kind: SignalKind): readonly OpenSignal[] {
    return [...this.#open.values()]
      .filter((one) => one.kind === kind)
      .sort((one, other) => sizeOf(other) - sizeOf(one));
  }

  count(kind: SignalKind): number {
    let count = 0;
    for (const one of this.#open.values()) if (one.kind === kind) count += 1;
    return count;
  }

  clear(): void {
    this.#open.clear();
    this.summary.value = null;
    this.version.value += 1;
  }

  tell(told: Static<typeof StreamSignal>): void {
    if (told.change === 'closed') this.#open.delete(told.id);
    else this.#open.set(told.id, { ...told, toldAtMs: systemClock.wallMs() });
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

/** Edge or margin in per cent. */
export function sizeOf({ value_bet: bet, opportunity }: OpenSignal): number {
  return bet?.edge_pct ?? opportunity?.margin_pct ?? 0;
}
