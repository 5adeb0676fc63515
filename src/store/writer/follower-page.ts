// Writes the changes of one fixture (slate-change.ts) into a page of a store that follows. It copies columns,
// writes quotes that changed, and removes quotes that were withdrawn.

import { ANY_BOOKMAKER } from '../../domain/signal-gate.ts';
import { BOOKMAKERS_MAX } from '../../limits.ts';
import type { StoreViews } from '../layout.ts';
import { LINE_GROUPS } from '../quote-key.ts';
import { type FixtureChange, PAGE_SCALARS } from '../slate-change.ts';
import { writeClock } from './page-columns.ts';
import { findQuoteRow, insertQuoteRow, removeQuoteRow } from './quote-rows.ts';

/** The version and time that a change is relative to. */
export interface ChangeBase {
  readonly version: number;
  readonly atMs: number;
}

/** The change does not fit this store's slate, because an earlier change was missed. */
export class DivergedError extends Error {}

/** `version` minus `below`; 0, which means no version, if `below` is NaN. */
export function above(version: number, below: number): number {
  return Number.isNaN(below) ? 0 : version - below;
}

/**
 * Writes the clock, scalars and quotes of a change into a draft of the fixture's page.
 * @throws DivergedError when the page is too small, or then has another number of quotes than the change says
 */
export function writeChange(views: StoreViews, page: number, fixture: FixtureChange, base: ChangeBase): void {
  const [, , scalars, , clock] = fixture;
  if (clock !== undefined) {
    const { clockChangedAtMs } = views;
    const changedAtMs = clockChangedAtMs[page]!;
    writeClock(views, page, clock, changedAtMs);
    clockChangedAtMs[page] = changedAtMs; // if it has changed, writeScalars writes it
  }
  writeScalars(views, page, scalars, base);
  writeConfirmations(views, page, fixture[10], base);
  writeQuotes(views, page, fixture, base);
}

function writeScalars(
  views: StoreViews,
  page: number,
  scalars: readonly number[],
  { version, atMs }: ChangeBase,
): void {
  for (let at = 0; at < scalars.length; at += 2) {
    const [name, kind] = PAGE_SCALARS[scalars[at]!]!;
    const value = scalars[at + 1]!;
    views[name][page] = kind === 'version' ? above(version, value) : kind === 'time' ? value + atMs : value;
  }
}

function writeConfirmations(
  views: StoreViews,
  page: number,
  [confirmerMask = ANY_BOOKMAKER, ...confirmations]: readonly number[],
  { atMs }: ChangeBase,
): void {
  const first = page * BOOKMAKERS_MAX;
  views.confirmerMask[page] = confirmerMask;
  views.fixtureConfirmedAtMs.fill(0, first, first + BOOKMAKERS_MAX);
  for (let at = 0; at < confirmations.length; at += 2) {
    views.fixtureConfirmedAtMs[first + confirmations[at]!] = confirmations[at + 1]! + atMs;
  }
}

function writeQuotes(
  views: StoreViews,
  page: number,
  [, , , , , quotes, quoteCount, keys, groups]: FixtureChange,
  { version, atMs }: ChangeBase,
): void {
  if (keys !== null) keepQuotes(views, page, keys); // first, since the page may be full
  for (let at = 0; at < quotes.length; at += 7) {
    const key = quotes[at]!;
    const found = findQuoteRow(views, page, key);
    const row = found >= 0 ? found : ~found;
    if (found < 0) {
      if (views.quoteCount[page] === views.capacity.quotesPerFixture)
        throw new DivergedError('a page is too small for the quotes of the change');
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
    throw new DivergedError(`a fixture has ${views.quoteCount[page]} quotes instead of ${quoteCount}`);
  }
}

/** Removes every quote that is not listed. @param keys ascending, each as its distance from the one before */
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
