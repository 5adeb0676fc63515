// The pages a batch edits: each fixture it touches has one draft, a copy of its published page, until the batch is
// published or the fixture is removed. Writer's side only.

import { assert } from '../errors.ts';
import { type StoreViews, WIDE_SLATE_VERSION } from './layout.ts';
import { clearPage, copyPage } from './page-copy.ts';
import type { PagePool } from './page-pool.ts';

const NONE = -1;

/** What a batch did to the published pages. */
export interface Published {
  readonly count: number;
  /** Whether a fixture that readers could not see is there now. */
  readonly arrived: boolean;
}

export class DraftPages {
  readonly #views: StoreViews;
  readonly #pool: PagePool;
  /** By slot: the page this batch edits, or -1. */
  readonly #draftPage: Int32Array;
  /** Slots this batch drafted, each once. */
  readonly #listed: Uint8Array;
  readonly #listedSlots: Int32Array;
  #listedCount = 0;

  constructor(views: StoreViews, pool: PagePool) {
    this.#views = views;
    this.#pool = pool;
    this.#draftPage = new Int32Array(views.capacity.fixtures).fill(NONE);
    this.#listed = new Uint8Array(views.capacity.fixtures);
    this.#listedSlots = new Int32Array(views.capacity.fixtures);
  }

  /** The page this batch sees: the draft if there is one, else the published page. */
  current(slot: number): number {
    const draft = this.#draftPage[slot]!;
    const page = draft === NONE ? Atomics.load(this.#views.slotPage, slot) : draft;
    assert(page >= 0, 'a fixture is put before anything of it changes'); // undefined for a slot that is none
    return page;
  }

  /** The page to edit: the batch's draft, made from the published page on first use. */
  edit(slot: number): number {
    const draft = this.#draftPage[slot]!;
    if (draft !== NONE) return draft;
    const source = this.current(slot);
    const page = this.#pool.take();
    copyPage(this.#views, source, page);
    this.#views.version[page] = this.#views.version[source]! + 1;
    this.#list(slot, page);
    return page;
  }

  /** An empty page for an event that has none. */
  start(slot: number, eventNumber: number): number {
    const page = this.#pool.take();
    clearPage(this.#views, page);
    this.#views.eventNumber[page] = eventNumber;
    // Not 1: an event that left and came back must never show a version it has had before. Each version ever published
    // is at most the slate's, because a publish raises that by as much or more.
    this.#views.version[page] = Number(Atomics.load(this.#views.wide, WIDE_SLATE_VERSION)) + 1;
    this.#list(slot, page);
    return page;
  }

  /** Forgets what this batch drafted for a slot. */
  drop(slot: number): void {
    const draft = this.#draftPage[slot]!;
    if (draft === NONE) return;
    this.#pool.release(draft);
    this.#draftPage[slot] = NONE;
  }

  /** Publishes every draft, each by one atomic store. */
  publish(): Published {
    const { slotPage } = this.#views;
    let count = 0;
    let arrived = false;
    for (let index = 0; index < this.#listedCount; index++) {
      const slot = this.#listedSlots[index]!;
      this.#listed[slot] = 0;
      const page = this.#draftPage[slot]!;
      if (page === NONE) continue; // removed in this batch
      this.#draftPage[slot] = NONE;
      const old = Atomics.load(slotPage, slot);
      this.#pool.seal(page);
      Atomics.store(slotPage, slot, page);
      if (old === NONE) arrived = true;
      else this.#pool.release(old);
      count++;
    }
    this.#listedCount = 0;
    return { count, arrived };
  }

  #list(slot: number, page: number): void {
    this.#draftPage[slot] = page;
    if (this.#listed[slot] === 1) return;
    this.#listed[slot] = 1;
    this.#listedSlots[this.#listedCount++] = slot;
  }
}
