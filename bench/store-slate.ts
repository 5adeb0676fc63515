// A seeded slate for the benches of the store and the archive: all fixtures have the same quote keys.

import type { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { packQuoteKey } from '../src/store/quote-key.ts';
import type { SlateWriter } from '../src/store/writer/writer.ts';

const BOOKMAKERS = 7;

/** The keys of `count` quotes: handicap and total lines around zero, each at up to seven bookmakers. */
export function benchKeys(count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const line = Math.floor(index / BOOKMAKERS);
    return packQuoteKey(1 + (line & 1), 0, line - 5, index % BOOKMAKERS);
  });
}

/**
 * Inserts and publishes `fixtureCount` fixtures, with event numbers from 1 on, each with a quote and an
 * opening for every key.
 */
export function fillSlate(
  writer: SlateWriter,
  { fixtureCount, keys, random }: { fixtureCount: number; keys: readonly number[]; random: Random },
): void {
  for (let index = 0; index < fixtureCount; index++) {
    const slot = putFixture(writer, { eventNumber: index + 1, keys, random });
    assert(slot === index, 'an empty store seats fixtures in order');
  }
  writer.publish(0);
}

/** Inserts one fixture with a quote and an opening for every key. @returns its slot */
export function putFixture(
  writer: SlateWriter,
  { eventNumber, keys, random }: { eventNumber: number; keys: readonly number[]; random: Random },
): number {
  const slot = writer.putFixture({
    eventNumber,
    sport: 0,
    league: { number: 1 + (eventNumber % 40), name: `League ${eventNumber % 40}` },
    home: { number: 1_000 + eventNumber * 2, name: `Home Club ${eventNumber}` },
    away: { number: 1_001 + eventNumber * 2, name: `Away Club ${eventNumber}` },
    scheduledAtMs: eventNumber,
    atMs: 0,
  });
  assert(slot >= 0, 'the bench store has room');
  for (const key of keys) {
    const a = 15_000 + random.index(10_000);
    writer.quotes.putQuote(slot, key, a, a + 1, 0, 0, 0);
    writer.putOpening(slot, { key, a, b: a + 1, c: 0, openedAtMs: 0, upstream: false });
  }
  return slot;
}
