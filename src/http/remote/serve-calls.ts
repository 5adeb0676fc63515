// The answering side of calls between threads. A body that is a stream is sent piece by piece, each when the
// caller can take it. If the caller leaves or its thread is replaced, the work for it ends.

import { forRequest } from '../../log.ts';
import { type FromCallee, type ToCallee, toFailure, WithBody } from './calls.ts';

/** The calls that a thread answers, by name. Each takes one plain value. */
export type Calls = Readonly<Record<string, (request: never, job: CallJob) => Promise<unknown>>>;

/** A call in progress. */
export interface CallJob {
  /** Aborted once the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** The calls that arrive over one port. */
export interface ServedCalls {
  /** The number of calls in progress, including answers whose pieces are being sent. */
  readonly jobCount: number;
  /** Closes the port and ends what is in progress. */
  close(): void;
}

/**
 * Answers the calls that arrive over `port` with `calls`.
 * @param calls the functions by name; or a function that is run for each call and returns them. What that
 * function throws goes to the caller
 * @param asKnown turns what a call throws into the error that the caller gets
 */
export function serveCalls(
  port: MessagePort,
  calls: Calls | (() => Promise<Calls>),
  asKnown: (error: unknown) => unknown = (error) => error,
): ServedCalls {
  return new Callee({ port, calls, asKnown });
}

/** The part of a stream reader that is used here. Its full type differs between two type libraries. */
interface PieceReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

class Job implements CallJob {
  pieces: PieceReader | null = null;
  #abort: AbortController | null = null;

  /** Made on first use, because most calls never read it. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  end(): void {
    this.#abort?.abort();
    void this.pieces?.cancel();
  }
}

interface CalleeOptions {
  readonly port: MessagePort;
  readonly calls: Calls | (() => Promise<Calls>);
  readonly asKnown: (error: unknown) => unknown;
}

class Callee implements ServedCalls {
  readonly #options: CalleeOptions;
  readonly #jobs = new Map<number, Job>();

  constructor(options: CalleeOptions) {
    this.#options = options;
    options.port.onmessage = (event) => this.#receive(event.data as ToCallee);
  }

  get jobCount(): number {
    return this.#jobs.size;
  }

  close(): void {
    this.#options.port.close();
    for (const id of [...this.#jobs.keys()]) this.#drop(id);
  }

  #receive(message: ToCallee): void {
    if (message.type === 'pull') void this.#sendPiece(message.id);
    else if (message.type === 'leave') this.#drop(message.id);
    else if (message.requestId === null) void this.#answer(message);
    else void forRequest(message.requestId, () => this.#answer(message));
  }

  async #answer({ id, name, request }: Extract<ToCallee, { type: 'call' }>): Promise<void> {
    const job = new Job();
    this.#jobs.set(id, job);
    try {
      const { calls } = this.#options;
      const call = (typeof calls === 'function' ? await calls() : calls)[name];
      if (call === undefined) throw new Error(`Cannot answer call "${name}": no function has that name`);
      this.#send(id, job, await call(request as never, job));
    } catch (error) {
      this.#drop(id);
      this.#post({ type: 'failure', id, failure: toFailure(this.#options.asKnown(error)) });
    }
  }

  #send(id: number, job: Job, answer: unknown): void {
    const body = answer instanceof WithBody ? answer.body : undefined;
    if (body instanceof ReadableStream) job.pieces = body.getReader();
    // The caller may have left meanwhile.
    if (!this.#jobs.has(id)) {
      job.end();
      return;
    }
    if (job.pieces === null) this.#jobs.delete(id);
    const sent = body instanceof ReadableStream ? 'pieces' : body;
    const value = answer instanceof WithBody ? answer.answer : answer;
    this.#post({ type: 'answer', id, answer: value, body: sent }, sent);
  }

  #post(message: FromCallee, bytes?: Uint8Array<ArrayBuffer> | 'pieces' | null): void {
    this.#options.port.postMessage(message, bytes instanceof Uint8Array ? [bytes.buffer] : []);
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
      // The code that makes the pieces has already reported the error. The caller only learns that no more
      // pieces come.
      this.#post({ type: 'broken', id });
    }
    this.#jobs.delete(id);
  }

  /** The caller no longer waits: ends the work and frees what it holds. */
  #drop(id: number): void {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    job?.end();
  }
}
