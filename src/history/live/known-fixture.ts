// A fixture on the slate as the tape knows it, and the state of the match in a record of the ring.

import { IntMap } from '../../memory/int-map.ts';
import {
  kindOf,
  scoreAwayOf,
  scoreHomeOf,
  TAPE_KIND,
  TAPE_LINE_WITHDRAWN,
  TAPE_WORD,
} from '../../store/tape-ring.ts';
import { type IndexedMark, pairOf } from '../mark.ts';
import type { FixtureDescription } from './fixture-names.ts';
import type { LiveSegment } from './live-segment.ts';

/** A fixture on the slate, with the row of each of its lines in the live segment. */
export interface KnownFixture {
  description: FixtureDescription;
  fixtureIndex: number;
  eventStatus: number;
  /** Counts are -1 when unknown. */
  scoreHome: number;
  scoreAway: number;
  cardsHome: number;
  cardsAway: number;
  /** When the match state last changed, Unix ms. */
  markedAtMs: number;
  readonly rowByKey: IntMap;
}

type MatchCounts = Pick<KnownFixture, 'scoreHome' | 'scoreAway' | 'cardsHome' | 'cardsAway'>;

/** Whether a fixture already has these counts. */
export function isSame(known: MatchCounts, counts: MatchCounts): boolean {
  return (
    known.scoreHome === counts.scoreHome &&
    known.scoreAway === counts.scoreAway &&
    known.cardsHome === counts.cardsHome &&
    known.cardsAway === counts.cardsAway
  );
}

/** Score and red cards of a record. A line's record has no cards. */
export function countsIn(words: Int32Array, at: number): MatchCounts {
  const hasCards = kindOf(words, at) === TAPE_KIND.fixture;
  return {
    scoreHome: scoreHomeOf(words, at),
    scoreAway: scoreAwayOf(words, at),
    cardsHome: hasCards ? words[at + TAPE_WORD.cardsHome]! : -1,
    cardsAway: hasCards ? words[at + TAPE_WORD.cardsAway]! : -1,
  };
}

/** What is known of a fixture, as the mark that a segment begins with. */
export function markOf(known: KnownFixture): IndexedMark {
  const { fixtureIndex, markedAtMs: atMs, eventStatus: status } = known;
  const score = pairOf(known.scoreHome, known.scoreAway);
  return { fixtureIndex, atMs, status, score, cards: pairOf(known.cardsHome, known.cardsAway) };
}

/** What a segment that was read from a log knows about a fixture, given the fixture's last mark. */
export function knownFixtureOf(
  segment: LiveSegment,
  { fixtureIndex, atMs: markedAtMs, status: eventStatus, ...state }: IndexedMark,
): KnownFixture {
  const description = segment.fixtures[fixtureIndex]!;
  const rowByKey = new IntMap();
  for (const at of segment.rowsOf(description.eventNumber)) {
    const { status, quoteKey } = segment.row(at);
    if (status === TAPE_LINE_WITHDRAWN) rowByKey.delete(quoteKey);
    else rowByKey.set(quoteKey, at);
  }
  const [scoreHome, scoreAway] = state.score ?? [-1, -1];
  const [cardsHome, cardsAway] = state.cards ?? [-1, -1];
  const counts = { scoreHome, scoreAway, cardsHome, cardsAway };
  return { description, fixtureIndex, eventStatus, ...counts, markedAtMs, rowByKey };
}
