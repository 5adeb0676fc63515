// A connection to Redis that never blocks a caller for long. Every call has a deadline, nothing is queued
// while the server is unreachable, and a connection that failed or fell silent is closed and opened again.
// Bun's client still reports "connected" while the server hangs, and holds calls back while it is gone, so
// its queue and reconnect are turned off.

import { RedisClient } from 'bun';
import type { Clock } from '../clock.ts';
import { codeOf, messageOf } from '../errors.ts';
import { withinDeadline } from '../pause.ts';

/** How long a call may take before its connection counts as broken, in milliseconds. */
export const REDIS_CALL_MS = 100;
/** How long connecting may take, in milliseconds. */
const CONNECT_MS = 1_000;
/** Shortest pause after a connection, or an attempt to connect, failed; until then calls fail at once. */
const RETRY_PAUSE_MS = 100;

/**
 * How long a reading of the server's clock is trusted: in this time clocks drift apart by less than a call
 * takes.
 */
const CLOCK_KNOWN_MS = 10_000;

/**
 * Start of a script that does nothing if its call has already timed out. The last argument is the call's
 * deadline by the server's clock. A server that was frozen for a while would otherwise execute calls that
 * nobody waits for any more.
 */
const IN_TIME = `
local redis_time = redis.call('TIME')
local redis_ms = redis_time[1] * 1000 + math.floor(redis_time[2] / 1000)
if redis_ms > tonumber(ARGV[#ARGV]) then return redis.error_reply('LATE the call has timed out') end
`;

/** Hashes of the scripts that were run; the program has only a few. */
const hashes = new Map<string, string>();

/** The server did not execute the call, or it is unknown whether it did: see `cause`. */
export class RedisAway extends Error {}
/** The server answered with an error. Other calls are not affected. */
export class RedisRefused extends RedisAway {}

/** Why a call failed: no connection, a late answer, an error as the answer, or a broken connection. */
export type RedisFailure = 'connect' | 'late' | 'refused' | 'broken';

/** Receives the outcome of calls, for the metrics. */
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

/** A promise did not settle in time. */
class LateError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

export class RedisLink {
  readonly #options: RedisLinkOptions;
  #client: RedisClient | null = null;
  #connecting: Promise<RedisClient> | null = null;
  /** The server's time as read on this connection, and when its answer arrived. */
  #clockRead: { readonly client: RedisClient; readonly serverMs: number; readonly atMs: number } | null =
    null;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
  }

  /**
   * Sends one command.
   * @param deadlineMs longer for a command that blocks at the server
   * @throws RedisRefused when the answer is an error, RedisAway when no answer comes in time
   */
  async call(
    command: string,
    args: readonly string[],
    deadlineMs: number = this.#options.deadlineMs ?? REDIS_CALL_MS,
  ): Promise<unknown> {
    const client = this.#client ?? (await this.#connect());
    try {
      const answer = await withinDeadline(
        client.send(command, [...args]),
        deadlineMs,
        () => new LateError(deadlineMs),
      );
      this.#options.watch?.answered();
      return answer;
    } catch (error) {
      if (isAnswer(error)) {
        // NOSCRIPT is not counted as a failure: Redis does not know the script yet, and `script` sends it in
        // full.
        if (!messageOf(error).startsWith('NOSCRIPT')) this.#options.watch?.failed('refused');
        throw new RedisRefused(`Redis refuses ${command}: ${messageOf(error)}`, { cause: error });
      }
      this.#options.watch?.failed(error instanceof LateError ? 'late' : 'broken');
      this.#drop(client);
      throw new RedisAway(`Redis does not answer ${command}: ${messageOf(error)}`, { cause: error });
    }
  }

  /**
   * Runs a script by its hash. Its text is sent only if the server does not know it, for example after a
   * restart.
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

  /**
   * Runs a script like `script`, but not if this call has timed out before the server executes it. The script
   * may use `redis_ms`, the server's time.
   * @throws as `call`
   */
  async scriptInTime(text: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const endsAtMs = await this.#endOfCall();
    try {
      return await this.script(IN_TIME + text, keys, [...args, String(endsAtMs)]);
    } catch (error) {
      const isLate = error instanceof RedisRefused && messageOf(error.cause).startsWith('LATE');
      if (!isLate) throw error;
      this.#clockRead = null; // the server's clock may have been changed
      throw new RedisAway('Redis came to the call too late', { cause: error });
    }
  }

  /**
   * The time, by the server's clock, at which a call that is sent now times out. The server reads its clock
   * before we note our time, so the deadline is never too late.
   */
  async #endOfCall(): Promise<number> {
    const { clock, deadlineMs = REDIS_CALL_MS } = this.#options;
    let read = this.#clockRead;
    if (read === null || read.client !== this.#client || clock.monotonicMs() - read.atMs > CLOCK_KNOWN_MS) {
      const [seconds = 0, microseconds = 0] = ((await this.call('TIME', [])) as string[]).map(Number);
      const client = this.#client;
      if (client === null) throw new RedisAway('Redis does not answer: its connection has just closed');
      const serverMs = seconds * 1_000 + Math.floor(microseconds / 1_000);
      read = { client, serverMs, atMs: clock.monotonicMs() };
      this.#clockRead = read;
    }
    return Math.floor(read.serverMs + clock.monotonicMs() - read.atMs + deadlineMs);
  }

  close(): void {
    if (this.#client !== null) this.#drop(this.#client);
  }

  async #connect(): Promise<RedisClient> {
    if (this.#connecting !== null) return this.#connecting;
    if (this.#options.clock.monotonicMs() - this.#failedAtMs < RETRY_PAUSE_MS) {
      throw new RedisAway('Redis does not answer: the last connection has just failed');
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
      await withinDeadline(client.connect(), CONNECT_MS, () => new LateError(CONNECT_MS));
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

/** Whether a call failed because the server answered with an error. */
function isAnswer(error: unknown): boolean {
  return codeOf(error) === 'ERR_REDIS_SERVER_ERROR';
}

function hashOf(script: string): string {
  const known = hashes.get(script);
  if (known !== undefined) return known;
  const hash = new Bun.CryptoHasher('sha1').update(script).digest('hex');
  hashes.set(script, hash);
  return hash;
}
