// The samples for "the last minutes" of list_movers. They are taken of a few fixtures at a time as prices
// arrive, each is correct for its instant, and the oldest sample is overwritten.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { football, quoteOf, T0 } from '../../tools/made-up-slate.ts';
import { WireSlate } from '../../tools/wire-slate.ts';

const MINUTE = 60_000;
const PRICES = fc.integer({ min: 130, max: 600 }).map((hundredths) => hundredths / 100);

/** A price, and the price of the opposite outcome that leaves the bookmaker a margin. */
function prices(over: number): number[] {
  return [over, Math.floor(100 / (1.04 - 1 / over)) / 100];
}

function closeOf(bookmaker: string, line: number) {
  const market = { market_type: 'asian_handicap', period: 'full_time', line };
  return { type: 'close', seq: 1, event: 'ars', bookmaker, ...market };
}

test('since() compares with the last sample at or before the instant, or with the oldest one that is kept', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(PRICES, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 60 }),
      (overs, minutes) => {
        const slate = new WireSlate();
        slate.feed([football('ars', 'Arsenal', 'Chelsea')], T0);
        const samples: { atMs: number; over: number }[] = [];
        let nowMs = T0;
        for (const over of overs) {
          const at = new Date(nowMs).toISOString();
          slate.feed([{ ...quoteOf('ars', 'crown', 'totals', 2.5, prices(over)), at }], nowMs);
          samples.push({ atMs: Math.floor(nowMs / 1_000) * 1_000, over });
          slate.queries.movements.step(nowMs);
          nowMs += 2 * MINUTE;
        }
        nowMs -= 2 * MINUTE;
        const [fixture] = slate.queries.slate.peek(nowMs);
        const asked = { sinceMs: nowMs - minutes * MINUTE, seesSharp: false };
        const movement = slate.queries.movements.since(fixture!, 'totals', asked);
        const kept = samples.slice(-32);
        const expected = kept.findLast(({ atMs }) => atMs <= asked.sinceMs) ?? kept[0]!;
        const [a, b] = prices(expected.over) as [number, number];
        expect(movement!.from.probabilities[0]).toBeCloseTo(1 / a / (1 / a + 1 / b), 5);
        expect(movement!.from.atMs).toBe(expected.atMs);
        expect(movement!.bookmaker).toBe('crown');
      },
    ),
    { numRuns: 60 },
  );
});

test('since() compares prices of one bookmaker, even if another is the sharpest in between', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          book: fc.constantFrom('crown', 'sbobet'),
          over: PRICES,
          line: fc.constantFrom(2.5, 2.5, -1),
        }),
        { selector: ({ over }) => over, minLength: 2, maxLength: 20 },
      ),
      fc.integer({ min: 0, max: 40 }),
      (draws, minutes) => {
        const slate = new WireSlate();
        slate.feed([football('ars', 'Arsenal', 'Chelsea')], T0);
        const samples: { atMs: number; book: string; line: number; over: number }[] = [];
        let nowMs = T0 - 2 * MINUTE;
        for (const { book, over, line } of draws) {
          nowMs += 2 * MINUTE;
          const at = new Date(nowMs).toISOString();
          const quotes = ['crown', 'sbobet'].map((each) => {
            const sharper = prices(over);
            // The other bookmaker has a wider margin, and other probabilities.
            const wider = [Math.floor(90 * sharper[1]!) / 100, Math.floor(90 * sharper[0]!) / 100];
            return quoteOf('ars', each, 'asian_handicap', line, each === book ? sharper : wider);
          });
          const before = samples.at(-1)?.line ?? line;
          const closes = before === line ? [] : ['crown', 'sbobet'].map((each) => closeOf(each, before));
          slate.feed(
            [...closes, ...quotes].map((message) => ({ ...message, at })),
            nowMs,
          );
          slate.queries.movements.step(nowMs);
          samples.push({ atMs: Math.floor(nowMs / 1_000) * 1_000, book, line, over });
        }
        const [fixture] = slate.queries.slate.peek(nowMs);
        const sinceMs = nowMs - minutes * MINUTE;
        const movement = slate.queries.movements.since(fixture!, 'asian_handicap', {
          sinceMs,
          seesSharp: false,
        });
        const now = samples.at(-1)!;
        const lastOf = (some: readonly (typeof now)[]) =>
          some.findLast(({ atMs }) => atMs <= sinceMs) ?? some[0]!;
        const last = lastOf(samples);
        const own = samples.filter(({ book }) => book === now.book);
        const expected = last.line === now.line ? lastOf(own) : last;
        const [a, b] = prices(expected.over) as [number, number];
        expect(movement!.bookmaker).toBe(now.book);
        expect([movement!.from.atMs, movement!.from.line]).toEqual([expected.atMs, expected.line]);
        expect(movement!.from.probabilities[0]).toBeCloseTo(1 / a / (1 / a + 1 / b), 5);
      },
    ),
    { numRuns: 60 },
  );
});

test('a round of samples over a large slate is made in steps of a few fixtures, and forgets those that have left', () => {
  const slate = new WireSlate();
  const events = Array.from({ length: 30 }, (_, index) => `f${index}`);
  slate.feed(
    events.flatMap((event) => [
      football(event, `Home ${event}`, `Away ${event}`),
      quoteOf(event, 'crown', 'totals', 2.5, [1.9, 1.95]),
    ]),
    T0,
  );
  const { movements } = slate.queries;
  const sampled = () =>
    slate.queries.slate
      .peek(T0)
      .filter((fixture) => movements.since(fixture, 'totals', { sinceMs: T0, seesSharp: false }) !== null)
      .length;
  movements.step(T0);
  const first = sampled();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(10);
  for (let step = 0; step < events.length; step++) movements.step(T0);
  expect(sampled()).toBe(events.length);
});

test('a total beyond a hundred is kept exactly, in samples and when it is compared', () => {
  const slate = new WireSlate();
  const event = { ...football('lal', 'Lakers', 'Celtics'), sport: 'basketball' };
  slate.feed([event, quoteOf('lal', 'crown', 'totals', 230.5, [1.9, 1.95])], T0);
  slate.queries.movements.step(T0);
  const [fixture] = slate.queries.slate.peek(T0);
  const asked = { sinceMs: T0, seesSharp: false };
  expect(slate.queries.movements.since(fixture!, 'totals', asked)!.from.line).toBe(230.5);
  const question = { marketType: 'totals', period: 'full_time', seesSharp: false } as const;
  const { markets } = slate.queries;
  expect(markets.compare(fixture!, { ...question, line: 230.5 }).judged).not.toBeNull();
  expect(markets.compare(fixture!, { ...question, line: 220.5 }).judged).toBeNull();
});
