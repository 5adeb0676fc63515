// Odds formats compared with an oracle that computes on decimal text with BigInt fractions and rounds by long
// division, and with the table of the decisions page, repeated here.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BOOKMAKERS, ODDS_FORMATS, type OddsFormat } from '../../src/domain/catalogue.ts';
import {
  convertOdds,
  isValidOdds,
  malayDecimalsOf,
  ODDS_FORMAT_RANGES,
  priceInFormat,
} from '../../src/domain/odds-format.ts';
import { refusalOf } from '../support/failure.ts';
import { runs } from '../support/runs.ts';
import { divide, ONE, unitsOf } from './long-division.ts';

const TARGETS: readonly OddsFormat[] = ODDS_FORMATS;
const SHOWN: Record<OddsFormat, number> = {
  decimal: 4,
  hk: 4,
  malay: 3,
  american: 0,
  indonesian: 3,
  probability: 4,
};

/** The conversion of the decisions table, computed from the text of a decimal price. */
function oracle(decimalText: string, format: OddsFormat, malayDecimals: number): number {
  const d = unitsOf(decimalText);
  if (d <= ONE) return 0;
  const net = d - ONE;
  const decimals = format === 'malay' ? malayDecimals : SHOWN[format];
  const direct: Record<OddsFormat, boolean> = {
    decimal: true,
    hk: true,
    malay: d <= 2n * ONE,
    american: d >= 2n * ONE,
    indonesian: d >= 2n * ONE,
    probability: true,
  };
  const factor = format === 'american' ? 100n : 1n;
  if (format === 'decimal') return Number(divide(d, ONE, decimals));
  if (format === 'probability') return Number(divide(ONE, d, decimals));
  if (direct[format]) return Number(divide(factor * net, ONE, decimals));
  return Number(divide(factor * ONE, net, decimals)) * -1 || 0;
}

/** Texts of numbers above 1 with at most `decimals` decimals, many of them exact ties. */
function priceText(decimals: number): fc.Arbitrary<string> {
  const tail = fc.stringMatching(new RegExp(`^[0-9]{1,${decimals}}$`));
  const whole = fc.oneof(
    fc.constantFrom('1', '2', '3'),
    fc.nat(2_000).map((value) => String(value + 1)),
  );
  return fc.tuple(whole, tail).map(([left, right]) => String(Number(`${left}.${right}`)));
}

