import { describe, expect, test } from 'bun:test';
import { FixtureIndex } from '../../src/names/fixture-index.ts';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { NameCache } from '../../src/names/text/parse-name.ts';
import { listOf } from '../support/list-of.ts';

describe('FixtureIndex', () => {
  const fixture = (eventNumber: number, homeName: string, awayName: string) => ({
    eventNumber,
    homeName,
    awayName,
    leagueName: 'England Premier League',
    sport: 0,
    scheduledAtMs: 0,
  });

  test('an index that was changed step by step answers like a new index of the fixtures that are left', () => {
    const names = listOf('Arsenal, Chelsea, Everton, Fulham, Leeds United, Man City, Man United, Wolves');
    const changed = new FixtureIndex(new NameCache());
    const left = new Map<number, ReturnType<typeof fixture>>();
    for (let round = 0; round < 200; round++) {
      const eventNumber = (round * 7) % 5;
      const next = fixture(eventNumber, names[(round * 3) % 8]!, names[(round * 3 + 1 + (round % 6)) % 8]!);
      if (round % 4 === 3) {
        changed.delete(eventNumber);
        left.delete(eventNumber);
      } else {
        changed.set(next);
        left.set(eventNumber, next);
      }
      const fresh = new FixtureIndex(new NameCache());
      for (const each of left.values()) fresh.set(each);
      for (const query of [...names, 'City', 'Leeds v Chelsea', 'Spurs']) {
        const [got, expected] = [resolveFixture(changed, query), resolveFixture(fresh, query)];
        expect([got.status, got.best?.eventNumber]).toEqual([expected.status, expected.best?.eventNumber]);
      }
    }
  });
});
