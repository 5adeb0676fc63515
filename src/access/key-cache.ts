// One thread's cache from Authorization header to key or session. A cached header costs one map look-up, on
// the free plan two, and no SQL. Entries are valid until the shared key epoch rises; after that, the next use
// of each key reads it again. If keys are in a local file, this thread reads them itself. If they are in a
// remote database, another thread reads them: `lookUp` returns a promise for the request to wait on, and then
// `find` has the answer.

import { hashText, isSessionToken, isWellFormedKey } from '../accounts/credentials/secrets.ts';
import type { KeyDirectory, LiveKey, RemoteKeyDirectory } from '../accounts/keys/key-directory.ts';
import type { Clock } from '../clock.ts';
import { type Principal, TIER_KEYS, TIERS, type TierKey } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import { type IpAddress, isInRanges, parseAddress, parseAddressRange } from '../ip-address.ts';
import type { EpochWatch } from './heartbeat.ts';
import { AUTHORIZATION_CHARS_MAX, KEYS_TRUSTED_MS, KNOWN_KEYS_MAX, UNKNOWN_KEYS_MAX } from './limits.ts';
import { PACES } from './quotas/bucket.ts';
import { Budget } from './quotas/limiter.ts';
import type { SubjectTable } from './quotas/subject-table.ts';

/** High half of every key's subject; the low half is the key's number. */
const KEY_SUBJECT_HIGH = 1;
const BEARER_PATTERN = /^bearer +([^\s]+)$/i;

/** A live key as this thread has cached it. It is the request's principal. */
export class KnownKey implements Principal {
  readonly tier: TierKey;
  readonly seesSharp: boolean;
  readonly keyId: string;
  readonly ownerId: string;
  readonly lastFour: string;
  /** SHA-256 of the key's text, in hexadecimal. */
  readonly hash: string;
  readonly budget: Budget;
  /** The key epoch at which it was read. */
  readonly epoch: number;
  /**
   * When the key or session expires. All sessions do, and keys that were created with an expiry; most keys
   * never do.
   */
  readonly expiresAtMs: number;
  /**
   * Whether the key works only from some addresses. For all other keys, which are the majority, this flag is
   * all that a request has to check.
   */
  readonly isBound: boolean;
  readonly isOfAccount: boolean;
  readonly #ranges: readonly [IpAddress, number][];

  constructor(key: LiveKey, hash: string, { table, epoch }: { table: SubjectTable; epoch: number }) {
    const tierIndex = TIER_KEYS.indexOf(key.tier);
    const tier = TIERS[tierIndex];
    const pace = PACES[tierIndex];
    assert(tier?.key === key.tier && pace !== undefined, `tier '${key.tier}' has its rules`);
    this.tier = tier.key;
    this.seesSharp = tier.seesSharp;
    this.keyId = key.keyId;
    this.ownerId = key.ownerId;
    this.lastFour = key.lastFour;
    this.hash = hash;
    this.epoch = epoch;
    this.expiresAtMs = key.expiresAtMs ?? Number.POSITIVE_INFINITY;
    // Keys from before 1.0.0 may have ranges that are refused today, such as ::ffff:0:0/95. They matched no
    // address then and match none now.
    this.#ranges = key.allowedAddresses.map(parseAddressRange).filter((range) => range !== null);
    this.isBound = key.allowedAddresses.length > 0;
    this.isOfAccount = key.isOfAccount;
    this.budget = new Budget(table, {
      subject: subjectOfKey(key.number),
      pace,
      perDay: tier.perDay,
      spare: tierIndex,
    });
  }

  get principal(): Principal {
    return this;
  }

  get needsAddress(): boolean {
    return this.isBound;
  }

