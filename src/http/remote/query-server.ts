// The query thread's side: an application that answers for HTTP threads. Like the edge in a server with one
// thread, it provides the request context, the places in flight and the deadline.

import type { FairShares } from '../../access/quotas/fair-shares.ts';
import type { TurnCaller } from '../../access/quotas/fair-turns.ts';
import { workingFor } from '../../access/quotas/holder-now.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { forRequest } from '../../log.ts';
import { freeBytes } from '../../memory/free-bytes.ts';
import type { WholeApp } from '../app.ts';
import { settled } from '../edge/in-time.ts';
import { createServerParts } from '../kit/create-server-parts.ts';
import { PIECE_BYTES } from '../kit/pieces.ts';
import type { Questions } from '../kit/questions.ts';
import { RequestContext } from '../kit/request/request-context.ts';
import { signOf } from '../kit/route-table.ts';
import type { HttpDeps, ServerParts } from '../kit/server-parts.ts';
import { UrlPlans } from '../kit/url-plans.ts';
import { WithBody } from './calls.ts';
import type { AnswerHead, SentRequest } from './remote-app.ts';
import { type CallJob, type ServedCalls, serveCalls } from './serve-calls.ts';

export interface QueryServerOptions {
  readonly app: WholeApp;
  readonly deps: HttpDeps;
  /** The budget that unread answers count against; by default one of this server alone. */
  readonly budget?: FairShares;
  /** The turns that requests take; null answers each immediately. */
  readonly questions?: Questions | null;
  readonly deadlineMs?: number;
}

export class QueryServer {
  readonly #app: WholeApp;
  readonly #deadlineMs: number;
  readonly #parts: ServerParts;
  readonly #plans = new UrlPlans();
  readonly #clients = new WeakMap<Request, string>();
  /** The calls of each HTTP thread, by its number. */
  readonly #served = new Map<number, ServedCalls>();

  constructor({ app, deps, budget, questions = null, deadlineMs = REQUEST_DEADLINE_MS }: QueryServerOptions) {
    this.#app = app;
    this.#deadlineMs = deadlineMs;
    // Streams and WebSockets are answered by HTTP threads, so `keepOpen` and `upgrade` stay at their
    // defaults.
    this.#parts = createServerParts({
      deps,
      cutsBlobs: true,
      ...(budget === undefined ? {} : { budget }),
      ...(questions === null ? {} : { questions, turns: questions.turns }),
      peerOf: (request) => this.#clients.get(request) ?? 'unknown',
    });
  }

  /** The number of requests and answers in progress. */
  get pendingCount(): number {
    return [...this.#served.values()].reduce((sum, { jobCount }) => sum + jobCount, 0);
  }

  /** The number of URLs with a plan. */
  get planCount(): number {
    return this.#plans.size;
  }

  /** Evicts compressed answers that are no longer used. Call it regularly. */
  sweep(): void {
    this.#parts.forms.sweep();
  }

  /**
   * Answers requests from `port`. If a thread with this number was connected before, its requests are
   * dropped, because that thread is gone.
   */
  connect(thread: number, port: MessagePort): void {
    this.#served.get(thread)?.close();
    const calls = {
      routes: async () => this.#app.routes.map(signOf),
      request: (sent: SentRequest, job: CallJob) => this.#request(sent, job),
    };
    this.#served.set(thread, serveCalls(port, calls));
  }

  close(): void {
    for (const served of this.#served.values()) served.close();
  }

  async #request(sent: SentRequest, { signal }: CallJob): Promise<WithBody<AnswerHead> | null> {
    await this.#turnOf(sent.caller);
    if (signal.aborted) return null;
    const { method, url, headers, body, clientAddress } = sent;
    const request = new Request(url, { method, headers, body, signal });
    if (body !== null) freeBytes(body); // the request has a copy
    return this.#answer(request, clientAddress);
  }

  /**
   * Waits for the caller's turn to start a request. Requests come in bursts, and without turns a burst would
   * delay other callers' requests. If too many jobs of this caller wait, the request is started immediately;
   * it is refused when its own work has to wait.
   */
  #turnOf(caller: TurnCaller): Promise<void> {
    return this.#parts.turns.turnIfRoom(caller);
  }

  async #answer(request: Request, clientAddress: string): Promise<WithBody<AnswerHead>> {
    this.#clients.set(request, clientAddress);
    const context = new RequestContext(this.#parts, request);
    let response: Response | undefined;
    try {
      response = await forRequest(context.requestId, () =>
        workingFor(
          () => context.holder,
          () => settled(this.#handle(context), context, this.#deadlineMs),
        ),
      );
    } catch (error) {
      response = context.fail(error);
    }
    response ??= new Response(null);
    const { isLengthUnknown } = context.sent;
    const head: AnswerHead = { status: response.status, headers: [...response.headers], isLengthUnknown };
    if (isLengthUnknown || response.body === null) return new WithBody(head, null);
    if (request.method === 'HEAD' || !(context.sent.body instanceof ReadableStream)) {
      return new WithBody(head, new Uint8Array(await response.arrayBuffer()));
    }
    const isLong = isEventStream(response) || context.sent.isLong;
    return new WithBody(head, isLong ? response.body : await wholeIfSmall(response.body, request.signal));
  }

  #handle(context: RequestContext): Response | Promise<Response> {
    const plan = this.#plans.find(context.request);
    return context.whenKnown(() => {
      if (plan !== null) return this.#plans.run(plan, context);
      const response = this.#app.find(context.request)(context);
      this.#plans.remember(context);
      return response;
    });
  }
}

/** An event stream may stay silent for long, so its head is sent without waiting for the first event. */
function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/**
 * The body as bytes if it has at most PIECE_BYTES; otherwise a stream of the same pieces. A small body
 * travels with its answer in one message, instead of two more round trips for the piece and for the end.
 * @param signal ends the body when nobody waits for it any more
 */
async function wholeIfSmall(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const end = (): void => void reader.cancel();
  signal.addEventListener('abort', end, { once: true });
  const start: Uint8Array[] = [];
  let length = 0;
  try {
    while (length <= PIECE_BYTES) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(Buffer.concat(start, length));
      start.push(value);
      length += value.byteLength;
    }
  } catch {
    // Ignore the error here: the stream below reads on and fails with the same error.
  }
  signal.removeEventListener('abort', end);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = start.shift() ?? (await reader.read()).value;
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
}
