// A ring of the slots that changed, in order. A thread that caches something per fixture
// (src/query/slate/slate.ts) reads it and updates only the fixtures that changed. A reader that has missed
// more changes than there are slots checks every slot instead.

import { type StoreViews, WIDE } from './layout.ts';

/** Changes since an earlier count. */
export interface SlotChanges {
  /** Pass this as `since` in the next call. */
  readonly count: number;
  /**
   * The slots, oldest change first, possibly with repeats. Null when there were more changes than slots, or
   * when the ring no longer has them all. Then any slot may have changed.
   */
  readonly slots: readonly number[] | null;
}

/**
 * Records that the slot now has another published page, or no page. Writer only, called after the slot was
 * changed.
 */
export function noteChange(views: StoreViews, slot: number): void {
  const count = changeCount(views);
  Atomics.store(views.changedSlot, count % views.changedSlot.length, slot);
  Atomics.store(views.wide, WIDE.changeCount, BigInt(count + 1));
}

/**
 * Makes every reader check every slot. Called after a writer died, perhaps between publishing a page and
 * recording it here.
 */
export function noteAllChanged(views: StoreViews): void {
  Atomics.store(views.wide, WIDE.changeCount, BigInt(changeCount(views) + views.changedSlot.length));
}

/** The changes after the first `since`. @param since `count` of the previous answer, 0 at first */
export function changesSince(views: StoreViews, since: number): SlotChanges {
  const count = changeCount(views);
  const { length } = views.changedSlot;
  // There were more changes than there are slots, so checking every slot is less work.
  if (count - since > views.slotPage.length) return { count, slots: null };
  const slots: number[] = [];
  for (let index = since; index < count; index++) {
    slots.push(Atomics.load(views.changedSlot, index % length));
  }
  // The writer may have overwritten rows while they were read. It writes a row before it raises the count, so
  // one more row than the count shows may be overwritten.
  return { count, slots: changeCount(views) + 1 - since > length ? null : slots };
}

/** How many changes were recorded since the store was made. */
export function changeCount(views: StoreViews): number {
  return Number(Atomics.load(views.wide, WIDE.changeCount));
}
