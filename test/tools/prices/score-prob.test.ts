// score_prob on made-up slates: live scores, suspended markets, prices that allow no fit, tiers and refusals.
// score-prob.recordings.test.ts tests it on real recordings.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ValidationError } from '../../../src/errors.ts';
import { scoreProbTool } from '../../../src/tools/prices/score-prob.ts';
import { failureOf } from '../../support/failure.ts';
import { basketball, football, quote, quoteOf, state, T0 } from '../made-up-slate.ts';
import { type Answer, FREE, PAID, type Wire, WireSlate } from '../wire-slate.ts';

const MATCH = football('a-b', 'Reading', 'Burnley');
const RESULT = quote('a-b', 'pinnacle', '1x2', null, [1.8, 3.7, 4.8]);
const TOTALS = quote('a-b', 'crown', 'totals', 2.5, [1.95, 1.95]);
const HANDICAP = quote('a-b', 'sbobet', 'asian_handicap', -0.75, [2.02, 1.9]);
const OPEN = [MATCH, ...RESULT, ...TOTALS, ...HANDICAP];
const NOTHING = {
  scores: [],
  top_cum: null,
  implied_1x2: null,
  lambda_home: null,
  lambda_away: null,
  rho: null,
  ah_ev_check: null,
  fair_from: null,
};

async function ask(
  wires: readonly Wire[],
  options: { input?: object; principal?: typeof PAID } = {},
): Promise<Answer> {
  const slate = new WireSlate({ fixtures: 8, quotesPerFixture: 64, openingsPerFixture: 64 });
  slate.feed(wires, T0);
  const input = { query: 'Reading', ...options.input };
  return slate.caller(scoreProbTool)(input, T0, options.principal ?? PAID);
}

function scoresOf(answer: Answer): { score: string; prob: number }[] {
  return answer.scores as { score: string; prob: number }[];
}

