// Answers a request in one of three ways: with an answer that is cached for its URL, with a route of this
// thread, or by asking another thread.

import type { Caller } from '../../access/gate.ts';
import { ALL_FREE_KEYS, strangerAt } from '../../access/quotas/fair-shares.ts';
import { workingFor } from '../../access/quotas/holder-now.ts';
import type { CallerClass } from '../../domain/tiers.ts';
import { assert } from '../../errors.ts';
import { BODY_BYTES_MAX } from '../../limits.ts';
import { Turns } from '../../pause.ts';
import { SmallCollections } from '../../platform/small-collections.ts';
import type { Handle, HttpApp } from '../app.ts';
import { busy, type UnreadPlace } from '../kit/in-flight.ts';
import { ACCOUNT_PATHS, pathOf } from '../kit/matched-route.ts';
import { ERROR_FROM, RequestContext } from '../kit/request-context.ts';
import { isJson, refuseKeyInQuery, refuseOddPath, requireJson, tooLarge } from '../kit/request-input.ts';
import { type RouteSign, RouteTable, signOf } from '../kit/route-table.ts';
import type { ServerParts } from '../kit/server-parts.ts';
import type { UrlPlan, UrlPlans } from '../kit/url-plans.ts';
import type { RemoteApp } from '../remote/remote-app.ts';
import { type BodyIntake, bodySizeOf, type ReceivedBody } from './body-intake.ts';
import { CallerPaces } from './caller-paces.ts';
import { Hits } from './hits.ts';
import type { HostCheck } from './host-check.ts';
import { settled } from './in-time.ts';
import { isRefusedAt, type Load, takesPlaceAt } from './load.ts';
import { countOf, isPacedWithBody, isProbe } from './paced-requests.ts';
import { connectRefused, readWithBody, refuseUnrouted, tooManyWait } from './refusals.ts';

export interface AnswererOptions {
  readonly parts: ServerParts;
  readonly app: HttpApp;
  /** Answers the requests that `app` does not answer. Without it, `app` answers all requests. */
  readonly remote?: RemoteApp | undefined;
  readonly hosts: HostCheck;
  readonly plans: UrlPlans;
  readonly bodies: BodyIntake;
  readonly deadlineMs: number;
  /** How many requests are in flight now. */
  readonly loadNow: () => Load;
  /** How many requests may wait at one StrangerPace; by default the bound of that class. */
  readonly restingMax?: number | undefined;
}

