// The score of a match at half time, as far as it was seen. That is the score of the break; or, if no goal
// was scored before the second half was seen, the score that the first half ended with. Otherwise it is
// unknown.

import { firstHalfOf } from '../domain/match-status.ts';
import type { FinalScore } from '../domain/settlement.ts';

export class HalfTimeScore {
  readonly #sport: number;
  #score: FinalScore | null = null;
  /** The last score of the first half; null when it was not seen being played. */
  #before: FinalScore | null = null;

  /** @param sport index into SPORTS */
  constructor(sport: number) {
    this.#sport = sport;
  }

  /** The score at half time; null until it is known. */
  get score(): FinalScore | null {
    return this.#score;
  }

  /** Takes the clock and the score that the match has now. */
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
