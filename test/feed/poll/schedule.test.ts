// The pause before a source is polled again after a failure.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../../src/clock.ts';
import { PollFailure } from '../../../src/feed/poll/failure.ts';
import { waitAfter } from '../../../src/feed/poll/schedule.ts';

describe('waitAfter', () => {
  test('the pause doubles with jitter up to five minutes, and is never shorter than Retry-After', () => {
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

  test('the pause is 15 minutes after a final failure', () => {
    expect(waitAfter(new PollFailure('bad_key', { kind: 'final' }), 1, 0)).toBe(900_000);
  });
});
