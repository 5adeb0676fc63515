// Which of the two teams of a fixture do words name? The fixture is known, so other clubs play no part.

import { createTeamIndex, type EntryIndex, type NamedEntry } from '../team-index.ts';
import { foldText } from '../text/fold-text.ts';
import { parseName, splitWords } from '../text/parse-name.ts';

type Side = 'home' | 'away';

interface SideEntry extends NamedEntry {
  readonly side: Side;
}

/** A side has to cover this much more of the words than the other does. */
const COVERAGE_LEAD = 0.1;

/** The side that words name; null when they name neither, or may name both. */
export function sideNamed(
  words: string,
  { home, away, sport }: { readonly home: string; readonly away: string; readonly sport: number },
): Side | null {
  const index = createTeamIndex<SideEntry>([
    { name: home, sport, side: 'home' },
    { name: away, sport, side: 'away' },
  ]);
  const side = nearest(index, words);
  if (side === null) return null;
  // "lakers celtics" names both.
  const parts = splitWords(foldText(words, 200)).map(({ text }) => text);
  for (let at = 1; at < parts.length; at++) {
    const [left, right] = [
      nearest(index, parts.slice(0, at).join(' ')),
      nearest(index, parts.slice(at).join(' ')),
    ];
    if (left !== null && right !== null && left !== right) return null;
  }
  return side;
}

function nearest(index: EntryIndex<SideEntry>, words: string): Side | null {
  const name = parseName(words).text;
  const exact = index
    .search(words, { coverageMin: 0 })
    .filter(({ entry }) => parseName(entry.name).text === name);
  if (exact.length === 1) return exact[0]!.entry.side;
  const [best, second] = index.search(words);
  if (best === undefined) return null;
  return second === undefined || best.coverage >= second.coverage + COVERAGE_LEAD ? best.entry.side : null;
}
