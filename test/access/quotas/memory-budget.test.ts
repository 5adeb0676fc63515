// How the memory budget for request bodies and answers is divided among callers.

import { expect, test } from 'bun:test';
import {
  ALL_KEYS,
  createSharesMemory,
  FairShares,
  holderOf,
  sharesState,
} from '../../../src/access/quotas/fair-shares.ts';
import {
  cacheRooms,
  copyRoom,
  memoryBudgetBytes,
  memoryShares,
} from '../../../src/access/quotas/memory-budget.ts';
import type { TierKey } from '../../../src/domain/tiers.ts';

const MB = 1024 * 1024;
type Rooms = ReturnType<typeof cacheRooms>;

test('at every memory budget that can be set, a caller without a key, or with a free one, can send the largest body', () => {
  for (const setting of [32, 64, 256, 1_536]) {
    const shares = memoryShares(memoryBudgetBytes(setting));
    expect(shares.total).toBe(setting * 1024 * 1024);
    expect(shares.address).toBeGreaterThan(1024 * 1024);
    expect(shares.address).toBeLessThanOrEqual(shares.network);
    expect(shares.network).toBeLessThanOrEqual(shares.strangers);
    expect(shares.key).toBeGreaterThan(1024 * 1024);
    expect(shares.freeAccount).toBeGreaterThan(1024 * 1024);
    expect(shares.freeAccount).toBeLessThanOrEqual(shares.freeKeys);
    expect(shares.freeKeys).toBeLessThanOrEqual((shares.total - shares.strangers) / 4);
  }
  const standard = memoryBudgetBytes(null) / 1024 / 1024;
  expect(standard).toBeGreaterThanOrEqual(32);
  expect(standard).toBeLessThanOrEqual(256);
});

test('cached answers for paid keys count as one paid account and the others as one free account; an answer without room there is not counted as refused', () => {
  const shares = memoryShares(256 * MB);
  const memory = createSharesMemory(shares, 2, 0);
  const [one, other] = [0, 1].map((thread) => cacheRooms(new FairShares(memory, thread))) as [Rooms, Rooms];
  expect(one.paid.reserve(shares.key)).toBe(true);
  expect(one.unpaid.reserve(shares.freeAccount)).toBe(true);
  expect([other.paid.reserve(1), other.unpaid.reserve(1)]).toEqual([false, false]);
  const { keys, freeKeys } = sharesState(memory);
  expect([keys.held, freeKeys.held]).toEqual([shares.key, shares.freeAccount]);
  expect([keys.refused, freeKeys.refused]).toEqual([0, 0]);
  one.paid.release(1);
  expect(other.paid.reserve(1)).toBe(true);
});

test('a copy counts against one customer, or against all other callers of a class together', () => {
  const budget = { reserve: () => true, release: () => undefined };
  const ownerOf = (tier: TierKey, keyId: string | null) =>
    copyRoom(budget, holderOf({ tier, keyId }, '192.0.2.1')).owner;
  expect(ownerOf('standard', 'key_1')).toBe(ownerOf('standard', 'key_1')!);
  expect(ownerOf('standard', 'key_1')).not.toBe(ownerOf('standard', 'key_2'));
  expect(ownerOf('standard', 'key_1')).not.toBe(copyRoom(budget, ALL_KEYS).owner);
  expect([ownerOf('free', 'key_1'), ownerOf('free', null)]).toEqual([undefined, undefined]);
});
