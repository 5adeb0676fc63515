// compare_prob on made-up slates: tiers, refusals, caveats, and prices that cannot be compared. The oracle
// tests it on real recordings (against-oracle.ts).

import { describe, expect, test } from 'bun:test';
import { ServiceError, ValidationError } from '../../../src/errors.ts';
import { compareProbTool } from '../../../src/tools/prices/compare-prob.ts';
import { failureOf } from '../../support/failure.ts';
import { basketball, football, quote, quoteOf, state, T0 } from '../made-up-slate.ts';
import { type Answer, FREE, WireSlate } from '../wire-slate.ts';

describe('compare_prob', () => {
  const slate = new WireSlate();
  slate.feed(
    [
      football('ars-che', 'Arsenal', 'Chelsea'),
      ...quote('ars-che', 'crown', '1x2', null, [1.9, 3.6, 4.2]),
      ...quote('ars-che', 'pinnacle', '1x2', null, [1.95, 3.7, 4.3]),
      ...quote('ars-che', 'crown', 'asian_handicap', -0.75, [1.9, 1.9]),
      ...quote('ars-che', 'sbobet', 'totals', 3, [1.9, 1.96]),
      ...quote('ars-che', 'crown', 'totals', 3, [1.92, 1.94], 'suspended'),
      quoteOf('ars-che', 'crown', '1x2', null, [2.5, 2.0, 4.8], { period: 'half_time' }),
      football('ars-ful', 'Arsenal', 'Fulham', '2026-03-08T15:00:00Z'),
      ...quote('ars-ful', 'pinnacle', '1x2', null, [1.5, 4.5, 7]),
      ...quote('ars-ful', 'pinnacle', 'asian_handicap', -1.5, [2.1, 1.8]),
      ...quote('ars-ful', 'crown', 'asian_handicap', -1.25, [1.9, 1.9], 'suspended'),
      football('lee-wol', 'Leeds', 'Wolves'),
      ...quote('lee-wol', 'crown', '1x2', null, [1.9, 3.6, 4.2], 'suspended'),
      ...quote('lee-wol', 'crown', 'asian_handicap', 0, [2.2, 2.2]),
      basketball('lal-bos', 'Lakers', 'Celtics'),
      ...quote('lal-bos', 'pinnacle', '1x2', null, [1.3, 3.9]),
    ],
    T0,
  );
  const ask = slate.caller(compareProbTool);
  const failureOfAsk = (input: unknown) => failureOf(ask(input));

  test('fills every field, and uses the sharp book for a paying caller', async () => {
    const answer = await ask({
      query: 'Arsenal v Chelsea',
      external_prob: 0.48,
      external_label: 'Polymarket',
    });
    expect(answer).toMatchObject({
      status: 'ok',
      market_type: '1x2',
      period: 'full_time',
      outcome: 'home',
      line: null,
      fair_from: 'pinnacle',
      external_prob: 0.48,
      external_label: 'Polymarket',
      verdict: 'good',
      devig_method: 'power',
      as_of: new Date(T0).toISOString(),
      stale: false,
      ask_user: null,
    });
    expect(answer.summary).toMatch(
      /^Arsenal vs Chelsea, full-time 1x2: Pinnacle's fair probability of Arsenal is 50\.\d% .* against 48% at Polymarket, \+2\.\d+ percentage points.*: a good edge\.$/,
    );
    expect(answer.caveats).toEqual([
      'The price settles on regulation time only (90 minutes and stoppage time); extra time and penalties do not count.',
    ]);
  });

  test('states that confidence is reduced if the fair price is not from the sharp book', async () => {
    const free = await ask({ query: 'Arsenal v Chelsea', external_prob: 0.48 }, T0, FREE);
    expect(free.fair_from).toBe('crown');
    expect(String(free.caveats)).toContain('not part of the free tier');
    const paid = await ask({
      query: 'Arsenal v Chelsea',
      external_prob: 0.5,
      outcome: 'over',
      market_type: 'totals',
    });
    expect(paid.fair_from).toBe('sbobet');
    expect(String(paid.caveats)).toContain('not from the sharp book');
  });

  test('an outcome that the market lacks is invalid_request, and the fix names the outcomes', async () => {
    const cases = [
      [{ query: 'Arsenal v Chelsea', market_type: 'totals' }, 'Send outcome as over or under'],
      [{ query: 'nobody', market_type: 'totals' }, 'Send outcome as over or under'],
      [
        { query: 'Arsenal v Chelsea', outcome: 'draw', market_type: 'asian_handicap' },
        'Send outcome as home or away',
      ],
      [
        { query: 'Arsenal v Chelsea', outcome: 'over', market_type: '1x2' },
        'Send outcome as home, draw or away',
      ],
      [{ query: 'Lakers', outcome: 'draw' }, 'Send outcome as home or away'],
    ] as const;
    for (const [input, fix] of cases) {
      const failure = await failureOfAsk({ external_prob: 0.5, ...input });
      expect(failure).toBeInstanceOf(ServiceError);
      expect((failure as ServiceError).code).toBe('invalid_request');
      expect((failure as ServiceError).fix).toBe(fix);
    }
  });

  test('external_prob outside the open interval is 422', async () => {
    for (const external_prob of [...[0, 1, -0.1, 1.5, '0.5', null, undefined], Number.NaN, Infinity]) {
      expect(await failureOfAsk({ query: 'Lakers', external_prob })).toBeInstanceOf(ValidationError);
    }
  });

  test('an expected return that is too large for a number is null, not Infinity', async () => {
    const answer = await ask({ query: 'Lakers', external_prob: 5e-324 });
    expect(answer.ev_roi).toBeNull();
    expect(answer.verdict).toBe('marginal');
    const large = await ask({ query: 'Lakers', external_prob: 1e-308 });
    expect(Number.isFinite(large.ev_roi)).toBe(true);
    expect(large.summary).not.toContain('Infinity');
  });

  test('status is no_line if nothing is quoted, if all quotes are suspended, or if the sharpest book leaves no margin', async () => {
    const cases = [
      [{ query: 'Leeds', market_type: 'totals', outcome: 'over' }, 'no book quotes the full-time totals'],
      [{ query: 'Leeds' }, 'every book has suspended the full-time 1x2'],
      [{ query: 'Leeds', market_type: 'asian_handicap' }, 'can have its margin removed'],
    ] as const;
    for (const [input, reason] of cases) {
      const answer = await ask({ external_prob: 0.5, ...input });
      expectNoLine(answer);
      expect(answer.summary).toContain(reason);
      expect(answer.match).not.toBeNull();
    }
    const sharpOnly = { query: 'Arsenal v Fulham', external_prob: 0.5 };
    expect((await ask(sharpOnly)).status).toBe('ok');
    expectNoLine(await ask(sharpOnly, T0, FREE));
  });

  test('caveats name returned stakes, half bets, suspensions, the first half, a match in play, and the age of prices', async () => {
    const totals = await ask({
      query: 'Arsenal v Chelsea',
      external_prob: 0.5,
      market_type: 'totals',
      outcome: 'under',
    });
    expect(totals.line).toBe(3);
    expect(String(totals.caveats)).toContain('whole line 3 the stake is returned');
    expect(String(totals.caveats)).toContain('1 of 2 books have suspended');
    const handicap = await ask({
      query: 'Arsenal v Chelsea',
      external_prob: 0.5,
      market_type: 'asian_handicap',
      outcome: 'away',
    });
    expect(String(handicap.caveats)).toContain('quarter line -0.75 settles in two halves');
    expect(String(handicap.caveats)).not.toContain('from now on');
    expect(handicap.summary).toContain('probability of Chelsea +0.75 is');
    const half = await ask({ query: 'Arsenal v Chelsea', external_prob: 0.5, period: 'half_time' });
    expect(String(half.caveats)).toContain('first half only');
    expect(String(half.caveats)).not.toContain('regulation');
    const pick = await ask({ query: 'Arsenal v Fulham', external_prob: 0.5, market_type: 'asian_handicap' });
    expect(pick.line).toBe(-1.5);
    expect(String(pick.caveats)).not.toMatch(/push|halves|suspended/);
    const over = new WireSlate();
    over.feed(
      [
        football('a-b', 'Reading', 'Burnley', '2026-03-01T09:00:00Z'),
        ...quote('a-b', 'crown', '1x2', null, [1.9, 3.6, 4.2]),
      ],
      T0,
    );
    const finished = await over.caller(compareProbTool)({ query: 'Reading', external_prob: 0.5 }, T0);
    expect(finished).toMatchObject({ status: 'no_line', caveats: [] });
    expect(finished.summary).toContain('has finished');
    const old = await ask({ query: 'Arsenal v Chelsea', external_prob: 0.5 }, T0 + 299_000);
    expect([old.stale, String(old.caveats).includes('stale')]).toEqual([false, false]);
    const live = new WireSlate();
    live.feed(
      [
        football('a-b', 'Reading', 'Burnley'),
        ...quote('a-b', 'crown', 'asian_handicap', 0, [1.9, 1.95]),
        state('a-b', 'live', [1, 0], '1h 30'),
      ],
      T0,
      false,
    );
    const input = { query: 'Reading', external_prob: 0.5, market_type: 'asian_handicap' };
    const inPlay = await live.caller(compareProbTool)(input, T0 + 60_000);
    expect(String(inPlay.caveats)).toContain('live at 1-0');
    expect(String(inPlay.caveats)).toContain('from now on');
    const unconfirmed = await live.caller(compareProbTool)(input, T0 + 60_001);
    expect(unconfirmed).toMatchObject({ status: 'no_line', stale: true, fair_prob: null });
    expect(unconfirmed.summary).toContain('has not confirmed any price');
  });
});

function expectNoLine(answer: Answer): void {
  expect(answer).toMatchObject({
    status: 'no_line',
    line: null,
    fair_prob: null,
    fair_decimal: null,
    fair_from: null,
    edge_pp: null,
    ev_roi: null,
    verdict: null,
    devig_method: null,
  });
}
