// Writes what a change tells of one fixture (slate-change.ts) into a page of a store that follows: columns as they are, quotes
// that changed, and no quote that was withdrawn.

import type { StoreViews } from './layout.ts';
import { writeClock } from './page-columns.ts';
import { LINE_GROUPS } from './quote-key.ts';
import { findQuoteRow, insertQuoteRow, removeQuoteRow } from './quote-rows.ts';
import { type FixtureChange, PAGE_SCALARS } from './slate-change.ts';

/** From where versions and times are told. */
export interface ToldFrom {
  readonly version: number;
  readonly atMs: number;
}

/** The change does not fit what is held: something was missed. */
export class AstrayError extends Error {}

/** The version that lies so far below another one; NaN stands for none. */
export function above(version: number, below: number): number {
  return Number.isNaN(below) ? 0 : version - below;
}

/**
 * Writes the clock, scalars and quotes of a change into a draft page that holds what was told before.
 * @throws AstrayError when the page is too small, or holds other quotes afterwards than were told
 */
export function writeTold(views: StoreViews, page: number, fixture: FixtureChange, base: ToldFrom): void {
  const [, , scalars, , clock] = fixture;
  if (clock !== undefined) {
    const { clockChangedAtMs } = views;
    const changedAtMs = clockChangedAtMs[page]!;
    writeClock(views, page, clock, changedAtMs);
    clockChangedAtMs[page] = changedAtMs; // told with the scalars, where it has changed
  }
  writeScalars(views, page, scalars, base);
  writeQuotes(views, page, fixture, base);
}

function writeScalars(
  views: StoreViews,
  page: number,
  scalars: readonly number[],
  { version, atMs }: ToldFrom,
): void {
  for (let at = 0; at < scalars.length; at += 2) {
    const [name, kind] = PAGE_SCALARS[scalars[at]!]!;
    const value = scalars[at + 1]!;
    views[name][page] = kind === 'version' ? above(version, value) : kind === 'time' ? value + atMs : value;
  }
}

function writeQuotes(
  views: StoreViews,
  page: number,
  [, , , , , quotes, quoteCount, keys, groups]: FixtureChange,
  { version, atMs }: ToldFrom,
): void {
  if (keys !== null) keepQuotes(views, page, keys); // first, since the page may be full
  for (let at = 0; at < quotes.length; at += 7) {
    const key = quotes[at]!;
    const found = findQuoteRow(views, page, key);
    const row = found >= 0 ? found : ~found;
    if (found < 0) {
      if (views.quoteCount[page] === views.capacity.quotesPerFixture)
        throw new AstrayError('a page is too small');
      insertQuoteRow(views, page, row);
    }
    views.quoteKey[row] = key;
    views.priceE4A[row] = quotes[at + 1]!;
    views.priceE4B[row] = quotes[at + 2]!;
    views.priceE4C[row] = quotes[at + 3]!;
    views.quoteStatus[row] = quotes[at + 4]!;
    views.quoteAtMs[row] = quotes[at + 5]! + atMs;
    views.quoteVersion[row] = above(version, quotes[at + 6]!);
  }
  for (let at = 0; at < groups.length; at += 2) {
    views.groupWithdrawnVersion[page * LINE_GROUPS + groups[at]!] = above(version, groups[at + 1]!);
  }
  if (views.quoteCount[page] !== quoteCount) {
    throw new AstrayError(`a fixture has ${views.quoteCount[page]} quotes, and ${quoteCount} were told`);
  }
}

/** Removes every quote that is not named. @param keys ascending, each as its distance from the one before */
function keepQuotes(views: StoreViews, page: number, keys: readonly number[]): void {
  const kept = new Set<number>();
  let last = 0;
  for (const distance of keys) {
    last += distance;
    kept.add(last);
  }
  const first = page * views.capacity.quotesPerFixture;
  for (let row = first + views.quoteCount[page]! - 1; row >= first; row--) {
    if (!kept.has(views.quoteKey[row]!)) removeQuoteRow(views, page, row);
  }
}
