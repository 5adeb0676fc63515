// Watches the slate for scores at half time, which the results of feeds do not include.

import type { HalfTimeRow } from '../archive/signal-record.ts';
import { STATUS_LIVE } from '../domain/catalogue.ts';
import type { FinalScore } from '../domain/settlement.ts';
import { FIXTURES_MAX } from '../limits.ts';
import type { SlateReader } from '../store/reader.ts';
import { HalfTimeScore } from './half-time-score.ts';

export class HalfTimeWatch {
  readonly #reader: SlateReader;
  /** Matches in play. If there are too many, the one seen first is forgotten. */
  readonly #matches = new Map<number, HalfTimeScore>();
  #changeCount = 0;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** The scores that became known, or were corrected, since the last call. */
  take(): HalfTimeRow[] {
    const { count, slots } = this.#reader.changes(this.#changeCount);
    this.#changeCount = count;
    const all = slots ?? Array.from({ length: this.#reader.slotCount() }, (_, slot) => slot);
    return [...all].flatMap((slot) => this.#check(slot) ?? []);
  }

  #check(slot: number): HalfTimeRow | null {
    const { columns } = this.#reader;
    const seen = this.#reader.read(slot, (page) => {
      const [home, away] = [columns.scoreHome[page]!, columns.scoreAway[page]!];
      return { eventNumber: columns.eventNumber[page]!, facts: this.#reader.matchFacts(page), home, away };
    });
    if (seen === undefined || seen.facts.feedStatus !== STATUS_LIVE || seen.home < 0) return null;
    const { eventNumber, facts, home, away } = seen;
    const match = this.#matches.get(eventNumber) ?? this.#add(eventNumber, facts.sport);
    const before = match.score;
    match.put(facts.clock, { home, away });
    const { score } = match;
    return score === null || isSame(score, before)
      ? null
      : { event_number: eventNumber, score_home: score.home, score_away: score.away };
  }

  #add(eventNumber: number, sport: number): HalfTimeScore {
    if (this.#matches.size >= FIXTURES_MAX) {
      const [oldest] = this.#matches.keys();
      this.#matches.delete(oldest!);
    }
    const match = new HalfTimeScore(sport);
    this.#matches.set(eventNumber, match);
    return match;
  }
}

function isSame(one: FinalScore, other: FinalScore | null): boolean {
  return one.home === other?.home && one.away === other.away;
}
