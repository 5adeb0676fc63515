// The addresses of attackers, and views that differ from each other. The attackers' thread loads this file
// and the lists of attacks, but not the service, because it is started while customers are served.

import { BOOKMAKER_KEYS, isSharpBookmaker } from '../../src/domain/catalogue.ts';

const BOOKMAKERS = BOOKMAKER_KEYS.filter((_, index) => !isSharpBookmaker(index)).slice(0, 10);

/**
 * Client addresses of a block. Each counts as one caller without a key. Connections from any loopback address
 * work.
 */
export function strangers(block: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `127.${block}.${Math.floor(index / 250)}.${1 + (index % 250)}`,
  );
}

/**
 * A combination of bookmakers that are not sharp. With the six of the built-in roster, the combinations of
 * the indexes up to 62 are all different; those of higher indexes repeat them.
 */
export function someBookmakers(index: number): string {
  return BOOKMAKERS.filter((_, bit) => ((index + 1) >> bit) % 2 === 1).join(',');
}
