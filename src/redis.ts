// A connection to Redis that never keeps a caller waiting: every call has a deadline, nothing is queued while the server
// is away, and a connection that failed or fell silent is dropped and made anew. Bun's own client says that it is
// connected while the server stands still and holds calls back while it is gone, so its queue and its reconnecting are off.

import { RedisClient } from 'bun';
import type { Clock } from './clock.ts';

/** How long a call may take before its connection counts as broken, in milliseconds. */
export const REDIS_CALL_MS = 100;
/** How long a connection may take to be made, in milliseconds. */
const CONNECT_MS = 1_000;
/** No second try to connect sooner than this after a failed one: until then calls fail at once. */
const RETRY_PAUSE_MS = 100;

/** Of the scripts that were run: the program has a handful. */
const hashes = new Map<string, string>();

/** The server did not do it, or nobody knows whether it did: see `cause`. */
export class RedisAway extends Error {}
/** The server answered, and the answer is an error. Other calls are answered as before. */
export class RedisRefused extends RedisAway {}

/** Why a call failed: no connection was to be had, the answer came too late or was an error, or the connection broke. */
export type RedisFailure = 'connect' | 'late' | 'refused' | 'broken';

/** Told how calls go, for the metrics. */
export interface RedisWatch {
  answered(): void;
  failed(kind: RedisFailure): void;
}

export interface RedisLinkOptions {
  /** `redis://` or `rediss://`, with the password if there is one. */
  readonly url: string;
  readonly clock: Clock;
  readonly deadlineMs?: number;
  readonly watch?: RedisWatch;
}

/** A promise was not kept in time. */
class LateError extends Error {}

export class RedisLink {
  readonly #options: RedisLinkOptions;
  #client: RedisClient | null = null;
  #connecting: Promise<RedisClient> | null = null;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
  }

  /**
   * Sends one command.
   * @param deadlineMs for one that waits at the server
   * @throws RedisRefused when the answer is an error, RedisAway when there is none in time
   */
  async call(
    command: string,
    args: readonly string[],
    deadlineMs: number = this.#options.deadlineMs ?? REDIS_CALL_MS,
  ): Promise<unknown> {
    const client = this.#client ?? (await this.#connect());
    try {
      const answer = await within(client.send(command, [...args]), deadlineMs);
      this.#options.watch?.answered();
      return answer;
    } catch (error) {
      if (isAnswer(error)) {
        // A script that Redis does not know is sent in full.
        if (!messageOf(error).startsWith('NOSCRIPT')) this.#options.watch?.failed('refused');
        throw new RedisRefused(`Redis refuses ${command}: ${messageOf(error)}`, { cause: error });
      }
      this.#options.watch?.failed(error instanceof LateError ? 'late' : 'broken');
      this.#drop(client);
      throw new RedisAway(`Redis does not answer ${command}: ${messageOf(error)}`, { cause: error });
    }
  }

  /**
   * Runs a script by its hash, so that its text travels only when the server does not know it yet, such as after its start.
   * @throws as `call`
   */
  async script(text: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.call('EVALSHA', [hashOf(text), ...rest]);
    } catch (error) {
      const isUnknown = error instanceof RedisRefused && messageOf(error.cause).startsWith('NOSCRIPT');
      if (!isUnknown) throw error;
      return this.call('EVAL', [text, ...rest]);
    }
  }

  close(): void {
    if (this.#client !== null) this.#drop(this.#client);
  }

  async #connect(): Promise<RedisClient> {
    if (this.#connecting !== null) return this.#connecting;
    if (this.#options.clock.monotonicMs() - this.#failedAtMs < RETRY_PAUSE_MS) {
      throw new RedisAway('Redis does not answer: the last try to connect has just failed');
    }
    this.#connecting = this.#open();
    try {
      this.#client = await this.#connecting;
      return this.#client;
    } finally {
      this.#connecting = null;
    }
  }

  async #open(): Promise<RedisClient> {
    const client = new RedisClient(this.#options.url, {
      connectionTimeout: CONNECT_MS,
      autoReconnect: false,
      enableOfflineQueue: false,
      maxRetries: 0,
    });
    try {
      await within(client.connect(), CONNECT_MS);
      return client;
    } catch (error) {
      this.#options.watch?.failed('connect');
      this.#drop(client);
      throw new RedisAway(`Cannot connect to Redis: ${messageOf(error)}`, { cause: error });
    }
  }

  #drop(client: RedisClient): void {
    if (this.#client === client) this.#client = null;
    this.#failedAtMs = this.#options.clock.monotonicMs();
    client.close();
  }
}

async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new LateError(`no answer within ${ms} ms`)), ms);
  // When time is up the connection is closed, and the promise is refused with nobody waiting for it.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a call failed because the server said so. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_REDIS_SERVER_ERROR';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hashOf(script: string): string {
  const known = hashes.get(script);
  if (known !== undefined) return known;
  const hash = new Bun.CryptoHasher('sha1').update(script).digest('hex');
  hashes.set(script, hash);
  return hash;
}
