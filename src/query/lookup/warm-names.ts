// Makes the tables of club names before the first query.

import { allClubs } from '../../names/club-table.ts';
import { clubIndex } from '../../names/known-clubs.ts';
import { warmMarketWords } from '../../names/market/market-words.ts';

/**
 * Indexes the clubs of the tables. That takes a tenth of a second, which the first query would otherwise
 * wait for.
 * @param collect collects garbage. It is called after each table, because making one leaves several times
 * as much garbage as the table has, and what stays would lie scattered among it
 */
export function warmNames(collect: () => void): void {
  for (const make of [allClubs, clubIndex, warmMarketWords]) {
    make();
    collect();
  }
}
