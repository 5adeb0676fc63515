// score_prob on real recordings, before kickoff and in play, for both tiers. Its rates, put into a plain
// Dixon-Coles grid, give back the fair prices that they were fitted to, the scores in its answer and its
// handicap check.

import { expect, test } from 'bun:test';
import { scoreProbTool } from '../../../src/tools/prices/score-prob.ts';
import { type Cell, oracleGrid } from '../../domain/goal-grid.ts';
import { recordingPath } from '../../support/recordings.ts';
import { consensusOf, linesOf, type Quote, sharpestOf, takesPart, visible } from '../oracle/lines.ts';
import { fairOf, shinOf } from '../oracle/odds.ts';
import { type PlainMatch, playRecording } from '../recording-play.ts';
import { type Answer, FREE, PAID } from '../wire-slate.ts';

/** Rates are rounded to 4 decimals, so values computed from them differ by a little more. */
const ROUNDING = 5e-4;

interface PlainFair {
  readonly probabilities: readonly number[];
  readonly bookmaker: string;
  readonly line: number | null;
}

interface FairPrices {
  readonly result: PlainFair | null;
  readonly totals: PlainFair | null;
  readonly handicap: PlainFair | null;
}

const plans = [
  { name: 'brazil-2022.ndjson', stopCount: 40, share: 4, liveAtLeast: 150 },
  { name: 'premier-league-2024-25.ndjson', stopCount: 6, share: 6, liveAtLeast: 0 },
];

for (const { name, stopCount, share, liveAtLeast } of plans) {
  const path = recordingPath(name);
  const note = path === null ? ' (skipped: the recordings are not beside the checkout)' : '';
  test.skipIf(path === null)(
    `score_prob gives back the fair prices of ${name}, both tiers${note}`,
    async () => {
      const counts = { fitted: 0, live: 0, liveFitted: 0, unfit: 0 };
      await playRecording(path!, stopCount, async ({ stop, slate, nowMs, pairs }) => {
        const ask = slate.caller(scoreProbTool);
        for (const [index, { fixture, plain }] of pairs.entries()) {
          if (fixture.status === 'finished' || (!fixture.isLive && index % share !== stop % share)) continue;
          const score = fixture.isLive ? plain.score! : ([0, 0] as [number, number]);
          for (const principal of [PAID, FREE]) {
            const fair = fairPrices(plain, score, principal.seesSharp);
            const answer = await ask({ query: fixture.view.id, top: 10 }, nowMs, principal);
            const isFitted = (answer.scores as unknown[]).length > 0;
            expect(answer.status).toBe(isFitted ? 'ok' : 'no_line');
            const isLate = !fixture.isLive && nowMs >= fixture.view.scheduledAtMs;
            const couldFit = !isLate && fair.totals !== null && (fair.result ?? fair.handicap) !== null;
            if (isFitted) expectGivesBack(answer, fair, score);
            if (!couldFit) expect(isFitted).toBe(false);
            if (!fixture.isLive && couldFit) expect(isFitted).toBe(true);
            if (couldFit && fixture.isLive) counts.live++;
            if (isFitted && fixture.isLive) counts.liveFitted++;
            if (isFitted) counts.fitted++;
            else counts.unfit++;
          }
        }
      });
      expect(counts.fitted).toBeGreaterThan(250);
      expect(counts.live).toBeGreaterThanOrEqual(liveAtLeast);
      // Bookmakers of one recorded minute sometimes contradict each other. Then no model fits, and the answer
      // must have no scores.
      expect(counts.liveFitted).toBeGreaterThanOrEqual(0.9 * counts.live);
    },
    120_000,
  );
}

function fairPrices(match: PlainMatch, [home, away]: [number, number], seesSharp: boolean): FairPrices {
  const quotes = visible(match.quotes.values(), seesSharp).filter(
    (quote) => takesPart(quote) && quote.period === 'full_time',
  );
  const of = (market: string) => quotes.filter((quote) => quote.market_type === market);
  const handicap = plainFair(of('asian_handicap'));
  return {
    result: resultFair(of('1x2'), home - away, handicap !== null),
    totals: plainFair(of('totals').filter((quote) => quote.line! > home + away)),
    handicap,
  };
}

/** Fair probabilities of the sharpest bookmaker's quote on the consensus line of one market. */
function plainFair(quotes: readonly Quote[]): PlainFair | null {
  const consensus = consensusOf(linesOf(quotes));
  const sharpest = consensus === null ? null : sharpestOf(consensus);
  if (sharpest === null) return null;
  const { prices, bookmaker, line, market_type } = sharpest;
  return { probabilities: fairOf(market_type, prices)!, bookmaker, line };
}

