// Tickets: single-use, short-lived texts that stand for a key, so that a browser can open a stream without a
// header. They are in a bounded table in shared memory, so any HTTP thread can redeem a ticket that another
// issued. The table holds only hashes. If a thread dies while writing entries, the next thread with the same
// number frees them.

import { type FillRandom, hashText } from '../accounts/credentials/secrets.ts';
import { ServiceError } from '../errors.ts';
import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../memory/shared-buffer.ts';
import {
  FREE_TICKETS_MAX,
  TICKET_LIVES_MS,
  TICKETS_MAX,
  TICKETS_PER_ACCOUNT_MAX,
  TICKETS_PER_FREE_ACCOUNT_MAX,
  TICKETS_PER_KEY_MAX,
} from './limits.ts';

/**
 * States of an entry: free; a ticket; or, while a thread writes or reads the entry, that thread's number plus
 * 1.
 */
const FREE = 0;
const TICKET = -1;

/** Words in a SHA-256. */
const HASH_WORDS = 8;
/** Words of an owner's hash that are stored: enough to count by. */
const OWNER_WORDS = 2;
const RANDOM_BYTES = 24;
const TICKET_TEXT = /^tkt_[A-Za-z0-9_-]{32}$/;

/** The key that a ticket stands for, and the owner and plan by which unused tickets are counted. */
export interface TicketKey {
  /** SHA-256 of the key's text, in hexadecimal. */
  readonly keyHash: string;
  /** The account; the key itself if it belongs to no account. */
  readonly ownerId: string;
  /** Whether the key is of the free plan, which anybody can get. */
  readonly isFree: boolean;
}

interface TicketMemory {
  readonly state: Int32Array<SharedArrayBuffer>;
  /** When each ticket expires, in shared milliseconds. */
  readonly expiresAt: Int32Array<SharedArrayBuffer>;
  readonly ticketHash: Int32Array<SharedArrayBuffer>;
  readonly keyHash: Int32Array<SharedArrayBuffer>;
  readonly owner: Int32Array<SharedArrayBuffer>;
  /** 1 if the key is of the free plan. */
  readonly isFree: Int32Array<SharedArrayBuffer>;
}

const LAYOUT: SharedLayout<'tickets', TicketMemory> = {
  name: 'tickets',
  magic: 0x4f_56_54_4b, // "OVTK"
  version: 2,
  sizeNames: ['tickets'],
  columns: (cursor, { tickets }) => ({
    state: cursor.int32(tickets),
    expiresAt: cursor.int32(tickets),
    ticketHash: cursor.int32(tickets * HASH_WORDS),
    keyHash: cursor.int32(tickets * HASH_WORDS),
    owner: cursor.int32(tickets * OWNER_WORDS),
    isFree: cursor.int32(tickets),
  }),
};

/** Allocates the table: 336 KiB at the default size. */
export function createTicketMemory(tickets: number = TICKETS_MAX): SharedArrayBuffer {
  return createSharedBuffer(LAYOUT, { tickets });
}

export class Tickets {
  readonly #memory: TicketMemory;
  readonly #owner: number;
  readonly #fillRandom: FillRandom;

