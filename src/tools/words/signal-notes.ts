// What must be said beside value and arbitrage: hits left out as implausible, and prices too old to act on.

import type { FixtureNow } from '../../query/fixture-view.ts';

/** Hits that were left out: most often a wrong price, not a gift. Null when there were none. */
export function droppedText(count: number, what: 'edge' | 'margin'): string | null {
  if (count === 0) return null;
  const hits = count === 1 ? `1 implausibly large ${what} was` : `${count} implausibly large ${what}s were`;
  return `${hits} left out; most often such a price is an error.`;
}

/** Why the prices of a fixture may not be there any more. */
export function ageTexts({ status, stale }: FixtureNow): string[] {
  const texts: string[] = [];
  if (status === 'finished') texts.push('The match has finished; what is still quoted is left over.');
  if (stale) texts.push('The prices are stale.');
  return texts;
}
