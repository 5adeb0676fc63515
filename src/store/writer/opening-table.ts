// The first prices seen, by slot. Writer's side: append-only rows, each key once. The keys are also kept
// sorted for each slot, so that a check for a key does not walk the rows.

import { IntMap } from '../../memory/int-map.ts';
import type { StoreViews } from '../layout.ts';
import type { SlateColumns } from '../reader.ts';
import { type OpeningRow, PUT_APPLIED, PUT_FULL, PUT_KNOWN } from '../records.ts';

const RECORDED = 0;
const REFUSED = 1;

export class OpeningTable {
  readonly #views: StoreViews;
  /** Per slot, by key: RECORDED or REFUSED. */
  readonly #keysBySlot: (IntMap | undefined)[] = [];

  constructor(views: StoreViews) {
    this.#views = views;
  }

  /** Whether a first price was put for this key, even if there was no room for it. */
  has(slot: number, key: number): boolean {
    return this.#keysOf(slot).has(key);
  }

  /**
   * Appends a row unless its key has one already. Readers see it once the count is stored.
   * @returns PUT_APPLIED, PUT_KNOWN or PUT_FULL
   */
  put(slot: number, opening: OpeningRow): number {
    const views = this.#views;
    const keys = this.#keysOf(slot);
    if (keys.get(opening.key) === RECORDED) return PUT_KNOWN;
    const count = Atomics.load(views.openingCount, slot);
    if (count === views.capacity.openingsPerFixture) {
      keys.set(opening.key, REFUSED);
      return PUT_FULL;
    }
    const row = slot * views.capacity.openingsPerFixture + count;
    views.openingKey[row] = opening.key;
    views.openingE4A[row] = opening.a;
    views.openingE4B[row] = opening.b;
    views.openingE4C[row] = opening.c;
    views.openingUpstream[row] = opening.upstream ? 1 : 0;
    views.openedAtMs[row] = opening.openedAtMs;
    Atomics.store(views.openingCount, slot, count + 1);
    keys.set(opening.key, RECORDED);
    return PUT_APPLIED;
  }

  /** The rows of a slot, in the order they were first seen. */
  rowsOf(slot: number): OpeningRow[] {
    const { capacity, openingCount } = this.#views;
    return openingRows(this.#views, slot * capacity.openingsPerFixture, Atomics.load(openingCount, slot));
  }

  /** Empties the slot, which passes to another fixture. */
  clear(slot: number): void {
    this.#keysBySlot[slot] = undefined;
    Atomics.store(this.#views.openingCount, slot, 0);
  }

  /** The keys in the slot, including those written by an earlier writer that died. */
  #keysOf(slot: number): IntMap {
    const held = this.#keysBySlot[slot];
    if (held !== undefined) return held;
    const keys = new IntMap();
    const start = slot * this.#views.capacity.openingsPerFixture;
    const end = start + Atomics.load(this.#views.openingCount, slot);
    for (let row = start; row < end; row++) keys.set(this.#views.openingKey[row]!, RECORDED);
    this.#keysBySlot[slot] = keys;
    return keys;
  }
}

/** `count` openings from row `first` on. */
export function openingRows(columns: SlateColumns, first: number, count: number): OpeningRow[] {
  return Array.from({ length: count }, (_, index) => ({
    key: columns.openingKey[first + index]!,
    a: columns.openingE4A[first + index]!,
    b: columns.openingE4B[first + index]!,
    c: columns.openingE4C[first + index]!,
    openedAtMs: columns.openedAtMs[first + index]!,
    upstream: columns.openingUpstream[first + index] === 1,
  }));
}
