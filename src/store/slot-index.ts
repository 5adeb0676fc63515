// Which slot each event of the slate is in. Each reader has one index, which is updated at the first search
// after a fixture has arrived or left.

import { assert } from '../errors.ts';
import type { SlotChanges } from './changed-slots.ts';

const NONE = -1;

/** What the index reads of the slate; see SlateReader. */
interface SlotSource {
  readonly columns: { readonly eventNumber: { readonly [page: number]: number } };
  membership(): number;
  slotCount(): number;
  changes(since: number): SlotChanges;
  read<T>(slot: number, visit: (page: number) => T): T | undefined;
}

export class SlotIndex {
  readonly #source: SlotSource;
  readonly #slotByEvent = new Map<number, number>();
  readonly #eventBySlot: (number | undefined)[] = [];
  /** How many slot changes the index includes. */
  #indexedChanges = 0;
  #membership = NONE;

  constructor(source: SlotSource) {
    this.#source = source;
  }

  /** The slot of an event, or -1 when it is not on the slate. */
  slotOf(eventNumber: number): number {
    const membership = this.#source.membership();
    if (membership !== this.#membership) this.#update(membership);
    return this.#slotByEvent.get(eventNumber) ?? NONE;
  }

  /**
   * Brings the index up to this membership: checks the slots that changed, or all of them when too many did.
   */
  #update(membership: number): void {
    const { count, slots } = this.#source.changes(this.#indexedChanges);
    const slotCount = this.#source.slotCount();
    if (slots === null) {
      for (let slot = 0; slot < slotCount; slot++) this.#indexSlot(slot);
    } else {
      for (const slot of slots) this.#indexSlot(slot);
    }
    assert(this.#slotByEvent.size <= this.#source.slotCount(), 'an event has one slot');
    this.#indexedChanges = count;
    this.#membership = membership;
  }

  #indexSlot(slot: number): void {
    const former = this.#eventBySlot[slot];
    const eventNumber = this.#source.read(slot, (page) => this.#source.columns.eventNumber[page]!);
    if (former === eventNumber) return;
    this.#eventBySlot[slot] = eventNumber;
    // An event that has moved may be indexed under its new slot already. Then that entry stays.
    if (former !== undefined && this.#slotByEvent.get(former) === slot) this.#slotByEvent.delete(former);
    if (eventNumber !== undefined) this.#slotByEvent.set(eventNumber, slot);
  }
}
