// Limits how many requests are in flight: their answer is being made, or is being sent. Places are divided
// like memory (access/quotas/fair-shares.ts): all callers without a key share a quarter, so they can never
// take the places of callers with one. Keys of the free plan share a quarter of the rest. A small answer that
// is ready immediately takes a place only while many requests are in flight, because it goes straight to the
// socket; edge/load.ts limits how many requests Bun may have pending.

import { createSharesMemory, FairShares, type Shares } from '../../access/quotas/fair-shares.ts';
import { ServiceError } from '../../errors.ts';

/**
 * Maximum number of answers that are being made or sent, per thread. Callers without a key share a quarter,
 * and one address may use an eighth of that; the keys of one account may use a third of the rest. Keys of the
 * free plan share a quarter of the rest, and those of one account may use a third of that. A request beyond a
 * share gets 503 and may be retried.
 */
export const IN_FLIGHT_MAX = 2_048;

/**
 * The places of one thread.
 * @param perCallerMax for one address or account; by default a fixed part of their share
 */
export function createPlaces(total: number, perCallerMax?: number): FairShares {
  const strangers = Math.ceil(total / 4);
  const keys = Math.max(1, total - strangers);
  const freeKeys = Math.ceil(keys / 4);
  return sharesOfThread({
    total: strangers + keys,
    strangers,
    address: perCallerMax ?? Math.ceil(strangers / 8),
    network: perCallerMax ?? Math.ceil(strangers / 4),
    key: perCallerMax ?? Math.ceil(keys / 3),
    freeKeys,
    freeAccount: perCallerMax ?? Math.ceil(freeKeys / 3),
  });
}

const PAGE_FILES_MAX = 256;

/**
 * Places of one thread for the log-in page and its files. A caller without a key takes one when there is no
 * room among the places of all callers without a key, so that customers can log in while strangers leave
 * answers unread. A place counts also as the memory of an answer, so all of them are 32 MB at most.
 */
export function createPagePlaces(): FairShares {
  return sharesOfThread({
    total: PAGE_FILES_MAX + 1,
    strangers: PAGE_FILES_MAX,
    address: PAGE_FILES_MAX / 8,
    network: PAGE_FILES_MAX / 4,
    key: 1,
    freeKeys: 1,
    freeAccount: 1,
  });
}

/** Shares of something that only this thread gives out. */
export function sharesOfThread(shares: Shares): FairShares {
  const seed = crypto.getRandomValues(new Int32Array(1))[0]!;
  return new FairShares(createSharesMemory(shares, 1, seed), 0);
}

/**
 * The error when too many requests are in flight: of the caller, of all callers of its class, or in total.
 */
export function busy(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer now: too many answers are in flight', {
    fix: 'Read answers to their end and retry with fewer requests at a time',
    retryAfterSeconds: 1,
  });
}
