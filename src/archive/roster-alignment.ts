// Openings on file name their bookmaker by its place on the roster, the lowest five bits of the quote key. The file
// therefore says which roster that is; when another one runs, keys are rewritten before anything reads them. Openings of
// bookmakers that left the roster stay on file, under keys that no quote can have, until the bookmaker comes back.

import type { Database } from 'bun:sqlite';

export const ROSTER_SCHEMA = `
CREATE TABLE IF NOT EXISTS opening_bookmakers (
  place INTEGER PRIMARY KEY, -- from 0; those above the roster's own 32 have left it
  key TEXT NOT NULL UNIQUE
) STRICT;
`;

/** Bookmakers of one roster: what fits the five bits of a quote key. */
const PLACES = 32;
/** Above every quote key, which is an Int32 that is not negative. */
const QUOTE_KEY_LIMIT = 2 ** 31;

export interface RosterKeys {
  /** Keys of the roster that runs, in catalogue order; at most 32. */
  readonly roster: readonly string[];
  /** Whose openings a file holds that does not say so: it is older than own rosters are. */
  readonly unnamed: readonly string[];
}

/** Rewrites the openings on file for the roster that runs, in one transaction; nothing when it is the file's. */
export function alignOpenings(database: Database, { roster, unnamed }: RosterKeys): void {
  const run = database.transaction(() => {
    const named = database
      .query<{ key: string; place: number }, []>('SELECT key, place FROM opening_bookmakers ORDER BY place')
      .all();
    const before = named.length > 0 ? named : unnamed.map((key, place) => ({ key, place }));
    const after = placesOf(roster, before);
    const isAligned = before.every(({ key, place }) => after.get(key) === place);
    if (named.length === after.size && isAligned) return;
    if (!isAligned) {
      const moves = before.map(({ key, place }) => [place, after.get(key)!] as const);
      move(database, moves);
    }
    database.run('DELETE FROM opening_bookmakers');
    const insert = database.prepare('INSERT INTO opening_bookmakers (place, key) VALUES (?, ?)');
    for (const [key, place] of after) insert.run(place, key);
  });
  run.immediate();
}

/** The roster first, then those that were on file and are not on it. */
function placesOf(
  roster: readonly string[],
  before: readonly { readonly key: string; readonly place: number }[],
): ReadonlyMap<string, number> {
  const places = new Map(roster.map((key, place) => [key, place]));
  const kept = before.filter(({ key, place }) => place >= PLACES && !places.has(key));
  let next = Math.max(PLACES - 1, ...kept.map(({ place }) => place)) + 1;
  for (const { key, place } of kept) places.set(key, place);
  for (const { key } of before) if (!places.has(key)) places.set(key, next++);
  return places;
}

/** The part of a key on file that says the place: five bits, and whole multiples of QUOTE_KEY_LIMIT above. */
function partOf(place: number): number {
  return Math.floor(place / PLACES) * QUOTE_KEY_LIMIT + (place % PLACES);
}

/** Through negative numbers, because a row may get the key that another row has until that one is moved too. */
function move(database: Database, moves: readonly (readonly [number, number])[]): void {
  const statement = database.prepare(
    'UPDATE openings SET quote_key = -1 - (quote_key - ? + ?) WHERE quote_key >= 0 AND quote_key / ? = ? AND quote_key % ? = ?',
  );
  for (const [from, to] of moves) {
    statement.run(
      partOf(from),
      partOf(to),
      QUOTE_KEY_LIMIT,
      Math.floor(from / PLACES),
      PLACES,
      from % PLACES,
    );
  }
  database.run('UPDATE openings SET quote_key = -1 - quote_key WHERE quote_key < 0');
}
