// The caller of one request: its identity, what the request costs it, and what its work and memory count
// against. Its key is looked up once.

import type { Admission, Caller } from '../../../access/gate.ts';
import { sessionCredential } from '../../../access/key-cache.ts';
import { ACCOUNT_REQUEST_WEIGHT } from '../../../access/limits.ts';
import { type Holder, holderOf, strangerAt } from '../../../access/quotas/fair-shares.ts';
import { ACCOUNTS, type TurnCaller, turnCallerOf } from '../../../access/quotas/fair-turns.ts';
import { workingFor } from '../../../access/quotas/holder-now.ts';
import { sessionTokenOf } from '../../../accounts/sessions/session.ts';
import { KEYLESS, type Principal } from '../../../domain/tiers.ts';
import { ServiceError } from '../../../errors.ts';
import type { MatchedRoute } from '../matched-route.ts';
import type { ServerParts } from '../server-parts.ts';
import { credentialsOf, isFromElsewhere, lookUp, sessionTextOf } from './credentials.ts';
import { ticketOf } from './request-input.ts';

type CallerParts = Pick<ServerParts, 'deps' | 'freePace' | 'peerOf'>;

export class RequestCaller {
  readonly #parts: CallerParts;
  readonly #request: Request;
  #credential: string | null;
  #caller: Caller | null;
  #admission: Admission | null = null;
  /** Whether the request was admitted to an open route. */
  #isOpen = false;
  #clientAddress: string | null = null;

  /** @param known the caller by its Authorization header, if that has been looked up */
  constructor(parts: CallerParts, request: Request, known: Caller | null) {
    this.#parts = parts;
    this.#request = request;
    this.#caller = known;
    this.#credential = known === null ? null : request.headers.get('authorization');
  }

  /** Computed on first use, because it takes a tenth of the time of an answer. */
  get clientAddress(): string {
    this.#clientAddress ??= this.#parts.peerOf(this.#request);
    return this.#clientAddress;
  }

  /** What the gate decided; null before. */
  get admission(): Admission | null {
    return this.#admission;
  }

  get principal(): Principal {
    return this.#admission?.principal ?? KEYLESS;
  }

  /**
   * Whose memory and turns the request uses. Before admission this is the owner of a live key or session. On
   * an open route it stays that owner, although the answer is the same without a key: otherwise files of the
   * pages would depend on the memory that callers without a key leave free.
   */
  get sharer(): Principal {
    const admitted = this.#admission?.principal ?? null;
    if (admitted === null || (this.#isOpen && admitted.keyId === null)) return this.#principalBefore();
    return admitted;
  }

  /**
   * Whose memory quota this request uses. Its quota of concurrent requests may be another's, see
   * `RequestPlace.inFlightHolder`.
   */
  get holder(): Holder {
    return holderOf(this.sharer, this.clientAddress);
  }

  /** Whose turns the request uses. */
  turnCaller({ access }: MatchedRoute): TurnCaller {
    if (access === 'account') return ACCOUNTS;
    return turnCallerOf(this.sharer, this.clientAddress);
  }

  /**
   * Resolves when the request's key has been read by another thread; null when `admit` can run immediately.
   */
  lookUp(): Promise<void> | null {
    const { gate } = this.#parts.deps;
    return gate.isRemote ? this.#asStranger(() => lookUp(gate, this.#request)) : null;
  }

  /**
   * Charges the request, once, before its parameters and body are read, and notes the address of a paid plan.
   * @throws ServiceError 401 or 429 as the gate decides; 401 when the route needs a key and the request has
   * none; 400 for a ticket together with an Authorization header
   */
  admit(route: MatchedRoute, monotonicMs: number): void {
    const { access, takesTicket = false } = route;
    const isFree = access === 'open' || access === 'account';
    this.#isOpen = access === 'open';
    if (isFree) this.#takeFree(access, monotonicMs);
    const ticket = takesTicket ? ticketOf(this.#request.url) : null;
    if (ticket === null) {
      const credential = this.#credentialFor(route);
      // A request that is refused because it has no key costs nothing.
      const isMissing = access === 'key' && credential === null;
      this.#admission = this.#charge(this.#identify(credential), isFree || isMissing ? 0 : 1);
    } else {
      const authorization = this.#request.headers.get('authorization');
      if (authorization !== null) {
        // The refusal costs a unit, so that a key cannot have endless requests refused for nothing.
        this.#admission = this.#charge(this.#identify(authorization), 1);
        throw this.#admission.refusal ?? twoCredentials();
      }
      this.#admission = this.#charge(this.#parts.deps.gate.redeem(ticket), 1);
    }
    const { principal, refusal } = this.#admission;
    if (principal.tier !== 'free') this.#parts.deps.gate.noteAddress(principal, this.clientAddress);
    if (refusal !== null) throw refusal;
    if (access === 'key' && principal.keyId === null) throw keyless();
  }

  /**
   * Charges further units, one by one, for an answer that costs more than one unit.
   * @throws ServiceError 429 when the caller has too few left
   */
  chargeMore(route: MatchedRoute, units: number): void {
    const caller = this.#identify(this.#credentialFor(route));
    for (let left = units; left > 0; left--) {
      this.#admission = this.#charge(caller, 1);
      if (this.#admission.refusal !== null) throw this.#admission.refusal;
    }
  }

  /**
   * Refuses a request that the gate would refuse now, before its body is received or another thread is asked.
   * Nothing is charged.
   * @throws ServiceError 401, 403 if the key is bound to other addresses, or 429 when the bucket is empty
   */
  refuseEarly(route: MatchedRoute): void {
    const { access } = route;
    if (access === 'open' || access === 'account') return;
    const credential = this.#credentialFor(route);
    const caller = this.#identify(credential);
    const isMissing = access === 'key' && credential === null;
    const admission = isMissing ? this.#charge(caller, 0) : this.#check(caller);
    if (admission.refusal === null && !isMissing) return;
    this.#admission = admission;
    throw admission.refusal ?? keyless();
  }

  /**
   * Admits the request without a charge, for an error instead of its answer. The headers then show the
   * caller's rate limit.
   */
  admitUnserved({ access }: MatchedRoute): Admission {
    const credential = access === 'account' ? null : this.#request.headers.get('authorization');
    this.#admission = this.#charge(this.#identify(credential), 0);
    return this.#admission;
  }

  /** The admission of an answer that bypassed the gate, such as an error before a route was matched. */
  unadmitted(): Admission {
    return this.#charge(this.#parts.deps.gate.identify(null), 0);
  }

  /** Identifies the caller again at the next use: keys may have changed while the request's body arrived. */
  forget(): void {
    this.#caller = null;
  }

  /**
   * Identifies the caller. A live key is kept for the rest of the request. Any other credential is looked up
   * again each time, because it may be a new key that another thread has just read.
   */
  #identify(credential: string | null): Caller {
    const known = this.#credential === credential ? this.#caller : null;
    if (known !== null && known.principal.keyId !== null) return known;
    const caller = this.#parts.deps.gate.identify(credential);
    this.#credential = credential;
    this.#caller = caller;
    return caller;
  }

  #charge(caller: Caller, units: 0 | 1): Admission {
    return this.#parts.deps.gate.charge(caller, this.#addressFor(caller), units);
  }

  #check(caller: Caller): Admission {
    return this.#parts.deps.gate.check(caller, this.#addressFor(caller));
  }

  /** The client's address; empty for callers that do not need it, because finding it is slow. */
  #addressFor(caller: Caller): string {
    return caller.needsAddress ? this.clientAddress : '';
  }

