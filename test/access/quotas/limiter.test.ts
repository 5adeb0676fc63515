import { afterAll, describe, expect, test } from 'bun:test';
import { subjectOfAddress } from '../../../src/access/client-address.ts';
import { SharedTime } from '../../../src/access/heartbeat.ts';
import { paceOf, untilFullMs } from '../../../src/access/quotas/bucket.ts';
import { attachAccessMemory, createAccessMemory, SLOT_FULL_AT } from '../../../src/access/quotas/memory.ts';
import { SubjectTable } from '../../../src/access/quotas/subject-table.ts';
import { mintKey } from '../../../src/accounts/credentials/secrets.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import { fillRandom } from '../../../src/start/threads/random.ts';
import { DAILY_MAX, DAILY_SUBJECTS, type HammerJob, type HammerMode, WIDE_PACE } from '../hammer-job.ts';
import { START_MS } from '../support.ts';

const WORKERS = 4;
/**
 * The same workers are used in all rounds, one job each per round, because starting a worker takes longer
 * than its job.
 */
const workers = Array.from(
  { length: WORKERS },
  () => new Worker(new URL('../hammer.worker.ts', import.meta.url).href),
);
afterAll(() => {
  for (const worker of workers) worker.terminate();
});

describe('limiter across threads', () => {
  test('one key that 4 workers use at the same instant is admitted exactly as often as its burst allows', async () => {
    for (let round = 0; round < 3; round++) {
      const { admitted } = await hammer('gate-key', 3_000);
      expect(admitted).toBe(TIERS[3].burst);
    }
  }, 120_000);

  test('100 new addresses, claimed by 4 workers at the same time, are each admitted exactly one burst', async () => {
    for (let round = 0; round < 3; round++) {
      const { admitted, memory } = await hammer('gate-address', 10_000);
      expect(admitted).toBe(100 * TIERS[0].burst);
      // Each bucket is empty, so no address got a part of another address's burst.
      const attached = attachAccessMemory(memory);
      const table = new SubjectTable(attached.addresses, attached.seed);
      const nowMs = new SharedTime(attached, { wallMs: () => START_MS, monotonicMs: () => 5 }).nowMs();
      const pace = paceOf(TIERS[0]);
      for (let index = 0; index < 100; index++) {
        const word = table.wordOf(table.find(subjectOfAddress(`192.0.2.${index}`)));
        const fullAtMs = table.words[word + SLOT_FULL_AT] ?? 0;
        expect([index, untilFullMs(fullAtMs, pace, nowMs)]).toEqual([index, pace.windowMs]);
      }
    }
  }, 120_000);

  test('one bucket of 50,000 taken from 4 workers without pause is admitted exactly 50,000 times', async () => {
    for (let round = 0; round < 3; round++) {
      const { admitted } = await hammer('bucket', 30_000);
      expect(admitted).toBe(WIDE_PACE.windowMs);
    }
  }, 120_000);

  test('500 subjects with 2 requests a day are each admitted twice, and a thread that loses the race returns its token', async () => {
    for (let round = 0; round < 4; round++) {
      const { admitted, memory } = await hammer('daily', 4 * DAILY_SUBJECTS);
      expect(admitted).toBe(DAILY_MAX * DAILY_SUBJECTS);
      const attached = attachAccessMemory(memory);
      const table = new SubjectTable(attached.addresses, attached.seed);
      for (let index = 0; index < DAILY_SUBJECTS; index++) {
        const word = table.wordOf(table.find({ high: 9, low: index }));
        const fullAtMs = table.words[word + SLOT_FULL_AT] ?? 0;
        expect(untilFullMs(fullAtMs, WIDE_PACE, 1_000)).toBe(DAILY_MAX * WIDE_PACE.intervalMs);
      }
    }
  }, 120_000);

  test('while one thread releases slots and three claim them, no subject keeps two slots', async () => {
    let heldTotal = 0;
    for (let round = 0; round < 5; round++) {
      const { memory } = await hammer(['claim', 'claim', 'claim', 'release'], 40_000);
      const attached = attachAccessMemory(memory);
      const table = new SubjectTable(attached.addresses, attached.seed);
      const held: number[] = [];
      for (let slot = 0; slot < table.capacity; slot++) {
        const subject = table.subjectOf(slot);
        if (subject !== null) held.push(subject.low);
      }
      heldTotal += held.length;
      expect(new Set(held).size).toBe(held.length);
    }
    // A round may end with no slot held, if the releasing thread ran last.
    expect(heldTotal).toBeGreaterThan(0);
  }, 120_000);

  test('canary: with plain reads and writes instead of Atomics, the count of admitted requests is wrong', async () => {
    let isCaught = false;
    for (let round = 0; round < 20 && !isCaught; round++) {
      const { admitted } = await hammer('broken', 30_000);
      isCaught = admitted !== WIDE_PACE.windowMs;
    }
    expect(isCaught).toBe(true);
  }, 120_000);
});

/** Runs the mode on all workers, started at the same instant. */
async function hammer(
  modes: HammerMode | readonly HammerMode[],
  tries: number,
): Promise<{ admitted: number; memory: SharedArrayBuffer }> {
  const memory = createAccessMemory({
    seed: 1,
    startedAtMs: START_MS,
    capacity: { keys: 64, addresses: typeof modes === 'string' ? 1_024 : 64 },
  });
  const control = new SharedArrayBuffer(4);
  const authorization = `Bearer ${mintKey(fillRandom).text}`;
  const job = { memory, control, tries, authorization, nowMs: START_MS };
  await Promise.all(
    workers.map((worker, index) => {
      const mode = typeof modes === 'string' ? modes : (modes[index] ?? 'claim');
      const own: HammerJob = { ...job, mode };
      return answerOf(worker, () => worker.postMessage(own));
    }),
  );
  const admitted = await Promise.all(
    workers.map((worker, index) =>
      answerOf(worker, () => {
        if (index !== WORKERS - 1) return;
        Atomics.store(new Int32Array(control), 0, 1);
        Atomics.notify(new Int32Array(control), 0);
      }),
    ),
  );
  return { admitted: admitted.map(Number).reduce((sum, count) => sum + count, 0), memory };
}

/** Calls `start`. @returns the next message of the worker */
function answerOf(worker: Worker, start: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<unknown>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(event.message));
    start();
  });
}
