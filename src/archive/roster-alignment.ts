// Stored openings identify their bookmaker by its index on the roster, in the lowest five bits of the quote
// key. The database therefore records which roster that is. If the server starts with another roster, the
// keys are rewritten before anything reads them. Openings of bookmakers that left the roster stay stored,
// under keys that no quote can have, until the bookmaker returns.

import type { SqlDatabase } from '../storage/sql.ts';

export const ROSTER_SCHEMA = `
CREATE TABLE IF NOT EXISTS opening_bookmakers (
  place INTEGER PRIMARY KEY, -- from 0; those above the roster's own 32 have left it
  key TEXT NOT NULL UNIQUE
) STRICT;
`;

/** The most bookmakers on one roster: as many indexes as fit in five bits of a quote key. */
const PLACES = 32;
/** Above every quote key, which is a non-negative Int32. */
const QUOTE_KEY_LIMIT = 2 ** 31;

export interface RosterKeys {
  /** Keys of the current roster, in catalogue order; at most 32. */
  readonly roster: readonly string[];
  /** The roster of a database that is older than custom rosters and therefore records none. */
  readonly unnamed: readonly string[];
}

/** The index that a bookmaker has in stored keys. */
interface NamedPlace {
  readonly key: string;
  readonly place: number;
}

/** The stored indexes that change, and every bookmaker's index after the change. */
interface Alignment {
  readonly moves: readonly (readonly [from: number, to: number])[];
  readonly after: ReadonlyMap<string, number>;
}

const SELECT_NAMED = 'SELECT key, place FROM opening_bookmakers ORDER BY place';

/**
 * Rewrites stored openings for the current roster in one transaction, or does nothing if the roster is
 * unchanged. Nodes that start together do it one after the other. @throws StorageError
 */
export async function alignOpenings(database: SqlDatabase, keys: RosterKeys): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.lock('opening bookmakers');
    const alignment = alignmentOf(keys, await sql.rows<NamedPlace>(SELECT_NAMED));
    if (alignment === null) return;
    for (const [from, to] of alignment.moves) await sql.run(MOVE, moveParameters(from, to));
    if (alignment.moves.length > 0) await sql.run(TURN_BACK);
    await sql.run('DELETE FROM opening_bookmakers');
    for (const [key, place] of alignment.after)
      await sql.run('INSERT INTO opening_bookmakers (place, key) VALUES ($1, $2)', [place, key]);
  }, ALIGN_DEADLINE_MS);
}

/** A changed roster rewrites all openings, so it may take long. */
const ALIGN_DEADLINE_MS = 30_000;

/** What to change; null when the stored indexes match the roster. */
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

/** The index of every bookmaker: the current roster first, then stored bookmakers that are not on it. */
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

/**
 * The part of a stored key that identifies a bookmaker: its index modulo 32, plus QUOTE_KEY_LIMIT for each
 * full 32 in the index.
 */
function partOf(place: number): number {
  return Math.floor(place / PLACES) * QUOTE_KEY_LIMIT + (place % PLACES);
}

/**
 * Moves keys to negative numbers first, because a new key may equal the old key of a row that moves later.
 */
const MOVE = `UPDATE openings SET quote_key = -1 - (quote_key - $1 + $2)
  WHERE quote_key >= 0 AND quote_key / ${QUOTE_KEY_LIMIT} = $3 AND quote_key % ${PLACES} = $4`;
const TURN_BACK = 'UPDATE openings SET quote_key = -1 - quote_key WHERE quote_key < 0';

function moveParameters(from: number, to: number): [number, number, number, number] {
  return [partOf(from), partOf(to), Math.floor(from / PLACES), from % PLACES];
}
