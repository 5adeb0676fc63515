// Structured logs: one JSON line per entry in production, a readable line in development. They always go to
// standard error, so that standard output stays free for keys and the stdio protocol. Callers never pass a
// secret. E-mail addresses are masked, because a path or the error text of a mail server may contain one.
// Entries logged for a request have its id, also on another thread that works for it.

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, systemClock, toIsoText } from './clock.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export interface LogOptions {
  readonly clock: Clock;
  readonly json: boolean;
  readonly level: LogLevel;
  readonly write: (line: string) => void;
}

const requestIds = new AsyncLocalStorage<string>();

/** Runs the work of a request. Everything it logs, now or later, has the request's id. */
export function forRequest<Result>(requestId: string, work: () => Result): Result {
  return requestIds.run(requestId, work);
}

/** The id of the request that the current work belongs to, or null. */
export function requestIdNow(): string | null {
  return requestIds.getStore() ?? null;
}

/** A log that drops entries below `level`. */
export function createLog({ clock, json, level, write }: LogOptions): Log {
  const least = LOG_LEVELS.indexOf(level);
  const line = json ? jsonLine : readableLine;
  function entry(entryLevel: LogLevel, event: string, fields: LogFields): void {
    if (LOG_LEVELS.indexOf(entryLevel) < least) return;
    const requestId = requestIdNow();
    const all = requestId === null ? fields : { request_id: withoutKeys(requestId), ...fields };
    write(withoutMailAddresses(line(toIsoText(clock.wallMs()), entryLevel, event, all)));
  }
  return {
    debug: (event, fields = {}) => entry('debug', event, fields),
    info: (event, fields = {}) => entry('info', event, fields),
    warn: (event, fields = {}) => entry('warn', event, fields),
    error: (event, fields = {}) => entry('error', event, fields),
  };
}

/**
 * The log of one thread of the service, by its settings. It uses real time, even if the slate has a frozen
 * clock.
 */
export function serviceLog(config: { readonly production: boolean; readonly logLevel: LogLevel }): Log {
  return createLog({
    clock: systemClock,
    json: config.production,
    level: config.logLevel,
    write: writeStandardError,
  });
}

/** Matches `ada@example.com` and, in a path, `ada%40example.com`, but not a package's `name@1.2.3`. */
const MAIL_ADDRESS_PATTERN = /[^\s@"'<>()/=:,]{1,64}(?:@|%40)[\p{L}\p{N}.-]{1,253}\.[\p{L}]{2,}/giu;

/** Masks what looks like an e-mail address. */
function withoutMailAddresses(text: string): string {
  return text.includes('@') || text.includes('%40') ? text.replaceAll(MAIL_ADDRESS_PATTERN, '***') : text;
}

/** A key or session token, with its underscore percent-encoded or not. */
const SECRET_PATTERN = /(isk|ses)(?:_|%5f)[\w%-]+/gi;

/**
 * Masks what looks like a key, a session token or an e-mail address, because callers put them into paths and
 * request ids.
 */
export function withoutKeys(text: string): string {
  return withoutMailAddresses(text.replaceAll(SECRET_PATTERN, '$1_***'));
}

/** Writes a line to standard error at once. */
export function writeStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}

interface Window {
  startMs: number;
  count: number;
  leftOut: number;
}

interface LogLimit {
  readonly countMax: number;
  readonly windowMs: number;
}

/** For failures that repeat: a failing disk would fill the log with the same line. */
const FAILURE_LIMIT: LogLimit = { countMax: 3, windowMs: 600_000 };

/**
 * Logs at most `countMax` entries of each event per window, so that a burst of one event does not hide
 * others. Further entries are dropped. Their number is logged with the event's first entry of a later window.
 */
export class BoundedLog {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #countMax: number;
  readonly #windowMs: number;
  /** The window of each event. The event names are in the code, so there are few. */
  readonly #windows = new Map<string, Window>();

  constructor(log: Log, clock: Clock, options: LogLimit = FAILURE_LIMIT) {
    this.#log = log;
    this.#clock = clock;
    this.#countMax = options.countMax;
    this.#windowMs = options.windowMs;
  }

  warn(event: string, fields: LogFields): void {
    const nowMs = this.#clock.monotonicMs();
    let window = this.#windows.get(event);
    if (window === undefined || nowMs - window.startMs >= this.#windowMs) {
      const leftOut = window?.leftOut ?? 0;
      if (leftOut > 0) this.#log.warn('log_entries_left_out', { of: event, count: leftOut });
      window = { startMs: nowMs, count: 0, leftOut: 0 };
      this.#windows.set(event, window);
    }
    if (window.count < this.#countMax) {
      window.count++;
      this.#log.warn(event, fields);
    } else {
      window.leftOut++;
    }
  }
}

function jsonLine(at: string, level: LogLevel, event: string, fields: LogFields): string {
  return JSON.stringify({ at, level, event, ...fields });
}

function readableLine(at: string, level: LogLevel, event: string, fields: LogFields): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${at.slice(11, 23)} ${level.padEnd(5)} ${event} ${parts.join(' ')}`.trimEnd();
}
