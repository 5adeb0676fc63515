// The intervals of polled sources, and what a quota allows.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../../src/clock.ts';
import { CreditBudget } from '../../../src/feed/poll/budget.ts';
import { intervalMs } from '../../../src/feed/poll/schedule.ts';
import type { PlannedRequest } from '../../../src/feed/poll/source.ts';

describe('Budget', () => {
  test('requests that are sent whenever the budget affords them never spend more credits than the period has', () => {
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

  test('a forced interval is not stretched by the quota, and does not apply to requests that cost nothing', () => {
    const request: PlannedRequest = { key: 'a', cost: 3, everyMs: HOUR_MS, part: 'full', confirms: true };
    expect(intervalMs(request, { forcedEveryMs: 5_000, stretch: 100 })).toBe(5_000);
    expect(intervalMs({ ...request, cost: 0 }, { forcedEveryMs: 5_000, stretch: 100 })).toBe(HOUR_MS);
  });
});
