// The query thread's side: an application that HTTP threads hand requests to. It does for them what the edge does where
// one thread does all: a context, places in flight, the deadline.

import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { forRequest } from '../../log.ts';
import type { WholeApp } from '../app.ts';
import { settled } from '../edge/in-time.ts';
import { createServerParts } from '../kit/create-server-parts.ts';
import { PIECE_BYTES } from '../kit/reply.ts';
import { RequestContext } from '../kit/request-context.ts';
import type { SentBody } from '../kit/sent-body.ts';
import type { HttpDeps, ServerParts } from '../kit/server-parts.ts';
import { UrlPlans } from '../kit/url-plans.ts';
import type { BodyKind, FromQuery, ToQuery } from './messages.ts';

export interface QueryServerOptions {
  readonly app: WholeApp;
  readonly deps: HttpDeps;
  readonly deadlineMs?: number;
}

/** What is used of the reader of a stream: two libraries of types name its whole differently. */
interface PieceReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** A request under way, or an answer whose pieces are pulled. */
interface Job {
  readonly abort: AbortController;
  /** Called with the part of the body that was wanted. */
  body: ((bytes: Uint8Array<ArrayBuffer> | null, isLast: boolean) => void) | null;
  pieces: PieceReader | null;
}

export class QueryServer {
  readonly #app: WholeApp;
  readonly #deadlineMs: number;
  readonly #parts: ServerParts;
  readonly #plans = new UrlPlans();
  readonly #clients = new WeakMap<Request, string>();
  /** By HTTP thread. */
  readonly #callers = new Map<number, Caller>();

  constructor({ app, deps, deadlineMs = REQUEST_DEADLINE_MS }: QueryServerOptions) {
    this.#app = app;
    this.#deadlineMs = deadlineMs;
    // Streams and WebSockets have routes of HTTP threads.
    this.#parts = createServerParts({
      deps,
      peerOf: (request) => this.#clients.get(request) ?? 'unknown',
    });
  }

  /** Requests and answers that are under way. */
  get pendingCount(): number {
    return [...this.#callers.values()].reduce((sum, { jobCount }) => sum + jobCount, 0);
  }

  /** URLs with a plan. */
  get planCount(): number {
    return this.#plans.size;
  }

  /** Answers what comes over `port`. What the thread of that number asked for before has nobody who waits for it. */
  connect(thread: number, port: MessagePort): void {
    this.#callers.get(thread)?.close();
    this.#callers.set(thread, new Caller(port, (request, address) => this.#answer(request, address)));
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
        settled(this.#handle(context), context, this.#deadlineMs),
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

/** An answer, and its body apart where that goes out in pieces. */
interface RemoteAnswer {
  readonly response: Response;
  readonly kind: BodyKind;
  readonly pieces: ReadableStream<Uint8Array> | null;
}

type Answer = (request: Request, clientAddress: string) => Promise<RemoteAnswer>;

/**
 * What is made while it is sent, and what is large: of a file that all readers share, an HTTP thread holds no more than a
 * piece for each slow one.
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
  readonly #jobs = new Map<number, Job>();

  constructor(port: MessagePort, answer: Answer) {
    this.#port = port;
    this.#answer = answer;
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
    if (message.type === 'request') void this.#run(message);
    else if (message.type === 'body') this.#jobs.get(message.id)?.body?.(message.bytes, message.isLast);
    else if (message.type === 'pull') void this.#sendPiece(message.id);
    else this.#drop(message.id);
  }

  async #run(message: Extract<ToQuery, { type: 'request' }>): Promise<void> {
    const { id } = message;
    const job: Job = { abort: new AbortController(), body: null, pieces: null };
    this.#jobs.set(id, job);
    try {
      await this.#answerTo(message, job);
    } catch (error) {
      // The HTTP thread answers 500 at once, and logs it under the id of the request.
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
    // The client may have left meanwhile.
    const isWanted = this.#jobs.has(id);
    if (pieces !== null && isWanted) job.pieces = pieces.getReader();
    else this.#jobs.delete(id);
    if (isWanted) this.#post({ ...facts, body: bytes }, bytes);
    else await pieces?.cancel();
  }

  #requestOf(message: Extract<ToQuery, { type: 'request' }>, job: Job): Request {
    const { method, url, headers, hasBody, id } = message;
    const init = { method, headers: headers as [string, string][], signal: job.abort.signal };
    return new Request(url, hasBody ? { ...init, body: this.#bodyOf(id, job) } : init);
  }

  /** Asks for the body when somebody reads it. */
  #bodyOf(id: number, job: Job): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) =>
          new Promise<void>((resolve) => {
            job.body = (bytes, isLast) => {
              job.body = null;
              if (bytes === null) controller.error(new Error('Cannot read the body: it ended too soon'));
              else if (bytes.byteLength > 0) controller.enqueue(bytes);
              if (bytes !== null && isLast) controller.close();
              resolve();
            };
            this.#post({ type: 'want_body', id });
          }),
      },
      { highWaterMark: 0 },
    );
  }

  async #sendPiece(id: number): Promise<void> {
    const pieces = this.#jobs.get(id)?.pieces;
    if (pieces === undefined || pieces === null) return;
    try {
      const { value } = await pieces.read();
      if (value !== undefined) {
        // A copy: the piece may be a part of what others are sent too.
        const bytes = new Uint8Array(value);
        this.#post({ type: 'piece', id, bytes }, bytes);
        return;
      }
      this.#post({ type: 'piece', id, bytes: null });
    } catch {
      // Whoever makes the pieces has told why; the client learns that there are no more.
      this.#post({ type: 'broken', id });
    }
    this.#jobs.delete(id);
  }

  /** Nobody waits for it: what it holds is given back. */
  #drop(id: number): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    job.abort.abort();
    job.body?.(null, true);
    void job.pieces?.cancel();
  }
}
