// A writer begins on a store that another one wrote before it, and died.

import { noteAllChanged } from './changed-slots.ts';
import { dropFalseDepartures } from './departures.ts';
import { CONTROL, type StoreViews, WIDE } from './layout.ts';
import { endPublishing, startPublishing } from './publishing.ts';
import type { SlotTable } from './slot-table.ts';
import { nextCommonVersion } from './versions.ts';

const NONE = -1;

/**
 * The writer before this one may have died half-way through a publish, before it raised the numbers that say so. The
 * version of that batch was at most the next common one, so the one after that is above all that readers can have met.
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
