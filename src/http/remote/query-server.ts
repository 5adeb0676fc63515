// The query thread's side: an application that answers for HTTP threads. Like the edge in a server with one
// thread, it provides the request context, the places in flight and the deadline.

import type { FairTurns } from '../../access/quotas/fair-turns.ts';
import { workingFor } from '../../access/quotas/holder-now.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { forRequest } from '../../log.ts';
import type { WholeApp } from '../app.ts';
import { settled } from '../edge/in-time.ts';
import { createServerParts } from '../kit/create-server-parts.ts';
import type { Questions } from '../kit/questions.ts';
import { PIECE_BYTES } from '../kit/reply.ts';
import { RequestContext } from '../kit/request-context.ts';
import { signOf } from '../kit/route-table.ts';
import type { SentBody } from '../kit/sent-body.ts';
import type { HttpDeps, ServerParts } from '../kit/server-parts.ts';
import { UrlPlans } from '../kit/url-plans.ts';
import type { BodyKind, FromQuery, ToQuery } from './messages.ts';

export interface QueryServerOptions {
  readonly app: WholeApp;
  readonly deps: HttpDeps;
  /** The turns that requests take; null answers each at once. */
  readonly questions?: Questions | null;
  readonly deadlineMs?: number;
}

/** The part of a stream reader that is used here. The types of two libraries name the whole differently. */
interface PieceReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** A request in progress, or an answer whose pieces are being sent. */
interface Job {
  readonly abort: AbortController;
  pieces: PieceReader | null;
}

export class QueryServer {
  readonly #app: WholeApp;
  readonly #deadlineMs: number;
  readonly #parts: ServerParts;
  readonly #plans = new UrlPlans();
  readonly #clients = new WeakMap<Request, string>();
  /** By number of the HTTP thread. */
  readonly #callers = new Map<number, Caller>();

  constructor({ app, deps, questions = null, deadlineMs = REQUEST_DEADLINE_MS }: QueryServerOptions) {
    this.#app = app;
    this.#deadlineMs = deadlineMs;
    // Streams and WebSockets are answered by HTTP threads, so `keepOpen` and `upgrade` stay at their
    // defaults.
    this.#parts = createServerParts({
      deps,
      ...(questions === null ? {} : { questions, turns: questions.turns }),
      peerOf: (request) => this.#clients.get(request) ?? 'unknown',
    });
  }

  /** The number of requests and answers in progress. */
  get pendingCount(): number {
    return [...this.#callers.values()].reduce((sum, { jobCount }) => sum + jobCount, 0);
  }

  /** The number of URLs with a plan. */
  get planCount(): number {
    return this.#plans.size;
  }

  /**
   * Answers requests from `port`. If a thread with this number was connected before, its requests are
   * dropped, because that thread is gone.
   */
  connect(thread: number, port: MessagePort): void {
    this.#callers.get(thread)?.close();
    port.postMessage({ type: 'routes', routes: this.#app.routes.map(signOf) } satisfies FromQuery);
    const answer: Answer = (request, address) => this.#answer(request, address);
    this.#callers.set(thread, new Caller(port, answer, this.#parts.turns));
  }

  close(): void {
    for (const caller of this.#callers.values()) caller.close();
  }

  async #answer(request: Request, clientAddress: string): Promise<RemoteAnswer> {
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
    if (context.isLengthUnknown) return { response, kind: 'length_unknown', pieces: null };
    const pieces = request.method === 'HEAD' ? null : piecesIn(context.sentBody, response);
    return { response, kind: pieces === null ? 'whole' : 'pieces', pieces };
  }

  #handle(context: RequestContext): Response | Promise<Response> {
    const plan = this.#plans.find(context.request);
    return context.whenKnown(() => {
      if (plan !== null) return plan.run(context);
      const response = this.#app.find(context.request)(context);
      this.#plans.remember(context);
      return response;
    });
  }
}

/** An answer, and its body separately if it is sent in pieces. */
interface RemoteAnswer {
  readonly response: Response;
  readonly kind: BodyKind;
  readonly pieces: ReadableStream<Uint8Array> | null;
}

type Answer = (request: Request, clientAddress: string) => Promise<RemoteAnswer>;

/**
 * The body as pieces, if it is a stream or large; otherwise null. All readers share one copy of a large file
 * on this thread, and an HTTP thread holds at most one piece of it for each slow reader.
 */
function piecesIn(sent: SentBody['body'], response: Response): ReadableStream<Uint8Array> | null {
  if (sent instanceof ReadableStream) return response.body;
  return sent instanceof Blob && sent.size > PIECE_BYTES ? blobPieces(sent) : null;
}

function blobPieces(blob: Blob): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (offset >= blob.size) return controller.close();
        controller.enqueue(await blob.slice(offset, offset + PIECE_BYTES).bytes());
        offset += PIECE_BYTES;
      },
    },
    { highWaterMark: 0 },
  );
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

