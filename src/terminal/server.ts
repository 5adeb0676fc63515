// A running server, called over HTTP like any other client would. Every answer is limited in time and size.
// If a limit frees up soon, the request waits and is sent again; other refusals become a CommandFailure with
// the server's own message.

import { boundedText } from '../parse-json.ts';
import { PROGRAM_COMMAND } from '../program-files.ts';
import type { Environment } from '../settings/setting-reader.ts';
import { CommandFailure, type ExitReason } from './failure.ts';
import { localUrl, readServerSettings } from './server-settings.ts';
import { plainText } from './text.ts';

/** Time to wait for an answer. Without one, the command fails as if there were no server. */
const ANSWER_WAIT_MS = 20_000;
/** Maximum bytes of one answer. With a larger one, the command fails. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Longest wait that a refusal may ask for. If it asks for more, the command fails and shows how long to wait.
 */
const RETRY_WAIT_S_MAX = 15;
/** How many times one request is sent. If the last try is refused too, the command fails. */
const TRIES_MAX = 3;

/** How long to wait for a server on this machine, before it counts as not running. */
const LOCAL_WAIT_MS = 2_000;

/** Values by name; undefined ones are left out. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** The address of the server on this machine; null when none answers, or another program does. */
export async function findLocalServer(environment: Environment): Promise<string | null> {
  const url = localUrl(environment);
  try {
    const signal = AbortSignal.timeout(LOCAL_WAIT_MS);
    const response = await fetch(`${url}/health`, { signal, redirect: 'error' });
    // Check the content of the answer, because another program may listen on this port.
    const health: unknown = JSON.parse(await textOf(response));
    return health !== null && typeof health === 'object' && 'feed_live' in health ? url : null;
  } catch {
    return null; // Nothing listens there, or the program does not answer with JSON over HTTP.
  }
}

export interface ServerOptions {
  readonly environment: Environment;
  readonly writeError: (line: string) => void;
}

export class Server {
  /** Base address, no trailing slash. */
  readonly url: string;
  readonly #apiKey: string | null;
  readonly #writeError: (line: string) => void;

  /** The server at OVERROUND_URL, or the one at `localUrl`. @throws Error when a setting is invalid */
  constructor({ environment, writeError }: ServerOptions) {
    const { url, apiKey } = readServerSettings(environment);
    this.url = url ?? localUrl(environment);
    this.#apiKey = apiKey;
    this.#writeError = writeError;
  }

  /** Reads a resource. @throws CommandFailure */
  async get<Answer>(path: string, parameters: Parameters = {}): Promise<Answer> {
    return (await this.#answer(this.url + path + queryOf(parameters), { method: 'GET' })) as Answer;
  }

  /**
   * Why this server shows no prices to callers without a key; null if its settings let them see some, or if
   * this client has a key.
   */
  async hiddenPrices(): Promise<string | null> {
    if (this.#apiKey !== null) return null;
    return (await this.get<{ readonly note: string | null }>('/ready')).note;
  }

  /** Posts a body, for tools and resolvers. @throws CommandFailure */
  async post<Answer>(path: string, body: unknown): Promise<Answer> {
    return (await this.#answer(this.url + path, { method: 'POST', body: JSON.stringify(body) })) as Answer;
  }

  /** Opens an endless answer. @throws CommandFailure when it is refused or does not start in time */
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
      this.#writeError(`${failure.message}; retrying in ${retryAfterS} s`);
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
      // Do not follow redirects: that would send the key to another server.
      return await fetch(address, { ...request, headers, signal, redirect: 'error' });
    } catch (error) {
      throw new CommandFailure(
        'unavailable',
        `Cannot reach ${this.url}: ${reasonOf(error)}`,
        `Start a server with \`${PROGRAM_COMMAND} start\`, or set OVERROUND_URL to another one`,
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

  /** The failure for an answer other than 200, and when to retry it. */
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
        ? 'Set OVERROUND_API_KEY to a live key, or unset it to use the free tier'
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
  // Bun reports this error under one of two names.
  if ('code' in error && /^(?:ConnectionRefused|ECONNREFUSED)$/.test(String(error.code))) {
    return 'nothing answers there';
  }
  return error.message.replace(/[.?]+$/, '');
}

function textOf(response: Response): Promise<string> {
  return boundedText(
    response,
    ANSWER_BYTES_MAX,
    (bytesMax) => new CommandFailure('failed', `Cannot read an answer: more than ${bytesMax} bytes`),
  );
}
