// The intervals of pull sources: what a quota allows, and the pauses after failures.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CreditBudget } from '../../../src/feed/poll/budget.ts';
import { PollFailure } from '../../../src/feed/poll/failure.ts';
import { intervalMs, waitAfter } from '../../../src/feed/poll/schedule.ts';
import type { PlannedRequest } from '../../../src/feed/poll/source.ts';
import { SportChoice } from '../../../src/feed/poll/sport-choice.ts';
import { chooseBookmakers } from '../../../src/feed/the-odds-api/regions.ts';

const HOUR_MS = 3_600_000;

describe('Budget', () => {
  test('whatever is requested whenever it is affordable, no more is spent than the period has', () => {
    const request = fc.record({
      cost: fc.integer({ min: 1, max: 12 }),
      everyMs: fc.integer({ min: 1_000, max: HOUR_MS }),
    });
    const steps = fc.array(fc.record({ request, waitMs: fc.integer({ min: 0, max: HOUR_MS }) }), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 200 }),
        (list, credits, hours) => {
          const budget = new CreditBudget();
          const periodEndMs = hours * HOUR_MS;
          let left = credits;
          let nowMs = 0;
          budget.learn({ left, limit: credits, periodEndMs, leastMsPerCredit: 0 }, 0);
          for (const { request: asked, waitMs } of list) {
            nowMs += waitMs;
            if (nowMs >= periodEndMs) break;
            if (budget.affordableAtMs(asked.cost, nowMs) > nowMs) continue;
            budget.spend(asked.cost, false, nowMs);
            left -= asked.cost;
            expect(left).toBeGreaterThanOrEqual(0);
            // Credits are spent no faster than if they were spread evenly over the period.
            expect(credits - left).toBeLessThanOrEqual((credits * nowMs) / periodEndMs + 1e-6);
            budget.learn({ left, limit: credits, periodEndMs, leastMsPerCredit: 0 }, nowMs);
          }
        },
      ),
    );
  });

  test('all intervals are stretched alike, so that the plan costs what the period allows', () => {
    const budget = new CreditBudget();
    const plan: PlannedRequest[] = [60_000, 600_000].map((everyMs, index) => ({
      key: String(index),
      cost: 3,
      everyMs,
      part: 'full',
      confirms: true,
    }));
    expect(budget.stretch(plan, 0)).toBe(1);
    budget.learn({ left: 500, limit: 500, periodEndMs: 720 * HOUR_MS, leastMsPerCredit: 0 }, 0);
    const stretch = budget.stretch(plan, 0);
    const [near, far] = plan.map((request) => intervalMs(request, { forcedEveryMs: null, stretch }));
    expect(far! / near!).toBeCloseTo(10);
    expect((3 / near! + 3 / far!) * 720 * HOUR_MS).toBeCloseTo(500);
  });

  test('a cost in spite of the quota where an interval is forced', () => {
    const request: PlannedRequest = { key: 'a', cost: 3, everyMs: HOUR_MS, part: 'full', confirms: true };
    expect(intervalMs(request, { forcedEveryMs: 5_000, stretch: 100 })).toBe(5_000);
    expect(intervalMs({ ...request, cost: 0 }, { forcedEveryMs: 5_000, stretch: 100 })).toBe(HOUR_MS);
  });
});

describe('waitAfter', () => {
  test('doubles with jitter up to five minutes, and never less than Retry-After', () => {
    const unit = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        unit,
        fc.option(fc.integer({ min: 0, max: HOUR_MS })),
        (failures, random, retryAfterMs) => {
          const waitMs = waitAfter(new PollFailure('throttled', { retryAfterMs }), failures, random);
          const fullMs = Math.min(300_000, 1_000 * 2 ** Math.min(failures, 30));
          expect(waitMs).toBeGreaterThanOrEqual(Math.max(retryAfterMs ?? 0, fullMs / 2 - 1));
          expect(waitMs).toBeLessThanOrEqual(Math.max(retryAfterMs ?? 0, fullMs));
        },
      ),
    );
  });

  test('is 15 minutes after a final failure', () => {
    expect(waitAfter(new PollFailure('bad_key', { kind: 'final' }), 1, 0)).toBe(900_000);
  });
});

describe('SportChoice', () => {
  test('sports, and leagues by name or id', () => {
    const choice = new SportChoice(['football:39', 'football:La Liga', 'basketball']);
    expect(choice.wants('football', { id: '39', name: 'Premier League' })).toBe(true);
    expect(choice.wants('football', { id: '140', name: 'la liga' })).toBe(true);
    expect(choice.wants('football', { id: '1', name: 'Other' })).toBe(false);
    expect(choice.wants('basketball', { id: '1', name: 'Any' })).toBe(true);
    expect(new SportChoice(['football', 'football:39']).wants('football', { id: '1', name: 'x' })).toBe(true);
    expect(() => new SportChoice(['tennis'])).toThrow(RangeError);
  });
});

describe('chooseBookmakers', () => {
  test('names them where that costs no more than their regions', () => {
    expect(chooseBookmakers(['pinnacle'])).toEqual({
      parameter: 'bookmakers',
      value: 'pinnacle',
      regionCount: 1,
    });
    const british =
      'betway boylesports casumo coral grosvenor ladbrokes_uk leovegas paddypower skybet virginbet'.split(
        ' ',
      );
    expect(chooseBookmakers(british)).toMatchObject({ parameter: 'bookmakers', regionCount: 1 });
  });

  test('takes the fewest regions that show them all where that is cheaper', () => {
    const british =
      'betway boylesports casumo coral grosvenor ladbrokes_uk leovegas paddypower skybet virginbet smarkets';
    expect(chooseBookmakers(british.split(' '))).toEqual({
      parameter: 'regions',
      value: 'uk',
      regionCount: 1,
    });
    const both = `${british} pinnacle marathonbet betsson tipico_de nordicbet unibet_fr onexbet gtbets suprabets coolbet`;
    expect(chooseBookmakers(both.split(' '))).toEqual({
      parameter: 'regions',
      value: 'eu,uk',
      regionCount: 2,
    });
  });

  test('names them where no region is known to show one', () => {
    const books = Array.from({ length: 21 }, (_, index) => `somebody_${index}`);
    expect(chooseBookmakers(books)).toMatchObject({ parameter: 'bookmakers', regionCount: 3 });
  });
});
