// Free pages, first in first out, so that a page rests for at least `gracePublishes` others before it is written again.

import { assert } from '../errors.ts';
import { CONTROL_SLOT_COUNT, type StoreViews } from './layout.ts';

export class PagePool {
  readonly #generation: Int32Array;
  readonly #ring: Int32Array;
  readonly #grace: number;
  #head = 0;
  #count = 0;
  #freshNext = 0;

  /** Takes over whatever a former writer left: published pages stay, drafts it never published are free. */
  constructor(views: StoreViews) {
    this.#generation = views.pageGeneration;
    this.#ring = new Int32Array(views.pageCount);
    this.#grace = views.capacity.gracePublishes;
    const published = new Set<number>();
    const slotCount = Atomics.load(views.control, CONTROL_SLOT_COUNT);
    for (let slot = 0; slot < slotCount; slot++) published.add(Atomics.load(views.slotPage, slot));
    for (let page = 0; page < views.pageCount; page++) {
      if (Atomics.load(views.pageGeneration, page) > 0) this.#freshNext = page + 1;
    }
    for (let page = 0; page < this.#freshNext; page++) if (!published.has(page)) this.release(page);
  }

  /** A page to draft in. Never-used pages serve until enough used ones rest; memory stays untouched until needed. */
  take(): number {
    let page: number;
    if (this.#count <= this.#grace && this.#freshNext < this.#ring.length) {
      page = this.#freshNext++;
    } else {
      assert(this.#count > 0, 'there are two pages per fixture and a grace queue, so one is always free');
      page = this.#ring[this.#head]!;
      this.#head = (this.#head + 1) % this.#ring.length;
      this.#count--;
    }
    Atomics.add(this.#generation, page, 1);
    return page;
  }

  /** Gives back a page that no slot points to any more. */
  release(page: number): void {
    this.#ring[(this.#head + this.#count) % this.#ring.length] = page;
    this.#count++;
  }
}
