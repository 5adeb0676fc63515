// Keeps past prices (price-windows.ts) from the pages of the store. Runs on the thread of the writer, between
// two batches, a few times a second; each step compares the fixtures that changed with the newest price of
// their windows. While no window is free, a new line has none, so no move of its price is found.

import type { Clock } from '../../clock.ts';
import { outcomeCountOf, QUOTE_OPEN } from '../../domain/catalogue.ts';
import { PRICE_ONE_E4 } from '../../domain/odds-format.ts';
import { BOOKMAKERS_MAX, PRICE_WINDOW_S_MAX } from '../../limits.ts';
import { every } from '../../pause.ts';
import { changesSince } from '../changed-slots.ts';
import { attachStore, CONTROL, type StoreViews } from '../layout.ts';
import { HEARD_EVERY_S, HEARD_TIMES, WINDOW_PRICES, WINDOWS_PER_FIXTURE } from '../price-windows.ts';
import { marketOfKey } from '../quote-key.ts';

const NONE = -1;
/** A line that was withdrawn this long ago gives its window back. */
const WITHDRAWN_S_MAX = 2 * PRICE_WINDOW_S_MAX;
/** How often the windows of withdrawn lines are searched for. */
const PURGE_EVERY_S = 600;

/** How long a change of a price may wait until its window has it. */
const STEP_MS = 250;

/** Keeps the windows of a store up to date, on the thread of its writer. @returns a function that ends it */
export function keepWindows(buffer: SharedArrayBuffer, clock: Pick<Clock, 'wallMs'>): () => void {
  const keeper = new WindowKeeper(buffer);
  return every(STEP_MS, () => keeper.step(clock.wallMs()));
}

export class WindowKeeper {
  readonly #views: StoreViews;
  /** Windows that no slot has; the last one is taken next. */
  readonly #free: Int32Array;
  #freeCount = 0;
  #changeCount = 0;
  #confirmations = NONE;
  #purgedAtS = 0;

  /** Takes over from a keeper that died. Windows that are linked stay, half-changed ones are dropped. */
  constructor(buffer: SharedArrayBuffer) {
    const views = attachStore(buffer);
    this.#views = views;
    const windows = views.capacity.fixtures * WINDOWS_PER_FIXTURE;
    this.#free = new Int32Array(windows);
    const isLinked = new Uint8Array(windows);
    for (let slot = 0; slot < views.capacity.fixtures; slot++) {
      if ((Atomics.load(views.windowVersion, slot) & 1) === 1) {
        views.windowHead[slot] = 0;
        Atomics.add(views.windowVersion, slot, 1);
      }
      for (let at = views.windowHead[slot]!; at !== 0; at = views.windowNext[at - 1]!) isLinked[at - 1] = 1;
    }
    for (let window = windows - 1; window >= 0; window--) {
      if (isLinked[window] === 0) this.#free[this.#freeCount++] = window;
    }
  }

  /** Adds the prices published since the last step to their windows. @param nowMs the time they get */
  step(nowMs: number): void {
    const views = this.#views;
    const nowS = Math.floor(nowMs / 1_000);
    this.#hear();
    const { count, slots } = changesSince(views, this.#changeCount);
    this.#changeCount = count;
    if (slots !== null) for (const slot of slots) this.#update(slot, nowS);
    else {
      const slotCount = Atomics.load(views.control, CONTROL.slotCount);
      for (let slot = 0; slot < slotCount; slot++) this.#update(slot, nowS);
    }
    if (Math.abs(nowS - this.#purgedAtS) >= PURGE_EVERY_S) this.#purge(nowS);
  }

  #hear(): void {
    const { control, bookmakerConfirmedAtMs, heardAtS } = this.#views;
    const confirmations = Atomics.load(control, CONTROL.confirmations);
    if (confirmations === this.#confirmations) return;
    this.#confirmations = confirmations;
    for (let bookmaker = 0; bookmaker < BOOKMAKERS_MAX; bookmaker++) {
      noteHeard(heardAtS, bookmaker, Number(Atomics.load(bookmakerConfirmedAtMs, bookmaker)));
    }
  }

  #update(slot: number, nowS: number): void {
    const views = this.#views;
    const page = Atomics.load(views.slotPage, slot);
    const eventNumber = page === NONE ? 0 : views.eventNumber[page]!;
    Atomics.add(views.windowVersion, slot, 1);
    if (views.windowEvent[slot] !== eventNumber) {
      this.#clear(slot);
      views.windowEvent[slot] = eventNumber;
    }
    if (page !== NONE) {
      this.#merge(slot, page, nowS);
      for (let bookmaker = 0; bookmaker < BOOKMAKERS_MAX; bookmaker++) {
        const atMs = views.fixtureConfirmedAtMs[page * BOOKMAKERS_MAX + bookmaker]!;
        if (atMs > 0) noteHeard(views.fixtureHeardAtS, slot * BOOKMAKERS_MAX + bookmaker, atMs);
      }
    }
    Atomics.add(views.windowVersion, slot, 1);
  }

  /** Windows and rows are both sorted by key. */
  #merge(slot: number, page: number, nowS: number): void {
    const { quoteKey, quoteCount, windowHead, windowNext, windowKey, capacity } = this.#views;
    const first = page * capacity.quotesPerFixture;
    const end = first + quoteCount[page]!;
    let before = NONE;
    let window = windowHead[slot]! - 1;
    for (let row = first; row < end; row++) {
      const key = quoteKey[row]!;
      while (window !== NONE && windowKey[window]! < key) {
        this.#put(window, nowS, NONE, 2);
        before = window;
        window = windowNext[window]! - 1;
      }
      let own = window;
      if (window === NONE || windowKey[window]! > key) {
        own = this.#take(key);
        if (own === NONE) continue;
        windowNext[own] = window + 1;
        if (before === NONE) windowHead[slot] = own + 1;
        else windowNext[before] = own + 1;
      } else {
        window = windowNext[window]! - 1;
      }
      this.#put(own, nowS, row, outcomeCountOf(this.#views.sport[page]!, marketOfKey(key)));
      before = own;
    }
    for (; window !== NONE; window = windowNext[window]! - 1) this.#put(window, nowS, NONE, 2);
  }

  #take(key: number): number {
    if (this.#freeCount === 0) return NONE;
    const window = this.#free[--this.#freeCount]!;
    this.#views.windowKey[window] = key;
    this.#views.windowCount[window] = 0;
    return window;
  }

  /**
   * Adds the prices of a row when they differ from the newest ones; zeros stand for no row (NONE) and for a
   * row that is not open.
   */
  #put(window: number, nowS: number, row: number, outcomeCount: number): void {
    const { windowCount, windowFromS, windowE4A, windowE4B, windowE4C } = this.#views;
    const { quoteStatus, priceE4A, priceE4B, priceE4C } = this.#views;
    let a = row === NONE || quoteStatus[row] !== QUOTE_OPEN ? 0 : priceE4A[row]!;
    let b = a === 0 ? 0 : priceE4B[row]!;
    let c = a === 0 || outcomeCount === 2 ? 0 : priceE4C[row]!;
    if (a <= PRICE_ONE_E4 || b <= PRICE_ONE_E4 || (outcomeCount === 3 && c <= PRICE_ONE_E4)) a = b = c = 0;
    const first = window * WINDOW_PRICES;
    const count = windowCount[window]!;
    let at = first + count;
    if (count > 0) {
      const last = at - 1;
      if (windowE4A[last] === a && windowE4B[last] === b && windowE4C[last] === c) return;
      // If prices change twice within a second, or after the clock was set back, the newest prices replace
      // the last ones.
      if (windowFromS[last]! >= nowS) at = last;
      else if (count === WINDOW_PRICES) {
        this.#drop(first, nowS);
        at = last;
      }
    }
    windowFromS[at] = count > 0 && at < first + count ? Math.max(windowFromS[at]!, nowS) : nowS;
    windowE4A[at] = a;
    windowE4B[at] = b;
    windowE4C[at] = c;
    windowCount[window] = at - first + 1;
  }

