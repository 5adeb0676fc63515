// The life of the pool's workers: how they start, how lost ones are replaced, and how they end.

import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { FixtureScore } from '../../src/scoring/score-rows.ts';
import { failureOf } from '../support/failure.ts';
import {
  everyTurnUntil,
  expectedScore,
  slateOfCount,
  startPool,
  stopPools,
  unrulyPool,
} from './pool-stand.ts';
import { USUAL_CRITERIA as CRITERIA } from './usual-criteria.ts';

afterEach(stopPools);

/**
 * On a busy machine, the replacement of a lost worker must also start and finish its task within this time.
 */
const DEADLINE_MS = 1_500;
const REASONS = {
  spins: 'missed its deadline',
  parks: 'missed its deadline',
  exits: 'closed',
  throws: 'unruly',
  rejects: 'unruly',
  lies: 'out of turn',
} as const;

describe('ScoringPool with lost workers', () => {
  for (const kind of ['spins', 'parks', 'exits', 'throws', 'rejects', 'lies'] as const) {
    test(`a worker lost in a task (${kind}) is replaced, and the next one does the task`, async () => {
      const { slate, eventNumbers, request } = slateOfCount(20);
      const { pool, gate, reasons } = unrulyPool(slate, kind, 1, { limits: { taskDeadlineMs: DEADLINE_MS } });
      const scores = await pool.scan(request);
      expect(scores).toEqual(eventNumbers.map((event) => expectedScore(slate.reader, event, CRITERIA)));
      expect(Atomics.load(gate, 0)).toBe(1);
      expect(reasons).toEqual([expect.stringContaining(REASONS[kind])]);
      expect(pool.stats()).toMatchObject({ workersLost: 1, tasksRetried: 1, scansFailed: 0, freeThreads: 1 });
    });
  }

  test('a worker that is terminated in the middle of a task is replaced, and the next one does the task', async () => {
    const { slate, request } = slateOfCount(20);
    const { pool, gate, spawned } = unrulyPool(slate, 'spins', 1, { limits: { taskDeadlineMs: 60_000 } });
    const scan = pool.scan(request);
    await everyTurnUntil(() => Atomics.load(gate, 0) === 1);
    spawned[0]!.terminate();
    expect(await scan).toHaveLength(20);
    expect(pool.stats()).toMatchObject({ workersLost: 1, tasksRetried: 1 });
  });

  for (const kind of ['silent at start', 'exits at start'] as const) {
    test(`a worker lost before it started (${kind}) is replaced, and the next one does the waiting task`, async () => {
      const { slate, request } = slateOfCount(20);
      const { pool } = unrulyPool(slate, kind, 1, { limits: { startDeadlineMs: DEADLINE_MS } });
      expect(await pool.scan(request)).toHaveLength(20);
      expect(pool.stats()).toMatchObject({ workersLost: 1, tasksRetried: 0 });
    });
  }

  test('a task that loses two workers fails its scan with 503, and later scans are answered', async () => {
    const { slate, request } = slateOfCount(20);
    const { pool, gate } = unrulyPool(slate, 'exits', 2);
    const refusal = { code: 'upstream_unavailable', retryAfterSeconds: 1 };
    expect(await failureOf(pool.scan(request))).toMatchObject(refusal);
    expect(Atomics.load(gate, 0)).toBe(2);
    expect(await pool.scan(request)).toHaveLength(20);
    expect(pool.stats()).toMatchObject({ workersLost: 2, tasksRetried: 1, scansFailed: 1 });
  });

  test('if every worker is lost, a scan fails at its deadline, and its tasks leave the queue', async () => {
    const { slate, request } = slateOfCount(20);
    const { pool } = unrulyPool(slate, 'exits at start', 1_000, { limits: { scanDeadlineMs: 200 } });
    expect(await failureOf(pool.scan(request))).toMatchObject({ status: 503 });
    expect(pool.stats()).toMatchObject({ tasksWaiting: 0, scansFailed: 1 });
    // With pauses of 50, 100, 200 ms and so on between restarts there are only a few.
    expect(pool.stats().workersLost).toBeLessThan(8);
  });
});

describe('ScoringPool.stop', () => {
  test('refuses later scans', async () => {
    const { slate, request } = slateOfCount(2);
    const pool = startPool(slate);
    await pool.stop();
    expect(await failureOf(pool.scan(request))).toMatchObject({ code: 'upstream_unavailable' });
  });

  test('stopping the pool leaves nothing that keeps the process alive', async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'pool-process.ts')], {
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 20_000,
    });
    const [text, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    expect(text).toBe('{"valueCount":1,"arbCount":1}\n');
    expect(exitCode).toBe(0);
  });
});

describe('ScoringPool.start', () => {
  test('the pool works inside a worker, as on an HTTP thread', async () => {
    const { slate, eventNumbers, request } = slateOfCount(40);
    const worker = new Worker(new URL('./pool-in-worker.ts', import.meta.url).href);
    const answer = Promise.withResolvers<FixtureScore[]>();
    worker.addEventListener('message', (event: MessageEvent<FixtureScore[]>) => answer.resolve(event.data));
    worker.addEventListener('error', (event) => answer.reject(new Error(event.message)));
    worker.postMessage({ storeBuffer: slate.buffer, request });
    const scores = await answer.promise;
    worker.terminate();
    expect(scores).toEqual(eventNumbers.map((event) => expectedScore(slate.reader, event, CRITERIA)));
  });
});
