// What stood of a fixture at an instant, from rows of the tape.

import { BOOKMAKER_KEYS, isSharpBookmaker } from '../../domain/catalogue.ts';
import { compareTickLines, type FixtureIds, lineKeyOf, type Tick } from '../tick.ts';

/** What a caller may see: all bookmakers, or all but the sharp one. */
export type Sight = 'all' | 'common';

/** A fixture at an instant of the past. */
export interface PastFixture {
  /** The standing line that changed last: names, kickoff and what was known of the match. */
  readonly last: Tick;
  readonly ids: FixtureIds | undefined;
  /** The lines that stood, in the order of odds. */
  readonly standing: readonly Tick[];
}

/**
 * Whether a caller may see a tick. Bookmakers that have left the roster are on the tape and in no answer.
 */
export function isSeen({ bookmaker }: Tick, sight: Sight): boolean {
  const index = BOOKMAKER_KEYS.indexOf(bookmaker);
  return index >= 0 && (sight === 'all' || !isSharpBookmaker(index));
}

/**
 * What stood, from rows in the order of publishing; null when nothing did. Only standing lines count: a file
 * repeats those of the days before it, and no others.
 */
export function pastFixtureOf(rows: readonly Tick[], ids: FixtureIds | undefined): PastFixture | null {
  const byLine = new Map<string, Tick>();
  for (const tick of rows) byLine.set(lineKeyOf(tick), tick);
  return pastFixtureOfLines([...byLine.values()].sort(compareTickLines), ids);
}

/** The same from the last row of each line, in the order of odds. */
export function pastFixtureOfLines(lines: readonly Tick[], ids: FixtureIds | undefined): PastFixture | null {
  const standing = lines.filter(({ status }) => status !== 'withdrawn');
  const [first] = standing;
  if (first === undefined) return null;
  const last = standing.reduce((latest, tick) => (tick.receivedAtMs > latest.receivedAtMs ? tick : latest));
  return { last, ids, standing };
}

/**
 * Rows in the order of publishing, each change once: a standing row repeats a change that may be there too,
 * and two files may have the same one.
 */
export function inOrder(rows: readonly Tick[]): Tick[] {
  const sorted = rows.toSorted((left, right) => left.receivedAtMs - right.receivedAtMs);
  const unique: Tick[] = [];
  for (let first = 0; first < sorted.length; ) {
    const { receivedAtMs } = sorted[first]!;
    let end = first + 1;
    while (end < sorted.length && sorted[end]!.receivedAtMs === receivedAtMs) end++;
    if (end === first + 1) unique.push(sorted[first]!);
    else unique.push(...uniqueChanges(sorted.slice(first, end)));
    first = end;
  }
  return unique;
}

/** Each change once, of rows that were published in one millisecond. */
function uniqueChanges(rows: readonly Tick[]): Iterable<Tick> {
  const byChange = new Map<string, Tick>();
  for (const tick of rows) {
    const { status, pricesE4: p } = tick;
    const prices = `${p.home} ${p.draw} ${p.away} ${p.over} ${p.under}`;
    const key = `${lineKeyOf(tick)} ${tick.atMs} ${status} ${prices}`;
    const held = byChange.get(key);
    if (held === undefined || (held.standing && !tick.standing)) byChange.set(key, tick);
  }
  return byChange.values();
}