export class Answerer {
  readonly #options: AnswererOptions;
  readonly #hits: Hits;
  readonly #own: RouteTable<RouteSign>;
  readonly #arrivals = new Turns(ARRIVALS_A_TURN_MAX);
  readonly #sends = new Turns(SENDS_A_TURN_MAX);
  readonly #collections = new SmallCollections(ANSWERS_PER_COLLECTION);
  readonly #paces: CallerPaces;
  /** Number of cache hits of paid keys since the address of such a hit was last noted. */
  #hitCount = 0;

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#hits = new Hits(options.parts);
    const { clock, gate, publicUrl } = options.parts.deps;
    this.#paces = new CallerPaces({ clock, gate, publicUrl, restingMax: options.restingMax });
    this.#own = new RouteTable(options.app.routes.map(signOf));
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
    return context.asSent(context.fail(error));
  }

  /** Counts against the address, because the caller may be unknown or its key unreadable. */
  #refusedContext(request: Request): RequestContext {
    const { parts, loadNow } = this.#options;
    const context = new RequestContext(parts, request);
    if (loadNow() !== 'free') context.unreadHolder = strangerAt(context.clientAddress);
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
    if (turn === null) return this.#answerMiss(request, { ...miss, caller });
    // Bun reads no more of the body before the answer. A large body is refused unread, so free the part that
    // came with the headers, up to half a megabyte.
    if (isLarge(bodySizeOf(request)) || isReadWithBody(request)) void request.body?.cancel();
    return turn.then(() => this.#answerMiss(request, { ...miss, caller: null, load: loadNow() }) as Response);
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

  /**
   * Answers a request that has no ready answer, and delays the answer if it is a refusal and there are many.
   * Returns undefined in the same cases as `answer`.
   */
  #answerMiss(request: Request, miss: Miss): Response | Promise<Response> | undefined {
    const context = new RequestContext(this.#options.parts, request, miss.caller);
    const bodySize = bodySizeOf(request);
    let answer: Response | Promise<Response> | undefined;
    try {
      answer = this.#answerContext(context, miss, bodySize);
    } catch (error) {
      const size = isReadWithBody(request) ? Number.POSITIVE_INFINITY : (bodySize ?? 0);
      const refusal = closeIfLarge(context.fail(error), size);
      return asSent(this.#paces.afterUncharged(refusal, request, miss.callerClass), context);
    }
    return asSent(this.#paces.after(answer, request, miss.callerClass), context);
  }

  /** @throws ServiceError when the request is refused before a route has charged it, or gets no place */
  #answerContext(
    context: RequestContext,
    { load, plan }: Miss,
    bodySize: number | null,
  ): Response | Promise<Response> | undefined {
    const { hosts, plans } = this.#options;
    const { request } = context;
    if (isReadWithBody(request) && (isLong(bodySize) || !context.holder.hasKey)) throw readWithBody();
    limitAt(load, context);
    if (plan !== null) {
      return this.#send(
        this.#answerHere((known) => plans.run(plan, known), context),
        bodySize,
      );
    }
    hosts.check(request);
    refuseOddPath(request.url);
    refuseKeyInQuery(request.url);
    if (request.method === 'CONNECT') throw connectRefused();
    if (bodySize !== null && !isRead(request.method)) return this.#withBody(context, bodySize);
    return this.#send(this.#answerWhole(context), bodySize);
  }

  /**
   * Delays a late answer to a request with a body, which may be unread, if several such answers were already
   * sent in this turn of the event loop.
   */
  #send(
    response: Response | Promise<Response> | undefined,
    bodySize: number | null,
  ): Response | Promise<Response> | undefined {
    if (!(response instanceof Promise) || bodySize === null) return response;
    return response.then((made) => this.#sends.next()?.then(() => made) ?? made);
  }

  /** Answers a request whose body, if any, has arrived in full. */
  #answerWhole(
    context: RequestContext,
    body: Uint8Array<ArrayBuffer> | null = null,
  ): Response | Promise<Response> | undefined {
    const handle = this.#options.app.find(context.request);
    if (handle === null) return this.#passOn(context, body);
    if (body !== null) context.receive(body);
    return this.#answerHere(handle, context);
  }

  /** Answers on this thread. What the handler asks of other threads counts against the caller. */
  #answerHere(handle: Handle, context: RequestContext): Response | Promise<Response> | undefined {
    const { deadlineMs } = this.#options;
    return workingFor(
      () => context.holder,
      () => settled(this.#whenKnown(handle, context), context, deadlineMs),
    );
  }

  /**
   * Receives the body, unless the request is refused without it. Everything that the headers decide happens
   * before the first `await`. Until then Bun has read only those bytes of the body that came with the
   * headers, and a response that closes the connection stops the rest.
   */
  async #withBody(context: RequestContext, size: number): Promise<Response> {
    const { bodies, loadNow } = this.#options;
    let received: ReceivedBody | null = null;
    let isOnItsWay = false;
    try {
      // Another thread may have to look up the key. Do not wait for that if the body is too long anyway.
      const isRefused = Number.isFinite(size) && size > BODY_BYTES_MAX;
      const known = isRefused ? undefined : context.whenKnown(() => undefined);
      if (known instanceof Promise) await known;
      const bytesMax = this.#bytesMaxOf(context, size);
      const { holder, request, isKeylessAccount: usesReserve } = context;
      isOnItsWay = true;
      received = await bodies
        .receive(request, { holder, size, bytesMax, usesReserve })
        .catch((error: unknown) => refuseCharged(context, error));
      if (isPacedWithBody(request)) await this.#pacedLate(request, received.bytes.byteLength);
      limitAt(loadNow(), context);
      return (await this.#answerWhole(context, received.bytes)) ?? new Response(null);
    } catch (error) {
      if (received !== null) return context.fail(error);
      // Frees the part of the body that came with the headers, up to half a megabyte, before the answer waits
      // for its turn.
      if (!isOnItsWay && size > BODY_BYTES_MAX) void context.request.body?.cancel();
      if (isOnItsWay) await this.#sends.next();
      // A body that has stalled may never arrive, so close the connection even if the body is small.
      return closeIfLarge(context.fail(error), isOnItsWay ? Number.POSITIVE_INFINITY : size);
    } finally {
      received?.release();
    }
  }

  /** Makes a request whose body has arrived wait at its pace. @throws ServiceError 503 when too many wait */
  async #pacedLate(request: Request, bodyBytes: number): Promise<void> {
    const authorization = request.headers.get('authorization');
    const pace = this.#paces.of(request, authorization);
    if (pace?.isFull === true) throw tooManyWait(authorization);
    await pace?.arrive(request.signal, countOf(request, bodyBytes));
  }

  /**
   * The maximum size of the body.
   * @throws ServiceError the refusal, if the request can be refused without its body
   */
  #bytesMaxOf(context: RequestContext, size: number): number {
    const { remote } = this.#options;
    const { method, url, headers } = context.request;
    const path = pathOf(url);
    const table = remote === undefined ? this.#own : remote.routes;
    const routes = table?.at(path)?.store ?? [];
    const route = routes.find((one) => one.method === method);
    if (route === undefined) {
      // Elysia's router decodes the path and may still find a route. So receive a body of at most
      // BODY_BYTES_MAX: no route takes more.
      if (size <= BODY_BYTES_MAX) return BODY_BYTES_MAX;
      return refuseUnrouted(context, routes, path);
    }
    context.match(route);
    context.refuseEarly();
    const { bodyBytesMax, takesJson } = route;
    const isInChunks = size === Number.POSITIVE_INFINITY;
    if (size <= bodyBytesMax || (isInChunks && !(takesJson && !isJson(headers)))) return bodyBytesMax;
    context.admit();
    if (takesJson) requireJson(headers);
    throw tooLarge(bodyBytesMax);
  }

  /** Answers with a route once the caller's key is known, and keeps the plan of the URL. */
  #whenKnown(handle: Handle, context: RequestContext): Response | Promise<Response> {
    return context.whenKnown(() => {
      const response = handle(context);
      this.#options.plans.remember(context);
      return response;
    });
  }

  /** Answers through another thread, which counts and logs the request. */
  async #passOn(context: RequestContext, body: Uint8Array<ArrayBuffer> | null): Promise<Response> {
    const { remote } = this.#options;
    let unsent: UnreadPlace | null;
    try {
      assert(remote !== undefined, 'where no other thread answers, the application answers everything');
      if (context.inFlightHolder.hasKey) refuseEarly(context, remote);
      // Take the place before the other thread charges the request and counts its answer.
      unsent = context.takeUnreadPlace();
    } catch (error) {
      // Do not use `refuse` here: it would count the refusal under no route and show the limit of another
      // caller.
      return context.fail(error);
    }
    function untilRead(bytes: Uint8Array<ArrayBuffer>, status: number) {
      if (status >= ERROR_FROM) {
        context.smallError = bytes;
        return bytes;
      }
      const place = unsent;
      unsent = null;
      return place?.body(bytes) ?? bytes;
    }
    try {
      const { requestId, clientAddress, inFlightHolder: holder } = context;
      return await remote.answer(context.request, { requestId, clientAddress, holder, body, untilRead });
    } catch (error) {
      return Promise.resolve(context.whenKnown(() => context.refuse(error))).catch((failure: unknown) =>
        context.fail(failure),
      );
    } finally {
      unsent?.free();
    }
  }
}

