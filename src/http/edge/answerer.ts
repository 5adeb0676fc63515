// Answers a request: with an answer that is cached for its URL or, without one, as a miss. What protects the
// thread from too many requests is asked in this order:
// 1. the pace: requests without a key, and refusals, wait for the pace of their class and address (here);
// 2. the cache: a hit is charged and sent at once (hits.ts);
// 3. the turn of the event loop: few misses without a key begin in one turn (here);
// 4. the load: above each step of the number in flight, some callers get 503 (`limitAt` in load.ts);
// 5. the place: an answer that must wait, or is large, takes a place and memory (request-place.ts);
// 6. the turn of its holder: jobs for other threads wait in an order that is fair to all (fair-turns.ts).

import type { Caller } from '../../access/gate.ts';
import { strangerAt } from '../../access/quotas/fair-shares.ts';
import type { CallerClass } from '../../domain/tiers.ts';
import { Turns } from '../../pause.ts';
import { SmallCollections } from '../../platform/small-collections.ts';
import { RequestContext } from '../kit/request/request-context.ts';
import { bodySizeOf, isLarge } from './bodies/body-size.ts';
import { CallerPaces } from './caller-paces.ts';
import { Hits } from './hits.ts';
import { asSent } from './in-time.ts';
import { type Load, takesPlaceAt } from './load.ts';
import { isReadWithBody, Misses, type MissesOptions } from './misses.ts';
import { countOf, isPacedWithBody } from './paced-requests.ts';
import { tooManyWait } from './refusals.ts';

export interface AnswererOptions extends MissesOptions {
  /** How many requests may wait at one StrangerPace; by default the bound of that class. */
  readonly restingMax?: number | undefined;
}

