// FairShares of several threads on one memory, compared with a plain list of reservations. A thread may die
// at any moment; its shares are then free.

import { describe, expect, test } from 'bun:test';
import {
  ALL_FREE_KEYS,
  ALL_KEYS,
  ALL_STRANGERS,
  clearShares,
  createSharesMemory,
  FairShares,
  type Holder,
  holderOf,
  type Shares,
  sharesState,
  strangerAt,
} from '../../../src/access/quotas/fair-shares.ts';
import { memoryShares } from '../../../src/access/quotas/memory-budget.ts';
import { Random } from '../../../src/domain/random.ts';
import { classOf } from '../../../src/domain/tiers.ts';
import { createPlaces } from '../../../src/http/kit/in-flight.ts';

const SHARES: Shares = {
  ...{ total: 1_000, strangers: 250, address: 40, network: 90 },
  ...{ key: 300, freeKeys: 180, freeAccount: 70 },
};
const THREADS = 3;
const HOLDERS: readonly Holder[] = [
  ...Array.from({ length: 9 }, (_, index) => strangerAt(`203.0.113.${index}`)),
  ...Array.from({ length: 9 }, (_, index) => strangerAt(`2001:db8:1:${index}::5`)),
  ...Array.from({ length: 4 }, (_, index) => strangerAt(`2001:db8:2:${index}::5`)),
  ...Array.from({ length: 5 }, (_, index) => paidKey(`key ${index}`)),
  ...Array.from({ length: 9 }, (_, index) => freeKey(`key ${index}`, `account ${index % 4}`)),
  ALL_STRANGERS,
  ALL_FREE_KEYS,
  ALL_KEYS,
];

function paidKey(keyId: string): Holder {
  return holderOf({ keyId, tier: 'standard' }, '');
}

function freeKey(keyId: string, ownerId: string): Holder {
  return holderOf({ keyId, ownerId, tier: 'free' }, '');
}

interface Held {
  readonly thread: number;
  readonly holder: Holder;
  readonly amount: number;
}

/** Whether the model grants one more reservation: no share may exceed its bound. */
function fits(held: readonly Held[], { holder, amount }: Held): boolean {
  const sum = (of: (one: Holder) => boolean): number =>
    amount + held.filter((one) => of(one.holder)).reduce((total, one) => total + one.amount, 0);
  const { hasKey, isFree = false, subjects } = holder;
  const isOfClass = (one: Holder): boolean => one.hasKey === hasKey && (one.isFree ?? false) === isFree;
  const max = hasKey ? SHARES.total - SHARES.strangers : SHARES.strangers;
  if (sum((one) => one.hasKey === hasKey) > max) return false;
  if (isFree && sum(isOfClass) > SHARES.freeKeys) return false;
  return subjects.every((subject, index) => {
    const shareOfKey = isFree ? SHARES.freeAccount : SHARES.key;
    const shareOf = hasKey ? shareOfKey : index === 0 ? SHARES.address : SHARES.network;
    const isSame = (one: Holder): boolean =>
      isOfClass(one) && one.subjects.some(({ high, low }) => high === subject.high && low === subject.low);
    return sum(isSame) <= shareOf;
  });
}

