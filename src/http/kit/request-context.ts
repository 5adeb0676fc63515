// One request from its first byte to its answer: the caller, the cost, the response, and what is counted and
// logged. Handlers see it as their HandlerContext. It is answered once; a handler's answer after the deadline
// is dropped.

import type { Admission } from '../../access/gate.ts';
import { sessionCredential } from '../../access/key-cache.ts';
import { ACCOUNT_REQUEST_WEIGHT } from '../../access/limits.ts';
import { type Holder, holderOf, strangerAt } from '../../access/quotas/fair-shares.ts';
import { turnCallerOf } from '../../access/quotas/fair-turns.ts';
import { workingFor } from '../../access/quotas/holder-now.ts';
import { isSameOrigin, sessionTokenOf } from '../../accounts/sessions/session.ts';
import { KEYLESS, type Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { forRequest, withoutKeys } from '../../log.ts';
import { contentTypeOf, etagMatches } from './headers.ts';
import { RequestPlace } from './in-flight.ts';
import { JSON_CONTENT_TYPE, MadePieces, pieceByPiece, type Reply, toErrorReply } from './reply.ts';
import { FORMED_PATHS, PLAIN, type Representation, tagAs } from './representation.ts';
import { ticketOf } from './request-input.ts';
import type { HandlerContext } from './route.ts';
import { type SentBody, sentBodyOf } from './sent-body.ts';
import {
  type MatchedRoute,
  type OpenPlan,
  pathOf,
  requestIdOf,
  type ServerParts,
  UNMATCHED,
  unmatchedAt,
} from './server-parts.ts';
import type { SocketHandler } from './socket.ts';

export class RequestContext implements HandlerContext {
  readonly requestId: string;
  readonly monotonicMs: number;
  readonly #parts: ServerParts;
  readonly #place: RequestPlace;
  #nowMs: number;
  #request: Request;
  #route: MatchedRoute = UNMATCHED;
  #admission: Admission | null = null;
  #clientAddress: string | null = null;
  #plan: OpenPlan | null = null;
  #answered = false;
  #isUpgraded = false;
  #isLengthUnknown = false;
  #sentBody: SentBody['body'] = null;

  constructor(parts: ServerParts, request: Request) {
    const { deps } = parts;
    this.#parts = parts;
    this.#place = new RequestPlace(parts.inFlight);
    this.#request = request;
    this.#nowMs = deps.clock.wallMs();
    this.monotonicMs = deps.clock.monotonicMs();
    this.requestId = requestIdOf(request, deps);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** The request. Once its body has arrived, this is a copy that has the body in memory. */
  get request(): Request {
    return this.#request;
  }

  /** Computed on first use, because it costs a tenth of an answer. */
  get clientAddress(): string {
    this.#clientAddress ??= this.#parts.peerOf(this.request);
    return this.#clientAddress;
  }

  /**
   * The plan of this request's URL, once its route has validated the input; null before, and for methods
   * other than GET.
   */
  get plan(): OpenPlan | null {
    return this.#plan;
  }

  get principal(): Principal {
    return this.#admission?.principal ?? KEYLESS;
  }

  get ifNoneMatch(): string | null {
    return this.request.headers.get('if-none-match');
  }

  /**
   * True once a HEAD was answered whose GET would be sent in pieces: the length of such a body is unknown
   * until it is made.
   */
  get isLengthUnknown(): boolean {
    return this.#isLengthUnknown;
  }

  /** The body that was sent; null before. */
  get sentBody(): SentBody['body'] {
    return this.#sentBody;
  }

  /** Whether the request has been answered. */
  get answered(): boolean {
    return this.#answered;
  }

  allowance(): () => boolean {
    const { gate } = this.#parts.deps;
    const { principal } = this;
    return () => gate.isLive(principal);
  }

  keepOpen(onStuck: () => void): () => void {
    return this.#parts.keepOpen(this.request, onStuck);
  }

  upgrade(handler: SocketHandler, headers: Readonly<Record<string, string>>): boolean {
    const own = { ...headers, 'x-request-id': this.requestId };
    this.#isUpgraded = this.#parts.upgrade(this.request, handler, own);
    return this.#isUpgraded;
  }

  /** Whether the connection has become a WebSocket, so that no response is sent. */
  get isUpgraded(): boolean {
    return this.#isUpgraded;
  }

  inTurn<Answer>(
    question: string | null,
    work: (nowMs: number) => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    const { questions } = this.#parts;
    if (questions === null) return work(this.#nowMs);
    return questions.ask({
      caller: turnCallerOf(this.principal.keyId, this.clientAddress),
      key: question === null ? null : `${this.principal.tier} ${question}`,
      // `answered` is not checked here: an MCP tool call that reports progress has already begun its answer.
      isWanted: () =>
        !this.request.signal.aborted &&
        this.#parts.deps.clock.monotonicMs() - this.monotonicMs < REQUEST_DEADLINE_MS,
      work: (nowMs) => {
        this.#nowMs = nowMs;
        return work(nowMs);
      },
    });
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }

  /** Sets the plan of this request's URL, so that the next request for it need not be validated again. */
  planned(plan: OpenPlan): void {
    this.#plan = plan;
  }

  /** Sets the matched route, which decides the price, the headers and the metrics label. */
  match(route: MatchedRoute): void {
    this.#route = route;
  }

  /** Calls `answer` at once, or as soon as another thread has looked up the request's key. */
  whenKnown<Answer>(answer: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    const { gate } = this.#parts.deps;
    // Pass the request's id along, so that the other thread logs a failure under it.
    const waited = gate.isFar
      ? forRequest(this.requestId, () => this.#asStranger(() => this.#lookUp()))
      : null;
    return waited === null ? answer() : waited.then(answer);
  }

  /** Has another thread read the request's key; null when `admit` can run at once. */
  #lookUp(): Promise<void> | null {
    const { gate } = this.#parts.deps;
    const header = this.request.headers.get('authorization');
    if (header !== null) return gate.lookUp(header);
    const ticket = ticketOf(this.request.url);
    if (ticket !== null) return gate.lookUpTicket(ticket);
    if (!pathOf(this.request.url).startsWith(FORMED_PATHS)) return null;
    const token = sessionTokenOf(this.request.headers.get('cookie'));
    return token === null ? null : gate.lookUp(sessionCredential(token));
  }

  /**
   * Charges the request at the gate, once, before its parameters and body are read.
   * @throws ServiceError 401 or 429 as the gate decides; 401 when the route needs a key and the request has
   * none; 400 for a ticket together with an Authorization header
   */
  admit(): void {
    const { access, takesTicket = false } = this.#route;
    if (access === 'open' || access === 'account') this.#takeFree(access);
    const header = access === 'account' ? null : this.request.headers.get('authorization');
    const ticket = takesTicket ? ticketOf(this.request.url) : null;
    if (ticket !== null && header !== null) throw twoCredentials();
    const authorization = header ?? (access === 'account' ? null : this.#sessionAuthorization());
    // A request that is refused because it has no key costs nothing.
    const isFree = access === 'account' || access === 'open' || (access === 'key' && authorization === null);
    this.#admission =
      ticket === null
        ? this.#admit(authorization, isFree ? 0 : 1)
        : this.#parts.deps.gate.admitTicket(ticket, this.clientAddress);
    if (this.#admission.refusal !== null) throw this.#admission.refusal;
    if (access === 'key' && this.principal.keyId === null) {
      throw new ServiceError('unauthorized', 'Cannot serve without a key: this endpoint needs one', {
        fix: 'Send the header Authorization: Bearer <key>',
      });
    }
  }

  /** @throws ServiceError 429 when the client sends too many requests that cost nothing */
  #takeFree(access: 'open' | 'account'): void {
    const weight = access === 'account' ? ACCOUNT_REQUEST_WEIGHT : 1;
    const waitMs = this.#parts.freePace.take(this.clientAddress, weight, this.monotonicMs);
    if (waitMs === 0) return;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new ServiceError('rate_limit_exceeded', 'Cannot answer now: too many requests that cost nothing', {
      fix: `Wait ${seconds} s, then go on at a slower pace`,
      retryAfterSeconds: seconds,
      headers: { 'x-ratelimit-scope': 'free' },
    });
  }

  /**
   * Takes a place in flight, for an answer that is not ready or not sent at once.
   * @throws ServiceError 503
   */
  hold(): void {
    this.#place.hold(() => this.holder);
  }

  /**
   * The holder that this request's places and memory count against. Before admission, a request with a live
   * key or session counts against that key.
   */
  get holder(): Holder {
    return holderOf(this.#admission?.principal ?? this.#callerBefore(), this.clientAddress);
  }

  /**
   * The caller by its credentials, without a charge. If they cannot be checked at once, the caller counts as
   * one without a key.
   */
  #callerBefore(): Principal {
    const { gate } = this.#parts.deps;
    for (const credential of this.#credentials()) {
      const waited = this.#asStranger(() => gate.lookUp(credential));
      if (waited !== null) {
        // Until the key has been read, the caller counts as one without a key. Ignore its failure here:
        // the request does its own look-up later and reports the error.
        waited.catch(() => undefined);
        continue;
      }
      const key = gate.keyOf(credential);
      if (key !== null) return key;
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

  /** The parts of the headers that may be a key or a session. */
  #credentials(): string[] {
    const { headers, url } = this.request;
    const authorization = headers.get('authorization');
    const token = sessionTokenOf(headers.get('cookie'));
    const credentials = authorization === null ? [] : [authorization];
    if (pathOf(url).startsWith('/platform/') && authorization !== null) {
      credentials.push(sessionCredential(authorization.replace(/^bearer +/i, '')));
    }
    return token === null ? credentials : [...credentials, sessionCredential(token)];
  }

  /** Attaches the body once it has arrived. */
  receive(body: Uint8Array<ArrayBuffer>): void {
    // Compute the address now: it belongs to the connection of the original request, not of the copy.
    void this.clientAddress;
    const { url, method, headers, signal } = this.#request;
    this.#request = new Request(url, { method, headers, signal, body });
  }

  /**
   * Refuses a request that the gate would refuse, before its body is received. A request that passes is not
   * charged here.
   * @throws ServiceError 401, or 429 when the bucket is empty
   */
  refuseEarly(): void {
    const { access } = this.#route;
    if (access === 'open' || access === 'account') return;
    const authorization = this.header('authorization') ?? this.#sessionAuthorization();
    if (access === 'key' && authorization === null) this.admit();
    const admission = this.#admit(authorization, 0);
    if (admission.refusal !== null || admission.remaining === 0) this.admit();
  }

  /**
   * Frees the place in flight. While a large answer is being sent, this does nothing: the end of the answer
   * frees it.
   */
  release(): void {
    this.#place.release();
  }

  /** Makes the response, with the headers that every answer carries, and counts it. */
  respond(reply: Reply, errorCode: string | null = null): Response {
    if (this.#answered) {
      if (reply.body instanceof MadePieces) reply.body.end();
      return new Response(null, { status: 503 });
    }
    const admission = this.#admission ?? this.#unadmitted();
    const latencyMs = this.#parts.deps.clock.monotonicMs() - this.monotonicMs;
    const form = this.#formOf(reply);
    const etag = reply.etag === null ? null : tagAs(reply.etag, form);
    const isUnchanged = etag !== null && reply.status === 200 && etagMatches(this.ifNoneMatch, etag);
    if (this.#isUpgraded) {
      this.#finish(admission.principal, 101, latencyMs, null);
      return new Response(null);
    }
    const status = isUnchanged ? 304 : reply.status;
    const sent = sentBodyOf(reply.body, {
      form,
      forms: this.#parts.forms,
      isUnchanged,
      isHead: this.request.method === 'HEAD',
      inPieces: (pieces, onEnd) => this.#inPieces(pieces, onEnd),
    });
    this.#isLengthUnknown = sent.isLengthUnknown;
    this.#sentBody = sent.body;
    const response = this.#parts.headers.toResponse({
      reply,
      status,
      body: sent.body,
      coding: sent.coding,
      etag,
      contentType: form === PLAIN ? reply.contentType : contentTypeOf(form),
      admission,
      access: this.#route.access,
      requestId: this.requestId,
      latencyMs,
      hasOrigin: this.request.headers.has('origin'),
    });
    this.#finish(admission.principal, status, latencyMs, errorCode);
    return response;
  }

  /** Answers anything thrown. A bug of ours is logged with its stack; the answer does not contain it. */
  fail(error: unknown): Response {
    const { reply, code, unexpected } = toErrorReply(error, this.#parts.deps.publicUrl);
    if (unexpected) {
      this.#parts.deps.log.error('request_failed', {
        request_id: withoutKeys(this.requestId),
        route: this.#route.path,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    return this.respond(reply, code);
  }

  /**
   * Answers the error of a request that another thread should have answered. Nothing is charged, and the
   * headers show the caller's rate limit. If the key is invalid, the answer is that error, whatever else has
   * failed.
   */
  refuse(error: unknown): Response {
    try {
      this.match(unmatchedAt(pathOf(this.request.url)));
      const authorization = this.#route.access === 'account' ? null : this.header('authorization');
      this.#admission = this.#admit(authorization, 0);
      return this.fail(this.#admission.refusal ?? error);
    } catch (failure) {
      return this.fail(failure);
    }
  }

  /** The admission for an answer that bypassed the gate, such as an error before a route was matched. */
  #unadmitted(): Admission {
    if (this.#route === UNMATCHED) this.match(unmatchedAt(pathOf(this.request.url)));
    return this.#admit(null, 0);
  }

  /** The form of the answer: JSON under /v1/ is available in several, everything else is sent unchanged. */
  #formOf({ contentType, body }: Reply): Representation {
    if (contentType !== JSON_CONTENT_TYPE || body === null) return PLAIN;
    if (body instanceof Blob || body instanceof ReadableStream) return PLAIN;
    const { url, headers } = this.request;
    const form = this.#parts.negotiator.of(headers.get('accept'), headers.get('accept-encoding'));
    return form === PLAIN || !pathOf(url).startsWith(FORMED_PATHS) ? PLAIN : form;
  }

  #inPieces(pieces: Iterator<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
    const endSending = this.#place.send(() => this.holder);
    const { turns } = this.#parts;
    const caller = turnCallerOf(this.principal.keyId, this.clientAddress);
    return pieceByPiece(pieces, {
      turn: () => turns.turn(caller),
      onEnd: () => {
        onEnd();
        endSending();
      },
    });
  }

  /**
   * A browser's session, which counts on /v1 as a key of its account's plan. An expired session is not an
   * error: the request is served as one without a key.
   */
  #sessionAuthorization(): string | null {
    const { path } = this.#route;
    if (!path.startsWith('/v1/')) return null;
    const token = sessionTokenOf(this.request.headers.get('cookie'));
    if (token === null || this.#comesFromElsewhere()) return null;
    const authorization = sessionCredential(token);
    return this.#parts.deps.gate.keyOf(authorization) === null ? null : authorization;
  }

  /**
   * Whether a page of another site sent the request. Such a page may not use the session: it could read a
   * WebSocket, which CORS does not protect.
   */
  #comesFromElsewhere(): boolean {
    const { headers } = this.request;
    const origin = headers.get('origin');
    if (origin === null) return false;
    const site = new URL(this.#parts.deps.publicUrl).origin;
    return !isSameOrigin({ origin, host: headers.get('host') }, site);
  }

  #admit(authorization: string | null, units: 0 | 1): Admission {
    const { gate } = this.#parts.deps;
    // Callers without a live key are counted by address, and some keys are bound to addresses. Others are
    // spared the cost of the address.
    const needsAddress = authorization === null || gate.needsAddress(authorization);
    return gate.admit(authorization, needsAddress ? this.clientAddress : '', units);
  }

  #finish(principal: Principal, status: number, latencyMs: number, errorCode: string | null): void {
    this.#answered = true;
    this.#parts.deps.gate.record({ principal, status, latencyMs });
    const { deps } = this.#parts;
    deps.count(this.#route.path, status, latencyMs);
    if (!deps.tellsRequests) return;
    const { url, method } = this.request;
    deps.observe({
      method,
      route: this.#route.path,
      path: pathOf(url),
      status,
      latencyMs,
      principal,
      clientAddress: this.clientAddress,
      requestId: this.requestId,
      errorCode,
    });
  }
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
