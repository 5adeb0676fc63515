// The price axis of the chart of a match. An odd price of one bookmaker must not flatten the lines of all
// others.

import { expect, test } from 'bun:test';
import { Random } from '../../../../../src/domain/random.ts';
import { HEIGHT, type ScaledLine, scaleOf, TOP } from '../../../../../src/web/client/match/chart/scale.ts';

const RANGE = { fromMs: 0, toMs: 100 };

function series(key: string, ...prices: readonly (number | null)[]): ScaledLine {
  return { key, points: prices.map((price, index) => ({ atMs: index * 10, price })) };
}

function axisOf(shown: readonly ScaledLine[]): readonly [low: number, high: number] {
  const { rows } = scaleOf(shown, RANGE, 800);
  return [rows[0]!, rows.at(-1)!];
}

test('prices that several bookmakers have are all within the range of the axis', () => {
  const shown = [series('crown', 4.6, 9.2), series('sbobet', 4.9, 9), series('fair', 5, 9.6)];
  const { y } = scaleOf(shown, RANGE, 800);
  for (const { points } of shown) {
    for (const { price } of points) {
      expect(y(price!)).toBeGreaterThanOrEqual(TOP);
      expect(y(price!)).toBeLessThan(HEIGHT);
    }
  }
});

test('a price that only one bookmaker has does not stretch the axis, nor does the fair price that follows it', () => {
  const others = [series('crown', 4.6, 4.9, null), series('sbobet', 4.5, 4.8, null)];
  const [, usual] = axisOf(others);
  const [, high] = axisOf([...others, series('pinnacle', 4.7, 4.9, 13.95), series('fair', 4.8, 5, 14.2)]);
  expect(high).toBeGreaterThan(usual);
  expect(high).toBeLessThanOrEqual(10);
});

test('the axis covers the whole range of a line that is shown alone, and an axis without prices is above 0', () => {
  const [low, high] = axisOf([series('pinnacle', 4.7, 13.95)]);
  expect(low).toBeLessThan(4.7);
  expect(high).toBeGreaterThan(13.95);
  expect(axisOf([series('crown', null)])[0]).toBeGreaterThan(0);
});

test('the axes have round steps, whatever is shown', () => {
  const random = new Random(7);
  for (let round = 0; round < 500; round++) {
    const low = 1.01 + random.unit() * 10 ** (random.unit() * 3);
    const shown = [series('crown', low, low * (1 + random.unit() ** 4))];
    const spanMs = 10 ** (3.5 + random.unit() * 6);
    const fromMs = 1.7e12 + random.unit() * 1e9;
    const width = 300 + random.unit() * 1_500;
    const { rows, columns, x, y } = scaleOf(shown, { fromMs, toMs: fromMs + spanMs }, width);
    const step = rows[1]! - rows[0]!;
    const digits = Number((step / 10 ** Math.floor(Math.log10(step * 1.001))).toFixed(6));
    expect([1, 2, 5]).toContain(digits);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(rows.length).toBeLessThanOrEqual(9);
    for (const price of rows) expect(Math.abs(price / step - Math.round(price / step))).toBeLessThan(1e-6);
    // Both prices are from before the range. The second one replaced the first, so only the second must be on
    // the axis.
    expect(y(shown[0]!.points[1]!.price!)).toBeWithin(TOP, HEIGHT);
    for (const [index, atMs] of columns.entries()) {
      expect(atMs % 1_000).toBe(0);
      // Labels need this much room, but even a narrow chart has at least two steps.
      if (index > 0) expect(x(atMs) - x(columns[index - 1]!)).toBeGreaterThan(Math.min(119, width / 4));
    }
  }
});
