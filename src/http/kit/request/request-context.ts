// One request from its first byte to its answer: the caller, the cost, the response, and what is counted and
// logged. Handlers see it as their HandlerContext. It is answered once; a handler's answer after the deadline
// is dropped.

import type { Admission, Caller } from '../../../access/gate.ts';
import type { Holder } from '../../../access/quotas/fair-shares.ts';
import type { TurnCaller } from '../../../access/quotas/fair-turns.ts';
import type { Principal, TierKey } from '../../../domain/tiers.ts';
import { stackOf } from '../../../errors.ts';
import { REQUEST_DEADLINE_MS } from '../../../limits.ts';
import { forRequest, withoutKeys } from '../../../log.ts';
import type { SocketHandler } from '../../../stream/connections/socket-handler.ts';
import { ERROR_FROM, type ErrorReply, toErrorReply } from '../error-reply.ts';
import { contentTypeOf, etagMatches } from '../headers.ts';
import { type MatchedRoute, pathOf, UNMATCHED, unmatchedAt } from '../matched-route.ts';
import { EventsBody, MadePieces } from '../pieces.ts';
import type { Questions } from '../questions.ts';
import type { Reply } from '../reply.ts';
import { reportAnswer } from '../report-answer.ts';
import { PLAIN, tagAs } from '../representation.ts';
import { formOf, NO_BODY, type SentBody, sentBodyOf } from '../sent-body.ts';
import { type OpenPlan, requestIdOf, type ServerParts } from '../server-parts.ts';
import type { HandlerContext } from './handler-context.ts';
import { RequestCaller } from './request-caller.ts';
import { RequestPlace } from './request-place.ts';

export class RequestContext implements HandlerContext {
  readonly requestId: string;
  readonly monotonicMs: number;
  /** The place and memory that the answer takes. */
  readonly place: RequestPlace;
  readonly #parts: ServerParts;
  readonly #caller: RequestCaller;
  #nowMs: number;
  #request: Request;
  #route: MatchedRoute = UNMATCHED;
  #plan: OpenPlan<RequestContext> | null = null;
  #answered = false;
  #isUpgraded = false;
  #sent: SentBody = NO_BODY;

