// Turns the records of the tape's ring into rows of the live segment. A record's room in the ring is freed
// only once its row is in the log.

import {
  beginsGap,
  kindOf,
  RECORD_WORDS,
  TAPE_FLOAT,
  TAPE_KIND,
  type TapeRingReader,
} from '../../store/tape-ring.ts';
import type { TapeState } from './tape-state.ts';
import type { WrittenChanges } from './written-changes.ts';

/** Records applied in one pass. They make about a quarter of a megabyte of log. */
const PASS_RECORDS = 4_096;
/** If the clock is set back by less, changes keep the latest time until the clock has passed it again. */
const SET_BACK_MS_MIN = 1_000;

/** The clock was set back: what is published from `fromMs` on has times that the tape already has. */
export interface SetBack {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export class RingIntake {
  readonly #ring: TapeRingReader;
  readonly #state: TapeState;
  /** The number of the next record to apply. */
  #next: number;
  #settledAtMs = 0;
  /** The latest time of the ring itself. `#settledAtMs` may be later, because records may be. */
  #ringMs = 0;
  /** The latest time of publishing on the tape, Unix ms. */
  #latestMs = Number.NEGATIVE_INFINITY;
  #setBack: SetBack | null = null;
  /**
   * After the clock was set back, times up to this instant occur twice on the tape. Infinity if no times
   * occur twice.
   */
  #repeatedToMs = Number.POSITIVE_INFINITY;
  /** The end of the ring when this node took over. */
  #takenOverAt = 0;

  constructor(ring: TapeRingReader, state: TapeState) {
    this.#ring = ring;
    this.#state = state;
    this.#next = ring.position();
  }

  /**
   * Continues the tape after this instant. Everything before it was recorded by an earlier process or thread.
   * @param gapsToMs when the last recorded gap ends. It is later than `latestMs` if the clock was set back
   */
  goOnAfter(latestMs: number, gapsToMs: number): void {
    this.#latestMs = latestMs;
    if (gapsToMs > latestMs) this.#repeatedToMs = gapsToMs;
  }

  /**
   * After `repeat_over`: returns when the repeated time ended. Call it before the next `apply`. Everything
   * before that instant is applied, so a segment that ends next also ends after it.
   */
  takeRepeatOver(): number {
    const repeatedToMs = this.#repeatedToMs;
    this.#repeatedToMs = Number.POSITIVE_INFINITY;
    this.#settledAtMs = Math.max(this.#settledAtMs, repeatedToMs);
    return repeatedToMs;
  }

