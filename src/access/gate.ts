// The gate of one serving thread. It identifies the caller of a request, applies the caller's limits and
// counts the request. All gates of a process share one access memory. If keys are in a local file, each gate
// has its own connection, over which it reads the keys that it has not cached.

import type { Static } from '@sinclair/typebox';
import { hashText, isSessionToken } from '../accounts/credentials/secrets.ts';
import type { KeyDirectory, RemoteKeyDirectory } from '../accounts/keys/key-directory.ts';
import { type Clock, toIsoText } from '../clock.ts';
import type { UsageReport } from '../contract/operations.ts';
import { TextMemory } from '../domain/texts/text-memory.ts';
import { KEYLESS, KEYLESS_REQUESTS_PER_DAY, type Principal, type TierKey } from '../domain/tiers.ts';
import { assert, type ServiceError } from '../errors.ts';
import { subjectOfAddress } from './client-address.ts';
import { Leases } from './cluster/leases.ts';
import { countRequest, SharedUsage } from './counts/usage.ts';
import { EpochWatch, SharedTime } from './heartbeat.ts';
import { KeyCache, KnownKey } from './key-cache.ts';
import { ADDRESS_CHARS_MAX, KNOWN_ADDRESSES_MAX, TICKET_LIVES_MS } from './limits.ts';
import { PaidAddresses } from './paid-addresses.ts';
import { dayOf, nextDayMs, PACES, untilFullMs } from './quotas/bucket.ts';
import { Budget } from './quotas/limiter.ts';
import { type AccessMemory, attachAccessMemory, SLOT_FULL_AT, SLOT_LAST_USED_S } from './quotas/memory.ts';
import { NO_SLOT, SubjectTable } from './quotas/subject-table.ts';
import {
  refuseChangedKeys,
  refuseDay,
  refuseElsewhere,
  refusePace,
  refuseTicket,
  refuseUnknownKey,
} from './refusals.ts';
import { SeenSessions } from './seen-sessions.ts';
import type { Tickets } from './tickets.ts';

/** Callers without a key have the rate of the lowest tier. */
const KEYLESS_PACE = PACES[0]!;

/** A token bucket as shown in the headers of a response. */
export interface BudgetState {
  /** Requests a minute. */
  readonly limit: number;
  /** Whole tokens left in the bucket. */
  readonly remaining: number;
  /** Epoch second at which the bucket is full. */
  readonly resetAtS: number;
}

/** The caller of a request, as the gate has identified it. */
export interface Caller {
  /** KEYLESS if the request has no live key. */
  readonly principal: Principal;
  /**
   * Whether a charge needs the client's address: it does if there is no live key, or if the key is bound to
   * addresses.
   */
  readonly needsAddress: boolean;
}

/** What the gate decided about one request. */
export interface Admission extends BudgetState {
  readonly principal: Principal;
  /** Set if the request is refused: the 401, 403 or 429 to answer with. */
  readonly refusal: ServiceError | null;
  /** Set if the daily quota is used up: the quota, for the RateLimit-* headers. Null otherwise. */
  readonly daily: { readonly limit: number; readonly remaining: number; readonly resetAtS: number } | null;
}

/** One finished request, for usage and metrics. */
export interface FinishedRequest {
  readonly principal: Principal;
  readonly status: number;
  readonly latencyMs: number;
}

export interface GateOptions {
  readonly memory: SharedArrayBuffer;
  /** If the keys are remote, the thread that reads them signals changes through shared memory. */
  readonly directory: KeyDirectory | RemoteKeyDirectory;
  readonly clock: Clock;
  /** Omit it if this gate neither issues nor accepts tickets. */
  readonly tickets?: Tickets;
  /**
   * The counts of requests not yet reported to Redis. Null or omitted: limits are not shared with other
   * machines.
   */
  readonly leaseMemory?: SharedArrayBuffer | null;
}

/** What a request takes from its budget. `check` takes nothing, and is refused if no unit is left. */
type Units = 0 | 1 | 'check';

/** The present time, read once per request. */
interface Now {
  readonly wallMs: number;
  readonly sharedMs: number;
  readonly day: number;
}

/**
 * Maximum number of times a key is read again because keys have changed meanwhile. Then the request gets 503.
 */
const LOOK_UPS_AGAIN_MAX = 3;

/** The public methods of a gate. Tests and the rehearsal of requests have gates of their own. */
export type Gate = Pick<SharedGate, keyof SharedGate>;