/**
 * The 1x2 in the form in which the fit uses it: with Shin's probabilities if a side leads by two or more. It
 * is not used if there is a handicap and one of its prices is at the lowest step.
 */
function resultFair(quotes: readonly Quote[], lead: number, hasHandicap: boolean): PlainFair | null {
  const fair = plainFair(quotes);
  if (fair === null) return null;
  const prices = quotes.find((quote) => quote.bookmaker === fair.bookmaker)!.prices;
  if (hasHandicap && Math.min(...prices) <= 1.02) return null;
  return Math.abs(lead) < 2 ? fair : { ...fair, probabilities: shinOf(prices) };
}

function expectGivesBack(answer: Answer, fair: FairPrices, [scoreHome, scoreAway]: [number, number]): void {
  const { lambda_home, lambda_away, rho } = answer as Record<string, number>;
  const grid = oracleGrid({ lambdaHome: lambda_home!, lambdaAway: lambda_away!, rho: rho! });
  const lead = scoreHome - scoreAway;
  function probabilityOf(sign: number): number {
    return expected(grid, (x, y) => (Math.sign(x - y + lead) === sign ? 1 : 0));
  }
  const implied = { home: probabilityOf(1), draw: probabilityOf(0), away: probabilityOf(-1) };
  const answered = answer.implied_1x2 as typeof implied;
  for (const outcome of ['home', 'draw', 'away'] as const) {
    expect(Math.abs(answered[outcome] - implied[outcome])).toBeLessThan(ROUNDING);
  }

  const { result, totals, handicap } = fair;
  const totalsFair = totals!;
  const over = totalsFair.probabilities[0]!;
  const goals = scoreHome + scoreAway;
  const totalsGain = expected(grid, (x, y) => settledGain(x + y + goals, totalsFair.line!, 1 / over));
  expect(Math.abs(totalsGain * over)).toBeLessThan(ROUNDING);
  function handicapGain({ line, probabilities }: PlainFair): number {
    return expected(grid, (x, y) => settledGain(x - y, -line!, 1 / probabilities[0]!));
  }
  if (result !== null) {
    expect(answer.fair_from).toBe(result.bookmaker);
    const [home, draw, away] = result.probabilities as [number, number, number];
    expect(Math.abs(implied.home - implied.away - (home - away))).toBeLessThan(0.02);
    expect(Math.abs(implied.draw - draw)).toBeLessThan(0.05 + ROUNDING);
    if (handicap === null) expect(answer.ah_ev_check).toBeNull();
    else expect(Math.abs((answer.ah_ev_check as number) - handicapGain(handicap))).toBeLessThan(2 * ROUNDING);
  } else {
    expect(answer.fair_from).toBe(handicap!.bookmaker);
    expect(answer.ah_ev_check).toBeNull();
    expect(Math.abs(handicapGain(handicap!) * handicap!.probabilities[0]!)).toBeLessThan(ROUNDING);
  }
  expectTopScores(answer, grid, [scoreHome, scoreAway]);
}

function expectTopScores(
  answer: Answer,
  grid: readonly Cell[],
  [scoreHome, scoreAway]: [number, number],
): void {
  const scores = answer.scores as { score: string; prob: number }[];
  const likeliest = grid.map(({ probability }) => probability).sort((left, right) => right - left);
  expect(scores).toHaveLength(10);
  expect(new Set(scores.map(({ score }) => score)).size).toBe(10);
  scores.forEach(({ score, prob }, index) => {
    const [fullHome, fullAway] = score.split('-').map(Number) as [number, number];
    const exact = grid.find(
      ({ home, away }) => home === fullHome - scoreHome && away === fullAway - scoreAway,
    );
    expect(Math.abs(prob - exact!.probability)).toBeLessThan(ROUNDING);
    expect(Math.abs(prob - likeliest[index]!)).toBeLessThan(ROUNDING);
  });
  const covered = likeliest.slice(0, 10).reduce((sum, probability) => sum + probability, 0);
  expect(Math.abs((answer.top_cum as number) - covered)).toBeLessThan(ROUNDING);
}

/** The expected value of `value(home, away)` over the goals still to come. */
function expected(grid: readonly Cell[], value: (home: number, away: number) => number): number {
  return grid.reduce((total, { home, away, probability }) => total + probability * value(home, away), 0);
}

/** The gain of one unit at decimal `price` on more than `line`; a quarter line is settled in halves. */
function settledGain(difference: number, line: number, price: number): number {
  const lines = Number.isInteger(line * 2) ? [line, line] : [line - 0.25, line + 0.25];
  const gains = lines.map((half) => (difference > half ? price - 1 : difference === half ? 0 : -1));
  return (gains[0]! + gains[1]!) / 2;
}
