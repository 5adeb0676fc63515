// Usage per key and in total, counted in shared memory by all threads since the process started.

import type { Static } from '@sinclair/typebox';
import type { UsageReader } from '../../accounts/keys/key-service.ts';
import type { UsageCounters } from '../../contract/operations.ts';
import { addWide, raiseWord, readWide } from '../../memory/wide-counter.ts';
import { subjectOfKey } from '../key-cache.ts';
import type { Budget } from '../quotas/limiter.ts';
import {
  type AccessMemory,
  CONTROL_STARTED_AT_S,
  SLOT_ERRORS,
  SLOT_LATENCY_MAX,
  SLOT_LATENCY_SUM,
  SLOT_REQUESTS,
  TOTAL_ERRORS,
  TOTAL_REQUESTS,
} from '../quotas/memory.ts';
import { NO_SLOT, SubjectTable } from '../quotas/subject-table.ts';

const LATENCY_MAX_US = 2 ** 31 - 1;

/** Counts one finished request in the totals and, if it has a key, for the key. */
export function countRequest(
  control: Int32Array,
  budget: Budget | null,
  request: { readonly status: number; readonly latencyMs: number },
): void {
  const isError = request.status >= 400;
  addWide(control, TOTAL_REQUESTS, 1);
  if (isError) addWide(control, TOTAL_ERRORS, 1);
  if (budget === null) return;
  const { words } = budget;
  const word = budget.claimWord();
  const latencyUs = Math.min(LATENCY_MAX_US, Math.max(0, Math.round(request.latencyMs * 1000)));
  addWide(words, word + SLOT_REQUESTS, 1);
  if (isError) addWide(words, word + SLOT_ERRORS, 1);
  addWide(words, word + SLOT_LATENCY_SUM, latencyUs);
  raiseWord(words, word + SLOT_LATENCY_MAX, latencyUs);
}

/** Reads the usage counters. Any thread may. */
export class SharedUsage implements UsageReader {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #keys: SubjectTable;

  constructor(memory: AccessMemory) {
    this.#control = memory.control;
    this.#keys = new SubjectTable(memory.keys, memory.seed);
  }

  usageOfKeys(keyNumbers: readonly number[]): Static<typeof UsageCounters> {
    const { words } = this.#keys;
    let requests = 0;
    let errors = 0;
    let latencyUs = 0;
    let latencyMaxUs = 0;
    for (const keyNumber of keyNumbers) {
      const slot = this.#keys.find(subjectOfKey(keyNumber));
      if (slot === NO_SLOT) continue;
      const word = this.#keys.wordOf(slot);
      requests += readWide(words, word + SLOT_REQUESTS);
      errors += readWide(words, word + SLOT_ERRORS);
      latencyUs += readWide(words, word + SLOT_LATENCY_SUM);
      latencyMaxUs = Math.max(latencyMaxUs, Atomics.load(words, word + SLOT_LATENCY_MAX));
    }
    return {
      requests,
      errors,
      error_rate: requests === 0 ? 0 : Math.round((errors / requests) * 10_000) / 10_000,
      avg_latency_ms: requests === 0 ? 0 : Math.round(latencyUs / requests) / 1000,
      max_latency_ms: latencyMaxUs / 1000,
    };
  }

  /** All requests, including those without a key, and how many of them got a status of 400 or more. */
  totals(): { readonly requests: number; readonly errors: number } {
    return {
      requests: readWide(this.#control, TOTAL_REQUESTS),
      errors: readWide(this.#control, TOTAL_ERRORS),
    };
  }

  /** Unix milliseconds when counting began. */
  startedAtMs(): number {
    return Atomics.load(this.#control, CONTROL_STARTED_AT_S) * 1000;
  }
}
