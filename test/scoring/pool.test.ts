import { afterEach, describe, expect, test } from 'bun:test';
import { Random } from '../../src/domain/random.ts';
import { allConfirmedAt, type SignalMoment } from '../../src/domain/signal-gate.ts';
import { BOOKMAKERS_MAX } from '../../src/limits.ts';
import type { FixtureScore } from '../../src/scoring/score-rows.ts';
import { failureOf } from '../support/failure.ts';
import {
  everyTurnUntil,
  expectedScore,
  randomFixture,
  SEED,
  slateOfCount,
  startPool,
  stopPools,
  unrulyPool,
} from './pool-stand.ts';
import { publishFixture } from './slate.ts';
import { BEFORE_KICKOFF, USUAL_CRITERIA as CRITERIA } from './usual-criteria.ts';

const CROWN = 0;

afterEach(stopPools);

describe('ScoringPool.scan', () => {
  test('scores every fixture as the kernel does, in the order of the request', async () => {
    const { slate, eventNumbers, request } = slateOfCount(300);
    const pool = startPool(slate);
    for (const criteria of [
      CRITERIA,
      { ...CRITERIA, seesSharp: false },
      { ...CRITERIA, minEdge: 0.03, maxMargin: 0.02 },
    ]) {
      const asked = eventNumbers.toReversed();
      const scores = await pool.scan({ ...request, ...criteria, eventNumbers: asked });
      expect(scores).toEqual(asked.map((eventNumber) => expectedScore(slate.reader, eventNumber, criteria)));
    }
    const scores = await pool.scan(request);
    expect(scores.some((score) => score.bestValue !== null && score.valueCount > 1)).toBe(true);
    expect(scores.some((score) => score.bestArb !== null && score.arbCount > 1)).toBe(true);
  });

  test('scores again only the fixtures that changed', async () => {
    const { slate, eventNumbers, request } = slateOfCount(50);
    const pool = startPool(slate);
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

  test('no score is used after a quote became too old, a heartbeat left the window, or kickoff came', async () => {
    const { slate, eventNumbers, request } = slateOfCount(4);
    const pool = startPool(slate);
    // The quotes have time 1 and the kickoff is at 0, so times before kickoff are negative.
    const at = (nowMs: number, heartbeatAtMs: number): SignalMoment => ({
      ...BEFORE_KICKOFF,
      nowMs,
      confirmedAtMs: allConfirmedAt(heartbeatAtMs),
    });
    async function scoredAt(moment: SignalMoment, maxAgeMs: number | null): Promise<number> {
      const before = pool.stats().fixturesScored;
      await pool.scan({ ...request, maxAgeMs, moment });
      return pool.stats().fixturesScored - before;
    }
    expect(await scoredAt(at(-400_000, -400_000), null)).toBe(4);
    expect(await scoredAt(at(-100_000, -400_000), null)).toBe(0);
    // the last heartbeat is now outside the freshness window
    expect(await scoredAt(at(-99_999, -400_000), null)).toBe(4);
    // the quotes are fresh enough without a heartbeat
    expect(await scoredAt(at(-99_999, -400_000), null)).toBe(0);
    expect(await scoredAt(at(-99_000, -99_000), null)).toBe(0);
    expect(await scoredAt(at(-1, -1), null)).toBe(0);
    expect(await scoredAt(at(0, 0), null)).toBe(4); // kickoff has passed: the fixture is late
    eventNumbers.splice(0, 4, 9_000);
    publishFixture(slate.writer, randomFixture(new Random(SEED), 9_000), -64_000);
    expect(await scoredAt(at(-60_000, -60_000), 10_000)).toBe(1);
    expect(await scoredAt(at(-54_000, -60_000), 10_000)).toBe(0);
    expect(await scoredAt(at(-53_999, -60_000), 10_000)).toBe(1); // its quotes are too old
  });

  test('a score does not depend on a heartbeat whose time moved back', async () => {
    const { slate, request } = slateOfCount(4);
    const pool = startPool(slate);
    async function scoredAt(heartbeatAtMs: number): Promise<number> {
      const before = pool.stats().fixturesScored;
      const moment = { ...BEFORE_KICKOFF, nowMs: -60_000, confirmedAtMs: allConfirmedAt(heartbeatAtMs) };
      await pool.scan({ ...request, moment });
      return pool.stats().fixturesScored - before;
    }
    expect(await scoredAt(-60_000)).toBe(4);
    expect(await scoredAt(-120_000)).toBe(4);
    // a later heartbeat also confirms what an earlier one confirmed
    expect(await scoredAt(-60_000)).toBe(0);
  });

  test('a score with stale quotes is used until a heartbeat of their bookmaker arrives', async () => {
    const { slate } = slateOfCount(0);
    const pool = startPool(slate);
    publishFixture(slate.writer, randomFixture(new Random(SEED), 9_000), -9_000_000);
    async function scoredAt(nowMs: number, confirmedAtMs: Float64Array): Promise<number> {
      const before = pool.stats().fixturesScored;
      const moment = { ...BEFORE_KICKOFF, nowMs, confirmedAtMs };
      await pool.scan({ ...CRITERIA, moment, eventNumbers: [9_000] });
      return pool.stats().fixturesScored - before;
    }
    const silent = allConfirmedAt(-9_000_000);
    expect(await scoredAt(-600_000, silent)).toBe(1);
    expect(await scoredAt(-500_000, silent)).toBe(0);
    const withoutQuotes = silent.with(BOOKMAKERS_MAX - 1, -400_000);
    expect(await scoredAt(-400_000, withoutQuotes)).toBe(0);
    expect(await scoredAt(-400_000, withoutQuotes.with(CROWN, -400_000))).toBe(1);
  });

  test('keeps no more scores than the limit', async () => {
    const { slate, request } = slateOfCount(50);
    const pool = startPool(slate, { limits: { cachedScoresMax: 120 } });
    for (let step = 0; step < 6; step++) {
      await pool.scan({ ...request, minEdge: step / 100 });
      expect(pool.stats().cachedScores).toBeLessThanOrEqual(120);
    }
    await pool.scan({ ...request, minEdge: 0.05 });
    expect(pool.stats()).toMatchObject({ fixturesScored: 300, fixturesFromCache: 50 });
  });

  test('leaves out fixtures that are not on the slate', async () => {
    const { slate, eventNumbers, request } = slateOfCount(3);
    const pool = startPool(slate);
    slate.writer.removeFixture(slate.writer.slotOf(eventNumbers[1]!));
    slate.writer.publish(0);
    const scores = await pool.scan({ ...request, eventNumbers: [...eventNumbers, 5] });
    expect(scores.map((score) => score.eventNumber)).toEqual([eventNumbers[0]!, eventNumbers[2]!]);
    expect(await pool.scan({ ...request, eventNumbers: [] })).toEqual([]);
  });

  test('returns consistent fixtures while the writer writes', async () => {
    const { slate, eventNumbers, request } = slateOfCount(60);
    const pool = startPool(slate);
    const random = new Random(SEED + 2);
    // The score of every published version of a fixture.
    const known = new Map<string, FixtureScore>();
    for (const event of eventNumbers) remember(event);
    function remember(event: number): void {
      const score = expectedScore(slate.reader, event, CRITERIA);
      known.set(`${event}/${score.version}`, score);
    }
    for (let round = 0; round < 40; round++) {
      const scan = pool.scan(request);
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

  test('refuses a scan whose tasks do not fit the queue, with 503 and Retry-After of a second', async () => {
    const { slate, eventNumbers, request } = slateOfCount(40);
    const { pool, gate } = unrulyPool(slate, 'parks', 1, {
      limits: { fixturesPerTaskMin: 10, fixturesPerTaskMax: 10, tasksWaitingMax: 5, taskDeadlineMs: 60_000 },
    });
    const first = pool.scan(request);
    await everyTurnUntil(() => Atomics.load(gate, 0) === 1);
    expect(pool.stats().tasksWaiting).toBe(3);
    const third = pool.scan({ ...request, eventNumbers: eventNumbers.slice(0, 30) });
    const refusal = { code: 'upstream_unavailable', status: 503, retryAfterSeconds: 1 };
    expect(await failureOf(third)).toMatchObject(refusal);
    expect(pool.stats()).toMatchObject({ scansRefused: 1, tasksWaiting: 3 });
    const second = pool.scan({ ...request, eventNumbers: eventNumbers.slice(0, 20) });
    const stopping = pool.stop();
    for (const scan of [first, second])
      expect(await failureOf(scan)).toMatchObject({ code: 'upstream_unavailable' });
    await stopping;
  });

  test('refuses criteria that are not numbers', async () => {
    const { slate, request } = slateOfCount(1);
    await expect(startPool(slate).scan({ ...request, minEdge: Number.NaN })).rejects.toThrow('thresholds');
  });
});
