// The slate at one instant, between two batches: the fixtures, their pages, and which fixtures left. Readers'
// side.

import { type Departure, departureCount, departuresSince } from './departures.ts';
import { CONTROL, type StoreViews, WIDE } from './layout.ts';

const NONE = -1;

/** Source times of the last message about any fixture on the slate; -Infinity on an empty one. */
export interface MessageTimes {
  readonly lastMessageAtMs: number;
  /** Not counting quotes of the sharp bookmaker. */
  readonly commonMessageAtMs: number;
}

/**
 * The fixtures that changed after some version, as they are at one instant, and the fixtures that left. Their
 * pages stay readable for a while.
 */
export interface SlateInstant extends MessageTimes {
  /** The epoch of the slate's versions. The store may begin a new epoch right after the instant. */
  readonly epochMs: number;
  /** Version of the last batch that the instant includes. */
  readonly version: number;
  /**
   * The fixtures whose page is newer than the requested version: slot, published page and generation, in
   * three lists of equal length.
   */
  readonly slots: readonly number[];
  readonly pages: readonly number[];
  /** Pass these to `isIntact` after a page was read. */
  readonly generations: readonly number[];
  /**
   * Fixtures that left since the requested version, oldest first; null when the ring no longer reaches back
   * that far.
   */
  readonly departures: readonly Departure[] | null;
}

/**
 * How often a capture starts again because a batch was published during it. After that it returns null, and
 * the caller tries again later.
 */
const CAPTURE_ATTEMPTS_MAX = 20;
/**
 * Captures the slate. See `SlateReader.instant`.
 * @returns null while a batch is being published, or when too many were published meanwhile
 */
export function captureInstant(views: StoreViews, since: number): SlateInstant | null {
  const { control, wide, slotPage, pageGeneration, version } = views;
  const slots: number[] = [];
  const pages: number[] = [];
  const generations: number[] = [];
  for (let attempt = 0; attempt < CAPTURE_ATTEMPTS_MAX; attempt++) {
    const publishing = Atomics.load(control, CONTROL.publishing);
    if ((publishing & 1) === 1) continue;
    slots.length = pages.length = generations.length = 0;
    const epochMs = Number(Atomics.load(wide, WIDE.epochMs));
    const slateVersion = Number(Atomics.load(wide, WIDE.slateVersion));
    const departedCount = departureCount(views);
    let lastMessageAtMs = Number.NEGATIVE_INFINITY;
    let commonMessageAtMs = Number.NEGATIVE_INFINITY;
    const slotCount = Atomics.load(control, CONTROL.slotCount);
    for (let slot = 0; slot < slotCount; slot++) {
      const page = Atomics.load(slotPage, slot);
      if (page === NONE) continue;
      lastMessageAtMs = Math.max(lastMessageAtMs, views.lastMessageAtMs[page]!);
      commonMessageAtMs = Math.max(commonMessageAtMs, views.commonMessageAtMs[page]!);
      if (version[page]! <= since) continue;
      slots.push(slot);
      pages.push(page);
      generations.push(Atomics.load(pageGeneration, page));
    }
    if (Atomics.load(control, CONTROL.publishing) !== publishing) continue;
    const departures = since < 0 ? [] : departuresSince(views, since, departedCount);
    return {
      epochMs,
      version: slateVersion,
      slots,
      pages,
      generations,
      lastMessageAtMs,
      commonMessageAtMs,
      departures,
    };
  }
  return null;
}

/** The times alone. It may run at any moment, between two batches or during one. */
export function lastMessageTimes(views: StoreViews): MessageTimes {
  let lastMessageAtMs = Number.NEGATIVE_INFINITY;
  let commonMessageAtMs = Number.NEGATIVE_INFINITY;
  const slotCount = Atomics.load(views.control, CONTROL.slotCount);
  for (let slot = 0; slot < slotCount; slot++) {
    const page = Atomics.load(views.slotPage, slot);
    if (page === NONE) continue;
    lastMessageAtMs = Math.max(lastMessageAtMs, views.lastMessageAtMs[page]!);
    commonMessageAtMs = Math.max(commonMessageAtMs, views.commonMessageAtMs[page]!);
  }
  return { lastMessageAtMs, commonMessageAtMs };
}
