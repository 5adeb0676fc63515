// One request from its first byte to its answer: who asks, what it costs, and what is told of it. Handlers see it as
// their HandlerContext. It is answered once; what a handler answers after the deadline is dropped.

import type { Admission } from '../../access/gate.ts';
import { sessionCredential } from '../../access/key-cache.ts';
import { ACCOUNT_REQUEST_WEIGHT } from '../../access/limits.ts';
import { isSameOrigin, sessionTokenOf } from '../../accounts/session.ts';
import { KEYLESS, type Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
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
  readonly request: Request;
  readonly requestId: string;
  readonly nowMs: number;
  readonly monotonicMs: number;
  readonly #parts: ServerParts;
  readonly #place: RequestPlace;
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
    this.request = request;
    this.nowMs = deps.clock.wallMs();
    this.monotonicMs = deps.clock.monotonicMs();
    this.requestId = requestIdOf(request, deps);
  }

  /** Worked out when it is asked for: it costs a tenth of an answer. */
  get clientAddress(): string {
    this.#clientAddress ??= this.#parts.peerOf(this.request);
    return this.#clientAddress;
  }

  /** What the URL of this request means, once its route has read it; null before, and for other methods than GET. */
  get plan(): OpenPlan | null {
    return this.#plan;
  }

  get principal(): Principal {
    return this.#admission?.principal ?? KEYLESS;
  }

  get ifNoneMatch(): string | null {
    return this.request.headers.get('if-none-match');
  }

  /** Whether this is a HEAD, answered, whose GET would be made in pieces: its length is known when it is made. */
  get isLengthUnknown(): boolean {
    return this.#isLengthUnknown;
  }

  /** What went into the body of the answer, null before. */
  get sentBody(): SentBody['body'] {
    return this.#sentBody;
  }

  /** Whether the answer has gone out. */
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

  header(name: string): string | null {
    return this.request.headers.get(name);
  }

  /** Says what this request's URL means, so that the next one need not be read again. */
  planned(plan: OpenPlan): void {
    this.#plan = plan;
  }

  /** Says which route the request matched, for its price, its headers and its label. */
  match(route: MatchedRoute): void {
    this.#route = route;
  }

  /** Does it at once, or when the key of this request has been read on another thread. */
  whenKnown<Answer>(answer: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    const { gate } = this.#parts.deps;
    // With the request's id, so that the other thread logs what fails under it.
    const waited = gate.isFar ? forRequest(this.requestId, () => this.#lookUp()) : null;
    return waited === null ? answer() : waited.then(answer);
  }

  /** What has to happen before `admit`, because the key of this request is read on another thread; null when nothing has. */
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
   * Asks the gate, once, before anything of the request is read.
   * @throws ServiceError 401 or 429 as the gate decides; 401 when the route needs a key and there is none; 400 for a
   * ticket beside a header
   */
  admit(): void {
    const { access, takesTicket = false } = this.#route;
    if (access === 'open' || access === 'account') this.#takeFree(access);
    const header = access === 'account' ? null : this.request.headers.get('authorization');
    const ticket = takesTicket ? ticketOf(this.request.url) : null;
    if (ticket !== null && header !== null) throw twoCredentials();
    const authorization = header ?? (access === 'account' ? null : this.#sessionAuthorization());
    // A request that is refused because it brings no key costs nothing.
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

  /** @throws ServiceError 429 when the client asks too often for what costs nothing */
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

  /** Takes a place in flight for an answer that is not ready at once, or not sent at once. @throws ServiceError 503 */
  hold(): void {
    this.#place.hold(this.clientAddress);
  }

  /** Takes a place among the bodies that are received, in place of one in flight. @throws ServiceError 503 */
  beginBody(): void {
    const { account, other } = this.#parts.bodies;
    this.#place.beginBody(this.#route.access === 'account' ? account : other, this.clientAddress);
  }

  /** Gives that place back, once the body is there or will not come. @throws ServiceError 503 when none is left in flight */
  endBody(): void {
    this.#place.endBody();
    if (!this.#answered) this.hold();
  }

  /** Whether its body is still on its way. */
  get isReceiving(): boolean {
    return this.#place.isReceiving;
  }

  /** Gives the place back. While a large body is being sent this does nothing; the end of the body gives it back. */
  release(): void {
    this.#place.release();
  }

  /** Sends `reply` with the headers every answer carries, and counts it. */
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

  /** Answers anything thrown. Our own bugs are logged with their stack and answered without it. */
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
   * Answers an error of who was to answer in place of a route of this thread: nothing is charged, and the headers tell the
   * budget of the caller. A key that is dead is told so, whatever else has failed.
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

  /** Of an answer that the gate is not asked about, such as one from before there is a route. */
  #unadmitted(): Admission {
    if (this.#route === UNMATCHED) this.match(unmatchedAt(pathOf(this.request.url)));
    return this.#admit(null, 0);
  }

  /** The form of the answer: all JSON under /v1/ has several, whatever else is sent as it is. */
  #formOf({ contentType, body }: Reply): Representation {
    if (contentType !== JSON_CONTENT_TYPE || body === null) return PLAIN;
    if (body instanceof Blob || body instanceof ReadableStream) return PLAIN;
    const { url, headers } = this.request;
    const form = this.#parts.negotiator.of(headers.get('accept'), headers.get('accept-encoding'));
    return form === PLAIN || !pathOf(url).startsWith(FORMED_PATHS) ? PLAIN : form;
  }

  #inPieces(pieces: Iterator<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
    const endSending = this.#place.send(this.clientAddress);
    return pieceByPiece(pieces, () => {
      onEnd();
      endSending();
    });
  }

  /**
   * The session of a browser, which counts as a key of its account's plan on /v1. One that has ended is no error: the
   * request is served as one without a key.
   */
  #sessionAuthorization(): string | null {
    const { path } = this.#route;
    if (!path.startsWith('/v1/')) return null;
    const token = sessionTokenOf(this.request.headers.get('cookie'));
    if (token === null || this.#comesFromElsewhere()) return null;
    const authorization = sessionCredential(token);
    return this.#parts.deps.gate.keyOf(authorization) === null ? null : authorization;
  }

  /** A page of another site may not use the session: it could read a WebSocket, which no CORS policy covers. */
  #comesFromElsewhere(): boolean {
    const { headers } = this.request;
    const origin = headers.get('origin');
    if (origin === null) return false;
    const site = new URL(this.#parts.deps.publicUrl).origin;
    return !isSameOrigin({ origin, host: headers.get('host') }, site);
  }

  #admit(authorization: string | null, units: 0 | 1): Admission {
    const { gate } = this.#parts.deps;
    // A caller without a live key is counted by address, and a key may be bound to some; others pay nothing to learn it.
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
