// The pages that a batch edits, and where they come from. Each fixture that a batch changes has one draft: a
// copy of its published page that is edited until the batch is published or the fixture is removed. Writer's
// side only.
//
// Free pages wait in a first-in first-out queue, so at least `gracePublishes` other pages are used before a
// page is written again. Its generation is even while readers may trust it and odd while they may not:
//
//   in draft (odd) --seal--> published (even) --release--> resting (even) --condemn--> resting (odd)
//         ^------------------------------------- take -------------------------------------'
//
// A reader trusts a page only if its generation is even and was the same before and after the read. A page is
// condemned half a grace period before anything is written into it. By then the new generation has reached
// every processor, so a plain read of new content can never be followed by a read of the old generation.

import { assert } from '../../errors.ts';
import { noteChange } from '../changed-slots.ts';
import { noteDeparture } from '../departures.ts';
import { CONTROL, type StoreViews } from '../layout.ts';
import { clearPage, copyPage } from './page-columns.ts';

const NONE = -1;
/** Marks a slot whose draft this batch made and then dropped. */
const DROPPED = -2;

/** What publishing a batch changed. */
export interface Published {
  readonly count: number;
  /** Whether a fixture has become visible to readers. */
  readonly arrived: boolean;
}

export class DraftPages {
  readonly #views: StoreViews;
  readonly #pool: PagePool;
  /** For each slot, the page that this batch edits, NONE or DROPPED. */
  readonly #draftPage: Int32Array;
  /** Slots that this batch drafted, each once, in the order of their first change. */
  readonly #slots: number[] = [];
  /** Called with each page that a publish replaced and its successor; null if there is no tape. */
  #onReplaced: ((old: number, page: number) => void) | null = null;

  constructor(views: StoreViews, pool: PagePool) {
    this.#views = views;
    this.#pool = pool;
    this.#draftPage = new Int32Array(views.capacity.fixtures).fill(NONE);
  }

  /** The page as this batch sees it: the draft if there is one, otherwise the published page. */
  current(slot: number): number {
    const draft = this.#draftPage[slot]!;
    const page = draft < 0 ? Atomics.load(this.#views.slotPage, slot) : draft;
    assert(page >= 0, 'a fixture is put before it is changed'); // page is undefined for an invalid slot
    return page;
  }

  /** The page to edit: the batch's draft, copied from the published page on first use. */
  edit(slot: number): number {
    const draft = this.#draftPage[slot]!;
    if (draft >= 0) return draft;
    const source = this.current(slot);
    const page = this.#pool.take();
    copyPage(this.#views, source, page);
    this.#list(slot, page);
    return page;
  }

  /** An empty page for an event that has none yet; it arrives in the batch of `version`. */
  start(slot: number, eventNumber: number, version: number): number {
    const page = this.#pool.take();
    clearPage(this.#views, page, version);
    this.#views.eventNumber[page] = eventNumber;
    this.#list(slot, page);
    return page;
  }

  /** Discards what this batch drafted for a slot. */
  drop(slot: number): void {
    const draft = this.#draftPage[slot]!;
    if (draft < 0) return;
    this.#pool.release(draft);
    this.#draftPage[slot] = DROPPED;
  }

  /** Calls `onReplaced` with each page that a publish replaces (-1 for none) and the new one. */
  follow(onReplaced: (old: number, page: number) => void): void {
    this.#onReplaced = onReplaced;
  }

  /** Whether this batch has drafted anything, including drafts that were dropped. */
  hasAny(): boolean {
    return this.#slots.length > 0;
  }

  /**
   * Whether a page of this batch has changed in anything but sharp quotes, and so carries this
   * `commonVersion`.
   */
  hasCommon(commonVersion: number): boolean {
    const column = this.#views.commonVersion;
    // A dropped draft has no page, so its version here is undefined.
    return this.#slots.some((slot) => column[this.#draftPage[slot]!] === commonVersion);
  }

  /** Publishes every draft under `version`, each with one atomic store. */
  publish(version: number): Published {
    const { slotPage, arrivedVersion } = this.#views;
    let count = 0;
    let arrived = false;
    for (const slot of this.#slots) {
      const page = this.#draftPage[slot]!;
      this.#draftPage[slot] = NONE;
      if (page === DROPPED) continue; // the fixture was removed in this batch
      const old = Atomics.load(slotPage, slot);
      // If the same event left and came back in this batch, its departure is recorded.
      if (old !== NONE && arrivedVersion[old] !== arrivedVersion[page])
        noteDeparture(this.#views, old, version);
      this.#views.version[page] = version;
      this.#pool.seal(page);
      Atomics.store(slotPage, slot, page);
      noteChange(this.#views, slot);
      if (old === NONE) arrived = true;
      else this.#pool.release(old);
      this.#onReplaced?.(old, page);
      count++;
    }
    this.#slots.length = 0;
    return { count, arrived };
  }

  #list(slot: number, page: number): void {
    if (this.#draftPage[slot] === NONE) this.#slots.push(slot);
    this.#draftPage[slot] = page;
  }
}

export class PagePool {
  readonly #generation: Int32Array;
  readonly #ring: Int32Array;
  readonly #grace: number;
  /** How many of the pages released last stay readable. */
  readonly #readableCount: number;
  #head = 0;
  #count = 0;
  /** How many pages at the head of the ring are condemned: next to be reused, and no longer readable. */
  #condemnedCount = 0;
  #freshNext = 0;

  /** Takes over from a writer that died. Published pages stay, and its unpublished drafts become free. */
  constructor(views: StoreViews) {
    this.#generation = views.pageGeneration;
    this.#ring = new Int32Array(views.pageCount);
    this.#grace = views.capacity.gracePublishes;
    this.#readableCount = Math.ceil(this.#grace / 2);
    const published = new Set<number>();
    const slotCount = Atomics.load(views.control, CONTROL.slotCount);
    for (let slot = 0; slot < slotCount; slot++) published.add(Atomics.load(views.slotPage, slot));
    for (let page = 0; page < views.pageCount; page++) {
      if (Atomics.load(views.pageGeneration, page) !== 0) this.#freshNext = page + 1;
    }
    for (let page = 0; page < this.#freshNext; page++) if (!published.has(page)) this.release(page);
  }

  /**
   * Returns a page for a draft. While few used pages are free, it is a page that was never used. Otherwise
   * the page that was freed first is used again, so that no more memory is touched than needed.
   */
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

  /** Marks a draft that is complete and about to be published, so that readers may trust it. */
  seal(page: number): void {
    Atomics.add(this.#generation, page, 1);
  }

  /** Returns a page that no slot points to any more, or a draft that was dropped. */
  release(page: number): void {
    this.#ring[(this.#head + this.#count) % this.#ring.length] = page;
    this.#count++;
    if (this.#count - this.#condemnedCount > this.#readableCount) this.#condemnNext();
  }

  #condemnNext(): void {
    const page = this.#ring[(this.#head + this.#condemnedCount) % this.#ring.length]!;
    // The generation of a dropped draft is odd already and is not raised again.
    if ((Atomics.load(this.#generation, page) & 1) === 0) Atomics.add(this.#generation, page, 1);
    this.#condemnedCount++;
  }
}
