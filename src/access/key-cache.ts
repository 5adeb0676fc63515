// Which key, or session, an Authorization header is, remembered per thread: a header seen before costs one map look-up and no SQL.
// What is remembered holds until the shared key epoch rises; then the next use of each key reads it again. Where keys are
// in a file that read happens on this thread, at once. Where they are far away another thread reads them: `lookUp` says
// that a request has to wait, and when it has, `find` knows.

import type { FarKeyDirectory, KeyDirectory, LiveKey } from '../accounts/key-directory.ts';
import { hashText, isSessionToken, isWellFormedKey } from '../accounts/secrets.ts';
import type { Clock } from '../clock.ts';
import { type Principal, TIER_KEYS, TIERS, type TierKey } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import { type IpAddress, isInRanges, parseAddress, parseAddressRange } from '../ip-address.ts';
import type { EpochWatch } from './beat.ts';
import { PACES } from './bucket.ts';
import { Budget } from './limiter.ts';
import { AUTHORIZATION_CHARS_MAX, KEYS_TRUSTED_MS, KNOWN_KEYS_MAX, UNKNOWN_KEYS_MAX } from './limits.ts';
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
    // Releases before took ranges that this one refuses, such as ::ffff:0:0/95. They held no address, and hold none.
    this.#ranges = key.allowedAddresses.map(parseAddressRange).filter((range) => range !== null);
    this.isBound = key.allowedAddresses.length > 0;
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
  readonly directory: KeyDirectory | FarKeyDirectory;
  readonly watch: EpochWatch;
  readonly table: SubjectTable;
  readonly clock: Clock;
}

export class KeyCache {
  /** Null where keys are far away. */
  readonly #directory: KeyDirectory | null;
  /** Null where this thread reads keys by itself. */
  readonly #far: FarKeyDirectory | null;
  readonly #watch: EpochWatch;
  readonly #table: SubjectTable;
  readonly #clock: Clock;
  readonly #known = new Map<string, KnownKey>();
  /** By hash, for who was let in by a ticket and for streams. Apart, or a header that is a hash would do for a key. */
  readonly #byHash = new Map<string, KnownKey>();
  readonly #unknown = new Set<string>();
  /** Hashes that a far directory said are of no live key. */
  readonly #dead = new Set<string>();
  /** Look-ups of a far directory that are under way, by hash. */
  readonly #asked = new Map<string, Promise<void>>();

  constructor({ directory, watch, table, clock }: KeyCacheOptions) {
    this.#directory = 'findLive' in directory ? directory : null;
    this.#far = 'findLive' in directory ? null : directory;
    this.#watch = watch;
    this.#table = table;
    this.#clock = clock;
  }

  /** Whether another thread reads keys, so that a request may have to wait for `lookUp`. */
  get isFar(): boolean {
    return this.#far !== null;
  }

  /** The live key of an Authorization header, null when it is none, undefined when that has to be looked up first. */
  find(authorization: string): KnownKey | null | undefined {
    const known = this.#known.get(authorization);
    if (known !== undefined && this.#isFresh(known)) return known;
    return this.#read(authorization);
  }

  /**
   * What has to happen before `find` can answer for an Authorization header; null when it can at once. Call it again
   * when it is done: keys may have changed meanwhile.
   */
  lookUp(authorization: string): Promise<void> | null {
    if (this.#far === null || this.find(authorization) !== undefined) return null;
    return this.#ask(hashText(textOf(authorization)!));
  }

  /** As `lookUp`, for `findByHash`. */
  lookUpHash(hash: string): Promise<void> | null {
    return this.findByHash(hash) === undefined ? this.#ask(hash) : null;
  }

  /**
   * A key found dead is never looked up again: keys do not come back to life, and a new key is not one that somebody
   * tried before it was made.
   */
  #read(authorization: string): KnownKey | null | undefined {
    if (authorization.length > AUTHORIZATION_CHARS_MAX || this.#unknown.has(authorization)) return null;
    const text = textOf(authorization);
    if (text === null) return null;
    const known = this.findByHash(hashText(text));
    if (known === undefined) return undefined;
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

  /** The live key of a hash, null when it is none, undefined when that has to be looked up first. */
  findByHash(hash: string): KnownKey | null | undefined {
    // The epoch is read first: a change that commits during the look-up then makes this entry out of date.
    const epoch = this.#watch.current();
    const known = this.#byHash.get(hash);
    if (known !== undefined && this.#isFresh(known)) return known;
    if (known !== undefined && !this.#lasts(known)) return null;
    if (this.#directory === null) return this.#dead.has(hash) ? null : undefined;
    this.#byHash.delete(hash);
    return this.#remember(hash, this.#directory.findLive(hash), epoch);
  }

  /**
   * Whether whoever was let in under this hash may stay. Of a far key that is being looked up again this says yes: a key
   * that has died is gone when the look-up ends, and one that nobody can look up stays as long as known keys work.
   */
  isLive(hash: string, tier: TierKey): boolean {
    const known = this.findByHash(hash);
    if (known !== undefined) return known?.tier === tier;
    // A failure is not lost: the next request with the key asks again and is told.
    this.#ask(hash).catch(() => {});
    return this.#isTrusted();
  }

  #ask(hash: string): Promise<void> {
    const running = this.#asked.get(hash);
    if (running !== undefined) return running;
    assert(this.#far !== null, 'only far keys are fetched');
    const epoch = this.#watch.current();
    const fetched = this.#far
      .fetchLive(hash)
      .then((key) => {
        if (this.#remember(hash, key, epoch) !== null) return;
        makeRoom(this.#dead, UNKNOWN_KEYS_MAX);
        this.#dead.add(hash);
      })
      .finally(() => this.#asked.delete(hash));
    this.#asked.set(hash, fetched);
    return fetched;
  }

  #remember(hash: string, key: LiveKey | null, epoch: number): KnownKey | null {
    this.#byHash.delete(hash);
    if (key === null) return null;
    const fresh = new KnownKey(key, hash, { table: this.#table, epoch });
    if (!this.#lasts(fresh)) return null;
    makeRoom(this.#byHash, KNOWN_KEYS_MAX);
    this.#byHash.set(hash, fresh);
    return fresh;
  }

  #isFresh(known: KnownKey): boolean {
    return known.epoch === this.#watch.current() && this.#lasts(known) && this.#isTrusted();
  }

  /** Whether changes of keys were heard of lately enough for what is remembered to count. */
  #isTrusted(): boolean {
    return this.#far === null || this.#clock.wallMs() - this.#watch.heardAtS() * 1_000 < KEYS_TRUSTED_MS;
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
