// Compares the record of a simulated season with the truth. The simulation knows the rates at which both
// sides score, and the real edge of every signal follows from them.

import { describe, expect, test } from 'bun:test';
import { encodeId, entityNumber } from '../../src/domain/ids.ts';
import { backtest } from '../../src/record/backtest.ts';
import type { GradedSignal } from '../../src/record/recorded-signal.ts';
import { poisson } from '../domain/goal-grid.ts';
import { type Season, simulatedSeason } from './simulated-season.ts';

const GOALS = 16;
const RESULTS = ['win', 'half_win', 'push', 'half_loss', 'loss'] as const;

interface Judged {
  readonly signal: GradedSignal;
  /** The real edge in per cent, computed from the results that settle the bet. */
  readonly trueEdgePct: number;
  /** The probability of each result, in the order of RESULTS. */
  readonly chances: readonly number[];
  readonly trueReturn: number;
}

describe('a simulated season', () => {
  const season = simulatedSeason(11, 190);
  for (const reference of ['sharp', 'consensus']) {
    test(`a simulated season against ${reference}: CLV, yield and results agree with the truth`, async () => {
      const { data, signals } = await backtest(played(season), {
        windows: { liveMs: 60_000, prematchMs: 300_000 },
        ...{ kinds: ['value'], reference, minEdgePct: 1, maxEdgePct: 10, groupBy: null, eachBookmaker: true },
      });
      expect(signals.length).toBeGreaterThan(3_300);
      const judged = signals.map((signal) => judge(signal, season));
      const closed = judged.filter(({ signal }) => signal.clv_pct !== null);
      expect(closed.length).toBeGreaterThan(0.98 * signals.length);
      expectNone(closed, ({ signal, trueEdgePct }) => signal.clv_pct! - trueEdgePct);
      // The closing price contains more news than the price at which the signal opened, so its fair price is
      // nearer to the truth.
      const [atClose, atOpening] = [
        spread(closed, ({ signal, trueEdgePct }) => signal.clv_pct! - trueEdgePct),
        spread(closed, ({ signal, trueEdgePct }) => signal.edge_pct - trueEdgePct),
      ];
      expect(atClose).toBeLessThan(0.7 * atOpening);
      // If both sides of a handicap were exchanged, the means alone would not reveal it.
      const scores = scoresOf(season);
      for (const signal of signals) {
        const [home, away] = scores.get(`${signal.event_id} ${signal.period}`)!;
        const { id, result } = signal;
        expect({ id, result }).toEqual({ id, result: resultOf(signal, home, away) });
      }
      const [row] = data;
      const truePct = 100 * clustered(judged, ({ trueReturn }) => trueReturn).mean;
      expect(truePct).toBeWithin(row!.yield_low_pct!, row!.yield_high_pct!);
      for (const [index, result] of RESULTS.entries()) {
        expectNone(judged, ({ signal, chances }) => (signal.result === result ? 1 : 0) - chances[index]!);
      }
    });
  }

  test('a bookmaker whose prices alone are wrong is judged only by the other bookmakers, at the opening and at the close', async () => {
    const wrong = simulatedSeason(12, 120, 'hkjc');
    const { signals } = await backtest(played(wrong), {
      windows: { liveMs: 60_000, prematchMs: 300_000 },
      ...{ kinds: ['value'], reference: 'consensus', bookmakers: ['hkjc'], groupBy: null },
      ...{ minEdgePct: 0, maxEdgePct: 20 },
    });
    expect(signals.length).toBeGreaterThan(300);
    const judged = signals.map((signal) => judge(signal, wrong));
    expectNone(judged, ({ signal, trueEdgePct }) => signal.clv_pct! - trueEdgePct);
    expectNone(judged, ({ signal, trueEdgePct }) => signal.edge_pct - trueEdgePct);
  });
});

/** Checks a mean that is 0 except for chance: it must be within four of its standard errors. */
function expectNone(judged: readonly Judged[], measure: (one: Judged) => number): void {
  const { mean, error } = clustered(judged, measure);
  expect(Math.abs(mean)).toBeLessThan(4 * error);
}

function spread(judged: readonly Judged[], measure: (one: Judged) => number): number {
  return Math.sqrt(judged.reduce((sum, one) => sum + measure(one) ** 2, 0) / judged.length);
}

/** Every score that its feed sent at half time and at the end, by event id and period. */
function scoresOf({ batches }: Season): ReadonlyMap<string, readonly [number, number]> {
  const scores = new Map<string, readonly [number, number]>();
  for (const { messages } of batches) {
    for (const message of messages) {
      const { type, event, clock, score } = message as Readonly<
        Record<'type' | 'event' | 'clock', string>
      > & {
        readonly score: readonly [number, number];
      };
      const id = event === undefined ? '' : encodeId('event', entityNumber('event', 0, event));
      if (type === 'result') scores.set(`${id} full_time`, score);
      if (type === 'state' && clock === 'ht') scores.set(`${id} half_time`, score);
    }
  }
  return scores;
}

async function* played({ batches }: Season) {
  yield* batches;
}

/** The mean, and its standard error if the signals of one match depend on each other. */
function clustered(judged: readonly Judged[], measure: (one: Judged) => number) {
  const mean = judged.reduce((sum, one) => sum + measure(one), 0) / judged.length;
  const byMatch = new Map<string, number>();
  for (const one of judged) {
    const { event_id } = one.signal;
    byMatch.set(event_id, (byMatch.get(event_id) ?? 0) + measure(one) - mean);
  }
  const error =
    Math.sqrt([...byMatch.values()].reduce((sum, value) => sum + value * value, 0)) / judged.length;
  return { mean, error };
}

function judge(signal: GradedSignal, { rates }: Season): Judged {
  const [home, away] = rates.get(signal.event_id)![signal.period === 'full_time' ? 0 : 1]!;
  const chances = RESULTS.map(() => 0);
  for (let homeGoals = 0; homeGoals < GOALS; homeGoals++) {
    for (let awayGoals = 0; awayGoals < GOALS; awayGoals++) {
      const chance = poisson(homeGoals, home) * poisson(awayGoals, away);
      chances[RESULTS.indexOf(resultOf(signal, homeGoals, awayGoals))]! += chance;
    }
  }
  const [win, halfWin, , halfLoss, loss] = chances as [number, number, number, number, number];
  const won = win + halfWin / 2;
  const lost = loss + halfLoss / 2;
  return {
    signal,
    trueEdgePct: ((won / (won + lost)) * signal.price! - 1) * 100,
    chances,
    trueReturn: won * (signal.price! - 1) - lost,
  };
}

/** A quarter line is half a bet on each of the two neighbouring lines. It is computed in whole quarters. */
function resultOf({ market_type, outcome, line }: GradedSignal, home: number, away: number) {
  if (market_type === '1x2') {
    const won = home > away ? 'home' : home < away ? 'away' : 'draw';
    return won === outcome ? 'win' : 'loss';
  }
  const quarters = Math.round(line! * 4);
  const margin = market_type === 'totals' ? 4 * (home + away) - quarters : 4 * (home - away) + quarters;
  const own = outcome === 'home' || outcome === 'over' ? margin : -margin;
  if (own === 0) return 'push';
  if (Math.abs(own) === 1) return own > 0 ? 'half_win' : 'half_loss';
  return own > 0 ? 'win' : 'loss';
}
