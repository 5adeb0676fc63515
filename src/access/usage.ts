// Usage per key and in all, counted in shared memory by every thread since the process started.

import type { KeyUsage, UsageReader } from '../accounts/usage.ts';
import { addWide, raiseWord, readWide } from '../memory/wide-counter.ts';
import { subjectOfKey } from './key-cache.ts';
import {
  type AccessMemory,
  CONTROL_STARTED_AT_S,
  SLOT_ERRORS,
  SLOT_LATENCY_MAX,
  SLOT_LATENCY_SUM,
  SLOT_REQUESTS,
  TOTAL_ERRORS,
  TOTAL_REQUESTS,
} from './memory.ts';
import { NO_SLOT, SubjectTable } from './subject-table.ts';

const LATENCY_MAX_US = 2 ** 31 - 1;

interface Sums {
  readonly requests: number;
  readonly errors: number;
  readonly latencyUs: number;
  readonly latencyMaxUs: number;
}

/** Counts one finished request; `word` is the first word of the key's slot, NO_SLOT for none. */
export function countRequest(
  words: Int32Array,
  word: number,
  request: { readonly status: number; readonly latencyMs: number },
): void {
  const isError = request.status >= 400;
  addWide(words, TOTAL_REQUESTS, 1);
  if (isError) addWide(words, TOTAL_ERRORS, 1);
  if (word === NO_SLOT) return;
  const latencyUs = Math.min(LATENCY_MAX_US, Math.max(0, Math.round(request.latencyMs * 1000)));
  addWide(words, word + SLOT_REQUESTS, 1);
  if (isError) addWide(words, word + SLOT_ERRORS, 1);
  addWide(words, word + SLOT_LATENCY_SUM, latencyUs);
  raiseWord(words, word + SLOT_LATENCY_MAX, latencyUs);
}

/** Reads what was counted; any thread. */
export class SharedUsage implements UsageReader {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #keys: SubjectTable;

  constructor(memory: AccessMemory) {
    this.#words = memory.words;
    this.#keys = new SubjectTable(memory, memory.keys);
  }

  usageOfKey(keyNumber: number): KeyUsage {
    return this.usageOfKeys([keyNumber]);
  }

  usageOfKeys(keyNumbers: readonly number[]): KeyUsage {
    let requests = 0;
    let errors = 0;
    let latencyUs = 0;
    let latencyMaxUs = 0;
    for (const keyNumber of keyNumbers) {
      const slot = this.#keys.find(subjectOfKey(keyNumber));
      if (slot === NO_SLOT) continue;
      const word = this.#keys.wordOf(slot);
      requests += readWide(this.#words, word + SLOT_REQUESTS);
      errors += readWide(this.#words, word + SLOT_ERRORS);
      latencyUs += readWide(this.#words, word + SLOT_LATENCY_SUM);
      latencyMaxUs = Math.max(latencyMaxUs, Atomics.load(this.#words, word + SLOT_LATENCY_MAX));
    }
    return toUsage({ requests, errors, latencyUs, latencyMaxUs });
  }

  /** All requests, keyless ones included, and how many of them were answered with 400 or more. */
  totals(): { readonly requests: number; readonly errors: number } {
    return { requests: readWide(this.#words, TOTAL_REQUESTS), errors: readWide(this.#words, TOTAL_ERRORS) };
  }

  /** Unix milliseconds at which counting began. */
  startedAtMs(): number {
    return Atomics.load(this.#words, CONTROL_STARTED_AT_S) * 1000;
  }
}

function toUsage(sums: Sums): KeyUsage {
  const { requests, errors, latencyUs, latencyMaxUs } = sums;
  return {
    requests,
    errors,
    error_rate: requests === 0 ? 0 : Math.round((errors / requests) * 10_000) / 10_000,
    avg_latency_ms: requests === 0 ? 0 : Math.round(latencyUs / requests) / 1000,
    max_latency_ms: latencyMaxUs / 1000,
  };
}
