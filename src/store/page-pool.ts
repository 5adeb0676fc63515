// Free pages, first in first out, so that a page rests for at least `gracePublishes` others before it is written again.
//
//   in draft (odd) --seal--> published (even) --release--> resting (even) --condemn--> resting (odd) --take--> in draft
//
// A reader believes a page only if its generation is even and was the same before and after. A page is condemned half
// a grace period before anything is written into it: by then the change of generation has long reached every
// processor, so a plain read of the new content can never be followed by a read of the old generation.

import { assert } from '../errors.ts';
import { CONTROL_SLOT_COUNT, type StoreViews } from './layout.ts';

export class PagePool {
  readonly #generation: Int32Array;
  readonly #ring: Int32Array;
  readonly #grace: number;
  /** Pages released last that stay readable. */
  readonly #readableCount: number;
  #head = 0;
  #count = 0;
  /** Entries at the head of the ring that are condemned. */
  #condemnedCount = 0;
  #freshNext = 0;

  /** Takes over whatever a former writer left: published pages stay, drafts it never published are free. */
  constructor(views: StoreViews) {
    this.#generation = views.pageGeneration;
    this.#ring = new Int32Array(views.pageCount);
    this.#grace = views.capacity.gracePublishes;
    this.#readableCount = Math.ceil(this.#grace / 2);
    const published = new Set<number>();
    const slotCount = Atomics.load(views.control, CONTROL_SLOT_COUNT);
    for (let slot = 0; slot < slotCount; slot++) published.add(Atomics.load(views.slotPage, slot));
    for (let page = 0; page < views.pageCount; page++) {
      if (Atomics.load(views.pageGeneration, page) !== 0) this.#freshNext = page + 1;
    }
    for (let page = 0; page < this.#freshNext; page++) if (!published.has(page)) this.release(page);
  }

  /** A page to draft in. Never-used pages serve until enough used ones rest; memory stays untouched until needed. */
  take(): number {
    if (this.#count <= this.#grace && this.#freshNext < this.#ring.length) {
      const page = this.#freshNext++;
      Atomics.add(this.#generation, page, 1);
      return page;
    }
    assert(this.#count > 0, 'there are two pages per fixture and a grace queue, so one is always free');
    if (this.#condemnedCount === 0) this.#condemnNext();
    const page = this.#ring[this.#head]!;
    this.#head = (this.#head + 1) % this.#ring.length;
    this.#count--;
    this.#condemnedCount--;
    return page;
  }

  /** The draft is complete and about to be published: readers may believe it. */
  seal(page: number): void {
    Atomics.add(this.#generation, page, 1);
  }

  /** Gives back a page that no slot points to any more, or a draft that was dropped. */
  release(page: number): void {
    this.#ring[(this.#head + this.#count) % this.#ring.length] = page;
    this.#count++;
    if (this.#count - this.#condemnedCount > this.#readableCount) this.#condemnNext();
  }

  #condemnNext(): void {
    const page = this.#ring[(this.#head + this.#condemnedCount) % this.#ring.length]!;
    // A dropped draft is odd already.
    if ((Atomics.load(this.#generation, page) & 1) === 0) Atomics.add(this.#generation, page, 1);
    this.#condemnedCount++;
  }
}
