// Work on names that is done before a query needs it: the tables of club names, and the index of the slate's
// names. Without this module the first query does both.

import { allClubs } from '../../names/club-table.ts';
import { clubIndex } from '../../names/known-clubs.ts';
import { clubNamesWithWords } from '../../names/market/market-names.ts';

/** The pause between two steps of indexing names while there is more to index. */
const NAMES_STEP_MS = 1;
/** How often to check for new names once all are indexed. */
const NAMES_CHECK_MS = 250;

/**
 * Indexes the clubs of the tables. That takes a tenth of a second, which the first query would otherwise wait
 * for.
 * @param collect runs the garbage collector. It is called after each table, because making a table leaves
 * several times its size as garbage, and the table would otherwise lie scattered among it
 */
export function warmNames(collect: () => void): void {
  for (const make of [allClubs, clubIndex, clubNamesWithWords]) {
    make();
    collect();
  }
}

/**
 * Keeps the slate's names indexed, one step at a time between requests.
 * @param step indexes a few names and returns whether all are indexed
 * @returns a function that stops the indexing
 */
export function keepIndexed(step: () => boolean): () => void {
  let timer: Timer;
  const next = (): void => {
    timer = setTimeout(next, step() ? NAMES_CHECK_MS : NAMES_STEP_MS);
  };
  timer = setTimeout(next, NAMES_STEP_MS);
  return () => clearTimeout(timer);
}
