// A race of one writer and several readers finds no forbidden outcome; the same race with each broken writer
// finds one.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BREAKAGES, type Breakage, FORBIDDEN, type Forbidden, type RaceReport, raceStore } from './race.ts';
import type { RaceJob } from './race-worker.ts';

const READERS = 3;
const BATCHES = 20_000;
const CANARY_BATCHES = 2_000;
/**
 * Whether a run shows the fault depends on chance, so a broken writer must be caught in one of this many
 * runs.
 */
const CANARY_RUNS_MAX = 100;

/**
 * The outcomes that each broken writer must cause. reader.test.ts tests that openings are not read from a
 * slot that has passed to another fixture, because there it does not depend on chance.
 */
const CANARIES: readonly (readonly [Breakage, Forbidden])[] = [
  ['edits_in_place', 'torn_quote'],
  ['writes_resting_pages', 'half_batch'],
  ['repeats_versions', 'version_back'],
  ['publishes_in_two', 'mixed_instant'],
  ['edits_liquidity', 'torn_liquidity'],
];

/** All races run on the same threads, so their code is compiled once. */
let workers: readonly Worker[];
beforeAll(() => {
  workers = Array.from(
    { length: READERS + 1 },
    () => new Worker(new URL('./race-worker.ts', import.meta.url).href),
  );
});
afterAll(() => {
  for (const worker of workers) worker.terminate();
});

async function race(breakage: Breakage, batches: number): Promise<RaceReport[]> {
  const job = { buffer: raceStore(), signals: new SharedArrayBuffer(8), threadCount: READERS + 1, breakage };
  const jobs: RaceJob[] = [{ ...job, batches }];
  for (let index = 0; index < READERS; index++) jobs.push({ ...job, batches: 0 });
  const reports = await Promise.all(workers.map((worker, index) => answerOf(worker, jobs[index]!)));
  return reports.filter((report) => report !== null);
}

function answerOf(worker: Worker, job: RaceJob): Promise<RaceReport | null> {
  return new Promise((resolve, reject) => {
    worker.onmessage = (message: MessageEvent<RaceReport | null>) => resolve(message.data);
    worker.onerror = (error) => reject(new Error(error.message));
    worker.postMessage(job);
  });
}

function sum(reports: readonly RaceReport[], name: Forbidden): number {
  return reports.reduce((total, report) => total + report.sightings[name], 0);
}

describe('one SlateWriter and several SlateReaders at once', () => {
  test('never show a forbidden outcome', async () => {
    const reports = await race('none', BATCHES);
    expect(reports.length).toBe(READERS);

    for (const [name, meaning] of Object.entries(FORBIDDEN)) {
      expect(`${sum(reports, name as Forbidden)} x ${meaning}`).toBe(`0 x ${meaning}`);
    }
    // A run would prove nothing without reads, and without pages that were replaced while they were read.
    expect(reports.reduce((total, report) => total + report.readCount, 0)).toBeGreaterThan(1_000);
    expect(reports.reduce((total, report) => total + report.turnCount, 0)).toBeGreaterThan(0);
  });

  for (const [breakage, forbidden] of CANARIES) {
    test(`show a forbidden outcome when the writer ${BREAKAGES[breakage]}`, async () => {
      let caught = 0;
      for (let run = 0; run < CANARY_RUNS_MAX && caught === 0; run++) {
        caught = sum(await race(breakage, CANARY_BATCHES), forbidden);
      }
      expect(caught).toBeGreaterThan(0);
    });
  }
});