  /** @throws ServiceError 429 when the client sends too many requests that cost nothing */
  #takeFree(access: 'open' | 'account', monotonicMs: number): void {
    const weight = access === 'account' ? ACCOUNT_REQUEST_WEIGHT : 1;
    const { freePace } = this.#parts;
    const token = access === 'account' ? sessionTextOf(this.#request) : null;
    const waitMs =
      freePace.take(this.clientAddress, weight, monotonicMs) ||
      (token === null ? 0 : freePace.takeSession(token, weight, monotonicMs));
    if (waitMs > 0) throw tooManyFree(Math.max(1, Math.ceil(waitMs / 1000)));
  }

  /** The credential that the request is charged with; null for a caller without a key. */
  #credentialFor(route: MatchedRoute): string | null {
    if (route.access === 'account') return null;
    return this.#request.headers.get('authorization') ?? this.#liveSession(route);
  }

  /**
   * A browser's session, which counts on /v1 as a key of its account's plan. An expired session is not an
   * error: the request is served as one without a key.
   */
  #liveSession({ path }: MatchedRoute): string | null {
    if (!path.startsWith('/v1/')) return null;
    const token = sessionTokenOf(this.#request.headers.get('cookie'));
    if (token === null || isFromElsewhere(this.#request.headers, this.#parts.deps.publicUrl)) return null;
    const credential = sessionCredential(token);
    return this.#identify(credential).principal.keyId === null ? null : credential;
  }

  /**
   * The caller by any of its credentials, without a charge. While another thread has to read a credential
   * first, the caller counts as one without a key.
   */
  #principalBefore(): Principal {
    const { gate } = this.#parts.deps;
    for (const credential of credentialsOf(this.#request)) {
      const waited = gate.isRemote ? this.#asStranger(() => gate.lookUp(credential)) : null;
      if (waited !== null) {
        // Until the key has been read, the caller counts as one without a key. Ignore a failure of this
        // look-up: the request looks the key up again later and reports the error.
        waited.catch(() => undefined);
        continue;
      }
      const { principal } = this.#identify(credential);
      if (principal.keyId !== null) return principal;
    }
    return KEYLESS;
  }

  /**
   * Counts the work of a key look-up against the address, because it is not yet known whether the key is
   * live.
   */
  #asStranger<Result>(work: () => Result): Result {
    return workingFor(() => strangerAt(this.clientAddress), work);
  }
}

function tooManyFree(seconds: number): ServiceError {
  return new ServiceError('rate_limit_exceeded', 'Cannot answer now: too many requests that cost nothing', {
    fix: `Wait ${seconds} s, then send requests more slowly`,
    retryAfterSeconds: seconds,
    headers: { 'x-ratelimit-scope': 'free' },
  });
}

function keyless(): ServiceError {
  return new ServiceError('unauthorized', 'Cannot serve without a key: this endpoint needs one', {
    fix: 'Send the header Authorization: Bearer <key>',
  });
}

function twoCredentials(): ServiceError {
  return new ServiceError(
    'invalid_request',
    'Cannot use ticket: the request has an Authorization header too',
    {
      fix: 'Send one of them: the header where you can, a ticket from a browser',
    },
  );
}
