// The score of a match at half time. Usually it is seen during the break. If the break was not seen, but the
// first score seen in the second half equals the last score seen in the first half, then it is that score.
// Otherwise it is unknown.

import { firstHalfOf } from '../domain/match-status.ts';
import type { FinalScore } from '../domain/settlement.ts';

export class HalfTimeScore {
  readonly #sport: number;
  #score: FinalScore | null = null;
  /** The score last seen while the first half was played; null before that. */
  #before: FinalScore | null = null;

  /** @param sport index into SPORTS */
  constructor(sport: number) {
    this.#sport = sport;
  }

  /** The score at half time; null until it is known. */
  get score(): FinalScore | null {
    return this.#score;
  }

  /** Notes the present clock and score of the match. */
  put(clock: string | null, score: FinalScore): void {
    const half = firstHalfOf(clock, this.#sport);
    if (half === 'ended') this.#score = score;
    else if (half === 'played') this.#before = score;
    else if (half === 'over' && this.#score === null) {
      const before = this.#before;
      this.#before = null;
      if (before?.home === score.home && before.away === score.away) this.#score = score;
    }
  }
}
