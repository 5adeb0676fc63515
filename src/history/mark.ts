// Marks: what the feed reported about a match from an instant on. A fixture gets a mark when its description,
// status, score or red cards change, so the tape has these changes even while none of its lines moves.

import type { FixtureIds, TickFixture } from './tick.ts';

/** A count per side. */
export type CountPair = readonly [home: number, away: number];

/**
 * What the feed reported about a fixture from an instant on. Marks also show that a fixture was on the slate
 * while it had no line.
 */
export interface TapeMark {
  readonly fixture: TickFixture;
  /**
   * The ids that belong to this description. Later descriptions of the fixture may have other ids. Absent
   * when unknown.
   */
  readonly ids?: FixtureIds | undefined;
  readonly atMs: number;
  /** An index into EVENT_STATUSES, MARK_LEFT or MARK_LISTED. */
  readonly status: number;
  /** Null when unknown. */
  readonly score: CountPair | null;
  /** Red cards; null as for the score. */
  readonly cards: CountPair | null;
}

/** The fixture left the slate. */
export const MARK_LEFT = -1;
/** An import listed the fixture. Whether the match was in play follows from its kickoff. */
export const MARK_LISTED = -2;

/** A mark whose fixture is an index into a list of fixtures. */
export type IndexedMark = Omit<TapeMark, 'fixture' | 'ids'> & { readonly fixtureIndex: number };

/**
 * A mark as logs and files store it. Score and cards follow if known; an unknown score before known cards is
 * -1 for each side.
 */
export type PackedMark = readonly [fixtureIndex: number, atMs: number, status: number, ...counts: number[]];

export function packMark({ fixtureIndex, atMs, status, score, cards }: IndexedMark): PackedMark {
  if (cards !== null) return [fixtureIndex, atMs, status, ...(score ?? [UNKNOWN, UNKNOWN]), ...cards];
  return [fixtureIndex, atMs, status, ...(score ?? [])];
}

export function unpackMark(packed: PackedMark): IndexedMark {
  const [fixtureIndex, atMs, status, scoreHome, scoreAway, cardsHome, cardsAway] = packed;
  return {
    ...{ fixtureIndex, atMs, status },
    score: pairOf(scoreHome, scoreAway),
    cards: pairOf(cardsHome, cardsAway),
  };
}

/** Two counts; null when one of them is -1, which means unknown. */
export function pairOf(home = UNKNOWN, away = UNKNOWN): CountPair | null {
  return home < 0 || away < 0 ? null : [home, away];
}

/** Whether two marks report the same status, score and red cards. */
export function isSameState(
  one: Pick<TapeMark, 'status' | 'score' | 'cards'>,
  other: Pick<TapeMark, 'status' | 'score' | 'cards'>,
): boolean {
  return (
    one.status === other.status && isSamePair(one.score, other.score) && isSamePair(one.cards, other.cards)
  );
}

function isSamePair(one: CountPair | null, other: CountPair | null): boolean {
  return one === other || (one?.[0] === other?.[0] && one?.[1] === other?.[1]);
}

const UNKNOWN = -1;