describe('score_prob', () => {
  test('answers five scores before kickoff, most likely first, and a sentence', async () => {
    const answer = await ask(OPEN);
    expect(answer).toMatchObject({
      status: 'ok',
      query: 'Reading',
      fair_from: 'pinnacle',
      fair_method: 'power',
      stale: false,
      ask_user: null,
    });
    const scores = scoresOf(answer);
    expect(scores).toHaveLength(5);
    expect(scores.map(({ prob }) => prob)).toEqual(scores.map(({ prob }) => prob).toSorted((a, b) => b - a));
    expect(
      Math.abs(scores.reduce((sum, { prob }) => sum + prob, 0) - (answer.top_cum as number)),
    ).toBeLessThan(3e-4);
    expect(answer.lambda_home as number).toBeGreaterThan(answer.lambda_away as number);
    expect(answer.summary).toMatch(
      /^Reading vs Burnley: the likeliest full-time scores are \d-\d \([\d.]+%\), \d-\d \([\d.]+%\) and \d-\d \([\d.]+%\), the 5 listed cover [\d.]+%; Pinnacle's prices imply [\d.]+ goals for Reading and [\d.]+ for Burnley\.$/,
    );
  });

  test('top may be 1 to 10; any other number, or one that is not whole, is 422', async () => {
    for (const top of [1, 10]) expect(scoresOf(await ask(OPEN, { input: { top } }))).toHaveLength(top);
    for (const top of [0, 11, 2.5, '3']) {
      expect(await failureOf(ask(OPEN, { input: { top } }))).toBeInstanceOf(ValidationError);
    }
  });

  test('live scores are of the full match, never below the current score, and the rates are of the goals to come', async () => {
    const score = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }));
    await fc.assert(
      fc.asyncProperty(score, async ([home, away]) => {
        const answer = await ask(
          [
            MATCH,
            ...quote('a-b', 'crown', '1x2', null, resultPrices(home - away)),
            ...quote('a-b', 'crown', 'totals', home + away + 0.75, [1.95, 1.95]),
            state('a-b', 'live', [home, away], '2h 60'),
          ],
          { input: { top: 10 } },
        );
        expect(scoresOf(answer).length).toBe(10);
        for (const { score: text } of scoresOf(answer)) {
          const [fullHome, fullAway] = text.split('-').map(Number) as [number, number];
          expect(fullHome >= home && fullAway >= away).toBe(true);
        }
        expect((answer.lambda_home as number) + (answer.lambda_away as number)).toBeLessThan(1.5);
        expect(answer.summary).toContain(`from ${home}-${away} now`);
        expect(answer.summary).toContain('more goals');
      }),
      { numRuns: 16 },
    );
  });

  test('a totals line that the goals have reached is ignored, and a line above the goals is used', async () => {
    const live = state('a-b', 'live', [1, 1], '2h 60');
    const result = quote('a-b', 'crown', '1x2', null, resultPrices(0));
    const reached = ['crown', 'sbobet', 'macau'].flatMap((book) =>
      quote('a-b', book, 'totals', 2, [1.2, 4.6]),
    );
    const above = quote('a-b', 'crown', 'totals', 2.75, [1.95, 1.95]);
    const answer = await ask([MATCH, ...result, ...reached, ...above, live]);
    expect(scoresOf(answer)).toHaveLength(5);
    const alone = await ask([MATCH, ...result, ...above, live]);
    expect({ ...answer, query: '' }).toEqual({ ...alone, query: '' });
    const decided = await ask([MATCH, ...result, ...reached, live]);
    expect(decided).toMatchObject({ status: 'no_line', ...NOTHING });
    expect(decided.summary).toContain('already reached every open totals line');
  });

  test('if the 1x2 is suspended, the handicap gives the supremacy, and is no longer a check', async () => {
    const suspended = quote('a-b', 'pinnacle', '1x2', null, [1.8, 3.7, 4.8], 'suspended');
    const answer = await ask([MATCH, ...suspended, ...TOTALS, ...HANDICAP]);
    expect(answer).toMatchObject({ fair_from: 'sbobet', ah_ev_check: null });
    expect(scoresOf(answer)).toHaveLength(5);
    const open = await ask(OPEN);
    expect(open.ah_ev_check).not.toBeNull();
    expect(Math.abs((open.lambda_home as number) - (answer.lambda_home as number))).toBeLessThan(0.2);
    expect((await ask([MATCH, ...RESULT, ...TOTALS])).ah_ev_check).toBeNull();
  });

  test('half-time prices are not used', async () => {
    const halves = [
      quoteOf('a-b', 'pinnacle', '1x2', null, [8, 4, 1.4], { period: 'half_time' }),
      quoteOf('a-b', 'pinnacle', 'totals', 1, [2.1, 1.8], { period: 'half_time' }),
    ];
    expect(await ask([...OPEN, ...halves])).toEqual(await ask(OPEN));
    expect(await ask([MATCH, ...halves])).toMatchObject(NOTHING);
  });

  test('if no model fits, the answer has no scores and gives the reason', async () => {
    const cases: [string, Wire[]][] = [
      ['no book has a usable open full-time totals price', [MATCH, ...RESULT, ...HANDICAP]],
      [
        'no book has a usable open full-time totals price',
        [MATCH, ...RESULT, ...quote('a-b', 'crown', 'totals', 2.5, [2.1, 2.1])],
      ],
      ['no book has a usable open full-time 1x2 or Asian handicap price', [MATCH, ...TOTALS]],
      [
        'contradict each other',
        [
          MATCH,
          ...quote('a-b', 'crown', '1x2', null, [30, 1.07, 30]),
          ...quote('a-b', 'crown', 'totals', 6.5, [1.9, 1.9]),
        ],
      ],
      ['its current score is not known', [...OPEN, state('a-b', 'live', null, '1h 1')]],
      ['has finished 2-1', [...OPEN, state('a-b', 'finished', [2, 1], '')]],
    ];
    for (const [reason, wires] of cases) {
      const answer = await ask(wires);
      expect(answer).toMatchObject({ status: 'no_line', ...NOTHING });
      expect(answer.summary).toContain(reason);
      expect(answer.match).not.toBeNull();
    }
  });

  test('prices at the limits of what the feed allows give an answer, not a failure', async () => {
    const price = fc.constantFrom(1.0001, 1.01, 1.5, 2, 3.4, 50, 5_000, 200_000);
    const prices = fc.array(price, { minLength: 7, maxLength: 7 });
    const line = fc.integer({ min: -40, max: 40 });
    const goals = fc.option(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 })), {
      nil: null,
    });
    await fc.assert(
      fc.asyncProperty(prices, line, goals, async (values, quarters, score) => {
        const answer = await ask([
          MATCH,
          ...quote('a-b', 'crown', '1x2', null, values.slice(0, 3)),
          ...quote('a-b', 'crown', 'totals', Math.abs(quarters) / 4, values.slice(3, 5)),
          ...quote('a-b', 'crown', 'asian_handicap', quarters / 4, values.slice(5, 7)),
          ...(score === null ? [] : [state('a-b', 'live', score, '1h 1')]),
        ]);
        expect(answer.status).toBe(scoresOf(answer).length === 0 ? 'no_line' : 'ok');
        for (const { prob } of scoresOf(answer)) expect(prob >= 0 && prob <= 1).toBe(true);
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  // sharp-gate.test.ts tests that no number in a free answer comes from the sharp book.
  test('the sentence for free callers states that the sharp book is not part of their tier', async () => {
    const crown = quote('a-b', 'crown', '1x2', null, [1.85, 3.5, 4.4]);
    const free = await ask([...OPEN, ...crown], { principal: FREE });
    expect(free.fair_from).toBe('crown');
    expect(free.summary).toContain('The sharp book is not part of the free tier');
  });

  test('a basketball team of the same name does not make the question ambiguous', async () => {
    const namesake = await ask([...OPEN, basketball('a-d', 'Reading', 'Derby')]);
    expect((namesake.match as Answer).away_team).toBe('Burnley');
  });
});

/**
 * 1x2 prices with half an hour to go and the given lead. When the score is level, a draw is the most likely
 * result.
 */
function resultPrices(lead: number): number[] {
  const level = [
    [3.4, 2.0, 3.6],
    [1.22, 6, 21],
    [1.04, 17, 101],
    [1.01, 40, 200],
  ][Math.abs(lead)]!;
  return lead < 0 ? level.toReversed() : level;
}
