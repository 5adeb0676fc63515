// Which key, or session, an Authorization header is, remembered per thread: a header seen before costs one map look-up and no SQL.
// What is remembered holds until the shared key epoch rises; then the next use of each key reads it again.

import type { KeyDirectory, LiveKey } from '../accounts/key-directory.ts';
import { hashText, isSessionToken, isWellFormedKey } from '../accounts/secrets.ts';
import type { Clock } from '../clock.ts';
import { type Principal, TIER_KEYS, TIERS, type TierKey } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import { type IpAddress, isInRanges, parseAddress, parseAddressRange } from '../ip-address.ts';
import type { EpochWatch } from './beat.ts';
import { PACES } from './bucket.ts';
import { Budget } from './limiter.ts';
import { AUTHORIZATION_CHARS_MAX, KNOWN_KEYS_MAX, UNKNOWN_KEYS_MAX } from './limits.ts';
import type { SubjectTable } from './subject-table.ts';

/** High half of every key's subject; the low half is the key's number. */
const KEY_SUBJECT_HIGH = 1;
const BEARER_PATTERN = /^bearer +([^\s]+)$/i;

/** A live key as this thread knows it. It is the request's principal. */
export class KnownKey implements Principal {
  readonly tier: TierKey;
  readonly seesSharp: boolean;
  readonly keyId: string;
  readonly lastFour: string;
  /** SHA-256 of its text, in hexadecimal. */
  readonly hash: string;
  readonly budget: Budget;
  /** The key epoch at which it was read. */
  readonly epoch: number;
  /** When it ends by itself, as a session does and a key that was made so; most keys never do. */
  readonly expiresAtMs: number;
  /** Whether it works from some addresses only. Most keys are not bound and pay for nothing but this. */
  readonly isBound: boolean;
  readonly #ranges: readonly [IpAddress, number][];

  constructor(key: LiveKey, hash: string, { table, epoch }: { table: SubjectTable; epoch: number }) {
    const tierIndex = TIER_KEYS.indexOf(key.tier);
    const tier = TIERS[tierIndex];
    const pace = PACES[tierIndex];
    assert(tier?.key === key.tier && pace !== undefined, `tier '${key.tier}' has its rules`);
    this.tier = tier.key;
    this.seesSharp = tier.seesSharp;
    this.keyId = key.keyId;
    this.lastFour = key.lastFour;
    this.hash = hash;
    this.epoch = epoch;
    this.expiresAtMs = key.expiresAtMs ?? Number.POSITIVE_INFINITY;
    this.#ranges = key.allowedAddresses.map((entry) => {
      const range = parseAddressRange(entry);
      assert(range !== null, `'${entry}' is an address or a range`);
      return range;
    });
    this.isBound = this.#ranges.length > 0;
    this.budget = new Budget(table, {
      subject: subjectOfKey(key.number),
      pace,
      perDay: tier.perDay,
      spare: tierIndex,
    });
  }

  /** Whether a request from this address may use it. */
  worksFrom(clientAddress: string): boolean {
    if (!this.isBound) return true;
    const address = parseAddress(clientAddress);
    return address !== null && isInRanges(address, this.#ranges);
  }
}

/** The subject a key is counted under. */
export function subjectOfKey(number: number): { high: number; low: number } {
  return { high: KEY_SUBJECT_HIGH, low: number };
}

export interface KeyCacheOptions {
  readonly directory: KeyDirectory;
  readonly watch: EpochWatch;
  readonly table: SubjectTable;
  readonly clock: Clock;
}

export class KeyCache {
  readonly #directory: KeyDirectory;
  readonly #watch: EpochWatch;
  readonly #table: SubjectTable;
  readonly #clock: Clock;
  readonly #known = new Map<string, KnownKey>();
  /** By hash, for who was let in by a ticket and for streams. Apart, or a header that is a hash would do for a key. */
  readonly #byHash = new Map<string, KnownKey>();
  readonly #unknown = new Set<string>();

  constructor({ directory, watch, table, clock }: KeyCacheOptions) {
    this.#directory = directory;
    this.#watch = watch;
    this.#table = table;
    this.#clock = clock;
  }

  /** The live key of an Authorization header, or null. */
  find(authorization: string): KnownKey | null {
    const known = this.#known.get(authorization);
    if (known !== undefined && known.epoch === this.#watch.current() && this.#lasts(known)) return known;
    return this.#read(authorization);
  }

  /**
   * A key found dead is never looked up again: keys do not come back to life, and a new key is not one that somebody
   * tried before it was made.
   */
  #read(authorization: string): KnownKey | null {
    if (authorization.length > AUTHORIZATION_CHARS_MAX || this.#unknown.has(authorization)) return null;
    const text = textOf(authorization);
    if (text === null) return null;
    const known = this.findByHash(hashText(text));
    this.#known.delete(authorization);
    if (known === null) {
      makeRoom(this.#unknown, UNKNOWN_KEYS_MAX);
      this.#unknown.add(authorization);
      return null;
    }
    makeRoom(this.#known, KNOWN_KEYS_MAX);
    this.#known.set(authorization, known);
    return known;
  }

  /** The live key of a hash, or null. */
  findByHash(hash: string): KnownKey | null {
    // The epoch is read first: a change that commits during the look-up then makes this entry out of date.
    const epoch = this.#watch.current();
    const known = this.#byHash.get(hash);
    if (known !== undefined && known.epoch === epoch && this.#lasts(known)) return known;
    this.#byHash.delete(hash);
    const key = this.#directory.findLive(hash);
    if (key === null) return null;
    const fresh = new KnownKey(key, hash, { table: this.#table, epoch });
    if (!this.#lasts(fresh)) return null;
    makeRoom(this.#byHash, KNOWN_KEYS_MAX);
    this.#byHash.set(hash, fresh);
    return fresh;
  }

  /** Whether it has not come to its end by itself. Most keys do not, and cost no look at the clock. */
  #lasts({ expiresAtMs }: KnownKey): boolean {
    return expiresAtMs === Number.POSITIVE_INFINITY || this.#clock.wallMs() < expiresAtMs;
  }
}

/** What `find` takes for the session of a cookie. No header can hold a NUL, so a session counts from a cookie alone. */
export function sessionCredential(token: string): string {
  return `\0${token}`;
}

/** The key or session token of a credential, or null when it has the form of neither. */
function textOf(credential: string): string | null {
  const token = credential.startsWith('\0') ? credential.slice(1) : null;
  if (token !== null) return isSessionToken(token) ? token : null;
  const text = BEARER_PATTERN.exec(credential)?.[1];
  return text !== undefined && isWellFormedKey(text) ? text : null;
}

/** Makes room for one more by dropping what was remembered longest. */
function makeRoom(memory: Map<string, unknown> | Set<string>, max: number): void {
  if (memory.size < max) return;
  for (const oldest of memory.keys()) {
    memory.delete(oldest);
    return;
  }
}
