// Openings on file name their bookmaker by its place on the roster, the lowest five bits of the quote key. The file
// therefore says which roster that is; when another one runs, keys are rewritten before anything reads them. Openings of
// bookmakers that left the roster stay on file, under keys that no quote can have, until the bookmaker comes back.

import type { Database } from 'bun:sqlite';
import type { PostgresPool } from '../postgres.ts';

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

/** A bookmaker's place as it stands on file. */
interface NamedPlace {
  readonly key: string;
  readonly place: number;
}

/** Which places change, and all places afterwards. */
interface Alignment {
  readonly moves: readonly (readonly [from: number, to: number])[];
  readonly after: ReadonlyMap<string, number>;
}

const SELECT_NAMED = 'SELECT key, place FROM opening_bookmakers ORDER BY place';

/** Rewrites the openings on file for the roster that runs, in one transaction; nothing when it is the file's. */
export function alignOpenings(database: Database, keys: RosterKeys): void {
  const run = database.transaction(() => {
    const alignment = alignmentOf(keys, database.query<NamedPlace, []>(SELECT_NAMED).all());
    if (alignment === null) return;
    const move = database.prepare(MOVE.replace(/\$\d/g, (parameter) => `?${parameter.slice(1)}`));
    for (const [from, to] of alignment.moves) move.run(...moveParameters(from, to));
    database.run(TURN_BACK);
    database.run('DELETE FROM opening_bookmakers');
    const insert = database.prepare('INSERT INTO opening_bookmakers (place, key) VALUES (?, ?)');
    for (const [key, place] of alignment.after) insert.run(place, key);
  });
  run.immediate();
}

/** The same in Postgres. Nodes that start together do it one after the other. @throws StorageError */
export async function alignSharedOpenings(pool: PostgresPool, keys: RosterKeys): Promise<void> {
  await pool.transaction(async (sql) => {
    await sql.run('LOCK TABLE opening_bookmakers IN EXCLUSIVE MODE');
    const alignment = alignmentOf(keys, await sql.rows<NamedPlace>(SELECT_NAMED));
    if (alignment === null) return;
    for (const [from, to] of alignment.moves) await sql.run(MOVE, moveParameters(from, to));
    if (alignment.moves.length > 0) await sql.run(TURN_BACK);
    await sql.run('DELETE FROM opening_bookmakers');
    for (const [key, place] of alignment.after)
      await sql.run('INSERT INTO opening_bookmakers (place, key) VALUES ($1, $2)', [place, key]);
  }, ALIGN_DEADLINE_MS);
}

/** Another roster rewrites every opening there is. */
const ALIGN_DEADLINE_MS = 30_000;

/** Null when the places on file are those of the roster. */
function alignmentOf({ roster, unnamed }: RosterKeys, named: readonly NamedPlace[]): Alignment | null {
  const before = named.length > 0 ? named : unnamed.map((key, place) => ({ key, place }));
  const after = placesOf(roster, before);
  const isAligned = before.every(({ key, place }) => after.get(key) === place);
  if (named.length === after.size && isAligned) return null;
  return {
    moves: isAligned ? [] : before.map(({ key, place }) => [place, after.get(key)!] as const),
    after,
  };
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
const MOVE = `UPDATE openings SET quote_key = -1 - (quote_key - $1 + $2)
  WHERE quote_key >= 0 AND quote_key / ${QUOTE_KEY_LIMIT} = $3 AND quote_key % ${PLACES} = $4`;
const TURN_BACK = 'UPDATE openings SET quote_key = -1 - quote_key WHERE quote_key < 0';

function moveParameters(from: number, to: number): [number, number, number, number] {
  return [partOf(from), partOf(to), Math.floor(from / PLACES), from % PLACES];
}
