// Past prices in the store, so that every thread can see how a price has moved within the last hour. The
// writer's thread keeps them (writer/window-keeper.ts):
//
//   windowEvent[slot]     the event that the slot's windows belong to
//   windowVersion[slot]   Atomics: odd while the windows of the slot are being changed
//   windowHead[slot]      the first window of the slot plus 1, 0 for none; windowNext links the others by key
//   window columns        one window for each line of a bookmaker: its key, and its past and present prices,
//                         oldest first, each with the second at which it began; zeros: not open
//   heardAtS              when each bookmaker's source last confirmed all its fixtures, newest time last
//   fixtureHeardAtS       the same for each fixture that a source confirmed separately

import { BOOKMAKERS_MAX } from '../limits.ts';
import type { ColumnCursor } from '../memory/shared-buffer.ts';

/** Windows for each fixture of the capacity, on average. A window has past prices of one bookmaker's line. */
export const WINDOWS_PER_FIXTURE = 32;
/**
 * Maximum number of prices of one window. For a new one, the oldest price is dropped if it ended over an hour
 * ago. Otherwise the price that lasted shortest is dropped, so the price before it seems to have lasted a
 * little longer.
 */
export const WINDOW_PRICES = 16;
/** Maximum number of times at which a bookmaker was heard. For a new one, the oldest is dropped. */
export const HEARD_TIMES = 20;
/** Least time between two times that are kept, so that they reach back over an hour and a half. */
export const HEARD_EVERY_S = 300;

export function windowColumns(cursor: ColumnCursor, { fixtures }: { readonly fixtures: number }) {
  const windows = fixtures * WINDOWS_PER_FIXTURE;
  return {
    windowEvent: cursor.float64(fixtures),
    windowVersion: cursor.int32(fixtures),
    windowHead: cursor.int32(fixtures),
    windowNext: cursor.int32(windows),
    windowKey: cursor.int32(windows),
    windowCount: cursor.uint8(windows),
    windowFromS: cursor.int32(windows * WINDOW_PRICES),
    windowE4A: cursor.int32(windows * WINDOW_PRICES),
    windowE4B: cursor.int32(windows * WINDOW_PRICES),
    windowE4C: cursor.int32(windows * WINDOW_PRICES),
    heardAtS: cursor.int32(BOOKMAKERS_MAX * HEARD_TIMES),
    fixtureHeardAtS: cursor.int32(fixtures * BOOKMAKERS_MAX * HEARD_TIMES),
  };
}

interface Column {
  readonly [index: number]: number;
}

/** The columns that readers look prices up in. */
interface WindowColumns {
  readonly windowCount: Column;
  readonly windowFromS: Column;
  readonly heardAtS: Column;
  readonly fixtureHeardAtS: Column;
}

/** The index of the price that a window showed at a second, -1 when it had none yet. Allocates nothing. */
export function windowPriceAt(
  { windowCount, windowFromS }: WindowColumns,
  window: number,
  atS: number,
): number {
  const first = window * WINDOW_PRICES;
  for (let index = first + windowCount[window]! - 1; index >= first; index--) {
    if (windowFromS[index]! <= atS) return index;
  }
  return -1;
}

/** The last second up to `atS` at which a bookmaker's source reported on a fixture; 0 for none. */
export function heardBefore(
  { heardAtS, fixtureHeardAtS }: WindowColumns,
  slot: number,
  bookmaker: number,
  atS: number,
): number {
  return Math.max(
    lastBefore(heardAtS, bookmaker, atS),
    lastBefore(fixtureHeardAtS, slot * BOOKMAKERS_MAX + bookmaker, atS),
  );
}

function lastBefore(times: Column, list: number, atS: number): number {
  const first = list * HEARD_TIMES;
  for (let index = first + HEARD_TIMES - 1; index >= first; index--) {
    if (times[index]! <= atS) return times[index]!;
  }
  return 0;
}