  /** Whether a request from this address may use the key. */
  worksFrom(clientAddress: string): boolean {
    if (!this.isBound) return true;
    const address = parseAddress(clientAddress);
    return address !== null && isInRanges(address, this.#ranges);
  }
}

/** The subject under which a key is counted. */
export function subjectOfKey(number: number): { high: number; low: number } {
  return { high: KEY_SUBJECT_HIGH, low: number };
}

export interface KeyCacheOptions {
  readonly directory: KeyDirectory | RemoteKeyDirectory;
  readonly watch: EpochWatch;
  readonly table: SubjectTable;
  readonly clock: Clock;
}

export class KeyCache {
  /** The keys in a local file; null if they are in a remote database. */
  readonly #directory: KeyDirectory | null;
  /** The keys in a remote database; null if this thread reads keys itself. */
  readonly #remote: RemoteKeyDirectory | null;
  readonly #watch: EpochWatch;
  readonly #table: SubjectTable;
  readonly #clock: Clock;
  /** Credentials of live keys and sessions of paid plans, in their canonical spelling. */
  readonly #known = new Map<string, KnownKey>();
  /**
   * Credentials of the free plan. Anybody can get many of them, so they have a map of their own and cannot
   * displace those of paid plans.
   */
  readonly #knownFree = new Map<string, KnownKey>();
  /**
   * Cached keys of paid plans by their hash. Callers admitted by ticket and streams look keys up here
   * directly. The map is separate from that of headers; otherwise a header that contains a hash would be
   * accepted as the key.
   */
  readonly #byHash = new Map<string, KnownKey>();
  /** The same for the free plan. */
  readonly #byHashFree = new Map<string, KnownKey>();
  /** Headers that hold no live key, with the key epoch at which they were looked up. */
  readonly #unknown = new Map<string, number>();
  /**
   * Hashes that belong to no live key, as a remote directory answered. Each has the key epoch from before the
   * directory was asked.
   */
  readonly #dead = new Map<string, number>();
  /** The questions that a remote directory has not answered yet, by hash. */
  readonly #asked = new Map<string, Promise<void>>();

  constructor({ directory, watch, table, clock }: KeyCacheOptions) {
    this.#directory = 'findLive' in directory ? directory : null;
    this.#remote = 'findLive' in directory ? null : directory;
    this.#watch = watch;
    this.#table = table;
    this.#clock = clock;
  }

  /** Whether another thread reads keys, so that a request may have to wait for `lookUp`. */
  get isRemote(): boolean {
    return this.#remote !== null;
  }

  /**
   * The live key of an Authorization header; null if it is not a live key, undefined if it has to be looked
   * up first.
   */
  find(authorization: string): KnownKey | null | undefined {
    const known = this.#seen(authorization);
    if (known !== undefined && this.#isFresh(known)) return known;
    return this.#read(authorization);
  }

  /**
   * The tier of a header or session that `find` has found live before; null for any other. It costs one map
   * look-up, or two. Keys that have ended since keep their tier until `find` is called, so use it only to
   * decide how long a request waits.
   */
  seenTier(credential: string): TierKey | null {
    return this.#seen(credential)?.tier ?? null;
  }

  /** The key of a credential as it was when `find` last read it. */
  #seen(credential: string): KnownKey | undefined {
    return this.#known.get(credential) ?? this.#knownFree.get(credential);
  }

