// The pool's result, if every hit of each fixture is requested, equals that of the kernel on this thread,
// however many hits there are and whichever worker dies.

import { afterEach, describe, expect, test } from 'bun:test';
import { Random } from '../../src/domain/random.ts';
import { fixtureHits } from '../../src/scoring/fixture-hits.ts';
import { spawnScoringWorker } from '../../src/scoring/scoring-workers.ts';
import { startPool, stopPools } from './pool-stand.ts';
import { type PlainFixture, type Slate, slateOf } from './slate.ts';
import { BEFORE_KICKOFF, USUAL_CRITERIA } from './usual-criteria.ts';

const CRITERIA = { ...USUAL_CRITERIA, maxEdge: 1, maxMargin: 1 };
const SHARP = 4;

afterEach(stopPools);

/**
 * Fixtures with this number of totals lines (`lines`), each with two bookmakers.
 * @param generosity probability that a line has value and arbitrage
 */
function slateOfHits(count: number, lines: number, generosity: number): Slate {
  const random = new Random(1);
  return slateOf(
    Array.from(
      { length: count },
      (_, index): PlainFixture => ({
        eventNumber: index + 1,
        sport: 0,
        quotes: Array.from({ length: lines }, (_, line) => {
          const pricesE4 = random.unit() < generosity ? [22_000, 21_000] : [18_000, 19_000];
          const quote = { market: 2, period: 0, lineQuarters: 2 + line, status: 0 };
          return [
            { ...quote, bookmaker: 0, pricesE4 },
            { ...quote, bookmaker: SHARP, pricesE4: [19_500, 19_500] },
          ];
        }).flat(),
      }),
    ),
  );
}

function expected({ reader }: Slate, eventNumbers: readonly number[]) {
  return eventNumbers.map((eventNumber) => {
    const hits = fixtureHits(reader, eventNumber, CRITERIA, BEFORE_KICKOFF)!;
    const { sharpLeftOutCount: _, reference: __, ...score } = hits;
    return score;
  });
}

describe('ScoringPool.scanHits', () => {
  test('reports every hit of every fixture, in the requested order, without fixtures that have left', async () => {
    const slate = slateOfHits(50, 5, 0.3);
    const eventNumbers = Array.from({ length: 50 }, (_, index) => 50 - index);
    const scores = await startPool(slate).scanHits({
      ...CRITERIA,
      moment: BEFORE_KICKOFF,
      eventNumbers: [999, ...eventNumbers],
    });
    expect(scores).toEqual(expected(slate, eventNumbers));
    expect(scores.some(({ valueHits }) => valueHits.length === 0)).toBe(true);
    expect(scores.some(({ arbHits }) => arbHits.length > 1)).toBe(true);
  });

  test('uses further tasks if the hits of one task do not fit its memory', async () => {
    const slate = slateOfHits(128, 60, 1);
    const pool = startPool(slate, { threads: 1 });
    const eventNumbers = Array.from({ length: 128 }, (_, index) => index + 1);
    const request = { ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers };
    const scores = await pool.scanHits(request);
    expect(scores.reduce((sum, { valueHits }) => sum + valueHits.length, 0)).toBe(128 * 60 * 2);
    expect(scores).toEqual(expected(slate, eventNumbers));
    expect(pool.stats().cachedScores).toBe(0);
    // The next scan requests scores without hits again.
    const [plain] = await pool.scan(request);
    expect(plain).not.toHaveProperty('valueHits');
  });

  test('answers although its worker ends during the scan', async () => {
    const slate = slateOfHits(128, 60, 1);
    const workers: Worker[] = [];
    const pool = startPool(slate, {
      threads: 1,
      spawnWorker: (spawnIndex) => {
        const worker = spawnScoringWorker(spawnIndex);
        workers.push(worker);
        return worker;
      },
    });
    const eventNumbers = Array.from({ length: 128 }, (_, index) => index + 1);
    const answer = pool.scanHits({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
    workers[0]!.terminate();
    expect(await answer).toEqual(expected(slate, eventNumbers));
    expect(pool.stats().workersLost).toBe(1);
  });
});