describe('FairShares', () => {
  test('a reservation is granted exactly when a plain model grants it, even when threads die that hold shares', () => {
    const seed = Number(Bun.env.SEED ?? 20_261_123);
    const random = new Random(seed);
    const memory = createSharesMemory(SHARES, THREADS, seed);
    const threads = Array.from({ length: THREADS }, (_, thread) => new FairShares(memory, thread));
    let held: Held[] = [];
    let refused = 0;
    for (let step = 0; step < 20_000; step++) {
      const thread = random.index(THREADS);
      const act = random.index(1_000);
      if (act < 3) {
        // The thread dies: either main clears its shares, or the thread that replaces it does.
        held = held.filter((one) => one.thread !== thread);
        if (act < 2) clearShares(memory, thread);
        else threads[thread] = new FairShares(memory, thread);
      } else if (act < 450 && held.length > 0) {
        const [one] = held.splice(random.index(held.length), 1);
        threads[one!.thread]!.release(one!.holder, one!.amount);
      } else {
        const one = { thread, holder: HOLDERS[random.index(HOLDERS.length)]!, amount: 1 + random.index(45) };
        const expected = fits(held, one);
        if (threads[thread]!.reserve(one.holder, one.amount) !== expected)
          throw new Error(`seed ${seed}, step ${step}: reserve did not return ${expected}`);
        if (expected) held.push(one);
        else refused++;
      }
      const { strangers, keys, freeKeys } = sharesState(memory);
      const sums = { keyless: 0, paid: 0, free: 0 };
      for (const { holder, amount } of held) sums[classOf(holder)] += amount;
      const counted = [strangers.held, keys.held, freeKeys.held];
      counted.push(strangers.refused + keys.refused + freeKeys.refused);
      const expected = [sums.keyless, sums.paid, sums.free, refused];
      // One `expect` per step would take longer than the step itself.
      if (counted.join() !== expected.join()) expect(counted, `seed ${seed}, step ${step}`).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(1_000);
    for (const { thread, holder, amount } of held) threads[thread]!.release(holder, amount);
    for (const holder of HOLDERS) {
      for (const subject of holder.subjects) expect(threads[0]!.heldBy(holder, subject)).toBe(0);
    }
  });

  test('however many addresses reserve, a key gets its whole share', () => {
    const memory = createSharesMemory(SHARES, 1, 7);
    const shares = new FairShares(memory, 0);
    const key = paidKey('key');
    for (let index = 0; index < 70_000; index++) {
      shares.reserve(
        strangerAt(`2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`),
        1,
      );
      shares.reserve(strangerAt(`10.0.${index & 0xff}.${(index >> 8) & 0xff}`), 1);
    }
    expect(sharesState(memory).strangers.held).toBe(SHARES.strangers);
    expect(shares.reserve(key, SHARES.key)).toBe(true);
    expect(shares.reserve(key, 1)).toBe(false);
  });

  test('however many accounts with free keys reserve, keys of paid plans get everything except the part for free keys', () => {
    const memory = createSharesMemory(SHARES, 1, 7);
    const shares = new FairShares(memory, 0);
    for (let index = 0; index < 20_000; index++) {
      shares.reserve(freeKey(`key ${index}`, `account ${index >> 4}`), 1);
    }
    expect(sharesState(memory).freeKeys.held).toBe(SHARES.freeKeys);
    const forKeys = SHARES.total - SHARES.strangers;
    for (let left = forKeys - SHARES.freeKeys; left > 0; left -= 10) {
      expect(shares.reserve(paidKey(`paid ${left % 30}`), 10)).toBe(true);
    }
    expect(shares.reserve(paidKey('another'), 1)).toBe(false);
  });

  test('twenty keys of one account hold no more than one key can; a key of the operator counts separately', () => {
    for (const [tier, max] of [
      ['free', SHARES.freeAccount],
      ['standard', SHARES.key],
    ] as const) {
      const shares = new FairShares(createSharesMemory(SHARES, 1, 7), 0);
      const granted = Array.from({ length: 50 }, (_, index) =>
        shares.reserve(holderOf({ keyId: `key ${index % 20}`, ownerId: 'account', tier }, ''), 10),
      );
      expect(granted.filter((isGranted) => isGranted).length).toBe(max / 10);
      expect(shares.reserve(holderOf({ keyId: 'operator', tier }, ''), max)).toBe(true);
    }
  });

  test('no customer, however many keys it has, can take the memory and the places that are left for others', () => {
    const memory = new FairShares(createSharesMemory(memoryShares(256 * 1024 * 1024), 1, 7), 0);
    for (const shares of [memory, createPlaces(2_048)]) {
      const keyOf = (keyId: string, ownerId: string): Holder =>
        holderOf({ keyId, ownerId, tier: 'standard' }, '');
      const customer = keyOf('customer', 'customer');
      const max = shares.maxOf(customer);
      for (let key = 0; key < 20; key++) shares.reserve(keyOf(`key ${key}`, 'greedy'), max);
      expect(shares.reserve(customer, max)).toBe(true);
    }
  });

  test('once addresses have filled the table, further addresses are refused and keys are not', () => {
    const memory = createSharesMemory(
      { ...SHARES, total: 1_000_000, strangers: 500_000, network: 500_000 },
      1,
      7,
    );
    const shares = new FairShares(memory, 0);
    let granted = 0;
    for (let index = 0; index < 20_000; index++) {
      if (shares.reserve(strangerAt(`10.1.${index & 0xff}.${index >> 8}`), 1)) granted++;
    }
    expect(granted).toBeGreaterThan(3_000);
    expect(granted).toBeLessThanOrEqual(4_096);
    expect(shares.reserve(paidKey('key'), 1)).toBe(true);
  });

  test('a /48 is counted apart from the /64 that begins with the same bits', () => {
    const shares = new FairShares(createSharesMemory(SHARES, 1, 7), 0);
    expect(shares.reserve(strangerAt('2001:db8:1:0::1'), 30)).toBe(true);
    expect(shares.reserve(strangerAt('2001:db8:1:1::1'), 40)).toBe(true);
    expect(shares.reserve(strangerAt('2001:db8:1:0::2'), 10)).toBe(true);
    expect(shares.reserve(strangerAt('2001:db8:1:2::2'), 20)).toBe(false);
    expect(shares.reserve(strangerAt('2001:db8:2:2::2'), 20)).toBe(true);
  });
});