  /** @param known the caller by its Authorization header, if that has been looked up */
  constructor(parts: ServerParts, request: Request, known: Caller | null = null) {
    const { deps } = parts;
    this.#parts = parts;
    this.#caller = new RequestCaller(parts, request, known);
    this.place = new RequestPlace(parts, this.#caller, request.url);
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

  get clientAddress(): string {
    return this.#caller.clientAddress;
  }

  /**
   * The plan of this request's URL, once its route has validated the input; null before, and for methods
   * other than GET.
   */
  get plan(): OpenPlan<RequestContext> | null {
    return this.#plan;
  }

  get principal(): Principal {
    return this.#caller.principal;
  }

  get ifNoneMatch(): string | null {
    return this.request.headers.get('if-none-match');
  }

  /** The body that was sent, and how; NO_BODY before. */
  get sent(): SentBody {
    return this.#sent;
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
    // A thread that does not answer in turns needs no caller, whose address takes a tenth of the answer.
    if (questions === null) return work(this.#nowMs);
    const key = question === null ? null : `${this.principal.tier} ${question}`;
    return this.#ask(questions, this.#caller.turnCaller(this.#route), key, work);
  }

  inTurnOf<Answer>(
    { id, plan }: { readonly id: string; readonly plan: TierKey },
    work: (nowMs: number) => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    const { questions } = this.#parts;
    if (questions === null) return work(this.#nowMs);
    return this.#ask(questions, { name: id, hasKey: true, isFree: plan === 'free' }, null, work);
  }

  #ask<Answer>(
    questions: Questions,
    caller: TurnCaller,
    key: string | null,
    work: (nowMs: number) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    return questions.ask({
      caller,
      key,
      // Do not check `#answered` here: an MCP tool call that reports progress has begun its answer, but its
      // result is still wanted.
      isWanted: () =>
        !this.request.signal.aborted &&
        this.#parts.deps.clock.monotonicMs() - this.monotonicMs < REQUEST_DEADLINE_MS,
      work: (nowMs) => {
        this.#nowMs = nowMs;
        return work(nowMs);
      },
    });
  }

  pause(): Promise<void> | null {
    if (this.#parts.questions === null) return null;
    return this.#parts.turns.pause(this.#caller.turnCaller(this.#route));
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }

  readonly charge = async (units: number): Promise<void> => {
    await this.whenKnown(() => this.#caller.chargeMore(this.#route, units));
  };

  /** Keeps the route and the valid input of this URL, so that the next request for it skips validation. */
  planned(plan: OpenPlan<RequestContext>): void {
    this.#plan = plan;
  }

  /** Sets the matched route, which decides the price, the headers and the metrics label. */
  match(route: MatchedRoute): void {
    this.#route = route;
  }

  /** Calls `answer` immediately, or as soon as another thread has looked up the request's key. */
  whenKnown<Answer>(answer: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    if (!this.#parts.deps.gate.isRemote) return answer();
    // Pass the request's id along, so that the other thread logs a failure under it.
    const waited = forRequest(this.requestId, () => this.#caller.lookUp());
    return waited === null ? answer() : waited.then(answer);
  }

  /** Charges the request to its caller. @throws ServiceError as `RequestCaller.admit` */
  admit(): void {
    this.#caller.admit(this.#route, this.monotonicMs);
  }

  get holder(): Holder {
    return this.#caller.holder;
  }

  /** Attaches the body once it has arrived. */
  receive(body: Uint8Array<ArrayBuffer>): void {
    this.#caller.forget();
    const { url, method, headers, signal } = this.#request;
    this.#request = new Request(url, { method, headers, signal, body });
  }

  /**
   * Refuses a request that the gate would refuse, before its body is received. A request that passes is not
   * charged here.
   * @throws ServiceError 401, 403 if the key is bound to other addresses, or 429 when the bucket is empty
   */
  refuseEarly(): void {
    this.#caller.refuseEarly(this.#route);
  }

  /** Makes the response, with the headers that every answer carries, and counts it. */
  respond(reply: Reply, errorCode: string | null = null): Response {
    if (this.#answered) {
      if (reply.body instanceof MadePieces || reply.body instanceof EventsBody) reply.body.end();
      return new Response(null, { status: 503 });
    }
    const admission = this.#caller.admission ?? this.#unadmitted();
    const latencyMs = this.#parts.deps.clock.monotonicMs() - this.monotonicMs;
    const form = formOf(reply, this.request, this.#parts.negotiator);
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
      // Do not use `holder` here: it would look up the caller of every refusal.
      isPaid: admission.principal.tier !== 'free',
      cutsBlobs: this.#parts.cutsBlobs,
      isUnchanged,
      isHead: this.request.method === 'HEAD',
      inPieces: (pieces, options) => this.place.inPieces(pieces, this.#route, options),
    });
    this.#sent = sent;
    const isError = status >= ERROR_FROM;
    if (isError && !(sent.body instanceof ReadableStream)) this.place.smallError = sent.body;
    const response = this.#parts.headers.toResponse({
      reply,
      status,
      body: isError ? sent.body : this.place.untilRead(sent.body, this.#route),
      coding: sent.coding,
      etag,
      contentType: form === PLAIN ? reply.contentType : contentTypeOf(form),
      admission,
      access: this.#route.access,
      deprecation: this.#route.deprecation ?? null,
      requestId: this.requestId,
      latencyMs,
      hasOrigin: this.request.headers.has('origin'),
    });
    this.#finish(admission.principal, status, latencyMs, errorCode);
    return response;
  }

  /**
   * Answers anything thrown. It never throws, and does not identify the caller. A bug of ours is logged with
   * its stack; the answer does not contain it.
   */
  fail(error: unknown): Response {
    const { reply, code } = this.#errorReply(error);
    try {
      return this.respond(reply, code);
    } catch (failure) {
      // An error that is too long to be sent in one piece may find no room. This error is short, so it needs
      // none.
      const short = this.#errorReply(failure);
      return this.respond(short.reply, short.code);
    }
  }

  #errorReply(error: unknown): ErrorReply {
    const made = toErrorReply(error, this.#parts.deps.publicUrl);
    if (made.unexpected) {
      this.#parts.deps.log.error('request_failed', {
        request_id: withoutKeys(this.requestId),
        route: this.#route.path,
        error: stackOf(error),
      });
    }
    return made;
  }

  /**
   * Answers a request that another thread should have answered, with the error that prevented this. Nothing
   * is charged, and the headers show the caller's rate limit. If the key is invalid, the answer is the error
   * about the key instead.
   */
  refuse(error: unknown): Response {
    try {
      this.match(unmatchedAt(pathOf(this.request.url)));
      return this.fail(this.#caller.admitUnserved(this.#route).refusal ?? error);
    } catch (failure) {
      return this.fail(failure);
    }
  }

  #unadmitted(): Admission {
    if (this.#route === UNMATCHED) this.match(unmatchedAt(pathOf(this.request.url)));
    return this.#caller.unadmitted();
  }

  #finish(principal: Principal, status: number, latencyMs: number, errorCode: string | null): void {
    this.#answered = true;
    const { requestId, request } = this;
    const route = this.#route.path;
    const facts = { route, request, principal, status, latencyMs, requestId, errorCode };
    reportAnswer(this.#parts.deps, facts, () => this.clientAddress);
  }
}
