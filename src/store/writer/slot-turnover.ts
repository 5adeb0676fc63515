// Moves slots from one fixture to the next: gives slots to fixtures that arrive and, once the batch that
// removes a fixture is published, empties its slot. Writer's side.

import { noteChange } from '../changed-slots.ts';
import { noteDeparture } from '../departures.ts';
import type { StoreViews } from '../layout.ts';
import type { Batch } from './batch.ts';
import type { PagePool } from './draft-pages.ts';
import type { OpeningTable } from './opening-table.ts';
import { startPublishing } from './publishing.ts';
import type { SlotTable } from './slot-table.ts';

const NONE = -1;
const NO_SLOTS: readonly number[] = [];

export class SlotTurnover {
  readonly #views: StoreViews;
  readonly #batch: Batch;
  readonly #slots: SlotTable;
  readonly #openings: OpeningTable;
  readonly #pool: PagePool;
  /**
   * How many fixtures were vacated before their batch was published, because the full table needed their
   * slots.
   */
  #vacatedEarly = 0;
  /** Is notified of the last page of each fixture that readers see leave. */
  #onVacated: ((page: number) => void) | null = null;

  constructor(
    views: StoreViews,
    batch: Batch,
    tables: { readonly slots: SlotTable; readonly openings: OpeningTable; readonly pool: PagePool },
  ) {
    this.#views = views;
    this.#batch = batch;
    this.#slots = tables.slots;
    this.#openings = tables.openings;
    this.#pool = tables.pool;
  }

  /** Calls `onVacated` with the last page of each fixture that leaves. */
  follow(onVacated: (page: number) => void): void {
    this.#onVacated = onVacated;
  }

  /** A slot for an event that has none. The caller has checked that there is room. */
  assign(eventNumber: number): number {
    const former = this.#slots.comeBack(eventNumber);
    if (former !== NONE) return former; // the same event, so its openings stay
    let slot = this.#slots.assign(eventNumber);
    if (slot === NONE) {
      // Every slot is taken, at least one by a fixture that leaves with this batch. That slot is vacated now,
      // before `publish`.
      if (this.#vacate(this.#slots.takeOneLeaving())) this.#vacatedEarly++;
      slot = this.#slots.assign(eventNumber);
    }
    // A writer that died may have left openings of a fixture that it never published, so the slot is cleared.
    this.#openings.clear(slot);
    return slot;
  }

  /** Whether this batch removes fixtures, or has vacated slots already. */
  get hasAny(): boolean {
    return this.#slots.hasLeaving() || this.#vacatedEarly > 0;
  }

  /** The slots to pass to `vacate` once the batch's pages are published. */
  takeLeaving(): readonly number[] {
    return this.#slots.hasLeaving() ? this.#slots.takeLeaving() : NO_SLOTS;
  }

  /**
   * Whether readers will see a fixture leave with this batch: a slot was vacated already, or one in
   * `leaving` is published.
   */
  isVisible(leaving: readonly number[]): boolean {
    return (
      this.#vacatedEarly > 0 || leaving.some((slot) => Atomics.load(this.#views.slotPage, slot) !== NONE)
    );
  }

  /** Empties the slots. @returns the number of removed fixtures that readers could see */
  vacate(leaving: readonly number[]): number {
    let count = this.#vacatedEarly;
    this.#vacatedEarly = 0;
    for (const slot of leaving) if (this.#vacate(slot)) count++;
    return count;
  }

  /** Empties a slot for the next fixture. @returns whether readers could see the fixture in it */
  #vacate(slot: number): boolean {
    const published = Atomics.load(this.#views.slotPage, slot);
    if (published !== NONE) {
      // Has an effect only if the table is full and the slot is vacated before `publish`.
      startPublishing(this.#views);
      noteDeparture(this.#views, published, this.#batch.commonVersion);
      Atomics.store(this.#views.slotPage, slot, NONE);
      noteChange(this.#views, slot);
      this.#pool.release(published);
      this.#onVacated?.(published);
    }
    Atomics.add(this.#views.slotEpoch, slot, 1); // before the first opening of the next fixture is written
    this.#openings.clear(slot);
    this.#slots.free(slot);
    return published !== NONE;
  }
}
