// What a reader of a mirror has not been told yet: one note, however slow the reader is. It names what changed, and is
// never longer than what the mirror holds.

import type { components } from './schema.ts';
import type { OddsChanges } from './slate.ts';

export type Signal = components['schemas']['StreamSignal'];

export interface MirrorChange {
  /** The version that this leads to. The mirror itself may be further by the time it is read: see its `cursor`. */
  readonly cursor: string;
  /** True when the whole view was taken over: what you remember of it may be gone. */
  readonly full: boolean;
  /** Ids of fixtures of which anything changed. */
  readonly changed: ReadonlySet<string>;
  /** Ids of fixtures that left. */
  readonly removed: ReadonlySet<string>;
  /** Signals that opened, changed or closed since you were told last, each as it is now: `opened` is told once of each. */
  readonly signals: readonly Signal[];
}

/** Fixtures that left are remembered up to here; beyond, the note says `full` instead. */
const GONE_MAX = 10_000;

/** One reader's note. */
export class ChangeNote {
  #cursor: string | null = null;
  #full = false;
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  /** By id: those that the reader was told are open, with those that are: never more than it and the mirror hold. */
  readonly #signals = new Map<string, Signal>();
  /** What the reader was told is open, and has not been told is closed. */
  readonly #toldOpen = new Set<string>();
  #wake: () => void = () => undefined;

  add(cursor: string, { full, fixtures, removed }: Pick<OddsChanges, 'full' | 'fixtures' | 'removed'>): void {
    this.#cursor = cursor;
    if (full) this.#begin();
    for (const id of removed) {
      this.#changed.delete(id);
      if (!this.#full) this.#removed.add(id);
    }
    for (const { event_id } of fixtures) {
      this.#removed.delete(event_id);
      this.#changed.add(event_id);
    }
    if (this.#removed.size > GONE_MAX) this.#begin(new Set(this.#changed));
    this.#wake();
  }

  /** @param cursor null while the mirror waits for the whole view */
  addSignal(cursor: string | null, signal: Signal): void {
    this.#cursor = cursor ?? this.#cursor;
    const { id, change } = signal;
    const isTold = this.#toldOpen.has(id);
    // What opened and closed before the reader came round again is not told, as the server does it. Whether it is news goes
    // by what the reader was told: after each cut the server sends everything that is open as opened.
    if (change !== 'closed') this.#signals.set(id, { ...signal, change: isTold ? 'changed' : 'opened' });
    else if (isTold) this.#signals.set(id, signal);
    else this.#signals.delete(id);
    this.#wake();
  }

  wake(): void {
    this.#wake();
  }

  /** Resolves when there is something to take, or when the mirror wakes its readers because it ended. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** What is new, or null; it is told once. */
  take(): MirrorChange | null {
    if (this.#cursor === null) return null;
    const change: MirrorChange = {
      cursor: this.#cursor,
      full: this.#full,
      changed: new Set(this.#changed),
      removed: new Set(this.#removed),
      signals: [...this.#signals.values()],
    };
    for (const { id, change: what } of change.signals) {
      if (what === 'closed') this.#toldOpen.delete(id);
      else this.#toldOpen.add(id);
    }
    this.#cursor = null;
    this.#full = false;
    this.#changed.clear();
    this.#removed.clear();
    this.#signals.clear();
    return change;
  }

  #begin(changed: ReadonlySet<string> = new Set()): void {
    this.#full = true;
    this.#changed.clear();
    this.#removed.clear();
    for (const id of changed) this.#changed.add(id);
  }
}
