// Scoring: the kernel over whole slates, compared with a version on plain objects. Also a scan through the
// pool when everything has to be scored (cold), when one fixture in ten has changed, and when none has
// (warm).

import { bench, do_not_optimize, group } from 'mitata';
import { assert } from '../src/errors.ts';
import type { ScoreCriteria } from '../src/scoring/criteria.ts';
import { createScoreBuffers, type ScoreBuffers } from '../src/scoring/hit-rows.ts';
import { createKindBuffers, type KindBuffers } from '../src/scoring/kinds/score-kinds.ts';
import { ScoringPool } from '../src/scoring/pool.ts';
import { spawnScoringWorker } from '../src/scoring/scoring-workers.ts';
import {
  attachTaskBuffer,
  createTaskBuffer,
  postTask,
  scoreTask,
  type TaskBuffer,
  takeScores,
} from '../src/scoring/task-buffer.ts';
import { naiveScore } from '../test/scoring/naive.ts';
import { type PlainFixture, type Slate, slateOf } from '../test/scoring/slate.ts';
import { BEFORE_KICKOFF, USUAL_CRITERIA as CRITERIA } from '../test/scoring/usual-criteria.ts';
import { benchFixtures } from './scoring-slate.ts';

const SEED = 20_260_101;
const QUOTES_PER_FIXTURE = 75;
const POOL_THREADS = 1;

interface WorkerBuffers {
  readonly out: ScoreBuffers;
  readonly kinds: KindBuffers;
}

/**
 * The slate as one task of the pool, scored on this thread as a worker does it. @returns the number of value
 * and arbitrage hits
 */
function scoreAll(slate: Slate, taskBuffer: TaskBuffer, { out, kinds }: WorkerBuffers): number {
  scoreTask(slate.reader, taskBuffer, out, kinds);
  return takeScores(taskBuffer).reduce((sum, score) => sum + score!.valueCount + score!.arbCount, 0);
}

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const fixtureCount = size === 'smoke' ? 10 : 100;
  const fixtures = benchFixtures(fixtureCount, SEED);
  const slate = slateOf(fixtures, { fixtures: fixtureCount });
  const hitCount = defineKernel(slate, fixtures);
  await definePool(slate, fixtures, hitCount);
}

/** @returns the number of hits on the slate, with which the pool's answer is compared */
function defineKernel(slate: Slate, fixtures: readonly PlainFixture[]): number {
  const { quotesPerFixture } = slate.reader;
  const buffers = { out: createScoreBuffers(quotesPerFixture), kinds: createKindBuffers(quotesPerFixture) };
  const taskBuffer = attachTaskBuffer(createTaskBuffer(fixtures.length));
  const eventNumbers = fixtures.map((fixture) => fixture.eventNumber);
  const slots = eventNumbers.map((eventNumber) => slate.reader.slotOf(eventNumber));
  postTask(taskBuffer, {
    criteria: CRITERIA,
    moment: BEFORE_KICKOFF,
    slots,
    eventNumbers,
    wantsHits: false,
  });
  let naiveHitCount = 0;
  for (const fixture of fixtures) {
    assert(fixture.quotes.length === QUOTES_PER_FIXTURE, 'a bench fixture has 75 quotes');
    const score = naiveScore(fixture, CRITERIA);
    naiveHitCount += score.valueHits.length + score.arbHits.length;
  }
  const hitCount = scoreAll(slate, taskBuffer, buffers);
  assert(
    hitCount > 0 && hitCount === naiveHitCount,
    `kernel ${hitCount} and naive ${naiveHitCount} hits agree`,
  );

  group(`value and arbitrage over ${fixtures.length} fixtures x ${QUOTES_PER_FIXTURE} quotes`, () => {
    bench('a task of the whole slate, as a worker scores it', () =>
      do_not_optimize(scoreAll(slate, taskBuffer, buffers)),
    );
    bench('plain objects', () => {
      for (const fixture of fixtures) do_not_optimize(naiveScore(fixture, CRITERIA));
    }).baseline(true);
  });
  return hitCount;
}

async function definePool(
  { buffer, writer, reader }: Slate,
  fixtures: readonly PlainFixture[],
  hitCount: number,
): Promise<void> {
  const eventNumbers = fixtures.map((fixture) => fixture.eventNumber);
  const pool = ScoringPool.start({
    storeBuffer: buffer,
    threads: POOL_THREADS,
    spawnWorker: (spawnIndex) => {
      const worker = spawnScoringWorker(spawnIndex);
      worker.unref(); // a bench run ends without stopping the pool
      return worker;
    },
  });
  const scores = await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
  const pooledHitCount = scores.reduce((sum, score) => sum + score.valueCount + score.arbCount, 0);
  assert(pooledHitCount === hitCount, `pool ${pooledHitCount} and kernel ${hitCount} hits agree`);
  const movedCount = Math.ceil(fixtures.length / 10);
  let scanCount = 0;
  let atMs = 2;
  let warm = false;

  /**
   * Criteria that no earlier scan had, so that nothing is cached. The threshold differs too little to change
   * a hit.
   */
  function freshCriteria(): ScoreCriteria {
    return { ...CRITERIA, minEdge: CRITERIA.minEdge + ++scanCount * 1e-13 };
  }

  async function scan(criteria: ScoreCriteria, expectedScoredCount: number): Promise<void> {
    const scoredBefore = pool.stats().fixturesScored;
    const scores = await pool.scan({ ...criteria, moment: BEFORE_KICKOFF, eventNumbers });
    assert(scores.length === fixtures.length, 'a scan answers every fixture');
    const scoredCount = pool.stats().fixturesScored - scoredBefore;
    assert(scoredCount === expectedScoredCount, `a scan scores what moved: ${scoredCount}`);
  }

  group(`a scan of ${fixtures.length} fixtures through the pool, ${POOL_THREADS} worker`, () => {
    bench('cold: every fixture scored', () => scan(freshCriteria(), fixtures.length));
    bench('one fixture in ten moved', async () => {
      if (atMs === 2) await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
      atMs++;
      for (let index = 0; index < movedCount; index++) {
        const slot = reader.slotOf(eventNumbers[index]!);
        writer.putState(slot, { status: 1, clock: null, score: null, cards: null, atMs });
      }
      writer.publish(0);
      await scan(CRITERIA, movedCount);
    });
    bench('warm: nothing moved', async () => {
      if (!warm) await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
      warm = true;
      await scan(CRITERIA, 0);
    });
    bench('plain objects, on this thread', () => {
      for (const fixture of fixtures) do_not_optimize(naiveScore(fixture, CRITERIA));
    }).baseline(true);
  });
}
