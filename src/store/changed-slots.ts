// Which slots changed, in order: a ring, so that a thread that keeps something per fixture (src/query/slate.ts) looks at
// the fixtures that changed and at no others. The ring keeps the last few changes for each slot of the store; whoever
// knows less looks at every slot.

import { type StoreViews, WIDE } from './layout.ts';

/** Changes since a count. */
export interface SlotChanges {
  /** To ask with the next time. */
  readonly count: number;
  /** Oldest first, perhaps with repeats; null when that is not known: any slot may have changed. */
  readonly slots: readonly number[] | null;
}

/** Notes that readers find another page, or none, in a slot. Writer only, after the slot. */
export function noteChange(views: StoreViews, slot: number): void {
  const count = changeCount(views);
  Atomics.store(views.changedSlot, count % views.changedSlot.length, slot);
  Atomics.store(views.wide, WIDE.changeCount, BigInt(count + 1));
}

/** Any slot may have changed: a writer died, perhaps between a page and its note. */
export function noteAllChanged(views: StoreViews): void {
  Atomics.store(views.wide, WIDE.changeCount, BigInt(changeCount(views) + views.changedSlot.length));
}

/** What changed after the first `since` changes. @param since the last answer's `count`, 0 at first */
export function changesSince(views: StoreViews, since: number): SlotChanges {
  const count = changeCount(views);
  const { length } = views.changedSlot;
  // There were more changes than there are slots, so looking at every slot is less work.
  if (count - since > views.slotPage.length) return { count, slots: null };
  const slots: number[] = [];
  for (let index = since; index < count; index++) {
    slots.push(Atomics.load(views.changedSlot, index % length));
  }
  // The writer may have gone round meanwhile. It writes the row before it raises the count, hence one more.
  return { count, slots: changeCount(views) + 1 - since > length ? null : slots };
}

/** How many changes were noted so far. */
export function changeCount(views: StoreViews): number {
  return Number(Atomics.load(views.wide, WIDE.changeCount));
}
