// Turns the records of the tape's ring into rows of the live segment. Their room in the ring is given back
// only once the rows are in the log.

import { RECORD_WORDS, TAPE_FLOAT, type TapeRingReader } from '../../store/tape-ring.ts';
import type { TapeState } from './tape-state.ts';

/** Records of one pass: about a megabyte of log. */
const PASS_RECORDS = 16_384;

export class RingIntake {
  readonly #ring: TapeRingReader;
  readonly #state: TapeState;
  /** The number of the next record to apply. */
  #next: number;
  #settledAtMs = 0;
  /** The end of the ring when this node took over. */
  #takenOverAt = 0;
  /** What was published before this instant, the former leader has put into files. */
  #writtenBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(ring: TapeRingReader, state: TapeState) {
    this.#ring = ring;
    this.#state = state;
    this.#next = ring.position();
  }

  /** How far the ring is applied. */
  get position(): number {
    return this.#next;
  }

  /** Everything published before this instant is applied, Unix ms. */
  get settledAtMs(): number {
    return this.#settledAtMs;
  }

  /** Another thread of this process had applied and logged the records up to here. */
  skipTo(position: number): void {
    this.#ring.release(position);
    this.#next = position;
  }

  /** Another node had written what was published before `writtenBeforeMs`, and perhaps some of the rest. */
  takeOver(writtenBeforeMs: number): void {
    this.#state.isTakingOver = true;
    this.#next = this.#ring.position();
    this.#takenOverAt = this.#ring.written();
    this.#writtenBeforeMs = writtenBeforeMs;
  }

  /** Gives back the room of everything that is applied. */
  release(): void {
    if (this.#ring.position() !== this.#next) this.#ring.release(this.#next);
  }

  /**
   * Applies at most one pass of records.
   * @returns `drained` when the ring has no more, `day_over` when the next record belongs to another day than
   * the segment
   */
  apply(): 'drained' | 'day_over' | 'more' {
    const settledAtMs = this.#ring.settledAtMs();
    const written = this.#ring.written();
    for (let count = 0; this.#next !== written && count < PASS_RECORDS; count++) {
      if (!this.#applyNext()) return 'day_over';
    }
    if (this.#next !== written) return 'more';
    this.#settledAtMs = settledAtMs;
    return 'drained';
  }

  #applyNext(): boolean {
    const { words, floats } = this.#ring;
    const place = this.#ring.placeOf(this.#next);
    const receivedAtMs = floats[(place * RECORD_WORDS) / 2 + TAPE_FLOAT.receivedAtMs]!;
    if (this.#state.segment.isDayOver(receivedAtMs)) return false;
    if (this.#next === this.#takenOverAt) this.#state.isTakingOver = false;
    const isWritten = this.#state.isTakingOver && receivedAtMs < this.#writtenBeforeMs;
    if (!isWritten) this.#state.apply(words, floats, place);
    this.#next = (this.#next + 1) | 0;
    return true;
  }
}
