import { describe, expect, test } from 'bun:test';
import { entityNumber } from '../../src/domain/ids.ts';
import { FixtureNumbers } from '../../src/ingest/fixture-numbers.ts';

describe('FixtureNumbers', () => {
  const named = { key: 'k', name: 'K' };
  const message = {
    type: 'event',
    seq: 1,
    atMs: 0,
    event: 'e1',
    sport: 0,
    league: named,
    home: { key: 'h', name: 'H' },
    away: { key: 'a', name: 'A' },
    scheduledAtMs: Number.NaN,
  } as const;

  test('the same key gets different numbers for different kinds and sports, and the number of an event that left is forgotten', () => {
    const numbers = new FixtureNumbers();
    const first = numbers.describe({ ...message, league: { key: 'h', name: 'H' } });
    if (typeof first === 'string') throw new Error(first);
    numbers.keep({ ...message, league: { key: 'h', name: 'H' } }, first);
    const other = numbers.describe({ ...message, event: 'e2', sport: 1 });
    if (typeof other === 'string') throw new Error(other);
    expect(other.home.number).not.toBe(first.home.number);
    expect(numbers.keyOf(first.eventNumber)).toBe('e1');
    numbers.remove('e1');
    expect(numbers.keyOf(first.eventNumber)).toBeUndefined();
    expect(numbers.get('e1')).toBeUndefined();
  });

  test('FixtureNumbers.describe refuses an event if one of its teams or leagues has the number of another one', () => {
    const numbers = new FixtureNumbers();
    const first = numbers.describe(message);
    if (typeof first === 'string') throw new Error(first);
    // No two keys with equal hashes are known, so this test gives the first team the number of the other one.
    numbers.keep(message, { ...first, home: { number: entityNumber('team', 0, 'other'), name: 'H' } });
    const later = { ...message, event: 'e2', home: { key: 'other', name: 'Other' } };
    expect(numbers.describe(later)).toBe('id_collision');
    expect(numbers.get('e2')).toBeUndefined();
    expect(numbers.describe({ ...later, home: { key: 'third', name: 'Third' } })).toBeObject();
  });
});
