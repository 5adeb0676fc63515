// The ring of a node that may take over: the changes of its own slate in the last half minute. When the node
// takes over, it writes the changes that the former leader published but had no time to write.

import {
  beginsGap,
  kindOf,
  RECORD_WORDS,
  TAPE_FLOAT,
  TAPE_KIND,
  type TapeRingReader,
} from '../../store/tape-ring.ts';

/**
 * How long changes are kept. It is longer than a lease lasts, and longer than a leader's log can be behind.
 */
const KEPT_MS = 30_000;

export class StandbyRing {
  readonly #ring: TapeRingReader;
  /** The time from which on the ring has every change; NaN while it does not have them all. */
  #wholeSinceMs = Number.NaN;

  constructor(ring: TapeRingReader) {
    this.#ring = ring;
  }

  /** Drops changes so old that the former leader must have written them. Call it several times a second. */
  trim(nowMs: number): void {
    const ring = this.#ring;
    const written = ring.written();
    let number = ring.position();
    for (; number !== written; number = (number + 1) | 0) {
      const place = ring.placeOf(number);
      const atMs = ring.floats[(place * RECORD_WORDS) / 2 + TAPE_FLOAT.receivedAtMs]!;
      const isCrowded = ((written - number) | 0) > ring.capacity / 2;
      if (atMs > nowMs - KEPT_MS && !isCrowded) break;
      const kind = kindOf(ring.words, place * RECORD_WORDS);
      if (kind === TAPE_KIND.syncEnd) this.#wholeSinceMs = atMs;
      else if (beginsGap(kind)) this.#wholeSinceMs = Number.NaN;
      else if (!Number.isNaN(this.#wholeSinceMs)) this.#wholeSinceMs = atMs;
    }
    ring.release(number);
  }

  /**
   * Whether the ring still has every change since this instant. If so, a sync (the whole slate) at the
   * beginning of the ring is dropped, because the former leader wrote that slate long ago.
   */
  hasAllSince(instantMs: number): boolean {
    const ring = this.#ring;
    const written = ring.written();
    let from = ring.position();
    let wholeSinceMs = this.#wholeSinceMs;
    for (let number = from; number !== written; number = (number + 1) | 0) {
      const place = ring.placeOf(number);
      const kind = kindOf(ring.words, place * RECORD_WORDS);
      if (beginsGap(kind)) wholeSinceMs = Number.NaN;
      if (kind !== TAPE_KIND.syncEnd || !Number.isNaN(wholeSinceMs)) continue;
      wholeSinceMs = ring.floats[(place * RECORD_WORDS) / 2 + TAPE_FLOAT.receivedAtMs]!;
      from = (number + 1) | 0;
    }
    const hasAll = wholeSinceMs <= instantMs;
    if (hasAll) ring.release(from);
    return hasAll;
  }
}
