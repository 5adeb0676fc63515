// The properties of kernel and lines, tested with rosters of 1 to 32 bookmakers, several of them sharp, some
// with the same owner.

import { expect, test } from 'bun:test';
import { Random } from '../../src/domain/random.ts';
import type { RosterBookmaker } from '../../src/domain/roster.ts';
import { testUnderRoster } from '../support/own-roster.ts';

function rosterOf(seed: number, size: number): RosterBookmaker[] {
  const random = new Random(seed);
  const sharp = random.index(size);
  return Array.from({ length: size }, (_, index) => ({
    key: `book_${index}`,
    name: `Book ${index}`,
    class: index === sharp || random.unit() < 0.2 ? 'sharp' : random.unit() < 0.5 ? 'asian' : 'retail',
    ...(random.unit() < 0.4 ? { group: `owner_${random.index(3)}` } : {}),
    sources: {},
  }));
}

test.each([
  [1, 1],
  [3, 9],
  [5, 32],
])(
  'a roster of seed %i with %i bookmakers has the same properties',
  async (seed, size) => {
    const { output, code } = await testUnderRoster(rosterOf(seed, size), {
      files: ['test/scoring/kernel.test.ts', 'test/scoring/market-lines.test.ts'],
      names: 'naive object version|cheapest legs among all choices',
      share: 0.4,
    });
    expect([output.match(/^\(fail\).*$/gm), code, output.match(/(\d+) pass/)?.[1]]).toEqual([null, 0, '3']);
  },
  120_000,
);
