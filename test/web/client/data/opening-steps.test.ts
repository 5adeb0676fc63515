// Where sparklines begin: the best price of an outcome, step by step since its opening, compared with a plain
// model.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../../../src/clock.ts';
import type { Outcome } from '../../../../src/domain/catalogue.ts';
import { bestPriceSteps, type StandingPrice } from '../../../../src/web/client/data/opening-steps.ts';

const LINE = '1x2 full_time null';

function standing(bookmaker: string, decimal: number | null, atMs: number): StandingPrice {
  const decimals = decimal === null ? null : new Map<Outcome, number>([['home', decimal]]);
  return { bookmaker, line: LINE, decimals, atMs };
}

test('an opening and a later price are two points; bookmakers that open within minutes of each other open together', () => {
  const openings = [standing('crown', 2, 0), standing('sbobet', 2.2, 60_000)];
  const quotes = [standing('crown', 2, 0), standing('sbobet', 2.5, HOUR_MS)];
  expect(bestPriceSteps(openings, quotes).get(`${LINE} home`)).toEqual([
    { atMs: 0, decimal: 2.2 },
    { atMs: HOUR_MS, decimal: 2.5 },
  ]);
});

test('a suspended price never counts as the best one, and a line without an opening has no steps', () => {
  const steps = bestPriceSteps(
    [standing('crown', 3, 0), standing('sbobet', 2, 0)],
    [standing('crown', null, HOUR_MS), { ...standing('crown', 3, HOUR_MS), line: 'another' }],
  );
  expect([...steps.keys()]).toEqual([`${LINE} home`]);
  expect(steps.get(`${LINE} home`)).toEqual([
    { atMs: 0, decimal: 3 },
    { atMs: HOUR_MS, decimal: 2 },
  ]);
});

test('at every time the steps show the best price that bookmakers are known to have offered at that time', () => {
  const book = fc.record({
    opening: fc.integer({ min: 101, max: 900 }),
    now: fc.integer({ min: 101, max: 900 }),
    openedAtH: fc.integer({ min: 0, max: 5 }),
    heldH: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(book, { minLength: 1, maxLength: 6 }), (books) => {
      const openings = books.map((one, index) => standing(`${index}`, one.opening, one.openedAtH * HOUR_MS));
      const quotes = books.map((one, index) =>
        standing(`${index}`, one.now, (one.openedAtH + one.heldH) * HOUR_MS),
      );
      const steps = bestPriceSteps(openings, quotes).get(`${LINE} home`)!;
      for (let hour = 0; hour <= 10; hour++) {
        const offered = books
          .filter(({ openedAtH }) => openedAtH <= hour)
          .map(({ opening, now, openedAtH, heldH }) => (openedAtH + heldH <= hour ? now : opening));
        const shown = steps.findLast(({ atMs }) => atMs <= hour * HOUR_MS)?.decimal;
        expect(shown).toBe(offered.length === 0 ? undefined : Math.max(...offered));
      }
    }),
  );
});
