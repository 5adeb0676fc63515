// Takes from shared budgets as fast as it can, and reports how often it was admitted. Mode `broken` uses
// plain reads and writes: the canary that must fail.

import { SharedGate } from '../../src/access/gate.ts';
import { untilFullMs } from '../../src/access/quotas/bucket.ts';
import { Budget } from '../../src/access/quotas/limiter.ts';
import { type AccessMemory, attachAccessMemory, SLOT_FULL_AT } from '../../src/access/quotas/memory.ts';
import { NO_SLOT, SubjectTable } from '../../src/access/quotas/subject-table.ts';
import type { Clock } from '../../src/clock.ts';
import { admit } from './admit.ts';

import { CHURN_SUBJECTS, DAILY_MAX, DAILY_SUBJECTS, type HammerJob, WIDE_PACE } from './hammer-job.ts';

declare const self: Worker;

const DAY = 20_000;
self.onmessage = ({ data }: MessageEvent<HammerJob>): void => {
  const take = createTake(data);
  postMessage('ready');
  const control = new Int32Array(data.control);
  while (Atomics.load(control, 0) === 0) Atomics.wait(control, 0, 0, 100);
  let admitted = 0;
  for (let index = 0; index < data.tries; index++) if (take(index)) admitted++;
  postMessage(admitted);
};

function createTake(job: HammerJob): (index: number) => boolean {
  const memory = attachAccessMemory(job.memory);
  const clock: Clock = { wallMs: () => job.nowMs, monotonicMs: () => 5 };
  if (job.mode === 'claim' || job.mode === 'release') return createChurn(memory, job.mode);
  const directory = {
    findLive: () => ({
      number: 1,
      keyId: 'key_1',
      ownerId: 'key_1',
      tier: 'enterprise' as const,
      expiresAtMs: null,
      allowedAddresses: [],
      isOfAccount: false,
      lastFour: 'abcd',
    }),
    epoch: () => 1,
  };
  const gate = new SharedGate({ memory: job.memory, directory, clock });
  if (job.mode === 'gate-key') {
    return () => admit(gate, job.authorization, '192.0.2.1', 1).refusal === null;
  }
  if (job.mode === 'gate-address') {
    return (index) => admit(gate, null, `192.0.2.${index % 100}`, 1).refusal === null;
  }
  const table = new SubjectTable(memory.addresses, memory.seed);
  if (job.mode === 'daily') {
    const budgets = Array.from(
      { length: DAILY_SUBJECTS },
      (_, index) =>
        new Budget(table, { subject: { high: 9, low: index }, pace: WIDE_PACE, perDay: DAILY_MAX, spare: 0 }),
    );
    return (index) => {
      const budget = budgets[index % DAILY_SUBJECTS] as Budget;
      return budget.take({ sharedMs: 1_000, day: DAY }) === 'admitted';
    };
  }
  const subject = { high: 9, low: 9 };
  const budget = new Budget(table, { subject, pace: WIDE_PACE, perDay: null, spare: 0 });
  if (job.mode === 'bucket') {
    return () => budget.take({ sharedMs: 1_000, day: DAY }) === 'admitted';
  }
  const word = budget.claimWord() + SLOT_FULL_AT;
  return () => {
    const aheadMs = untilFullMs(budget.words[word] ?? 0, budget.pace, 1_000) + 1;
    if (aheadMs > budget.pace.windowMs) return false;
    budget.words[word] = 1_000 + aheadMs;
    return true;
  };
}

/** Claims subjects in turn, or releases the next slot, as the keeper does. */
function createChurn(memory: AccessMemory, mode: 'claim' | 'release'): (index: number) => boolean {
  const table = new SubjectTable(memory.addresses, memory.seed);
  if (mode === 'claim')
    return (index) => table.claim({ high: 5, low: 1 + (index % CHURN_SUBJECTS) }) !== NO_SLOT;
  return (index) => {
    const slot = index % table.capacity;
    const subject = table.subjectOf(slot);
    if (subject === null) return false;
    table.release(slot, subject);
    return true;
  };
}
