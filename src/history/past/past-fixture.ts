// A fixture at an instant of the past: its lines, and what the feed had reported about the match.

import { BOOKMAKER_KEYS, isSharpBookmaker, STATUS_LIVE, STATUS_SCHEDULED } from '../../domain/catalogue.ts';
import { type CountPair, MARK_LEFT, MARK_LISTED, pairOf, type TapeMark } from '../mark.ts';
import { compareTickLines, type FixtureIds, lineKeyOf, type Tick, type TickFixture } from '../tick.ts';

/** What a caller may see: all bookmakers, or all but the sharp one. */
export type Sight = 'all' | 'common';

/** A fixture at an instant of the past. */
export interface PastFixture {
  readonly fixture: TickFixture;
  readonly ids: FixtureIds | undefined;
  /** Index into EVENT_STATUSES: the last status that the feed had sent. */
  readonly status: number;
  /** Null when unknown. */
  readonly score: CountPair | null;
  /** Red cards; null when unknown. */
  readonly cards: CountPair | null;
  /** The last known time at which the source mentioned the fixture. */
  readonly atMs: number;
  /** The lines on the slate at that instant, in the order in which the API lists odds. */
  readonly standing: readonly Tick[];
}

/** What is known of a fixture apart from its lines. */
export interface PastFacts {
  readonly ids: FixtureIds | undefined;
  /**
   * The last mark by the instant: what the feed had reported about the fixture. Null when the tape has no
   * mark of it, as with imports.
   */
  readonly mark: TapeMark | null;
}

/** Whether a caller may see a tick. Bookmakers that have left the roster are on the tape but in no answer. */
export function isSeen({ bookmaker }: Tick, sight: Sight): boolean {
  const index = BOOKMAKER_KEYS.indexOf(bookmaker);
  return index >= 0 && (sight === 'all' || !isSharpBookmaker(index));
}

/**
 * Builds a fixture from rows in any order. Returns null if the fixture was not on the slate, that is, if it
 * has no open or suspended line and no mark says that it was there. A line whose last row is a withdrawal
 * does not count. If a line has several rows in one millisecond, the last one counts.
 */
export function pastFixtureOf(rows: readonly Tick[], { ids, mark }: PastFacts): PastFixture | null {
  const lines = lastOfLines(rows);
  const standing = lines.filter(({ status }) => status !== 'withdrawn');
  const last = latestOf(standing);
  const listed = mark === null || mark.status === MARK_LEFT ? null : mark;
  const fixture = listed?.fixture ?? last;
  if (fixture === null) return null;
  return {
    fixture,
    // An answer about an instant has the names of that instant, so it has their ids too.
    ...{ ids: listed?.ids ?? ids, standing, atMs: last?.atMs ?? listed!.atMs },
    status: isStated(listed) ? listed.status : wasInPlay(lines, listed) ? STATUS_LIVE : STATUS_SCHEDULED,
    // If no mark states a score, the score of the line that changed last counts.
    score: listed?.score ?? pairOf(last?.scoreHome ?? undefined, last?.scoreAway ?? undefined),
    cards: listed?.cards ?? null,
  };
}

/**
 * The last row of each line, in the order in which the API lists odds. No text is made per row, which leaves
 * less garbage.
 */
export function lastOfLines(rows: readonly Tick[]): readonly Tick[] {
  // Rows of one file are in that order already, with one row per line.
  if (rows.every((tick, index) => index === 0 || compareTickLines(rows[index - 1]!, tick) < 0)) return rows;
  return rows
    .toSorted((left, right) => compareTickLines(left, right) || left.receivedAtMs - right.receivedAtMs)
    .filter((tick, index, sorted) => {
      const next = sorted[index + 1];
      return next === undefined || compareTickLines(tick, next) !== 0;
    });
}

/**
 * Whether the match was in play at the last change of any of its lines, withdrawn ones included, or when an
 * import listed it without lines.
 */
function wasInPlay(lines: readonly Tick[], listed: TapeMark | null): boolean {
  const kickoffMs = listed?.fixture.kickoffMs ?? Number.NaN;
  return latestOf(lines)?.inPlay === true || (listed?.atMs ?? Number.NaN) >= kickoffMs;
}

function isStated(mark: TapeMark | null): mark is TapeMark {
  return mark !== null && mark.status !== MARK_LISTED;
}

/** The line that changed last; null without lines. */
export function latestOf(lines: readonly Tick[]): Tick | null {
  const [first = null, ...rest] = lines;
  return rest.reduce((latest, tick) => (tick.receivedAtMs > latest!.receivedAtMs ? tick : latest), first);
}

interface RowOfPart {
  readonly tick: Tick;
  readonly part: number;
}

/**
 * Rows in the order of publishing, each change once. A standing row may repeat a change that is also there as
 * a tick, and two parts may have the same change. One part never repeats a change: if a line goes back to a
 * price within a millisecond, that is a change of its own.
 * @param parts rows of each file and of the live part, each in the order of publishing
 */
export function inOrder(parts: readonly (readonly Tick[])[]): Tick[] {
  const sorted = parts
    .flatMap((rows, part) => rows.map((tick): RowOfPart => ({ tick, part })))
    .sort((left, right) => left.tick.receivedAtMs - right.tick.receivedAtMs);
  const unique: Tick[] = [];
  for (let first = 0; first < sorted.length; ) {
    const { receivedAtMs } = sorted[first]!.tick;
    let end = first + 1;
    while (end < sorted.length && sorted[end]!.tick.receivedAtMs === receivedAtMs) end++;
    if (end === first + 1) unique.push(sorted[first]!.tick);
    else unique.push(...uniqueChanges(sorted.slice(first, end)));
    first = end;
  }
  return unique;
}

/** Removes repetitions among rows that were published in one millisecond. */
function uniqueChanges(rows: readonly RowOfPart[]): Tick[] {
  const repeated = new Set<RowOfPart>();
  for (const ofLine of Map.groupBy(rows, ({ tick }) => lineKeyOf(tick)).values()) {
    const held: string[] = [];
    const changes = ofLine.filter(({ tick }) => !tick.standing);
    for (const ofPart of Map.groupBy(changes, ({ part }) => part).values()) {
      const texts = ofPart.map(changeText);
      const count = overlapOf(held, texts);
      for (const row of ofPart.slice(0, count)) repeated.add(row);
      held.push(...texts.slice(count));
    }
    for (const row of ofLine) {
      if (!row.tick.standing) continue;
      const text = changeText(row);
      if (held.includes(text)) repeated.add(row);
      else held.push(text);
    }
  }
  return rows.filter((row) => !repeated.has(row)).map(({ tick }) => tick);
}

/**
 * How many changes at the beginning of a part repeat the changes at the end of the parts before it. If the
 * earlier parts have the change, but with another change after it, it is no repetition: the line went back to
 * that state.
 */
function overlapOf(held: readonly string[], next: readonly string[]): number {
  let count = Math.min(held.length, next.length);
  while (count > 0 && !Bun.deepEquals(held.slice(-count), next.slice(0, count))) count--;
  return count;
}

function changeText({ tick: { atMs, status, pricesE4: p } }: RowOfPart): string {
  return `${atMs} ${status} ${p.home} ${p.draw} ${p.away} ${p.over} ${p.under}`;
}
