// The price axis of the match's chart: one bookmaker's odd price does not flatten the lines of all others.

import { expect, test } from 'bun:test';
import { HEIGHT, type ScaledLine, scaleOf, TOP } from '../../src/web/client/match/chart/scale.ts';

const RANGE = { fromMs: 0, toMs: 100 };

function series(key: string, ...prices: readonly (number | null)[]): ScaledLine {
  return { key, points: prices.map((price, index) => ({ atMs: index * 10, price })) };
}

function axisOf(shown: readonly ScaledLine[]): readonly [low: number, high: number] {
  const { rows } = scaleOf(shown, RANGE, 800);
  return [rows[0]!, rows.at(-1)!];
}

test('prices that several bookmakers have are all on the axis', () => {
  const shown = [series('crown', 4.6, 9.2), series('sbobet', 4.9, 9), series('fair', 5, 9.6)];
  const { y } = scaleOf(shown, RANGE, 800);
  for (const { points } of shown) {
    for (const { price } of points) {
      expect(y(price!)).toBeGreaterThanOrEqual(TOP);
      expect(y(price!)).toBeLessThan(HEIGHT);
    }
  }
});

test('a price that one bookmaker has alone does not stretch the axis, nor the fair price that follows it', () => {
  const others = [series('crown', 4.6, 4.9, null), series('sbobet', 4.5, 4.8, null)];
  const [, usual] = axisOf(others);
  const [, high] = axisOf([...others, series('pinnacle', 4.7, 4.9, 13.95), series('fair', 4.8, 5, 14.2)]);
  expect(high).toBeGreaterThan(usual);
  expect(high).toBeLessThan(10);
});

test('a line that is shown alone has its whole range, and a line without prices has some', () => {
  const [low, high] = axisOf([series('pinnacle', 4.7, 13.95)]);
  expect(low).toBeLessThan(4.7);
  expect(high).toBeGreaterThan(13.95);
  expect(axisOf([series('crown', null)])[0]).toBeGreaterThan(0);
});