/** Returns the same answer. An error takes its place in flight only after its delay. */
function asSent<Answer extends Response | Promise<Response> | undefined>(
  answer: Answer,
  context: RequestContext,
): Answer | Response | Promise<Response> {
  if (answer instanceof Promise) return answer.then((response) => context.asSent(response));
  return answer === undefined ? answer : context.asSent(answer);
}

/** A request without a ready answer, and what is known about it. */
interface Miss {
  readonly load: Load;
  readonly plan: UrlPlan | null;
  readonly caller: Caller | null;
  /** The class that decides at which pace refusals are sent. A session of a paid plan counts as a key. */
  readonly callerClass: CallerClass;
}

/**
 * Maximum number of requests without a ready answer that are answered in one turn of the event loop. Further
 * requests of callers without a key wait for a later turn, so that a customer waits behind few of them. Bun
 * also accepts connections as long as some are waiting, and reads each as soon as it is accepted. So clients
 * that reconnect as soon as they are answered would keep Bun busy, and no other connection or timer would be
 * served.
 */
const ARRIVALS_A_TURN_MAX = 8;

/**
 * Maximum number of delayed answers to requests with bodies that are sent in one turn of the event loop;
 * further ones wait for the next turn. While Bun answers a request with an unread body, it runs all waiting
 * promise callbacks, so answers that are released together are nested calls. Two thousand overflow the stack,
 * and Bun ends the thread.
 */
