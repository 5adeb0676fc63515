// The score at half time is known only if it was seen, whatever the feed left out.

import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { SPORT_FOOTBALL } from '../../src/domain/catalogue.ts';
import { HalfTimeScore } from '../../src/record/half-time-score.ts';

type Seen = readonly [clock: string | null, home: number, away: number];

function scoreAfter(seen: readonly Seen[], sport = SPORT_FOOTBALL): readonly [number, number] | null {
  const match = new HalfTimeScore(sport);
  for (const [clock, home, away] of seen) match.put(clock, { home, away });
  return match.score === null ? null : [match.score.home, match.score.away];
}

describe('the score at half time', () => {
  test('the half-time score is the last score that was sent during the break', () => {
    const seen: Seen[] = [
      ['1h 45+2', 1, 0],
      ['ht', 2, 0],
      ['ht', 1, 0],
      ['2h 46', 3, 0],
    ];
    expect(scoreAfter(seen)).toEqual([1, 0]);
  });

  test('if no state of the break was seen, the half-time score is known only if the score did not change around it', () => {
    expect(scoreAfter([['45+1', 1, 1], ['52', 1, 1], ['60', 2, 1]])).toEqual([1, 1]); // biome-ignore format: short
    expect(scoreAfter([['1h 40', 1, 1], ['2h 52', 2, 1], ['2h 60', 2, 1]])).toBeNull(); // biome-ignore format: short
    expect(scoreAfter([['2h 52', 2, 1], [null, 2, 1]])).toBeNull(); // biome-ignore format: short
    expect(scoreAfter([['q2 0:03', 50, 48], ['q3 11:58', 50, 48]], 1)).toEqual([50, 48]); // biome-ignore format: short
  });

  test('whichever states of a match were seen, the half-time score is right or null', () => {
    const goals = fc.array(fc.record({ minute: fc.integer({ min: 1, max: 90 }), isHome: fc.boolean() }));
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 90 }));
    fc.assert(
      fc.property(goals, minutes, (scored, seenAt) => {
        const at = (minute: number, isHome: boolean) =>
          scored.filter((goal) => goal.isHome === isHome && goal.minute <= minute).length;
        const clockAt = (minute: number) => (minute <= 45 ? `1h ${minute}` : `2h ${minute}`);
        const states = seenAt
          .toSorted((one, other) => one - other)
          .map((minute): Seen => [clockAt(minute), at(minute, true), at(minute, false)]);
        const known = scoreAfter(states);
        if (known !== null) expect(known).toEqual([at(45, true), at(45, false)]);
      }),
    );
  });
});