/** The gate of this thread. One thread of the process must run an AccessKeeper on the same memory. */
export class SharedGate {
  readonly #memory: AccessMemory;
  readonly #clock: Clock;
  readonly #time: SharedTime;
  readonly #watch: EpochWatch;
  readonly #keys: KeyCache;
  readonly #addresses: SubjectTable;
  readonly #sessions: SeenSessions;
  readonly #paidAddresses: PaidAddresses;
  readonly #usage: SharedUsage;
  readonly #tickets: Tickets | null;
  readonly #budgets = new TextMemory<Budget>(KNOWN_ADDRESSES_MAX, ADDRESS_CHARS_MAX);
  readonly #now = { wallMs: 0, sharedMs: 0, day: 0 };
  /** The monotonic time that `#sharedAt` was last called with, and the shared time it returned. */
  #lastMonotonicMs = Number.NaN;
  #sharedMs = 0;

  constructor(options: GateOptions) {
    const memory = attachAccessMemory(options.memory);
    const leases = options.leaseMemory ? new Leases(options.leaseMemory) : null;
    this.#memory = memory;
    this.#clock = options.clock;
    this.#time = new SharedTime(memory, options.clock);
    this.#watch = new EpochWatch(memory, 'findLive' in options.directory ? options.directory : null);
    this.#keys = new KeyCache({
      directory: options.directory,
      watch: this.#watch,
      table: new SubjectTable(memory.keys, memory.seed, leases?.keys),
      clock: options.clock,
    });
    this.#addresses = new SubjectTable(memory.addresses, memory.seed, leases?.addresses);
    this.#sessions = new SeenSessions(memory.sessions);
    this.#paidAddresses = new PaidAddresses(memory.paid, memory.seed);
    this.#usage = new SharedUsage(memory);
    this.#tickets = options.tickets ?? null;
  }

  /**
   * Whether keys are in a remote database, read by another thread. If so, a request with a key may have to
   * wait for `lookUp`.
   */
  get isRemote(): boolean {
    return this.#keys.isRemote;
  }

  /**
   * Resolves when `identify` can decide about a credential; null if it can decide now. Rejects with
   * ServiceError upstream_unavailable if the key cannot be read now.
   */
  lookUp(credential: string): Promise<void> | null {
    const waited = this.#keys.lookUp(credential);
    return waited === null ? null : waited.then(() => this.#lookUpAgain(credential));
  }

  /** Reads a key again if keys have changed while it was read. */
  async #lookUpAgain(credential: string): Promise<void> {
    for (let times = 0; times < LOOK_UPS_AGAIN_MAX; times++) {
      const waited = this.#keys.lookUp(credential);
      if (waited === null) return;
      await waited;
    }
  }

  /** Resolves when `redeem` can decide about a ticket; null if it can now. The ticket is not used up. */
  lookUpTicket(ticket: string): Promise<void> | null {
    const hash = this.#tickets?.keyHashOf(ticket) ?? null;
    return hash === null || !this.#keys.isRemote ? null : this.#keys.lookUpHash(hash);
  }

  /**
   * Identifies a caller, without charging it. A cached key needs no SQL and no await.
   * @param credential the Authorization header, or `sessionCredential` of a cookie; null if the request has
   * neither
   * @param monotonicMs this thread's monotonic clock, if it has been read already
   */
  identify(credential: string | null, monotonicMs?: number): Caller {
    if (credential === null) return WITHOUT_KEY;
    this.#sharedAt(monotonicMs);
    const known = this.#keys.find(credential);
    const session = sessionIn(credential);
    if (session !== null && known !== undefined) this.#noteSession(session, known);
    return foundOr(UNKNOWN_KEY, known);
  }

  /** Lets the other threads know whether a session is live. */
  #noteSession(token: string, known: KnownKey | null): void {
    if (known !== null) this.#sessions.note(known.hash, known.tier);
    else if (isSessionToken(token)) this.#sessions.forget(hashText(token));
  }

  /**
   * The tier of a credential that this gate, or for a session any gate of the process, has identified as live
   * before; null for any other. It never looks a key up in the database, so a key that has ended may keep its
   * tier until it is identified again.
   */
  seenTier(credential: string): TierKey | null {
    const tier = this.#keys.seenTier(credential);
    const session = tier === null ? sessionIn(credential) : null;
    return session === null || !isSessionToken(session) ? tier : this.#sessions.tierOf(hashText(session));
  }

  /** Identifies a caller by its ticket, which is then used up. */
  redeem(ticket: string): Caller {
    assert(this.#tickets !== null, 'this gate takes tickets');
    const nowMs = this.#time.nowMs();
    this.#watch.heartbeatIfOverdue(nowMs);
    const hash = this.#tickets.redeem(ticket, nowMs);
    return hash === null ? DEAD_TICKET : foundOr(DEAD_TICKET, this.#keys.findByHash(hash));
  }

  /**
   * Charges a caller `units` (0 or 1). A refused request costs nothing. If keys have changed since the caller
   * was identified, its key is read again.
   * @param clientAddress the client's IP address, after trusted proxies. It may be empty if the caller does
   * not need it.
   * @param monotonicMs as for `identify`
   * @throws ServiceError upstream_unavailable if the key has to be looked up again
   */
  charge(caller: Caller, clientAddress: string, units: 0 | 1, monotonicMs?: number): Admission {
    return this.#decide(caller, clientAddress, units, this.#readNow(monotonicMs));
  }

  /**
   * Decides as a charge of one unit would, and takes nothing. A daily quota that is used up is found only by
   * the charge.
   * @throws ServiceError upstream_unavailable if the key has to be looked up again
   */
  check(caller: Caller, clientAddress: string): Admission {
    return this.#decide(caller, clientAddress, 'check', this.#readNow());
  }

  #decide(caller: Caller, clientAddress: string, units: Units, now: Now): Admission {
    if (caller === WITHOUT_KEY) return this.#take(KEYLESS, this.#budgetOf(clientAddress), units, now);
    const known = caller instanceof KnownKey ? foundOr(UNKNOWN_KEY, this.#keys.renewed(caller)) : caller;
    if (known instanceof KnownKey) {
      if (!known.worksFrom(clientAddress)) return this.#refuse(clientAddress, now, refuseElsewhere());
      return this.#take(known, known.budget, units, now);
    }
    if (known === UNREAD_KEY) throw refuseChangedKeys();
    return this.#refuse(clientAddress, now, known === DEAD_TICKET ? refuseTicket() : refuseUnknownKey());
  }

  /**
   * Issues a ticket for the principal's key.
   * @param principal must have a key
   * @param livesMs how long the ticket is valid
   * @throws ServiceError 429 if the key or its account has too many unused tickets, 503 if all keys together,
   * or all free keys together, have too many
   */
  issueTicket(
    principal: Principal,
    livesMs = TICKET_LIVES_MS,
  ): { readonly ticket: string; readonly expiresAtMs: number } {
    assert(this.#tickets !== null, 'this gate makes tickets');
    assert(principal instanceof KnownKey, 'a ticket is of a key');
    const { hash: keyHash, ownerId, tier } = principal;
    const key = { keyHash, ownerId, isFree: tier === 'free' };
    const ticket = this.#tickets.issue(key, this.#time.nowMs(), livesMs);
    return { ticket, expiresAtMs: this.#clock.wallMs() + livesMs };
  }

  /**
   * Whether the principal may still be served as before. False once its key has expired, was revoked, or was
   * moved to another tier; always true for a caller without a key.
   */
  isLive(principal: Principal): boolean {
    if (!(principal instanceof KnownKey)) return true;
    this.#watch.heartbeatIfOverdue(this.#time.nowMs());
    return this.#keys.isLive(principal.hash, principal.tier);
  }

  /**
   * Notes the address of a connection if the principal has a key of a paid plan that works from there. If the
   * process has too many connections, those of other addresses are closed first.
   */
  noteAddress(principal: Principal, address: string): void {
    if (!(principal instanceof KnownKey) || principal.tier === 'free' || !principal.worksFrom(address))
      return;
    this.#paidAddresses.note(address, Math.floor(this.#clock.wallMs() / 1_000));
  }

  record(request: FinishedRequest): void {
    const { principal } = request;
    countRequest(this.#memory.control, principal instanceof KnownKey ? principal.budget : null, request);
  }

  /** The usage of the principal's key since the server started; null for a caller without a key. */
  usage(principal: Principal): Static<typeof UsageReport> | null {
    if (!(principal instanceof KnownKey)) return null;
    const totals = this.#usage.totals();
    const startedAtMs = this.#usage.startedAtMs();
    return {
      started_at: toIsoText(startedAtMs),
      uptime_s: Math.max(0, Math.round((this.#clock.wallMs() - startedAtMs) / 1000)),
      key: `isk_…${principal.lastFour}`,
      tier: principal.tier,
      usage: this.#usage.usageOfKeys([principal.budget.subject.low]),
      total_requests: totals.requests,
      total_errors: totals.errors,
    };
  }

  /** The present time. The object is reused, so that a cache hit allocates little. */
  #readNow(monotonicMs?: number): Now {
    const now = this.#now;
    now.sharedMs = this.#sharedAt(monotonicMs);
    now.wallMs = this.#clock.wallMs();
    now.day = dayOf(now.wallMs);
    return now;
  }

  /**
   * The shared time of an instant. Checks for changed keys if the heartbeat is overdue. A cache hit asks
   * twice about the same instant; the second time nothing is computed.
   */
  #sharedAt(monotonicMs?: number): number {
    if (monotonicMs === undefined || monotonicMs !== this.#lastMonotonicMs) {
      this.#lastMonotonicMs = monotonicMs ?? Number.NaN;
      this.#sharedMs = this.#time.nowMs(monotonicMs);
      this.#watch.heartbeatIfOverdue(this.#sharedMs);
    }
    return this.#sharedMs;
  }

  #refuse(clientAddress: string, now: Now, refusal: ServiceError): Admission {
    return { ...this.#take(KEYLESS, this.#budgetOf(clientAddress), 0, now), refusal };
  }

  /** Takes `units` from a budget, or refuses. */
  #take(principal: Principal, budget: Budget, units: Units, now: Now): Admission {
    const { words } = budget;
    const pace = budget.paceAt(now.sharedMs);
    const taken = units === 1 ? budget.take(now) : 'admitted';
    const word =
      units !== 1 ? budget.findWord() : taken === 'admitted' ? budget.chargedWord : budget.claimWord();
    if (word !== NO_SLOT && principal.keyId !== null) {
      const lastUsedS = Math.floor(now.wallMs / 1000);
      // A plain read is enough to see that this second is noted already, and much cheaper than a store.
      if (words[word + SLOT_LAST_USED_S] !== lastUsedS) {
        Atomics.store(words, word + SLOT_LAST_USED_S, lastUsedS);
      }
    }
    const waitFullMs =
      word === NO_SLOT ? 0 : untilFullMs(Atomics.load(words, word + SLOT_FULL_AT), pace, now.sharedMs);
    const waitTokenMs = waitFullMs + pace.intervalMs - pace.windowMs;
    const charge = units === 'check' && waitTokenMs > 0 ? 'no_token' : taken;
    return {
      principal,
      limit: Math.floor(60_000 / pace.intervalMs),
      remaining: Math.max(0, Math.floor((pace.windowMs - waitFullMs) / pace.intervalMs)),
      resetAtS: Math.ceil((now.wallMs + waitFullMs) / 1000),
      refusal: charge === 'admitted' ? null : refusalOf(charge, principal, now, waitTokenMs),
      daily: charge === 'day_spent' ? spentDay(budget, now) : null,
    };
  }

  /** The budget of a client address, for a caller without a key. */
  #budgetOf(address: string): Budget {
    const known = this.#budgets.get(address);
    if (known !== undefined) return known;
    const budget = new Budget(this.#addresses, {
      subject: subjectOfAddress(address),
      pace: KEYLESS_PACE,
      perDay: KEYLESS_REQUESTS_PER_DAY,
      spare: 0,
    });
    return this.#budgets.put(address, budget);
  }
}

/** @param waitMs the time until a token comes back */
function refusalOf(
  charge: 'no_token' | 'day_spent',
  principal: Principal,
  { wallMs }: Now,
  waitMs: number,
): ServiceError {
  return charge === 'no_token' ? refusePace(waitMs) : refuseDay(nextDayMs(wallMs) - wallMs, principal);
}

function spentDay(budget: Budget, { wallMs }: Now): Admission['daily'] {
  return { limit: budget.perDay ?? 0, remaining: 0, resetAtS: nextDayMs(wallMs) / 1000 };
}

/**
 * The callers without a live key: no key was sent, the key is not live, the key must be looked up first, or
 * the ticket is not valid.
 */
const WITHOUT_KEY: Caller = { principal: KEYLESS, needsAddress: true };
const UNKNOWN_KEY: Caller = { ...WITHOUT_KEY };
const UNREAD_KEY: Caller = { ...WITHOUT_KEY };
const DEAD_TICKET: Caller = { ...WITHOUT_KEY };

/** The text that may be a session token, if the credential is that of a session cookie; otherwise null. */
function sessionIn(credential: string): string | null {
  return credential.startsWith('\0') ? credential.slice(1) : null;
}

function foundOr(missing: Caller, key: KnownKey | null | undefined): Caller {
  return key === undefined ? UNREAD_KEY : (key ?? missing);
}
