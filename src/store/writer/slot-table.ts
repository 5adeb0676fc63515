// Maps fixtures to slots, on the writer's side. A fixture keeps its slot until the batch that removes it is
// published. So a fixture that is removed and put again in one batch keeps its slot and is replaced in place.

import { assert } from '../../errors.ts';
import { CONTROL, type StoreViews } from '../layout.ts';

const NONE = -1;
/** How many slots must be free before one of them is used again. */
const RESTING_SLOTS = 64;

export class SlotTable {
  readonly #views: StoreViews;
  readonly #slotByEvent = new Map<number, number>();
  /** Removed in this batch, still published. */
  readonly #leaving = new Map<number, number>();
  readonly #freeSlots: number[] = [];

  /** Takes over what an earlier writer published. */
  constructor(views: StoreViews) {
    this.#views = views;
    const slotCount = Atomics.load(views.control, CONTROL.slotCount);
    for (let slot = 0; slot < slotCount; slot++) {
      const page = Atomics.load(views.slotPage, slot);
      if (page === NONE) {
        this.#freeSlots.push(slot);
      } else {
        const eventNumber = views.eventNumber[page]!;
        assert(!this.#slotByEvent.has(eventNumber), 'an event has one slot');
        this.#slotByEvent.set(eventNumber, slot);
      }
    }
  }

  get size(): number {
    return this.#slotByEvent.size;
  }

  of(eventNumber: number): number {
    return this.#slotByEvent.get(eventNumber) ?? NONE;
  }

  eventNumbers(): IterableIterator<number> {
    return this.#slotByEvent.keys();
  }

  slots(): IterableIterator<number> {
    return this.#slotByEvent.values();
  }

  hasRoom(): boolean {
    return this.size < this.#views.capacity.fixtures;
  }

  /** Marks the event as leaving with this batch. */
  leave(eventNumber: number): void {
    this.#leaving.set(eventNumber, this.#slotByEvent.get(eventNumber)!);
    this.#slotByEvent.delete(eventNumber);
  }

  hasLeaving(): boolean {
    return this.#leaving.size > 0;
  }

  /** The slots to vacate once the batch is published. */
  takeLeaving(): number[] {
    const slots = [...this.#leaving.values()];
    this.#leaving.clear();
    return slots;
  }

  /** Frees an empty slot for another event. */
  free(slot: number): void {
    this.#freeSlots.push(slot);
  }

  /** Puts back an event that this batch has removed. @returns its slot, or -1 when it is not leaving */
  comeBack(eventNumber: number): number {
    const slot = this.#leaving.get(eventNumber);
    if (slot === undefined) return NONE;
    this.#leaving.delete(eventNumber);
    this.#slotByEvent.set(eventNumber, slot);
    return slot;
  }

  /**
   * Gives a new event a slot. Once more than RESTING_SLOTS are free it is the slot that has been free
   * longest, because readers have left it long ago. Until then it is a slot that was never used. So even
   * after weeks of changes a slate uses hardly more slots than it has fixtures.
   * @returns a slot, or -1 when all remaining slots belong to fixtures that leave with this batch. Then
   * vacate the slot that `takeOneLeaving` returns and call again
   */
  assign(eventNumber: number): number {
    const slotCount = Atomics.load(this.#views.control, CONTROL.slotCount);
    let slot: number;
    if (this.#freeSlots.length <= RESTING_SLOTS && slotCount < this.#views.capacity.fixtures) {
      slot = slotCount;
      Atomics.store(this.#views.control, CONTROL.slotCount, slotCount + 1);
    } else {
      slot = this.#freeSlots.shift() ?? NONE;
    }
    if (slot !== NONE) this.#slotByEvent.set(eventNumber, slot);
    return slot;
  }

  /** The slot of the fixture that this batch removed first, to be vacated at once. */
  takeOneLeaving(): number {
    const [first] = this.#leaving;
    assert(first !== undefined, 'a table with room has a slot that is unused, free or leaving');
    this.#leaving.delete(first[0]);
    return first[1];
  }
}
