// The rate limiter of two threads in one shared memory, compared with a bucket that is counted by hand.
// Requests of the two threads overlap at any step, and a thread may die in the middle of a request.

import { countOn, dayOf, paceOf, untilFullMs } from '../../src/access/quotas/bucket.ts';
import { Budget } from '../../src/access/quotas/limiter.ts';
import {
  attachAccessMemory,
  createAccessMemory,
  SLOT_DAILY,
  SLOT_FULL_AT,
} from '../../src/access/quotas/memory.ts';
import { SubjectTable, subjectOfText } from '../../src/access/quotas/subject-table.ts';
import { TIERS } from '../../src/domain/tiers.ts';
import { same } from './check.ts';
import { type Act, START_MS, SUBJECTS } from './script.ts';
import { inSteps } from './steps.ts';

const TIER = TIERS[0];
const PACE = paceOf(TIER);
/** So few that the daily limit is reached. */
const PER_DAY = 45;

/** How many requests one subject may still send, according to a textbook token bucket. */
interface ModelBucket {
  tokens: number;
  atMs: number;
  day: number;
  spent: number;
}

export class Buckets {
  /** Outer index: the thread. Inner index: the subject. */
  readonly #budgets: readonly (readonly Budget[])[];
  readonly #models: readonly ModelBucket[];

  constructor() {
    const memory = createAccessMemory({
      seed: 7,
      startedAtMs: START_MS,
      capacity: { keys: 16, addresses: 64 },
    });
    const subjects = Array.from({ length: SUBJECTS }, (_, index) => subjectOfText(`subject ${index}`));
    this.#budgets = [0, 1].map(() => {
      const { addresses, seed } = attachAccessMemory(memory);
      const table = new SubjectTable(addresses, seed);
      return subjects.map((subject) => new Budget(table, { subject, pace: PACE, perDay: PER_DAY, spare: 0 }));
    });
    this.#models = subjects.map(() => ({ tokens: TIER.burst, atMs: 0, day: 0, spent: 0 }));
  }

  ask(act: Extract<Act, { do: 'ask' }>, nowMs: number): void {
    const now = { sharedMs: nowMs - START_MS, day: dayOf(nowMs) };
    const model = this.#models[act.subject]!;
    refill(model, now);
    const [one, other] = this.#budgets.map((budgets) => budgets[act.subject]!) as [Budget, Budget];
    let admitted = 0;
    let asked = 0;
    const ask = (budget: Budget, times: number): void => {
      for (let time = 0; time < times; time++) {
        asked++;
        if (budget.take(now) === 'admitted') admitted++;
      }
    };
    const { diesAfter, pausesAfter, times, timesMeanwhile } = act;
    const others = () => ask(other, timesMeanwhile);
    const isDead = inSteps({ diesAfter, pausesAfter, others }, () => ask(one, times));
    // The last request of a dead thread may have been charged but not answered.
    const known = isDead ? asked - 1 : asked;
    const held = this.#held(other, now);
    const unheard = isDead ? Math.round(model.tokens - admitted - held.tokens) : 0;
    if (isDead) {
      same('A thread that died took at most one token', [0, 1].includes(unheard), true);
      const unheardSpent = held.spent - model.spent - admitted;
      same('A thread that died counted at most one request', [0, 1].includes(unheardSpent), true);
      model.tokens -= admitted + unheard;
      model.spent += admitted + unheardSpent;
      return;
    }
    const allowed = Math.min(known, Math.floor(model.tokens), PER_DAY - model.spent);
    same(`Admitted of ${asked}, of subject ${act.subject}`, admitted, allowed);
    model.tokens -= admitted;
    model.spent += admitted;
    same(`The bucket of subject ${act.subject}`, held, { tokens: round(model.tokens), spent: model.spent });
  }

  #held(budget: Budget, now: { sharedMs: number; day: number }): { tokens: number; spent: number } {
    const word = budget.claimWord();
    const fullInMs = untilFullMs(budget.words[word + SLOT_FULL_AT]!, PACE, now.sharedMs);
    return {
      tokens: round((PACE.windowMs - fullInMs) / PACE.intervalMs),
      spent: countOn(budget.words[word + SLOT_DAILY]!, now.day),
    };
  }
}

function refill(model: ModelBucket, now: { sharedMs: number; day: number }): void {
  model.tokens = Math.min(TIER.burst, model.tokens + (now.sharedMs - model.atMs) / PACE.intervalMs);
  model.atMs = now.sharedMs;
  if (model.day !== now.day) model.spent = 0;
  model.day = now.day;
}

function round(tokens: number): number {
  return Math.round(tokens * 1_000) / 1_000;
}
