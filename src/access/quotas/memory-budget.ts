// The memory budget: bytes that wait for clients, counted over all serving threads. Incoming request bodies,
// responses not read yet and backlogs of streams count against it before anything is copied, and so do cached
// answers.

import { totalmem } from 'node:os';
import { MEMORY_BUDGET_MB_DEFAULT, MEMORY_BUDGET_MB_MIN } from '../../limits.ts';
import {
  ALL_FREE_KEYS,
  ALL_STRANGERS,
  type FairShares,
  type Holder,
  type HolderRoom,
  roomOf,
  type Shares,
} from './fair-shares.ts';
import { subjectOfText } from './subject-table.ts';

const MB = 1024 * 1024;

/**
 * The budget in bytes: the setting, or an eighth of the memory that this process may use, within fixed
 * bounds.
 */
export function memoryBudgetBytes(settingMb: number | null): number {
  if (settingMb !== null) return settingMb * MB;
  // In a container, the limit of its control group counts.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const eighthMb = Math.floor(memory / 8 / MB);
  return Math.max(MEMORY_BUDGET_MB_MIN, Math.min(MEMORY_BUDGET_MB_DEFAULT, eighthMb)) * MB;
}

/**
 * How the budget is divided. Callers without a key share a quarter, in which an address may hold a sixteenth,
 * at least 2 MB, and an IPv6 /48 a quarter, at least 4 MB. Keys share the rest, and those of one account may
 * hold a quarter of it. All keys of the free plan together may also hold only a quarter of it, and those of
 * one account a quarter of that quarter, at least 2 MB. A caller whose share is used up gets 503 before
 * anything is copied.
 */
export function memoryShares(budgetBytes: number): Shares {
  const strangers = Math.floor(budgetBytes / 4);
  const freeKeys = Math.floor((budgetBytes - strangers) / 4);
  return {
    total: budgetBytes,
    strangers,
    address: Math.max(2 * MB, Math.floor(strangers / 16)),
    network: Math.max(4 * MB, Math.floor(strangers / 4)),
    key: Math.floor((budgetBytes - strangers) / 4),
    freeKeys,
    freeAccount: Math.max(2 * MB, Math.floor(freeKeys / 4)),
  };
}

export type MemoryBudget = Pick<FairShares, 'reserve' | 'release'>;

/**
 * How much of one answer, or of a copy made for it, counts against the address of a caller without a key, or
 * against the account of a free key. The rest counts against all callers of that class together, because a
 * whole answer may exceed the share of one of them.
 */
const OWN_ANSWER_BYTES = MB;

/** A part of the budget for one holder, by name. */
type OwnedRoom = HolderRoom & { readonly owner: string };

/**
 * Holds those copies of the slate that customers still read but for which their own share has no room left.
 */
const COPIES_OF_CUSTOMERS: Holder = { hasKey: true, subjects: [subjectOfText('copies of customers')] };

/**
 * The part of the budget that a copy of the slate for this caller counts against. Callers of one class share
 * copies. Only an account with a paid plan is charged alone, because the share of any other caller may be
 * smaller than a copy. Some customers still read copies for which their own share has no room. Those copies
 * together get as much as one account.
 */
export function copyRoom(
  budget: MemoryBudget,
  holder: Holder,
): HolderRoom & { readonly owner?: string; readonly common?: OwnedRoom } {
  const shared = sharedHolderOf(holder);
  if (shared !== null) return roomOf(budget, shared);
  return { ...ownedRoom(budget, holder), common: ownedRoom(budget, COPIES_OF_CUSTOMERS) };
}

function ownedRoom(budget: MemoryBudget, holder: Holder): OwnedRoom {
  const owner = holder.subjects.map(({ high, low }) => `${high}.${low}`).join();
  return { ...roomOf(budget, holder), owner };
}

/**
 * The parts of the budget in which answers are cached, one for callers who pay and one for all others. On all
 * threads together, the first may hold as much as one account with a paid plan, the second as much as one
 * free account.
 */
export function cacheRooms(budget: Pick<FairShares, 'reserveUncounted' | 'release'>) {
  const shares = {
    reserve: (holder: Holder, bytes: number) => budget.reserveUncounted(holder, bytes),
    release: (holder: Holder, bytes: number) => budget.release(holder, bytes),
  };
  const subjects = [subjectOfText('cached answers')];
  return {
    paid: roomOf(shares, { hasKey: true, subjects }),
    unpaid: roomOf(shares, { hasKey: true, isFree: true, subjects }),
  };
}

/** All callers of the holder's class together; null for an account with a paid plan. */
function sharedHolderOf({ hasKey, isFree = false }: Holder): Holder | null {
  if (!hasKey) return ALL_STRANGERS;
  return isFree ? ALL_FREE_KEYS : null;
}

/**
 * The part of the budget in which an answer to this caller reserves its bytes until the caller has read them.
 */
export function answerRoom(budget: MemoryBudget, holder: Holder): HolderRoom {
  const own = roomOf(budget, holder);
  const together = sharedHolderOf(holder);
  if (together === null) return own;
  const shared = roomOf(budget, together);
  return {
    ...own,
    reserve: (bytes) => {
      const ownBytes = Math.min(bytes, OWN_ANSWER_BYTES);
      if (!own.reserve(ownBytes)) return false;
      if (shared.reserve(bytes - ownBytes)) return true;
      own.release(ownBytes);
      return false;
    },
    release: (bytes) => {
      const ownBytes = Math.min(bytes, OWN_ANSWER_BYTES);
      own.release(ownBytes);
      shared.release(bytes - ownBytes);
    },
  };
}