export class Answerer {
  readonly #options: AnswererOptions;
  readonly #hits: Hits;
  readonly #misses: Misses;
  readonly #arrivals = new Turns(ARRIVALS_A_TURN_MAX);
  readonly #collections = new SmallCollections(ANSWERS_PER_COLLECTION);
  readonly #paces: CallerPaces;
  /** Number of cache hits of paid keys since the address of such a hit was last noted. */
  #hitCount = 0;

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#hits = new Hits(options.parts);
    const { clock, gate, publicUrl } = options.parts.deps;
    this.#paces = new CallerPaces({ clock, gate, publicUrl, restingMax: options.restingMax });
    this.#misses = new Misses(options, this.#paces);
  }

  /** Requests and refusals that wait, because callers without a key or on the free plan send many. */
  get restingCount(): number {
    return this.#paces.restingCount;
  }

  /**
   * Answers a request. Undefined when its connection has become a WebSocket.
   * @param load the load of the thread when the request arrives; the load is checked again after each wait
   */
  answer(request: Request, load: Load): Response | Promise<Response> | undefined {
    const authorization = request.headers.get('authorization');
    const pace = this.#paces.of(request, authorization);
    if (pace === null || isPacedWithBody(request)) return this.#answerNow(request, load, authorization);
    const { parts, loadNow } = this.#options;
    const { isFull } = pace;
    const rest = isFull
      ? this.#paces.arriveAtFull(pace, request, () => parts.peerOf(request))
      : pace.arrive(request.signal, countOf(request));
    if (rest === null) {
      if (!isFull) return this.#answerNow(request, load, authorization);
      return this.refuse(request, tooManyWait(authorization));
    }
    return rest.then(() =>
      request.signal.aborted
        ? new Response(null)
        : (this.#answerNow(request, loadNow(), authorization) as Response),
    );
  }

  /**
   * Refuses a request before the load of the thread is checked. The refusal takes a place in flight as any
   * other answer does.
   */
  refuse(request: Request, error: unknown): Response {
    const context = this.#refusedContext(request);
    return context.place.asSent(context.fail(error));
  }

  /** Counts against the address, because the caller may be unknown or its key unreadable. */
  #refusedContext(request: Request): RequestContext {
    const { parts, loadNow } = this.#options;
    const context = new RequestContext(parts, request);
    if (loadNow() !== 'free') context.place.unreadHolder = strangerAt(context.clientAddress);
    return context;
  }

  #answerNow(
    request: Request,
    load: Load,
    authorization: string | null,
  ): Response | Promise<Response> | undefined {
    const { loadNow, parts, plans } = this.#options;
    const plan = load === 'full' ? null : plans.find(request);
    let caller: Caller | null = null;
    try {
      const answers = plan?.answers ?? null;
      if (answers !== null || authorization !== null) {
        const { clock, gate } = parts.deps;
        const monotonicMs = clock.monotonicMs();
        caller = gate.identify(authorization, monotonicMs);
        const response =
          answers === null || !mayHit(request, load, caller)
            ? null
            : this.#hits.answer(answers, { request, path: plan!.path, caller, monotonicMs });
        // A hit has a key and is not a refusal, so it is never sent late.
        if (response !== null) {
          plan!.wasUsed = true;
          this.#noteHit(request, caller);
          return response;
        }
      }
    } catch (error) {
      const context = this.#refusedContext(request);
      return asSent(this.#paces.after(context.fail(error), request, { hasKey: hasKey(caller) }), context);
    }
    this.#collections.count();
    const isKey = authorization === null ? this.#paces.isPaying(request) : hasKey(caller);
    const turn = this.#arrivals.next(isKey);
    // A session of a paid plan has not been identified yet: for its requests, `caller` has no key.
    const isFree = hasKey(caller) && caller?.principal.tier === 'free';
    const miss = { load, plan, callerClass: { hasKey: isKey, isFree } };
    if (turn === null) return this.#misses.answer(request, { ...miss, caller });
    // Bun reads no more of the body before the answer. A large body is refused unread, so free the part that
    // came with the headers, up to half a megabyte.
    if (isLarge(bodySizeOf(request)) || isReadWithBody(request)) void request.body?.cancel();
    return turn.then(
      () => this.#misses.answer(request, { ...miss, caller: null, load: loadNow() }) as Response,
    );
  }

  /** Notes the address of some hits of paid keys. Finding it costs a tenth of the answer. */
  #noteHit(request: Request, caller: Caller): void {
    if (caller.principal.tier === 'free') return;
    this.#hitCount += 1;
    if (this.#hitCount < HITS_PER_NOTE) return;
    this.#hitCount = 0;
    const { deps, peerOf } = this.#options.parts;
    deps.gate.noteAddress(caller.principal, peerOf(request));
  }
}

/**
 * Maximum number of requests without a ready answer that are answered in one turn of the event loop. Further
 * requests of callers without a key wait for a later turn, so that a customer waits behind few of them. Bun
 * also accepts connections as long as some are waiting, and reads each as soon as it is accepted. So clients
 * that reconnect as soon as they are answered would keep Bun busy, and no other connection or timer would be
 * served.
 */
const ARRIVALS_A_TURN_MAX = 8;

/** One hit of paid keys in this many has its address noted. */
const HITS_PER_NOTE = 32;

/** Answers made between two garbage collections. Each such answer makes far more garbage than a cache hit. */
const ANSWERS_PER_COLLECTION = 256;

function hasKey(caller: Caller | null): boolean {
  return caller !== null && caller.principal.keyId !== null;
}

/** The class of a caller by its Authorization header. */
function classOfKey({ principal: { keyId, tier } }: Caller): CallerClass {
  return { hasKey: keyId !== null, isFree: tier === 'free' };
}

/**
 * Whether a request may be answered from the cache at once. One with a body is processed in full, because it
 * is refused if its body may be endless.
 */
function mayHit(request: Request, load: Load, caller: Caller): boolean {
  if (load === 'full' || takesPlaceAt(load, classOfKey(caller))) return false;
  // Reading a header takes about 20 ns, a thousandth of the answer.
  return bodySizeOf(request) === null;
}
