// Slates and pools for the tests of the scoring pool, and the expected results of a scan.

import { Random } from '../../src/domain/random.ts';
import type { ScoreCriteria } from '../../src/scoring/criteria.ts';
import { fixtureHits } from '../../src/scoring/fixture-hits.ts';
import { ScoringPool, type ScoringPoolOptions } from '../../src/scoring/pool.ts';
import type { ScanRequest } from '../../src/scoring/scan.ts';
import type { FixtureScore } from '../../src/scoring/score-rows.ts';
import { spawnScoringWorker } from '../../src/scoring/scoring-workers.ts';
import type { SlateReader } from '../../src/store/reader.ts';
import { type PlainFixture, type PlainQuote, type Slate, slateOf } from './slate.ts';
import type { Unruliness } from './unruly-worker.ts';
import { BEFORE_KICKOFF, USUAL_CRITERIA } from './usual-criteria.ts';

export const SEED = 20_260_101;

const pools: ScoringPool[] = [];

/** Stops the pools that a test has started. */
export async function stopPools(): Promise<void> {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
}

export function startPool(slate: Slate, options: Partial<ScoringPoolOptions> = {}): ScoringPool {
  const pool = ScoringPool.start({ storeBuffer: slate.buffer, threads: 2, ...options });
  pools.push(pool);
  return pool;
}

export function randomFixture(random: Random, eventNumber: number): PlainFixture {
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

/** A slate of random fixtures, and the request that scans all of them before their kickoff. */
export function slateOfCount(count: number): { slate: Slate; eventNumbers: number[]; request: ScanRequest } {
  const random = new Random(SEED);
  const fixtures = Array.from({ length: count }, (_, index) => randomFixture(random, 1_000 + index));
  const eventNumbers = fixtures.map((fixture) => fixture.eventNumber);
  const request = { ...USUAL_CRITERIA, moment: BEFORE_KICKOFF, eventNumbers };
  return { slate: slateOf(fixtures), eventNumbers, request };
}

/** The expected score of a fixture, computed synchronously. */
export function expectedScore(
  reader: SlateReader,
  eventNumber: number,
  criteria: ScoreCriteria,
): FixtureScore {
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

/**
 * A pool whose first `count` workers misbehave. The first word of `gate` counts the tasks that they received.
 */
export function unrulyPool(
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

/** Waits until the condition is true, and checks it in every turn of the event loop. */
export async function everyTurnUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve));
}
