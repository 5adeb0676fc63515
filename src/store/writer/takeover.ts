// Starts a writer on a store whose previous writer died.

import { noteAllChanged } from '../changed-slots.ts';
import { dropFalseDepartures } from '../departures.ts';
import { CONTROL, type StoreViews, WIDE } from '../layout.ts';
import { nextCommonVersion } from '../versions.ts';
import { endPublishing, startPublishing } from './publishing.ts';
import type { SlotTable } from './slot-table.ts';

const NONE = -1;

/**
 * The previous writer may have died in the middle of a publish, before it raised the version. The version of
 * that batch was at most the next common one, so the common version after that is above anything that readers
 * can have seen.
 */
export function announceTakeover(views: StoreViews, slots: SlotTable): void {
  const { control, slotPage, wide } = views;
  const announced = Number(Atomics.load(wide, WIDE.slateVersion));
  dropFalseDepartures(views, announced, (eventNumber) => {
    const slot = slots.of(eventNumber);
    return slot === NONE ? NONE : Atomics.load(slotPage, slot);
  });
  Atomics.store(wide, WIDE.slateVersion, BigInt(nextCommonVersion(nextCommonVersion(announced))));
  noteAllChanged(views);
  Atomics.add(control, CONTROL.membership, 1);
  startPublishing(views);
  endPublishing(views);
}