  /** @param thread number of this HTTP thread, from 0 */
  constructor(
    buffer: SharedArrayBuffer,
    { thread, fillRandom }: { readonly thread: number; readonly fillRandom: FillRandom },
  ) {
    this.#memory = attachSharedBuffer(LAYOUT, buffer);
    this.#owner = thread + 1;
    this.#fillRandom = fillRandom;
    const { state } = this.#memory;
    for (let entry = 0; entry < state.length; entry++) {
      Atomics.compareExchange(state, entry, this.#owner, FREE);
    }
  }

  /**
   * Issues a ticket.
   * @param nowMs shared milliseconds
   * @param livesMs how long the ticket is valid
   * @throws ServiceError 429 if the key or its account has too many unused tickets, 503 if the table or the
   * part of free keys is full and no account has many more
   */
  issue(key: TicketKey, nowMs: number, livesMs = TICKET_LIVES_MS): string {
    const hash = wordsOf(key.keyHash);
    const owner = wordsOf(hashText(key.ownerId)).subarray(0, OWNER_WORDS);
    const { isFree } = key;
    const entry = this.#claim({ hash, owner, isFree }, nowMs);
    const { state, expiresAt, ticketHash, keyHash: keys, owner: owners, isFree: areFree } = this.#memory;
    const text = `tkt_${Buffer.from(this.#randomBytes()).toString('base64url')}`;
    ticketHash.set(wordsOf(hashText(text)), entry * HASH_WORDS);
    keys.set(hash, entry * HASH_WORDS);
    owners.set(owner, entry * OWNER_WORDS);
    areFree[entry] = isFree ? 1 : 0;
    Atomics.store(expiresAt, entry, (nowMs + livesMs) | 0);
    Atomics.store(state, entry, TICKET);
    return text;
  }

  /**
   * Uses up a ticket.
   * @returns the hash of its key; null if it is not a ticket, was used before or has expired
   */
  redeem(text: string, nowMs: number): string | null {
    if (!TICKET_TEXT.test(text)) return null;
    const hash = wordsOf(hashText(text));
    const { state, expiresAt, ticketHash, keyHash } = this.#memory;
    for (let entry = 0; entry < state.length; entry++) {
      if (Atomics.load(state, entry) !== TICKET || !holds(ticketHash, entry, hash)) continue;
      // If two threads redeem the same ticket, only one of them gets it.
      if (Atomics.compareExchange(state, entry, TICKET, this.#owner) !== TICKET) return null;
      const isGood = holds(ticketHash, entry, hash) && !isOver(expiresAt, entry, nowMs);
      const key = isGood ? hexOf(keyHash, entry) : null;
      Atomics.store(state, entry, FREE);
      return key;
    }
    return null;
  }

  /** The hash of a ticket's key; null if it is not a ticket. The ticket is not used up. */
  keyHashOf(text: string): string | null {
    if (!TICKET_TEXT.test(text)) return null;
    const hash = wordsOf(hashText(text));
    const { state, ticketHash, keyHash } = this.#memory;
    for (let entry = 0; entry < state.length; entry++) {
      if (Atomics.load(state, entry) === TICKET && holds(ticketHash, entry, hash))
        return hexOf(keyHash, entry);
    }
    return null;
  }

  /**
   * Claims an entry for this thread, and frees entries whose ticket has expired. If there is no room, it
   * takes the entry of an owner that has many more tickets.
   */
  #claim(wanted: CountedBy, nowMs: number): number {
    const { hash, owner, isFree } = wanted;
    const { state, keyHash: keys, owner: owners, isFree: areFree } = this.#memory;
    let claimed = -1;
    let ofKey = 0;
    let ofOwner = 0;
    let freeCount = 0;
    for (let entry = 0; entry < state.length; entry++) {
      if (Atomics.load(state, entry) === TICKET && !this.#dropIfOver(entry, nowMs)) {
        if (holds(keys, entry, hash)) ofKey += 1;
        if (holds(owners, entry, owner)) ofOwner += 1;
        freeCount += areFree[entry]!;
        continue;
      }
      if (claimed < 0 && Atomics.compareExchange(state, entry, FREE, this.#owner) === FREE) claimed = entry;
    }
    const refusal = refusalOf({ ofKey, ofOwner }, isFree);
    const hasRoom = claimed >= 0 && !(isFree && freeCount >= FREE_TICKETS_MAX);
    if (refusal === null && hasRoom) return claimed;
    if (claimed >= 0) Atomics.store(state, claimed, FREE);
    if (refusal !== null) throw refusal;
    const taken = this.#takeFromLargest({ ofOwner, isFree }, nowMs);
    if (taken < 0) throw full();
    return taken;
  }

  /**
   * Claims an entry of the owner that has the most tickets: the one that expires first. So a few accounts
   * cannot hold all tickets until they expire. A ticket of the free plan takes only entries of the free plan.
   * Two owners with nearly as many tickets do not take each other's.
   * @returns -1 if no owner has at least two tickets more than the caller
   */
  #takeFromLargest(
    { ofOwner, isFree }: Pick<Counts, 'ofOwner'> & { isFree: boolean },
    nowMs: number,
  ): number {
    const { state, expiresAt, owner: owners, isFree: areFree } = this.#memory;
    const byOwner = new Map<string, { count: number; first: number }>();
    const ownerOf = (entry: number): string =>
      owners.subarray(entry * OWNER_WORDS, (entry + 1) * OWNER_WORDS).join();
    const livesMs = (entry: number): number => (Atomics.load(expiresAt, entry) - nowMs) | 0;
    for (let entry = 0; entry < state.length; entry++) {
      if (Atomics.load(state, entry) !== TICKET || (isFree && areFree[entry] !== 1)) continue;
      const own = byOwner.get(ownerOf(entry));
      if (own === undefined) byOwner.set(ownerOf(entry), { count: 1, first: entry });
      else {
        own.count += 1;
        if (livesMs(entry) < livesMs(own.first)) own.first = entry;
      }
    }
    const [largest] = [...byOwner].sort(([, one], [, other]) => other.count - one.count);
    if (largest === undefined || largest[1].count < ofOwner + 2) return -1;
    const [name, { first }] = largest;
    if (Atomics.compareExchange(state, first, TICKET, this.#owner) !== TICKET) return -1;
    if (ownerOf(first) === name) return first;
    // The ticket was used in the meantime, and the entry now has a ticket of another owner. Leave that ticket
    // alone.
    Atomics.store(state, first, TICKET);
    return -1;
  }

  /**
   * Frees an entry if its ticket has expired; returns whether it did. The expiry is checked again once the
   * entry is claimed, because meanwhile it may hold a newer ticket.
   */
  #dropIfOver(entry: number, nowMs: number): boolean {
    const { state, expiresAt } = this.#memory;
    if (!isOver(expiresAt, entry, nowMs)) return false;
    if (Atomics.compareExchange(state, entry, TICKET, this.#owner) !== TICKET) return false;
    const isGone = isOver(expiresAt, entry, nowMs);
    Atomics.store(state, entry, isGone ? FREE : TICKET);
    return isGone;
  }

  #randomBytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(RANDOM_BYTES);
    this.#fillRandom(bytes);
    return bytes;
  }
}

/** What the tickets of a key are counted under: the key, its owner and the class of its plan. */
interface CountedBy {
  readonly hash: Int32Array;
  readonly owner: Int32Array;
  readonly isFree: boolean;
}

/** Unused tickets of a key, and of its owner. */
interface Counts {
  readonly ofKey: number;
  readonly ofOwner: number;
}

/** The refusal of another ticket; null if the key may have it. */
function refusalOf({ ofKey, ofOwner }: Counts, isFree: boolean): ServiceError | null {
  if (ofKey >= TICKETS_PER_KEY_MAX) return tooMany('key', TICKETS_PER_KEY_MAX);
  const ownerMax = isFree ? TICKETS_PER_FREE_ACCOUNT_MAX : TICKETS_PER_ACCOUNT_MAX;
  return ofOwner >= ownerMax ? tooMany('account', ownerMax) : null;
}

function isOver(expiresAt: Int32Array<SharedArrayBuffer>, entry: number, nowMs: number): boolean {
  return ((Atomics.load(expiresAt, entry) - nowMs) | 0) <= 0;
}

function wordsOf(hash: string): Int32Array {
  return Int32Array.from(
    { length: HASH_WORDS },
    (_, word) => Number.parseInt(hash.slice(word * 8, word * 8 + 8), 16) | 0,
  );
}

function hexOf(words: Int32Array, entry: number): string {
  const own = words.subarray(entry * HASH_WORDS, (entry + 1) * HASH_WORDS);
  return Array.from(own, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Whether an entry of a column holds these words. */
function holds(column: Int32Array, entry: number, words: Int32Array): boolean {
  for (let word = 0; word < words.length; word++) {
    if (column[entry * words.length + word] !== words[word]) return false;
  }
  return true;
}

function tooMany(holder: 'key' | 'account', max: number): ServiceError {
  return new ServiceError(
    'rate_limit_exceeded',
    `Cannot make a ticket: the ${holder} has ${max} that are not used yet`,
    {
      fix: 'Make a ticket just before you open the stream; unused, it expires after 30 seconds, or ten minutes if a WebSocket made it',
      retryAfterSeconds: TICKET_LIVES_MS / 1_000,
      headers: { 'x-ratelimit-scope': 'tickets' },
    },
  );
}

function full(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot make a ticket: too many are not used yet', {
    retryAfterSeconds: 5,
  });
}
