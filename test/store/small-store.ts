// Small stores and short ways to fill them, for the tests of this folder.

import { createStore, type StoreCapacity } from '../../src/store/layout.ts';
import type { FixtureUpdate } from '../../src/store/records.ts';

/** The store is so small that tables fill and pages are reused within a few operations. */
export const SMALL: Required<StoreCapacity> = {
  fixtures: 4,
  quotesPerFixture: 6,
  openingsPerFixture: 5,
  entities: 64,
  arenaBytes: 2_048,
  gracePublishes: 3,
  departures: 64,
  liquidityEntries: 64,
};

export function smallStore(changes: Partial<StoreCapacity> = {}): SharedArrayBuffer {
  return createStore(1_000, { ...SMALL, ...changes });
}

/** A football fixture whose names follow from its number; `spelling` distinguishes renamed ones. */
export function fixtureOf(eventNumber: number, atMs = 0, spelling = ''): FixtureUpdate {
  return {
    eventNumber,
    sport: 0,
    league: { number: 1, name: 'League' },
    home: { number: eventNumber * 2, name: `Home ${eventNumber}${spelling}` },
    away: { number: eventNumber * 2 + 1, name: `Away ${eventNumber}${spelling}` },
    scheduledAtMs: eventNumber * 1_000,
    atMs,
  };
}
