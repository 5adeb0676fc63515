import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Random } from '../../src/domain/random.ts';
import type { SignalMoment } from '../../src/domain/signal-gate.ts';
import { ServiceError } from '../../src/errors.ts';
import type { ScoreCriteria } from '../../src/scoring/criteria.ts';
import { fixtureHits } from '../../src/scoring/fixture-hits.ts';
import { ScoringPool, type ScoringPoolOptions } from '../../src/scoring/pool.ts';
import type { ScanRequest } from '../../src/scoring/scan.ts';
import type { FixtureScore } from '../../src/scoring/score-rows.ts';
import { spawnScoringWorker } from '../../src/scoring/scoring-workers.ts';
import type { SlateReader } from '../../src/store/reader.ts';
import { type PlainFixture, type PlainQuote, publishFixture, type Slate, slateOf } from './slate.ts';
import type { Unruliness } from './unruly-worker.ts';
import { BEFORE_KICKOFF, USUAL_CRITERIA as CRITERIA } from './usual-criteria.ts';

const SEED = 20_260_101;

const pools: ScoringPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
});

function startPool(slate: Slate, options: Partial<ScoringPoolOptions> = {}): ScoringPool {
  const pool = ScoringPool.start({ storeBuffer: slate.buffer, threads: 2, ...options });
  pools.push(pool);
  return pool;
}

function randomFixture(random: Random, eventNumber: number): PlainFixture {
  const quotes: PlainQuote[] = [];
  for (const lineQuarters of [-2, 0, 3]) {
    for (const bookmaker of [0, 1, 4, 6]) {
      const pricesE4 = [random.index(6_000) + 17_000, random.index(6_000) + 17_000];
      quotes.push({
        market: 1,
        period: 0,
        lineQuarters,
        bookmaker,
        pricesE4,
        status: random.index(8) === 0 ? 1 : 0,
      });
    }
  }
  return { eventNumber, sport: 0, quotes };
}

function slateOfCount(count: number): { slate: Slate; eventNumbers: number[] } {
  const random = new Random(SEED);
  const fixtures = Array.from({ length: count }, (_, index) => randomFixture(random, 1_000 + index));
  return { slate: slateOf(fixtures), eventNumbers: fixtures.map((fixture) => fixture.eventNumber) };
}

/** What a scan must say of a fixture, by the synchronous function. */
function expectedScore(reader: SlateReader, eventNumber: number, criteria: ScoreCriteria): FixtureScore {
  const hits = fixtureHits(reader, eventNumber, criteria, BEFORE_KICKOFF)!;
  const { valueHits, arbHits, sharpLeftOutCount: _, reference: __, ...score } = hits;
  const bestValue = valueHits.reduce<(typeof valueHits)[number] | null>(
    (best, hit) => (best === null || hit.edge > best.edge ? hit : best),
    null,
  );
  const bestArb = arbHits.reduce<(typeof arbHits)[number] | null>(
    (best, hit) => (best === null || hit.margin > best.margin ? hit : best),
    null,
  );
  return {
    ...score,
    valueCount: valueHits.length,
    bestValue,
    arbCount: arbHits.length,
    bestArb,
  };
}

/** A pool whose first `count` workers are unruly, and the gate that counts the tasks they were given. */
function unrulyPool(
  slate: Slate,
  kind: Unruliness['kind'],
  count: number,
  options: Partial<ScoringPoolOptions> = {},
) {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const spawned: Worker[] = [];
  const reasons: string[] = [];
  const pool = startPool(slate, {
    threads: 1,
    onWorkerLost: (reason) => reasons.push(reason),
    spawnWorker: (spawnIndex) => {
      const worker = spawnIndex < count ? spawnUnruly({ kind, gate }) : spawnScoringWorker(spawnIndex);
      spawned.push(worker);
      return worker;
    },
    ...options,
  });
  return { pool, gate, spawned, reasons };
}

function spawnUnruly(unruliness: Unruliness): Worker {
  const worker = new Worker(new URL('./unruly-worker.ts', import.meta.url).href);
  worker.postMessage(unruliness);
  return worker;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve));
}

