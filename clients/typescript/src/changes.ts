// Collects, for one reader of a mirror, the changes that the reader has not received yet. It merges them into
// one change, which is never larger than the content of the mirror, however slow the reader is.

import type { components } from './schema.ts';
import type { OddsChanges } from './slate.ts';

export type Signal = components['schemas']['StreamSignal'];

export interface MirrorChange {
  /**
   * The version after this change. When you read the mirror, it may have reached a later version, its
   * `cursor`.
   */
  readonly cursor: string;
  /** True when the whole view was replaced: drop anything that you remember of it. */
  readonly full: boolean;
  /** Ids of fixtures with any change. */
  readonly changed: ReadonlySet<string>;
  /** Ids of fixtures that left the view. */
  readonly removed: ReadonlySet<string>;
  /**
   * Signals that opened, changed or closed since your last change, each in its current state. `opened` is
   * reported once per signal.
   */
  readonly signals: readonly Signal[];
}

/**
 * How many ids of removed fixtures are kept for a reader. If there are more, the change is reported as `full`
 * instead.
 */
const GONE_MAX = 10_000;

/** The changes that one reader has not received yet, merged into one. */
export class PendingChange {
  #cursor: string | null = null;
  #full = false;
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  /**
   * Signals that changed since the reader's last change, by id. Bounded, because each is open in the mirror
   * or was reported to the reader as open.
   */
  readonly #signals = new Map<string, Signal>();
  /** Signals that were reported to the reader as open, and not yet as closed. */
  readonly #reportedOpen = new Set<string>();
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
    const isReported = this.#reportedOpen.has(id);
    // A signal that opened and closed between two reads is not reported; the server does the same. Whether a
    // signal is new depends on what this reader received, because after each reconnection the server sends
    // every open signal as opened.
    if (change !== 'closed') this.#signals.set(id, { ...signal, change: isReported ? 'changed' : 'opened' });
    else if (isReported) this.#signals.set(id, signal);
    else this.#signals.delete(id);
    this.#wake();
  }

  wake(): void {
    this.#wake();
  }

  /** Resolves when there is a change to take, or when the mirror has ended. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** The pending change, or null. Each change is returned once. */
  take(): MirrorChange | null {
    if (this.#cursor === null) return null;
    const change: MirrorChange = {
      cursor: this.#cursor,
      full: this.#full,
      changed: new Set(this.#changed),
      removed: new Set(this.#removed),
      signals: [...this.#signals.values()],
    };
    for (const { id, change: kind } of change.signals) {
      if (kind === 'closed') this.#reportedOpen.delete(id);
      else this.#reportedOpen.add(id);
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