/** The requests of one HTTP thread. */
class Caller {
  readonly #port: MessagePort;
  readonly #answer: Answer;
  readonly #turns: FairTurns;
  readonly #jobs = new Map<number, Job>();

  constructor(port: MessagePort, answer: Answer, turns: FairTurns) {
    this.#port = port;
    this.#answer = answer;
    this.#turns = turns;
    port.onmessage = (event) => this.#receive(event.data as ToQuery);
  }

  get jobCount(): number {
    return this.#jobs.size;
  }

  close(): void {
    this.#port.close();
    for (const id of [...this.#jobs.keys()]) this.#drop(id);
  }

  #post(message: FromQuery, bytes: Uint8Array<ArrayBuffer> | null = null): void {
    this.#port.postMessage(message, bytes === null ? [] : [bytes.buffer]);
  }

  #receive(message: ToQuery): void {
    if (message.type === 'request') this.#begin(message);
    else if (message.type === 'pull') void this.#sendPiece(message.id);
    else this.#drop(message.id);
  }

  /**
   * Starts a request at its caller's turn. Requests come in bursts, and without turns a burst would delay
   * other callers' requests.
   */
  #begin(message: Extract<ToQuery, { type: 'request' }>): void {
    const { id, caller } = message;
    const job: Job = { abort: new AbortController(), pieces: null };
    this.#jobs.set(id, job);
    const run = (): void => {
      if (this.#jobs.has(id)) void this.#run(message, job);
    };
    // If too many jobs of this caller wait, start the request at once; it is refused when its own work has to
    // wait.
    if (!this.#turns.tryTo(caller, run)) run();
  }

  async #run(message: Extract<ToQuery, { type: 'request' }>, job: Job): Promise<void> {
    const { id } = message;
    try {
      await this.#answerTo(message, job);
    } catch (error) {
      // The HTTP thread answers 500 at once, and logs the error with the request's id.
      this.#drop(id);
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#post({ type: 'failed', id, error: text });
    }
  }

  async #answerTo(message: Extract<ToQuery, { type: 'request' }>, job: Job): Promise<void> {
    const { id } = message;
    const answer = await this.#answer(this.#requestOf(message, job), message.clientAddress);
    const { response, kind, pieces } = answer;
    const facts = {
      type: 'answer',
      id,
      status: response.status,
      headers: [...response.headers],
      kind,
    } as const;
    const bytes = kind === 'whole' && response.body !== null ? await bytesOf(response) : null;
    // The client may have disconnected meanwhile.
    const isWanted = this.#jobs.has(id);
    if (pieces !== null && isWanted) job.pieces = pieces.getReader();
    else this.#jobs.delete(id);
    if (isWanted) this.#post({ ...facts, body: bytes }, bytes);
    else await pieces?.cancel();
  }

  #requestOf(message: Extract<ToQuery, { type: 'request' }>, job: Job): Request {
    const { method, url, headers, body } = message;
    return new Request(url, {
      method,
      headers: headers as [string, string][],
      body,
      signal: job.abort.signal,
    });
  }

  async #sendPiece(id: number): Promise<void> {
    const pieces = this.#jobs.get(id)?.pieces;
    if (pieces === undefined || pieces === null) return;
    try {
      const { value } = await pieces.read();
      if (value !== undefined) {
        // Copy the piece, because it may be part of a body that others are sent too.
        const bytes = new Uint8Array(value);
        this.#post({ type: 'piece', id, bytes }, bytes);
        return;
      }
      this.#post({ type: 'piece', id, bytes: null });
    } catch {
      // The code that makes the pieces has already reported the error. The client only learns that no more
      // pieces come.
      this.#post({ type: 'broken', id });
    }
    this.#jobs.delete(id);
  }

  /** The client no longer waits: abandons the request and frees what it holds. */
  #drop(id: number): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    job.abort.abort();
    void job.pieces?.cancel();
  }
}
