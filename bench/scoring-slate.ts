// The seeded slate of the scoring benches: every bookmaker prices a fixture's lines around the same true
// probabilities, with its own margin.

import { isSharpBookmaker, outcomesOf } from '../src/domain/catalogue.ts';
import { Random } from '../src/domain/random.ts';
import type { PlainFixture, PlainQuote } from '../test/scoring/slate.ts';

/** Lines of a fixture: 75 quotes. The sharp book quotes all of them. */
const LINES: readonly {
  market: number;
  period: number;
  lineQuarters: number;
  bookmakers: readonly number[];
}[] = [
  { market: 0, period: 0, lineQuarters: 0, bookmakers: [0, 1, 2, 3, 4, 5, 6] },
  { market: 0, period: 1, lineQuarters: 0, bookmakers: [0, 1, 3, 4] },
  ...[-4, -3, -2, -1].map((lineQuarters) => ({
    market: 1,
    period: 0,
    lineQuarters,
    bookmakers: [0, 1, 2, 3, 4, 5],
  })),
  ...[-2, -1, 0].map((lineQuarters) => ({ market: 1, period: 1, lineQuarters, bookmakers: [0, 1, 4] })),
  ...[9, 10, 11].map((lineQuarters) => ({
    market: 2,
    period: 0,
    lineQuarters,
    bookmakers: [0, 1, 3, 4, 5, 6],
  })),
  ...[4, 5].map((lineQuarters) => ({ market: 2, period: 1, lineQuarters, bookmakers: [0, 1, 2, 3, 4, 5] })),
  { market: 2, period: 1, lineQuarters: 6, bookmakers: [4] },
];

const SHARP_MARGIN = 0.025;
const ASIAN_MARGIN = 0.05;
const NOISE = 0.06;
const SUSPENDED_SHARE = 0.04;

/** @param fixtureCount football fixtures numbered from 1, 75 quotes each */
export function benchFixtures(fixtureCount: number, seed: number): PlainFixture[] {
  const random = new Random(seed);
  return Array.from({ length: fixtureCount }, (_, index) => ({
    eventNumber: index + 1,
    sport: 0,
    quotes: LINES.flatMap((line) => {
      const truth = probabilities(random, outcomesOf(0, line.market).length);
      return line.bookmakers.map((bookmaker): PlainQuote => {
        const margin = isSharpBookmaker(bookmaker) ? SHARP_MARGIN : ASIAN_MARGIN;
        const pricesE4 = truth.map((probability) => {
          const noise = isSharpBookmaker(bookmaker) ? 0 : random.between(-NOISE, NOISE);
          const decimal = 1 / (probability * (1 + margin + noise));
          return Math.max(10_100, Math.round(decimal * 100) * 100);
        });
        const status = random.unit() < SUSPENDED_SHARE ? 1 : 0;
        return { ...line, bookmaker, pricesE4, status };
      });
    }),
  }));
}

function probabilities(random: Random, count: number): number[] {
  const weights = Array.from({ length: count }, () => random.between(1, 2));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