  /**
   * After `set_back`: returns how the clock was set back before the next record. Call it before the next
   * `apply`.
   */
  takeSetBack(): SetBack {
    const setBack = this.#setBack!;
    this.#setBack = null;
    this.#repeatedToMs = Number.isFinite(this.#repeatedToMs)
      ? Math.max(this.#repeatedToMs, setBack.toMs)
      : setBack.toMs;
    this.#latestMs = setBack.fromMs;
    this.#settledAtMs = setBack.fromMs;
    this.#ringMs = setBack.fromMs;
    return setBack;
  }

  /** When the next record was published; Infinity without one. */
  get nextAtMs(): number {
    if (this.#ring.written() === this.#next) return Number.POSITIVE_INFINITY;
    const place = this.#ring.placeOf(this.#next);
    return this.#ring.floats[(place * RECORD_WORDS) / 2 + TAPE_FLOAT.receivedAtMs]!;
  }

  /** The number of the next record to apply. */
  get position(): number {
    return this.#next;
  }

  /** Everything published before this instant is applied, Unix ms. */
  get settledAtMs(): number {
    return this.#settledAtMs;
  }

  /**
   * Skips the records before a position. Call it if another thread of this process has logged them already,
   * or if the whole slate is sent next.
   */
  skipTo(position: number): void {
    this.#ring.release(position);
    this.#next = position;
  }

  /**
   * Call it when another node wrote the tape until now.
   * @param written which changes in the ring that node wrote
   */
  takeOver(written: WrittenChanges): void {
    this.#state.takenOver = written;
    this.#next = this.#ring.position();
    this.#takenOverAt = this.#ring.written();
  }

  /** Frees the room that all applied records take in the ring. */
  release(): void {
    if (this.#ring.position() !== this.#next) this.#ring.release(this.#next);
  }

  /**
   * Applies at most one pass of records.
   * @returns `drained`: the ring has no more records. `more`: it has more. `day_over`: the next record
   * belongs to another day than the segment. `set_back`: the next record is older than the tape's last
   * change. `repeat_over`: the repeated times are over, and the next record is the first one after them
   */
  apply(): 'drained' | 'day_over' | 'set_back' | 'repeat_over' | 'more' {
    const settledAtMs = this.#ring.settledAtMs();
    const written = this.#ring.written();
    for (let count = 0; this.#next !== written && count < PASS_RECORDS; count++) {
      const stopped = this.#applyNext();
      if (stopped !== null) return stopped;
    }
    if (this.#next !== written) return 'more';
    // While no record comes, only the ring's time shows that the clock was set back. It may be seconds behind
    // the last record, so it is compared with itself.
    if (this.#ringMs - settledAtMs > SET_BACK_MS_MIN) {
      this.#setBack = { fromMs: settledAtMs, toMs: this.#reachedMs + 1 };
      return 'set_back';
    }
    if (settledAtMs >= this.#repeatedToMs) return 'repeat_over';
    this.#ringMs = Math.max(this.#ringMs, settledAtMs);
    this.#settledAtMs = Math.max(this.#settledAtMs, settledAtMs);
    return 'drained';
  }

  /** @returns null once the next record is applied, or why it belongs to another segment */
  #applyNext(): 'day_over' | 'set_back' | 'repeat_over' | null {
    const { words, floats } = this.#ring;
    const place = this.#ring.placeOf(this.#next);
    const at = (place * RECORD_WORDS) / 2 + TAPE_FLOAT.receivedAtMs;
    const kind = kindOf(words, place * RECORD_WORDS);
    const isGap = beginsGap(kind);
    if (this.#next === this.#takenOverAt) this.#state.takenOver = null;
    // A change that the other node did not write gets a time of `#reachedMs` or later, because answers about
    // earlier instants may have been given.
    if (this.#state.takenOver !== null) floats[at] = Math.max(floats[at]!, this.#reachedMs);
    else if (!isGap && !this.#follows(floats, at)) return 'set_back';
    const receivedAtMs = floats[at]!;
    if (!isGap && receivedAtMs >= this.#repeatedToMs) return 'repeat_over';
    if (this.#state.segment.isDayOver(receivedAtMs)) {
      // The next segment begins with this record, not at midnight: after the clock was set back over
      // midnight, two segments would have the same name.
      this.#settledAtMs = Math.max(this.#settledAtMs, receivedAtMs);
      return 'day_over';
    }
    // A sync that was under way at the takeover is skipped, because a whole sync follows.
    const isSync = kind === TAPE_KIND.syncBegin || kind === TAPE_KIND.syncEnd;
    if (this.#state.takenOver === null || !isSync) this.#state.apply(words, floats, place);
    this.#next = (this.#next + 1) | 0;
    if (!isGap) this.#latestMs = Math.max(this.#latestMs, receivedAtMs);
    return null;
  }

  /**
   * If a record's time is a little before the latest one, sets it to the latest one.
   * @returns false when the clock was set back too far
   */
  #follows(floats: Float64Array, at: number): boolean {
    const receivedAtMs = floats[at]!;
    const reachedMs = this.#reachedMs;
    if (receivedAtMs >= reachedMs) return true;
    if (reachedMs - receivedAtMs > SET_BACK_MS_MIN) {
      this.#setBack = { fromMs: receivedAtMs, toMs: reachedMs + 1 };
      return false;
    }
    floats[at] = reachedMs;
    return true;
  }

  /**
   * Nothing is added to the tape before this instant, because answers about earlier instants may have been
   * given.
   */
  get #reachedMs(): number {
    return Math.max(this.#latestMs, this.#settledAtMs);
  }
}