  /** Makes room at the end of a full window. */
  #drop(first: number, nowS: number): void {
    const { windowFromS, windowE4A, windowE4B, windowE4C } = this.#views;
    let dropped = first;
    if (windowFromS[first + 1]! > nowS - PRICE_WINDOW_S_MAX) {
      let shortestS = Number.POSITIVE_INFINITY;
      for (let at = first + 1; at < first + WINDOW_PRICES - 1; at++) {
        const stoodS = windowFromS[at + 1]! - windowFromS[at]!;
        if (stoodS >= shortestS) continue;
        shortestS = stoodS;
        dropped = at;
      }
    }
    const end = first + WINDOW_PRICES;
    windowFromS.copyWithin(dropped, dropped + 1, end);
    windowE4A.copyWithin(dropped, dropped + 1, end);
    windowE4B.copyWithin(dropped, dropped + 1, end);
    windowE4C.copyWithin(dropped, dropped + 1, end);
    windowFromS[end - 1] = 0;
  }

  #clear(slot: number): void {
    const { windowHead, windowNext, fixtureHeardAtS } = this.#views;
    for (let at = windowHead[slot]!; at !== 0; at = windowNext[at - 1]!)
      this.#free[this.#freeCount++] = at - 1;
    windowHead[slot] = 0;
    const heard = BOOKMAKERS_MAX * HEARD_TIMES;
    fixtureHeardAtS.fill(0, slot * heard, (slot + 1) * heard);
  }

  /** Frees the windows of lines that were withdrawn long ago. */
  #purge(nowS: number): void {
    this.#purgedAtS = nowS;
    const views = this.#views;
    const slotCount = Atomics.load(views.control, CONTROL.slotCount);
    for (let slot = 0; slot < slotCount; slot++) {
      Atomics.add(views.windowVersion, slot, 1);
      let before = NONE;
      for (let window = views.windowHead[slot]! - 1; window !== NONE; ) {
        const next = views.windowNext[window]!;
        const last = window * WINDOW_PRICES + views.windowCount[window]! - 1;
        if (views.windowE4A[last] === 0 && nowS - views.windowFromS[last]! > WITHDRAWN_S_MAX) {
          if (before === NONE) views.windowHead[slot] = next;
          else views.windowNext[before] = next;
          this.#free[this.#freeCount++] = window;
        } else {
          before = window;
        }
        window = next - 1;
      }
      Atomics.add(views.windowVersion, slot, 1);
    }
  }
}

/**
 * Notes a time at which a bookmaker was heard. The last entry is the newest time. A later time overwrites the
 * last entry, unless the last entry is HEARD_EVERY_S or more after the entry before it. Then the last entry
 * is kept, and the oldest one is dropped.
 */
function noteHeard(times: Int32Array, list: number, atMs: number): void {
  const atS = Math.floor(atMs / 1_000);
  const first = list * HEARD_TIMES;
  const last = first + HEARD_TIMES - 1;
  const newestS = times[last]!;
  if (atS <= newestS) return;
  if (newestS - times[last - 1]! >= HEARD_EVERY_S) times.copyWithin(first, first + 1, last + 1);
  times[last] = atS;
}
