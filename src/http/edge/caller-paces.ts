// Decides whether a request waits when there are many, and at which pace (access/quotas/stranger-pace.ts):
// that of callers without a key, or that of the free plan.

import type { Gate } from '../../access/gate.ts';
import { sessionCredential } from '../../access/key-cache.ts';
import { createSharesMemory, FairShares, strangerAt } from '../../access/quotas/fair-shares.ts';
import { StrangerPace } from '../../access/quotas/stranger-pace.ts';
import { sessionTokenOf } from '../../accounts/sessions/session.ts';
import type { Clock } from '../../clock.ts';
import type { CallerClass, TierKey } from '../../domain/tiers.ts';
import { isFromElsewhere, sessionOf } from '../kit/request/credentials.ts';
import { costsNothing, isMcp, isPaced, isSignIn } from './paced-requests.ts';

export interface CallerPacesOptions {
  readonly gate: Pick<Gate, 'identify' | 'seenTier'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly publicUrl: string;
  /** How many requests may wait at one StrangerPace; by default the bound of that class. */
  readonly restingMax?: number | undefined;
}

export class CallerPaces {
  readonly #options: CallerPacesOptions;
  readonly #strangers: StrangerPace;
  /**
   * The pace of requests of the free plan that cost nothing, and of refusals that cost a key nothing.
   */
  readonly #freeKeys: StrangerPace;
  readonly #signIns = new FairShares(createSharesMemory(SIGN_IN_SHARES, 1, randomSeed()), 0);

  constructor(options: CallerPacesOptions) {
    this.#options = options;
    const { clock, restingMax } = options;
    this.#strangers = new StrangerPace(clock, (ms) => Bun.sleep(ms), restingMax);
    this.#freeKeys = new StrangerPace(clock, (ms) => Bun.sleep(ms), restingMax);
  }

  /** Requests and refusals that wait. */
  get restingCount(): number {
    return this.#strangers.restingCount + this.#freeKeys.restingCount;
  }

  /** The pace at which a request is answered; null when it is answered immediately. */
  of(request: Request, authorization: string | null): StrangerPace | null {
    const { url } = request;
    if (authorization === null) {
      return isPaced(request) ? this.#paceOf(this.#sessionTier(request), url) : null;
    }
    // An OPTIONS is never charged or refused, whatever its key. So it always waits at the pace of callers
    // without a key.
    if (request.method === 'OPTIONS') return isPaced(request) ? this.#strangers : null;
    // Most requests with a key are polls, for which these are the only checks.
    if (!costsNothing(url) || !isPaced(request)) return null;
    return this.#paceOf(this.#tierOf(authorization), url);
  }

  /**
   * Whether the browser that sent the request is signed in to an account with a paid plan, as far as this
   * thread knows.
   */
  isPaying(request: Request): boolean {
    const tier = this.#sessionTier(request);
    return tier !== null && tier !== 'free';
  }

  /**
   * Waits at a pace whose places are all taken, if the request signs in or its browser may be signed in: a
   * few places are kept for such requests. Null if the request must be refused.
   */
  arriveAtFull(pace: StrangerPace, request: Request, addressOf: () => string): Promise<void> | null {
    if (!isSignIn(request) && sessionTokenOf(request.headers.get('cookie')) === null) return null;
    const holder = strangerAt(addressOf());
    if (!this.#signIns.reserve(holder, 1)) return null;
    const rest = pace.arrive(request.signal) ?? Promise.resolve();
    return rest.finally(() => this.#signIns.release(holder, 1));
  }

  /** Returns the same answer, but delays refusals when there are many. */
  after<Answer extends Response | Promise<Response> | undefined>(
    answer: Answer,
    request: Request,
    { hasKey, isFree = false }: CallerClass,
  ) {
    if (!hasKey) return this.#strangers.after(answer, request);
    return this.#freeKeys.after(answer, request, isFree ? LATE_TO_FREE_KEYS : LATE_TO_KEYS);
  }

  /**
   * Returns the same refusal, which costs a key nothing, but delays it when there are many. A 503 is not the
   * fault of a paid key, so it is sent at once.
   */
  afterUncharged(
    refusal: Response,
    request: Request,
    { hasKey, isFree = false }: CallerClass,
  ): Response | Promise<Response> {
    if (!hasKey) return this.#strangers.after(refusal, request);
    return refusal.status === BUSY && !isFree ? refusal : this.#freeKeys.after(refusal, request);
  }

  #paceOf(tier: TierKey | null, url: string): StrangerPace | null {
    if (tier === null) return this.#strangers;
    return tier === 'free' && costsNothing(url) ? this.#freeKeys : null;
  }

  /**
   * The plan of a browser's session; null without one. A session that no thread has found live counts as
   * none. So a made-up cookie costs a hash and no query.
   */
  #sessionTier({ headers, url, method }: Request): TierKey | null {
    const cookie = headers.get('cookie');
    if (cookie === null || method === 'OPTIONS' || isMcp(url)) return null;
    const token = sessionTokenOf(cookie);
    const tier = token === null ? null : this.#options.gate.seenTier(sessionCredential(token));
    return tier === null || isFromElsewhere(headers, this.#options.publicUrl) ? null : tier;
  }

  /** The tier of a key or a session in an Authorization header; null if it is not a live one. */
  #tierOf(authorization: string): TierKey | null {
    const { gate } = this.#options;
    try {
      for (const credential of [authorization, sessionOf(authorization)]) {
        const { keyId, tier } = gate.identify(credential).principal;
        if (keyId !== null) return tier;
      }
      return null;
    } catch {
      return null; // identifying it again for its answer reports the error
    }
  }
}

/**
 * Statuses of a route's refusals that are delayed for callers with a key when there are many. Most other
 * refusals cost the key a unit, so the rate limit of the key bounds them.
 */
const LATE_TO_KEYS = [429];
/** The status of requests that got no place. */
const BUSY = 503;
/** For free keys, 503 is delayed too: it costs nothing, and free keys have few places. */
const LATE_TO_FREE_KEYS = [429, BUSY];

/**
 * How many requests that sign in, or may come from a signed-in browser, may wait after all places of a pace
 * are taken.
 */
const SIGN_INS_MAX = 256;
const SIGN_IN_SHARES = {
  total: SIGN_INS_MAX + 1,
  strangers: SIGN_INS_MAX,
  address: 4,
  network: 16,
  key: 1,
  freeKeys: 1,
  freeAccount: 1,
};

function randomSeed(): number {
  return crypto.getRandomValues(new Int32Array(1))[0]!;
}
