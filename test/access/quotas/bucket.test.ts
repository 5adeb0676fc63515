import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  countOn,
  dayOf,
  nextDayMs,
  paceOf,
  returnDaily,
  returnToken,
  takeDaily,
  takeToken,
  untilFullMs,
} from '../../../src/access/quotas/bucket.ts';
import { DAY_MS } from '../../../src/clock.ts';
import { TIERS } from '../../../src/domain/tiers.ts';

/** A textbook token bucket, in thousandths of a token. */
class ModelBucket {
  #milliTokens: number;
  #lastMs: number;
  readonly #burst: number;
  readonly #perMinute: number;

  constructor(tier: { burst: number; perMinute: number }, nowMs: number) {
    this.#burst = tier.burst;
    this.#perMinute = tier.perMinute;
    this.#milliTokens = tier.burst * 1000;
    this.#lastMs = nowMs;
  }

  tokens(nowMs: number): number {
    this.#milliTokens = Math.min(
      this.#burst * 1000,
      this.#milliTokens + ((nowMs - this.#lastMs) * this.#perMinute) / 60,
    );
    this.#lastMs = nowMs;
    return this.#milliTokens / 1000;
  }

  take(nowMs: number): boolean {
    if (this.tokens(nowMs) < 1 - 1e-9) return false;
    this.#milliTokens -= 1000;
    return true;
  }

  giveBack(): void {
    this.#milliTokens += 1000;
  }
}

describe('token bucket', () => {
  test('takeToken, returnToken and untilFullMs agree with the textbook bucket, for every tier and start', () => {
    const step = fc.record({
      waitMs: fc.oneof(fc.nat(50), fc.nat(3_000), fc.nat(100_000)),
      takes: fc.oneof(fc.nat(3), fc.nat(60), fc.nat(2_500)),
      giveBack: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...TIERS),
        fc.integer(),
        fc.array(step, { maxLength: 20 }),
        (tier, startMs, steps) => {
          const pace = paceOf(tier);
          const words = new Int32Array(new SharedArrayBuffer(4));
          words[0] = startMs;
          const model = new ModelBucket(tier, 0);
          let nowMs = 0;
          for (const { waitMs, takes, giveBack } of steps) {
            nowMs += waitMs;
            const sharedMs = (startMs + nowMs) | 0;
            for (let take = 0; take < takes; take++) {
              const taken = takeToken(words, 0, pace, sharedMs);
              expect(taken).toBe(model.take(nowMs));
              if (taken && giveBack && take === 0) {
                returnToken(words, 0, pace);
                model.giveBack();
              }
            }
            const fullInMs = untilFullMs(words[0] ?? 0, pace, sharedMs);
            expect((pace.windowMs - fullInMs) / pace.intervalMs).toBeCloseTo(model.tokens(nowMs), 6);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('a new bucket, all zero, is full at any shared time except shortly before it wraps to zero', () => {
    fc.assert(
      fc.property(fc.integer(), (nowMs) => {
        // Shortly before shared time wraps to zero, a zero word looks partly used, which delays a caller by
        // at most 30 s.
        fc.pre(!(nowMs < 0 && nowMs >= -90_000));
        expect(untilFullMs(0, paceOf(TIERS[0]), nowMs)).toBe(0);
      }),
    );
  });

  test('a thread whose clock lags gets no extra tokens', () => {
    const pace = paceOf(TIERS[0]);
    const words = new Int32Array(new SharedArrayBuffer(4));
    for (let take = 0; take < TIERS[0].burst; take++) expect(takeToken(words, 0, pace, 100_000)).toBe(true);
    for (const lagMs of [0, 1, 25, 1_000, 50_000]) {
      expect(takeToken(words, 0, pace, 100_000 - lagMs)).toBe(false);
    }
  });

  test('paceOf returns the per-minute rate and the burst of every tier', () => {
    expect(TIERS.map((tier) => paceOf(tier))).toEqual([
      { intervalMs: 1_000, windowMs: 30_000 },
      { intervalMs: 100, windowMs: 12_000 },
      { intervalMs: 10, windowMs: 6_000 },
      { intervalMs: 1, windowMs: 2_000 },
    ]);
  });
});

describe('daily count', () => {
  test('takeDaily admits exactly max requests a day, on every day, and returnDaily gives one back', () => {
    const words = new Int32Array(new SharedArrayBuffer(4));
    for (let day = 20_000; day < 20_005; day++) {
      for (let round = 0; round < 200; round++) expect(takeDaily(words, 0, { day, max: 200 })).toBe(true);
      expect(takeDaily(words, 0, { day, max: 200 })).toBe(false);
      expect(countOn(words[0] ?? 0, day)).toBe(200);
      returnDaily(words, 0);
      expect(takeDaily(words, 0, { day, max: 200 })).toBe(true);
    }
  });

  test('a request that read its clock before midnight counts towards the new day and resets nothing', () => {
    const words = new Int32Array(new SharedArrayBuffer(4));
    takeDaily(words, 0, { day: 20_001, max: 2 });
    expect(takeDaily(words, 0, { day: 20_000, max: 2 })).toBe(true);
    expect(takeDaily(words, 0, { day: 20_000, max: 2 })).toBe(false);
    expect(countOn(words[0] ?? 0, 20_001)).toBe(2);
  });

  test('dayOf and nextDayMs follow UTC days', () => {
    const midnightMs = Date.UTC(2026, 0, 2);
    expect(dayOf(midnightMs) - dayOf(midnightMs - 1)).toBe(1);
    expect(dayOf(midnightMs + DAY_MS - 1)).toBe(dayOf(midnightMs));
    expect(nextDayMs(midnightMs)).toBe(Date.UTC(2026, 0, 3));
    expect(nextDayMs(midnightMs - 1)).toBe(midnightMs);
  });
});
