// compare_prob on real recordings: every market and period, both tiers, compared with a plain computation of
// the same rules.

import { expect, test } from 'bun:test';
import { compareProbTool } from '../../src/tools/prices/compare-prob.ts';
import { recordingPath } from '../support/recordings.ts';
import { type PlainFair, plainFair, takingPart } from './plain-prices.ts';
import { playRecording } from './recording-play.ts';
import { type Answer, FREE, PAID } from './wire-slate.ts';

const EXTERNAL = 0.4;
const OUTCOMES = {
  '1x2': ['home', 'draw', 'away'],
  asian_handicap: ['home', 'away'],
  totals: ['over', 'under'],
} as const;
const MARKETS = ['1x2', 'asian_handicap', 'totals'] as const;
const PERIODS = ['full_time', 'half_time'] as const;
const QUESTIONS = MARKETS.flatMap((market) =>
  PERIODS.flatMap((period) => [PAID, FREE].map((principal) => ({ market, period, principal }))),
);

for (const name of ['brazil-2022.ndjson', 'premier-league-2024-25.ndjson']) {
  const path = recordingPath(name);
  const note = path === null ? ' (skipped: the recordings are not beside the checkout)' : '';
  test.skipIf(path === null)(
    `compare_prob equals the plain rules on ${name}, every market, both tiers${note}`,
    async () => {
      const counts: Record<string, number> = { ok: 0, no_line: 0 };
      await playRecording(path!, 6, async ({ stop, slate, nowMs, pairs }) => {
        const ask = slate.caller(compareProbTool);
        // A fixture has twelve questions; each stop asks all of them for another third of the slate.
        const some = pairs.filter((_, index) => index % 3 === stop % 3);
        for (const [index, { fixture, plain }] of some.entries()) {
          for (const { market, period, principal } of QUESTIONS) {
            const quotes = [...plain.quotes.values()].filter(
              (held) => held.market_type === market && held.period === period,
            );
            const outcomeIndex = index % OUTCOMES[market].length;
            const isOver =
              fixture.status === 'finished' ||
              (period === 'half_time' && fixture.isLive && !fixture.view.facts.clock?.startsWith('1h'));
            const fair = isOver ? null : plainFair(takingPart(quotes, principal.seesSharp));
            const input = {
              query: fixture.view.id,
              outcome: OUTCOMES[market][outcomeIndex],
              external_prob: EXTERNAL,
              market_type: market,
              period,
            };
            const answer = await ask(input, nowMs, principal);
            counts[String(answer.status)]!++;
            if (fair === null)
              expect(answer).toMatchObject({ status: 'no_line', fair_prob: null, fair_from: null });
            else
              expectFair(answer, fair, { outcomeIndex, method: market === '1x2' ? 'power' : 'proportional' });
          }
        }
      });
      expect(counts.ok).toBeGreaterThan(200);
      expect(counts.no_line).toBeGreaterThan(50);
    },
    120_000,
  );
}

function expectFair(
  answer: Answer,
  fair: PlainFair,
  { outcomeIndex, method }: { outcomeIndex: number; method: string },
): void {
  const probability = fair.probabilities[outcomeIndex]!;
  expect(answer).toMatchObject({
    status: 'ok',
    fair_from: fair.bookmaker,
    line: fair.line,
    devig_method: method,
  });
  // Each number is rounded once: half a unit of its last decimal, and a little more.
  expectNear(answer.fair_prob, probability, 5.1e-5);
  expectNear(answer.fair_decimal, 1 / probability, 5.1e-5);
  expectNear(answer.edge_pp, (probability - EXTERNAL) * 100, 5.1e-3);
  expectNear(answer.ev_roi, probability / EXTERNAL - 1, 5.1e-5);
}

function expectNear(value: unknown, wanted: number, tolerance: number): void {
  expect(Math.abs((value as number) - wanted)).toBeLessThan(tolerance);
}
