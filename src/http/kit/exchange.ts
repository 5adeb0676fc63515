// One request and its answer: who asks, what it costs, and the headers that every answer carries. It is the context
// that handlers see, and it is answered once; a later answer (after the deadline) is dropped.

import type { Admission } from '../../access/gate.ts';
import { KEYLESS, type Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import type { InFlight } from '../edge/in-flight.ts';
import { isSaneRequestId } from '../edge/request-id.ts';
import type { HttpDeps } from './deps.ts';
import { toErrorReply } from './error-reply.ts';
import { etagMatches } from './etag.ts';
import type { AnswerHeaders } from './headers.ts';
import { PIECE_BYTES, pieceByPiece } from './large-body.ts';
import type { Reply, ReplyBody } from './reply.ts';
import type { RequestContext, RouteAccess } from './route.ts';

/** What all exchanges of one server share. */
export interface Edge {
  readonly deps: HttpDeps;
  readonly inFlight: InFlight;
  readonly headers: AnswerHeaders;
}

/** Where a request landed: a path template, which is a bounded label, and what it costs there. */
export interface Place {
  readonly path: string;
  readonly access: RouteAccess;
}

/** No such path: it costs a unit like any other request. */
export const UNMATCHED: Place = { path: 'unmatched', access: 'metered' };
export const UNMATCHED_ACCOUNT: Place = { path: 'unmatched', access: 'account' };

export class Exchange implements RequestContext {
  readonly request: Request;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly nowMs: number;
  readonly monotonicMs: number;
  readonly #edge: Edge;
  #place: Place = UNMATCHED;
  #admission: Admission | null = null;
  #answered = false;
  #isHeld = false;
  #isSending = false;

  constructor(edge: Edge, request: Request, clientAddress: string) {
    const { deps } = edge;
    this.#edge = edge;
    this.request = request;
    this.clientAddress = clientAddress;
    this.nowMs = deps.clock.wallMs();
    this.monotonicMs = deps.clock.monotonicMs();
    const given = request.headers.get('x-request-id');
    this.requestId = given !== null && isSaneRequestId(given) ? given : deps.nextRequestId();
  }

  get principal(): Principal {
    return this.#admission?.principal ?? KEYLESS;
  }

  get ifNoneMatch(): string | null {
    return this.request.headers.get('if-none-match');
  }

  /** Whether the answer has gone out. */
  get answered(): boolean {
    return this.#answered;
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }

  /** Names the place the request landed at, for its price, its headers and its label. */
  enter(place: Place): void {
    this.#place = place;
  }

  /**
   * Asks the gate, once, before anything of the request is read.
   * @throws ServiceError 401 or 429 as the gate decides; 401 when the place needs a key and there is none
   */
  admit(): void {
    const { access } = this.#place;
    const authorization = access === 'account' ? null : this.request.headers.get('authorization');
    // What is refused for want of a key costs nothing.
    const isFree = access === 'account' || access === 'open' || (access === 'key' && authorization === null);
    this.#admission = this.#edge.deps.gate.admit(authorization, this.clientAddress, isFree ? 0 : 1);
    if (this.#admission.refusal !== null) throw this.#admission.refusal;
    if (access === 'key' && this.principal.keyId === null) {
      throw new ServiceError('unauthorized', 'Cannot serve without a key: this endpoint needs one', {
        fix: 'Send the header Authorization: Bearer <key>',
      });
    }
  }

  /**
   * Takes a place in flight for an answer that is not ready at once, or not sent at once. One place, however often.
   * @throws ServiceError 503 when there is none
   */
  hold(): void {
    if (this.#isHeld) return;
    this.#edge.inFlight.enter(this.clientAddress);
    this.#isHeld = true;
  }

  /** Gives the place back, unless a large body is still being sent: that gives it back itself. */
  release(): void {
    if (!this.#isHeld || this.#isSending) return;
    this.#isHeld = false;
    this.#edge.inFlight.leave(this.clientAddress);
  }

  /** Sends `reply` with the headers every answer carries, and counts it. */
  respond(reply: Reply, errorCode: string | null = null): Response {
    if (this.#answered) return new Response(null, { status: 503 });
    const admission = this.#admission ?? this.#edge.deps.gate.admit(null, this.clientAddress, 0);
    const latencyMs = this.#edge.deps.clock.monotonicMs() - this.monotonicMs;
    const isUnchanged =
      reply.etag !== null && reply.status === 200 && etagMatches(this.ifNoneMatch, reply.etag);
    const status = isUnchanged ? 304 : reply.status;
    const response = this.#edge.headers.toResponse({
      reply,
      status,
      body: isUnchanged ? null : this.#bodyOf(reply),
      admission,
      access: this.#place.access,
      requestId: this.requestId,
      latencyMs,
    });
    this.#finish(admission.principal, status, latencyMs, errorCode);
    return response;
  }

  /** Answers anything thrown. Our own bugs are logged with their stack and answered without it. */
  fail(error: unknown): Response {
    const { reply, code, unexpected } = toErrorReply(error, this.#edge.deps.publicUrl);
    if (unexpected) {
      this.#edge.deps.log.error('request_failed', {
        requestId: this.requestId,
        route: this.#place.path,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    return this.respond(reply, code);
  }

  /** A large body of this request alone takes a place in flight until the client has read it; a Blob is shared. */
  #bodyOf(reply: Reply): ReplyBody {
    const { body } = reply;
    const isShared = typeof body !== 'string' && !(body instanceof Uint8Array);
    if (isShared || body.length <= PIECE_BYTES || this.request.method === 'HEAD') return body;
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    this.hold();
    this.#isSending = true;
    return pieceByPiece(bytes, () => {
      this.#isSending = false;
      this.release();
    });
  }

  #finish(principal: Principal, status: number, latencyMs: number, errorCode: string | null): void {
    this.#answered = true;
    this.#edge.deps.gate.record({ principal, status, latencyMs });
    const { url, method } = this.request;
    this.#edge.deps.observe({
      method,
      route: this.#place.path,
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

/** The path of an absolute URL, without its query. */
function pathOf(url: string): string {
  const start = url.indexOf('/', 8);
  const end = url.indexOf('?', start);
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end);
}