  /**
   * Resolves when `find` can answer for an Authorization header; null if it can answer now. Call it again
   * afterwards: keys may have changed meanwhile.
   */
  lookUp(authorization: string): Promise<void> | null {
    if (this.#remote === null || this.find(authorization) !== undefined) return null;
    return this.#ask(hashText(textOf(authorization)!));
  }

  /** Like `lookUp`, for `findByHash`. */
  lookUpHash(hash: string): Promise<void> | null {
    return this.findByHash(hash) === undefined ? this.#ask(hash) : null;
  }

  /**
   * Like `find`, for a header that is not cached or whose key may have changed. A header found not to be a
   * live key is not looked up again until the epoch rises. It rises when an account is verified, for example,
   * because its sessions then become valid.
   */
  #read(authorization: string): KnownKey | null | undefined {
    if (authorization.length > AUTHORIZATION_CHARS_MAX) return null;
    const epoch = this.#watch.current();
    if (this.#unknown.get(authorization) === epoch) return null;
    const text = textOf(authorization);
    if (text === null) return null;
    // Only one spelling of a header is cached: a key has thousands, and they would displace other keys.
    const canonical = authorization.startsWith('\0') ? authorization : `Bearer ${text}`;
    if (canonical !== authorization) return this.find(canonical);
    const known = this.findByHash(hashText(text));
    if (known === undefined) return undefined;
    this.#known.delete(authorization);
    this.#knownFree.delete(authorization);
    if (known === null) {
      this.#unknown.delete(authorization);
      makeRoom(this.#unknown, UNKNOWN_KEYS_MAX);
      this.#unknown.set(authorization, epoch);
      return null;
    }
    const cached = known.tier === 'free' ? this.#knownFree : this.#known;
    makeRoom(cached, KNOWN_KEYS_MAX);
    cached.set(authorization, known);
    return known;
  }

  /**
   * The present state of a key that was found earlier, read again if keys have changed since; null and
   * undefined as from `findByHash`.
   */
  renewed(known: KnownKey): KnownKey | null | undefined {
    return this.#isFresh(known) ? known : this.findByHash(known.hash);
  }

  /** The live key of a hash; null if no live key has it, undefined if it has to be looked up first. */
  findByHash(hash: string): KnownKey | null | undefined {
    // Read the epoch first. A change that commits while the key is read then makes this entry out of date.
    const epoch = this.#watch.current();
    const known = this.#byHash.get(hash) ?? this.#byHashFree.get(hash);
    if (known !== undefined && this.#isFresh(known)) return known;
    if (known !== undefined && !this.#lasts(known)) return null;
    if (this.#directory === null) return this.#dead.get(hash) === epoch ? null : undefined;
    return this.#remember(hash, this.#directory.findLive(hash), epoch);
  }

  /**
   * Whether a caller admitted under this hash may stay connected. While a remote key is being read again, the
   * answer is yes. A revoked key loses access when that read ends. A key that cannot be read keeps access for
   * as long as cached keys are trusted.
   */
  isLive(hash: string, tier: TierKey): boolean {
    const known = this.findByHash(hash);
    if (known !== undefined) return known?.tier === tier;
    // The key was live when the caller was admitted, and no key or session becomes live a second time.
    if (this.#dead.has(hash)) return false;
    // This failure is ignored here: the next request with the key looks it up again and gets the error.
    this.#ask(hash).catch(() => {});
    return this.#isTrusted();
  }

  #ask(hash: string): Promise<void> {
    const running = this.#asked.get(hash);
    if (running !== undefined) return running;
    assert(this.#remote !== null, 'only remote keys are fetched');
    const epoch = this.#watch.current();
    const fetched = this.#remote
      .fetchLive(hash)
      .then((key) => {
        this.#dead.delete(hash);
        if (this.#remember(hash, key, epoch) !== null) return;
        makeRoom(this.#dead, UNKNOWN_KEYS_MAX);
        this.#dead.set(hash, epoch);
      })
      .finally(() => this.#asked.delete(hash));
    this.#asked.set(hash, fetched);
    return fetched;
  }

  #remember(hash: string, key: LiveKey | null, epoch: number): KnownKey | null {
    this.#byHash.delete(hash);
    this.#byHashFree.delete(hash);
    if (key === null) return null;
    const fresh = new KnownKey(key, hash, { table: this.#table, epoch });
    if (!this.#lasts(fresh)) return null;
    const cached = fresh.tier === 'free' ? this.#byHashFree : this.#byHash;
    makeRoom(cached, KNOWN_KEYS_MAX);
    cached.set(hash, fresh);
    return fresh;
  }

  #isFresh(known: KnownKey): boolean {
    return known.epoch === this.#watch.current() && this.#lasts(known) && this.#isTrusted();
  }

  /** Whether the last report about changed keys is recent enough for cached keys to be used. */
  #isTrusted(): boolean {
    return this.#remote === null || this.#clock.wallMs() - this.#watch.heardAtS() * 1_000 < KEYS_TRUSTED_MS;
  }

  /** False once the key has expired. Most keys never expire; for them the clock is not read. */
  #lasts({ expiresAtMs }: KnownKey): boolean {
    return expiresAtMs === Number.POSITIVE_INFINITY || this.#clock.wallMs() < expiresAtMs;
  }
}

/**
 * The credential to pass to `find` for a session cookie. No header can contain a NUL, so a session token is
 * accepted only from a cookie.
 */
export function sessionCredential(token: string): string {
  return `\0${token}`;
}

/** The key or session token inside a credential; null if it is neither. */
function textOf(credential: string): string | null {
  const token = credential.startsWith('\0') ? credential.slice(1) : null;
  if (token !== null) return isSessionToken(token) ? token : null;
  const text = BEARER_PATTERN.exec(credential)?.[1];
  return text !== undefined && isWellFormedKey(text) ? text : null;
}

/** If there are `max` entries, drops the oldest to make room for one more. */
function makeRoom(memory: Map<string, unknown>, max: number): void {
  if (memory.size < max) return;
  for (const oldest of memory.keys()) {
    memory.delete(oldest);
    return;
  }
}