async function refusalOf(scan: Promise<unknown>): Promise<ServiceError> {
  const error = await scan.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

describe('ScoringPool.scan', () => {
  test('scores every fixture as the kernel does, in the order asked', async () => {
    const { slate, eventNumbers } = slateOfCount(300);
    const pool = startPool(slate);
    for (const criteria of [
      CRITERIA,
      { ...CRITERIA, seesSharp: false },
      { ...CRITERIA, minEdge: 0.03, maxMargin: 0.02 },
    ]) {
      const asked = eventNumbers.toReversed();
      const scores = await pool.scan({ ...criteria, moment: BEFORE_KICKOFF, eventNumbers: asked });
      expect(scores).toEqual(asked.map((eventNumber) => expectedScore(slate.reader, eventNumber, criteria)));
    }
    const scores = await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
    expect(scores.some((score) => score.bestValue !== null && score.valueCount > 1)).toBe(true);
    expect(scores.some((score) => score.bestArb !== null && score.arbCount > 1)).toBe(true);
  });

  test('rescores only the fixtures that moved', async () => {
    const { slate, eventNumbers } = slateOfCount(50);
    const pool = startPool(slate);
    const request: ScanRequest = { ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers };
    await pool.scan(request);
    expect(pool.stats()).toMatchObject({ fixturesScored: 50, fixturesFromCache: 0 });
    await pool.scan(request);
    expect(pool.stats()).toMatchObject({ fixturesScored: 50, fixturesFromCache: 50 });
    const random = new Random(SEED + 1);
    for (const index of [3, 17, 41])
      publishFixture(slate.writer, randomFixture(random, eventNumbers[index]!), 2);
    const scores = await pool.scan(request);
    expect(pool.stats().fixturesScored).toBe(53);
    expect(scores).toEqual(eventNumbers.map((event) => expectedScore(slate.reader, event, CRITERIA)));
    await pool.scan({ ...request, seesSharp: false });
    expect(pool.stats()).toMatchObject({
      scans: 4,
      fixturesScored: 103,
      fixturesFromCache: 97,
      cachedScores: 100,
      tasksWaiting: 0,
    });
  });

  test('no score outlives the moment at which a quote turns too old, a heartbeat the window, or kickoff comes', async () => {
    const { slate, eventNumbers } = slateOfCount(4);
    const pool = startPool(slate);
    // The quotes are sent at 1 and the kickoff is at 0, so the clock of these moments runs behind.
    const at = (nowMs: number, heartbeatAtMs: number): SignalMoment => ({
      ...BEFORE_KICKOFF,
      nowMs,
      heartbeatAtMs,
    });
    async function scoredAt(moment: SignalMoment, maxAgeMs: number | null): Promise<number> {
      const before = pool.stats().fixturesScored;
      await pool.scan({ ...CRITERIA, maxAgeMs, moment, eventNumbers });
      return pool.stats().fixturesScored - before;
    }
    expect(await scoredAt(at(-400_000, -400_000), null)).toBe(4);
    expect(await scoredAt(at(-100_000, -400_000), null)).toBe(0);
    expect(await scoredAt(at(-99_999, -400_000), null)).toBe(4); // the heartbeat left the window
    expect(await scoredAt(at(-99_999, -400_000), null)).toBe(4); // and without one nothing is kept
    expect(await scoredAt(at(-99_000, -99_000), null)).toBe(4);
    expect(await scoredAt(at(-1, -1), null)).toBe(0);
    expect(await scoredAt(at(0, 0), null)).toBe(4); // kickoff: late
    eventNumbers.splice(0, 4, 9_000);
    publishFixture(slate.writer, randomFixture(new Random(SEED), 9_000), -64_000);
    expect(await scoredAt(at(-60_000, -60_000), 10_000)).toBe(1);
    expect(await scoredAt(at(-54_000, -60_000), 10_000)).toBe(0);
    expect(await scoredAt(at(-53_999, -60_000), 10_000)).toBe(1); // its quotes are too old
  });

  test('no score leans on a heartbeat that was taken back', async () => {
    const { slate, eventNumbers } = slateOfCount(4);
    const pool = startPool(slate);
    async function scoredAt(heartbeatAtMs: number): Promise<number> {
      const before = pool.stats().fixturesScored;
      const moment = { ...BEFORE_KICKOFF, nowMs: -60_000, heartbeatAtMs };
      await pool.scan({ ...CRITERIA, moment, eventNumbers });
      return pool.stats().fixturesScored - before;
    }
    expect(await scoredAt(-60_000)).toBe(4);
    expect(await scoredAt(-120_000)).toBe(4);
    expect(await scoredAt(-60_000)).toBe(0); // what an earlier heartbeat confirms a later one does too
  });

  test('keeps no more scores than its limit', async () => {
    const { slate, eventNumbers } = slateOfCount(50);
    const pool = startPool(slate, { limits: { cachedScoresMax: 120 } });
    for (let step = 0; step < 6; step++) {
      await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, minEdge: step / 100, eventNumbers });
      expect(pool.stats().cachedScores).toBeLessThanOrEqual(120);
    }
    await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, minEdge: 0.05, eventNumbers });
    expect(pool.stats()).toMatchObject({ fixturesScored: 300, fixturesFromCache: 50 });
  });

  test('leaves out fixtures that are not on the slate', async () => {
    const { slate, eventNumbers } = slateOfCount(3);
    const pool = startPool(slate);
    slate.writer.removeFixture(slate.writer.slotOf(eventNumbers[1]!));
    slate.writer.publish(0);
    const scores = await pool.scan({
      ...CRITERIA,
      moment: BEFORE_KICKOFF,
      eventNumbers: [...eventNumbers, 5],
    });
    expect(scores.map((score) => score.eventNumber)).toEqual([eventNumbers[0]!, eventNumbers[2]!]);
    expect(await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers: [] })).toEqual([]);
  });

  test('answers consistent fixtures while the writer writes', async () => {
    const { slate, eventNumbers } = slateOfCount(60);
    const pool = startPool(slate);
    const random = new Random(SEED + 2);
    // Every version of a fixture and what it scores, as it was published.
    const known = new Map<string, FixtureScore>();
    for (const event of eventNumbers) remember(event);
    function remember(event: number): void {
      const score = expectedScore(slate.reader, event, CRITERIA);
      known.set(`${event}/${score.version}`, score);
    }
    for (let round = 0; round < 40; round++) {
      const scan = pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
      for (let step = 0; step < 30; step++) {
        const event = eventNumbers[random.index(eventNumbers.length)]!;
        publishFixture(slate.writer, randomFixture(random, event), 10 + round);
        remember(event);
      }
      for (const score of await scan) {
        expect(score).toEqual(known.get(`${score.eventNumber}/${score.version}`)!);
      }
    }
  });

  test('refuses a scan whose tasks do not fit the queue with 503 and retry after a second', async () => {
    const { slate, eventNumbers } = slateOfCount(40);
    const { pool, gate } = unrulyPool(slate, 'parks', 1, {
      limits: { fixturesPerTaskMin: 10, fixturesPerTaskMax: 10, tasksWaitingMax: 5, taskDeadlineMs: 60_000 },
    });
    const first = pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
    await until(() => Atomics.load(gate, 0) === 1);
    expect(pool.stats().tasksWaiting).toBe(3);
    const refusal = await refusalOf(
      pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers: eventNumbers.slice(0, 30) }),
    );
    expect([refusal.code, refusal.status, refusal.retryAfterSeconds]).toEqual([
      'upstream_unavailable',
      503,
      1,
    ]);
    expect(pool.stats()).toMatchObject({ scansRefused: 1, tasksWaiting: 3 });
    const second = pool.scan({
      ...CRITERIA,
      moment: BEFORE_KICKOFF,
      eventNumbers: eventNumbers.slice(0, 20),
    });
    const stopping = pool.stop();
    expect((await refusalOf(first)).code).toBe('upstream_unavailable');
    expect((await refusalOf(second)).code).toBe('upstream_unavailable');
    await stopping;
  });

  test('refuses criteria that are not numbers', async () => {
    const { slate } = slateOfCount(1);
    const pool = startPool(slate);
    await expect(
      pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, minEdge: Number.NaN, eventNumbers: [1_000] }),
    ).rejects.toThrow('thresholds');
  });
});

