// Fixtures that have left the slate, although their closing prices may not be frozen yet, because a source
// often drops a match at its kickoff. The next segment keeps their last marks, so that a restart still finds
// them.

import { CLOSE_SETTLING_MS } from '../closing-price.ts';
import { type IndexedMark, MARK_LEFT } from '../mark.ts';
import type { LiveSegment } from './live-segment.ts';

/**
 * How long marks are kept. The kickoff may come ten minutes after the fixture left, and its closing prices
 * are settled ten minutes after the kickoff.
 */
const KEPT_MS = 3 * CLOSE_SETTLING_MS;

/** The last mark of each fixture, by event number. */
export function lastMarks(segment: LiveSegment): Map<number, IndexedMark> {
  return new Map(
    segment.marks.map((mark) => [segment.fixtures[mark.fixtureIndex]!.eventNumber, mark] as const),
  );
}

/**
 * Adds the last marks of fixtures that left lately to the segment that follows.
 * @param beginMs needed after the clock was set back: later marks get this time
 */
export function keepLeft(ended: LiveSegment, next: LiveSegment, beginMs: number): void {
  for (const [eventNumber, { fixtureIndex, atMs, status }] of lastMarks(ended)) {
    if (status !== MARK_LEFT || atMs + KEPT_MS < ended.lastChangeMs) continue;
    const described = ended.fixtures[fixtureIndex]!;
    // The fixture left so long before its kickoff that its lines have no closing prices.
    if (atMs + CLOSE_SETTLING_MS < (described.fixture.kickoffMs ?? 0)) continue;
    const index = next.addFixture(described);
    // The mark before the last one shows whether the match had begun.
    for (const mark of ended.marksOf(eventNumber).slice(-2)) {
      next.repeatMark({ ...mark, fixtureIndex: index, atMs: Math.min(mark.atMs, beginMs) });
    }
  }
}