const SENDS_A_TURN_MAX = 128;

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
 * Refuses a request if too many are in flight for its caller, and decides whether its answer takes a place
 * until it is read. Account requests and probes without a key count as those of the free plan. Otherwise
 * callers without a key who read no answers could keep customers from logging in, or make the server look as
 * if it were down. The caller is identified only while that matters.
 * @throws ServiceError 503
 */
function limitAt(load: Load, context: RequestContext): void {
  context.unreadHolder = null; // fewer may be in flight than before its body arrived
  if (load === 'free') return;
  if (load === 'full') throw busy();
  const { holder, isToLogIn, request } = context;
  const isOfProbe = isProbe(request.url);
  const takesPlace = takesPlaceAt(load, holder) && !isOfProbe && !isAlwaysAnswered(request);
  context.unreadHolder = takesPlace ? holder : null;
  const asFree = isToLogIn || (!holder.hasKey && isOfProbe);
  if (isRefusedAt(load, asFree ? ALL_FREE_KEYS : holder)) throw busy();
}

/**
 * Whether the answer to a request takes no place, so that it is sent even to a caller that reads no answers:
 * the answer has no body, or the request may have changed an account. Requests that may change an account are
 * limited by the pace of `/platform`.
 */
function isAlwaysAnswered({ method, url }: Request): boolean {
  return method === 'HEAD' || (method !== 'GET' && pathOf(url).startsWith(ACCOUNT_PATHS));
}

/**
 * Refuses a request whose key is over its limit before it takes a place on its way to the other thread.
 * @throws ServiceError 429
 */
function refuseEarly(context: RequestContext, { routes }: RemoteApp): void {
  const { method, url } = context.request;
  const route = routes?.at(pathOf(url))?.store.find((one) => one.method === method);
  if (route === undefined) return;
  context.match(route);
  context.refuseEarly();
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether a GET or HEAD has a body of some kilobytes or in chunks. It is never read. */
function isReadWithBody(request: Request): boolean {
  return isRead(request.method) && isPacedWithBody(request);
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

/** Whether a body is large, or in chunks and thus of unknown size. */
function isLong(bodySize: number | null): boolean {
  return bodySize !== null && bodySize > BODY_BYTES_MAX;
}

function isLarge(bodySize: number | null): boolean {
  return bodySize !== null && Number.isFinite(bodySize) && bodySize > BODY_BYTES_MAX;
}

/**
 * Ends the connection after an answer to a request whose body is unread and may be large, because Bun would
 * keep reading it. A small body is read to its end, so that the client gets the answer and can reuse the
 * connection.
 */
function closeIfLarge(response: Response, bodySize: number): Response {
  if (bodySize > BODY_BYTES_MAX) response.headers.set('connection', 'close');
  return response;
}

/**
 * Charges the request although its body did not arrive, so that a client cannot stall repeatedly for free.
 */
function refuseCharged(context: RequestContext, error: unknown): never {
  context.admit();
  throw error;
}
