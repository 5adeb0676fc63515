// A running server, asked over HTTP as any client asks it. Every answer is bounded in time and size; a limit that frees
// itself soon is waited for; refusals become CommandFailures in the server's own words.

import type { Environment } from '../setting-reader.ts';
import { CommandFailure, type ExitReason } from './failure.ts';
import { readServerSettings } from './server-settings.ts';
import { plainText } from './text.ts';

const DEFAULT_PORT = '3000';
/** Wait for the head of an answer. Longer: the command fails as when there is no server. */
const ANSWER_WAIT_MS = 20_000;
/** Bytes of one answer. Larger: the command fails. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** A wait that a refusal asks for. Longer: the command fails and says how long. */
const RETRY_WAIT_S_MAX = 15;
/** Times that one request is sent. More: the last refusal counts. */
const TRIES_MAX = 3;

/** Values by name; undefined and false are left out. */
export type Parameters = Readonly<Record<string, string | undefined>>;

export interface ServerOptions {
  readonly environment: Environment;
  readonly writeError: (line: string) => void;
}

export class Server {
  /** Base address, no trailing slash. */
  readonly url: string;
  readonly #apiKey: string | null;
  readonly #writeError: (line: string) => void;

  /** The server at OVERROUND_URL, or the local one at PORT. @throws Error on a setting that cannot be read */
  constructor({ environment, writeError }: ServerOptions) {
    const { url, apiKey } = readServerSettings(environment);
    this.url = url ?? `http://127.0.0.1:${environment.PORT?.trim() || DEFAULT_PORT}`;
    this.#apiKey = apiKey;
    this.#writeError = writeError;
  }

  /** Reads a resource. @throws CommandFailure */
  async get<Answer>(path: string, parameters: Parameters = {}): Promise<Answer> {
    return (await this.#answer(this.url + path + queryOf(parameters), { method: 'GET' })) as Answer;
  }

  /** Posts a body: tools and resolvers. @throws CommandFailure */
  async post<Answer>(path: string, body: unknown): Promise<Answer> {
    return (await this.#answer(this.url + path, { method: 'POST', body: JSON.stringify(body) })) as Answer;
  }

  /** Opens an answer that has no end. @throws CommandFailure when it is refused or does not begin in time */
  async open(path: string, parameters: Parameters, stop: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ANSWER_WAIT_MS);
    try {
      const response = await this.#send(
        this.url + path + queryOf(parameters),
        { method: 'GET' },
        AbortSignal.any([stop, late.signal]),
      );
      if (response.status !== 200 || response.body === null) {
        throw this.#refusal(response.status, await textOf(response)).failure;
      }
      return response.body;
    } finally {
      clearTimeout(timer);
    }
  }

  async #answer(address: string, request: { method: string; body?: string }): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#send(address, request, AbortSignal.timeout(ANSWER_WAIT_MS));
      const text = await textOf(response);
      if (response.status === 200) return this.#parsed(text, response.status);
      const { failure, retryAfterS } = this.#refusal(response.status, text);
      if (retryAfterS === null || retryAfterS > RETRY_WAIT_S_MAX || attempt === TRIES_MAX) throw failure;
      this.#writeError(`${failure.message}; asking again in ${retryAfterS} s`);
      await Bun.sleep(retryAfterS * 1_000);
    }
  }

  async #send(
    address: string,
    request: { method: string; body?: string },
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = new Headers({ accept: 'application/json' });
    if (request.body !== undefined) headers.set('content-type', 'application/json');
    if (this.#apiKey !== null) headers.set('authorization', `Bearer ${this.#apiKey}`);
    try {
      // A redirect would carry the key to whoever is named.
      return await fetch(address, { ...request, headers, signal, redirect: 'error' });
    } catch (error) {
      throw new CommandFailure(
        'unavailable',
        `Cannot reach ${this.url}: ${reasonOf(error)}`,
        'Start a server with `overround start`, or name another in OVERROUND_URL',
      );
    }
  }

  #parsed(text: string, status: number): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw new CommandFailure(
        'failed',
        `Cannot read the answer of ${this.url}: it is not JSON (status ${status})`,
        'Check that OVERROUND_URL is the address of an Overround server',
      );
    }
  }

  /** What an answer other than 200 says. */
  #refusal(
    status: number,
    text: string,
  ): { readonly failure: CommandFailure; readonly retryAfterS: number | null } {
    const body = this.#parsed(text, status) as {
      readonly error?: { message?: string; fix?: string | null; retry_after_seconds?: number | null };
      readonly detail?: readonly { loc?: readonly (string | number)[]; msg?: string }[];
    } | null;
    const problems = body?.detail?.map(({ loc, msg }) => `${(loc ?? []).slice(1).join('.')}: ${msg}`);
    const message = body?.error?.message ?? problems?.join('; ') ?? `Cannot answer: status ${status}`;
    const fix =
      status === 401
        ? 'Set OVERROUND_API_KEY to a live key, or leave it out to be served the free tier'
        : body?.error?.fix;
    const retryAfterS = body?.error?.retry_after_seconds ?? null;
    return {
      failure: new CommandFailure(
        reasonOfStatus(status),
        plainText(message),
        fix === null || fix === undefined ? null : plainText(fix),
      ),
      retryAfterS: status === 429 || status === 503 ? retryAfterS : null,
    };
  }
}

function queryOf(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function reasonOfStatus(status: number): ExitReason {
  if (status === 400 || status === 422) return 'notUnderstood';
  if (status === 401 || status === 402 || status === 403) return 'forbidden';
  return status === 429 || status >= 500 ? 'unavailable' : 'failed';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    return `no answer in ${ANSWER_WAIT_MS / 1_000} s`;
  }
  // Bun names it in one of two ways.
  if ('code' in error && /^(?:ConnectionRefused|ECONNREFUSED)$/.test(String(error.code))) {
    return 'nothing answers there';
  }
  return error.message.replace(/[.?]+$/, '');
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let byteCount = 0;
  for await (const chunk of response.body ?? []) {
    byteCount += chunk.byteLength;
    if (byteCount > ANSWER_BYTES_MAX) {
      throw new CommandFailure('failed', `Cannot read an answer: more than ${ANSWER_BYTES_MAX} bytes`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