const REASONS = {
  spins: 'missed its deadline',
  parks: 'missed its deadline',
  exits: 'closed',
  throws: 'unruly',
  rejects: 'unruly',
  lies: 'out of turn',
} as const;

describe('ScoringPool, a worker lost', () => {
  for (const kind of ['spins', 'parks', 'exits', 'throws', 'rejects', 'lies'] as const) {
    test(`over a task (${kind}) is replaced and the task done by the next`, async () => {
      const { slate, eventNumbers } = slateOfCount(20);
      const { pool, gate, reasons } = unrulyPool(slate, kind, 1, { limits: { taskDeadlineMs: 150 } });
      const scores = await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
      expect(scores).toEqual(eventNumbers.map((event) => expectedScore(slate.reader, event, CRITERIA)));
      expect(Atomics.load(gate, 0)).toBe(1);
      expect(reasons).toEqual([expect.stringContaining(REASONS[kind])]);
      expect(pool.stats()).toMatchObject({ workersLost: 1, tasksRetried: 1, scansFailed: 0, freeThreads: 1 });
    });
  }

  test('to terminate() in the middle of a task is replaced and the task done by the next', async () => {
    const { slate, eventNumbers } = slateOfCount(20);
    const { pool, gate, spawned } = unrulyPool(slate, 'spins', 1, { limits: { taskDeadlineMs: 60_000 } });
    const scan = pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers });
    await until(() => Atomics.load(gate, 0) === 1);
    spawned[0]!.terminate();
    expect(await scan).toHaveLength(20);
    expect(pool.stats()).toMatchObject({ workersLost: 1, tasksRetried: 1 });
  });

  for (const kind of ['silent at start', 'exits at start'] as const) {
    test(`before it started (${kind}) is replaced and what waits is done by the next`, async () => {
      const { slate, eventNumbers } = slateOfCount(20);
      const { pool } = unrulyPool(slate, kind, 1, { limits: { startDeadlineMs: 150 } });
      expect(await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers })).toHaveLength(20);
      expect(pool.stats()).toMatchObject({ workersLost: 1, tasksRetried: 0 });
    });
  }

  test('twice over one task fails its scan with 503, and later scans are answered', async () => {
    const { slate, eventNumbers } = slateOfCount(20);
    const { pool, gate } = unrulyPool(slate, 'exits', 2);
    const refusal = await refusalOf(pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers }));
    expect([refusal.code, refusal.retryAfterSeconds]).toEqual(['upstream_unavailable', 1]);
    expect(Atomics.load(gate, 0)).toBe(2);
    expect(await pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers })).toHaveLength(20);
    expect(pool.stats()).toMatchObject({ workersLost: 2, tasksRetried: 1, scansFailed: 1 });
  });

  test('over and over fails a scan at its deadline and takes its tasks from the queue', async () => {
    const { slate, eventNumbers } = slateOfCount(20);
    const { pool } = unrulyPool(slate, 'exits at start', 1_000, { limits: { scanDeadlineMs: 200 } });
    expect((await refusalOf(pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers }))).status).toBe(
      503,
    );
    expect(pool.stats()).toMatchObject({ tasksWaiting: 0, scansFailed: 1 });
    // 50, 100, 200 ms between restarts: a handful, not a spin.
    expect(pool.stats().workersLost).toBeLessThan(8);
  });
});

describe('ScoringPool.stop', () => {
  test('refuses later scans', async () => {
    const { slate, eventNumbers } = slateOfCount(2);
    const pool = startPool(slate);
    await pool.stop();
    expect((await refusalOf(pool.scan({ ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers }))).code).toBe(
      'upstream_unavailable',
    );
  });

  test('leaves nothing that keeps the process alive', async () => {
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
  test('works inside a worker, as on an HTTP thread', async () => {
    const { slate, eventNumbers } = slateOfCount(40);
    const worker = new Worker(new URL('./pool-in-worker.ts', import.meta.url).href);
    const answer = Promise.withResolvers<FixtureScore[]>();
    worker.addEventListener('message', (event: MessageEvent<FixtureScore[]>) => answer.resolve(event.data));
    worker.addEventListener('error', (event) => answer.reject(new Error(event.message)));
    worker.postMessage({
      storeBuffer: slate.buffer,
      request: { ...CRITERIA, moment: BEFORE_KICKOFF, eventNumbers },
    });
    const scores = await answer.promise;
    worker.terminate();
    expect(scores).toEqual(eventNumbers.map((event) => expectedScore(slate.reader, event, CRITERIA)));
  });
});