describe('priceInFormat', () => {
  test('equals the oracle for every price up to 12 and for a sample of larger prices', () => {
    const prices: number[] = [];
    for (let priceE4 = 0; priceE4 <= 120_000; priceE4++) prices.push(priceE4);
    for (let priceE4 = 120_000; priceE4 < 2 ** 31; priceE4 = Math.floor(priceE4 * 1.003) + 1)
      prices.push(priceE4);
    prices.push(2 ** 31 - 1);
    let checked = 0;
    for (const priceE4 of prices) {
      const text = (priceE4 / 10_000).toFixed(4);
      for (const format of TARGETS) {
        for (const malayDecimals of format === 'malay' ? [2, 3] : [3]) {
          const actual = priceInFormat(priceE4, format, malayDecimals);
          // A stored decimal price is returned unchanged. Only the other formats cannot express a price of 1
          // or less.
          const expected = format === 'decimal' ? priceE4 / 10_000 : oracle(text, format, malayDecimals);
          if (!Object.is(actual, expected))
            throw new Error(`${priceE4} ${format} ${malayDecimals}: ${actual}, not ${expected}`);
          checked++;
        }
      }
    }
    expect(checked).toBeGreaterThan(840_000);
  });

  test('american is always an integer and nothing is ever NaN, infinite or -0', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...TARGETS), (priceE4, format) => {
        const value = priceInFormat(priceE4, format, 2);
        expect(Number.isFinite(value) && !Object.is(value, -0)).toBe(true);
        if (format === 'american') expect(Number.isInteger(value)).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

function convert(
  value: number,
  from: OddsFormat,
  to: OddsFormat,
  bookmakerKey: 'crown' | null = null,
): number | null | undefined {
  return convertOdds({ value, from, to: [to], bookmakerKey })[to];
}

describe('convertOdds', () => {
  test('gives the source exactly as sent and the targets, nothing else', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(...TARGETS),
        fc.subarray([...TARGETS]),
        (value, from, to) => {
          if (!isValidOdds(value, from)) return;
          const converted = convertOdds({ value, from, to, bookmakerKey: null });
          expect(Object.is(converted[from], value)).toBe(true);
          expect(new Set(Object.keys(converted))).toEqual(new Set([from, ...to]));
          for (const result of Object.values(converted)) {
            expect(
              result === null || (Number.isFinite(result) && (result === value || !Object.is(result, -0))),
            ).toBe(true);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test('equals the oracle from decimal', () => {
    fc.assert(
      fc.property(fc.oneof(priceText(2), priceText(4), priceText(5), priceText(9)), (text) => {
        if (Number(text) <= 1) return;
        const asked = { value: Number(text), from: 'decimal', to: TARGETS, bookmakerKey: 'sbobet' } as const;
        const converted = convertOdds(asked);
        for (const format of TARGETS) {
          expect(converted[format]!).toBe(format === 'decimal' ? Number(text) : oracle(text, format, 2));
        }
      }),
      { numRuns: runs(3_000) },
    );
  });

  test('rounds once, from the exact source, not from the rounded decimal', () => {
    // -110 is decimal 1.909090..., shown as 1.9091. The malay value of 1.9091 would also be 0.909; for -333
    // the two differ.
    const all = (value: number, from: OddsFormat) =>
      convertOdds({ value, from, to: TARGETS, bookmakerKey: null });
    const shown = { decimal: 1.3003, hk: 0.3003, probability: 0.7691, indonesian: -3.33 };
    expect(all(-333, 'american')).toMatchObject({ american: -333, ...shown });
    expect(all(-1, 'malay')).toMatchObject({ malay: -1, decimal: 2, american: 100 });
  });

  test('the bookmaker decides how many decimals a malay price has', () => {
    const malay = (bookmakerKey: 'crown' | 'pinnacle' | null) =>
      convertOdds({ value: 2.3, from: 'decimal', to: ['malay'], bookmakerKey }).malay;
    expect(malay('crown')).toBe(-0.77);
    expect(malay('pinnacle')).toBe(-0.769);
    expect(malay(null)).toBe(-0.769);
    expect(BOOKMAKERS.map((_, index) => malayDecimalsOf(index))).toEqual([2, 2, 2, 2, 3, 2, 2]);
  });

  test('exact ties are rounded away from zero', () => {
    expect(convert(1.00005, 'decimal', 'hk')).toBe(0.0001);
    expect(convert(1.0005, 'decimal', 'malay')).toBe(0.001);
    expect(convert(1.125, 'decimal', 'malay', 'crown')).toBe(0.13);
    expect(convert(2.125, 'decimal', 'american')).toBe(113);
    expect(convert(2.0125, 'decimal', 'indonesian')).toBe(1.013);
    expect(convert(1.64, 'decimal', 'indonesian')).toBe(-1.563);
    expect(convert(3.2, 'decimal', 'probability')).toBe(0.3125);
    expect(convert(32, 'decimal', 'probability')).toBe(0.0313);
    expect(convert(17, 'decimal', 'malay')).toBe(-0.063);
    expect(convert(1.32, 'decimal', 'american')).toBe(-313);
  });

  test('reads the examples of the decisions page', () => {
    expect(TARGETS.map((format) => convert(2, 'decimal', format))).toEqual([2, 1, 1, 100, 1, 0.5]);
    for (const [value, from, decimal] of [
      [-1, 'malay', 2],
      [1, 'malay', 2],
      [-100, 'american', 2],
      [100, 'american', 2],
      [-0.5, 'malay', 3],
      [-1.25, 'indonesian', 1.8],
      [0.95, 'hk', 1.95],
      [0.1, 'hk', 1.1],
      [0.25, 'probability', 4],
      [-110, 'american', 1.9091],
    ] as const) {
      expect(convert(value, from, 'decimal')).toBe(decimal);
    }
  });

  test('a stored price that is shown in a format and read back is the same, to within the last shown decimal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10_001, max: 20_000_000 }),
        fc.constantFrom(...TARGETS),
        (priceE4, format) => {
          const shown = priceInFormat(priceE4, format, 3);
          if (!isValidOdds(shown, format)) return;
          // The prices one unit of the last shown decimal below and above must enclose the stored price.
          const unit = 10 ** -SHOWN[format];
          const ends = [shown - unit, shown, shown + unit].filter((value) => isValidOdds(value, format));
          const decimals = ends.map((value) => convert(value, format, 'decimal')!);
          // At the end of a format's range one of these values is invalid, and nothing is compared.
          const isJump = ends.length < 3;
          if (!isJump) {
            expect(Math.min(...decimals)).toBeLessThanOrEqual(priceE4 / 10_000 + 1e-4);
            expect(Math.max(...decimals)).toBeGreaterThanOrEqual(priceE4 / 10_000 - 1e-4);
          }
        },
      ),
      { numRuns: runs(3_000) },
    );
  });

  test('refuses every value outside the range of its format, and names the range', () => {
    const outside: Record<OddsFormat, number[]> = {
      decimal: [1, 0.5, 0, -2],
      hk: [0, -0.1],
      malay: [0, -0, 1.0001, -1.0001, 5],
      american: [99.99, -99.99, 0, 1],
      indonesian: [0.999, -0.999, 0],
      probability: [0, 1, 1.5, -0.2],
    };
    for (const format of TARGETS) {
      for (const value of [...outside[format], Number.NaN, Infinity, -Infinity]) {
        const error = refusalOf(() => convert(value, format, 'hk'));
        expect(error.status).toBe(400);
        expect(error.code).toBe('invalid_request');
        expect(`${error.message} ${error.fix}`).toContain(ODDS_FORMAT_RANGES[format]);
      }
    }
  });

  test('a target beyond the largest number is null', () => {
    const tiny = { value: 1e-320, from: 'hk', to: ['american', 'decimal'], bookmakerKey: null } as const;
    expect(convertOdds(tiny)).toEqual({ hk: 1e-320, american: null, decimal: 1 });
  });
});
