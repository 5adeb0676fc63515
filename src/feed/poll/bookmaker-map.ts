// Maps a source's names or ids of bookmakers to the bookmakers of our roster.

import type { RosterBookmaker } from '../../domain/roster.ts';

/** From the source's key or id of a bookmaker, as text, to our key. */
export type BookmakerMap = ReadonlyMap<string, string>;

/** The bookmakers of a roster that a source has. */
export function bookmakerMapOf(source: string, roster: readonly RosterBookmaker[]): BookmakerMap {
  const map = new Map<string, string>();
  for (const { key, sources } of roster) {
    const name = sources[source];
    if (name !== undefined) map.set(String(name), key);
  }
  return map;
}
