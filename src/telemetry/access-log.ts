// The access log in production: one JSON line per request. Lines are collected and written together, one
// write at a time, so a request only pays for formatting its line. When the reader of the log does not keep
// up, lines are dropped and counted.
//
// sonic-boom was tried and rejected. Its periodic flush writes an empty text 49 times a second when idle,
// and it waits 0.1 s after a full pipe. A failed write stays at the head of its queue, and closing it waits
// for a stuck reader.
//
// A line never contains a secret: it has no headers and no query, and a key or session token in a path is
// masked. It does not identify a person either: of the client's address it has only the network.

import { type Clock, toIsoText } from '../clock.ts';
import { TextMemory } from '../domain/texts/text-memory.ts';
import type { Principal } from '../domain/tiers.ts';
import { networkOf } from '../ip-address.ts';
import { withoutKeys } from '../log.ts';

/** Maximum number of lines waiting to be written. A further line is dropped and counted. */
const LINES_MAX = 8_192;
const FLUSH_AFTER_MS = 20;
/**
 * A pipe takes a write of up to this size in full or not at all (PIPE_BUF of Linux), so lines of several
 * threads never mix.
 */
const WRITE_BYTES_MAX = 4_096;
const RETRY_AFTER_MS = 20;
/** Maximum number of characters of a path in a line; a longer path is cut. */
const PATH_CHARS_MAX = 256;
/** Paths that need no escapes in JSON, which are nearly all. */
const PLAIN_PATH = /^[\w/.:~-]*$/;
/**
 * Client addresses whose network is remembered, because parsing an address costs more than the rest of a
 * line.
 */
const NETWORKS_MAX = 1_024;
const ADDRESS_CHARS_MAX = 64;
/** Longest wait at close for a reader that does not keep up. */
const CLOSE_WITHIN_MS = 500;

/** An answered request. */
export interface LoggedRequest {
  readonly method: string;
  /** Path template such as `/v1/events/:event_id`, or `unmatched`: a bounded label. */
  readonly route: string;
  /** Path as requested, without the query. */
  readonly path: string;
  readonly status: number;
  readonly latencyMs: number;
  readonly principal: Principal;
  readonly clientAddress: string;
  readonly requestId: string;
  /** The internal error, if there was one; for the log only, never for the answer. */
  readonly errorCode: string | null;
}

export interface AccessLogOptions {
  readonly clock: Clock;
  /**
   * Starts one write; `done` gets the number of bytes written, or the error. Not called while a write is
   * running.
   */
  readonly write: (
    bytes: Uint8Array,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ) => void;
}

export class AccessLog {
  readonly #clock: Clock;
  readonly #write: AccessLogOptions['write'];
  #lines: string[] = [];
  /** Index of the first line that is not written yet. */
  #firstLine = 0;
  readonly #texts = new LineTexts();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isWriting = false;
  /** The unwritten part of a write that was cut short. */
  #rest: Uint8Array | null = null;
  #droppedCount = 0;
  #onDrained: (() => void) | null = null;

  constructor({ clock, write }: AccessLogOptions) {
    this.#clock = clock;
    this.#write = write;
  }

  /** Lines lost because the reader of the log did not keep up. */
  get droppedCount(): number {
    return this.#droppedCount;
  }

  add(finished: LoggedRequest): void {
    if (this.#lines.length - this.#firstLine >= LINES_MAX) {
      this.#droppedCount += 1;
      return;
    }
    this.#lines.push(accessLine(finished, this.#clock.wallMs(), this.#texts));
    if (!this.#isWriting) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS);
  }

  /** Writes the waiting lines, for at most half a second. */
  close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = setTimeout(resolve, CLOSE_WITHIN_MS);
    this.#onDrained = () => {
      clearTimeout(late);
      resolve();
    };
    if (!this.#isWriting) this.#flush();
    return promise;
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const bytes = this.#rest ?? this.#nextBytes();
    if (bytes === null) {
      this.#isWriting = false;
      this.#onDrained?.();
      return;
    }
    this.#isWriting = true;
    this.#rest = null;
    this.#write(bytes, (error, written) => this.#written(bytes, error, written));
  }

  #written(bytes: Uint8Array, error: NodeJS.ErrnoException | null, written: number): void {
    if (error !== null && error.code !== 'EAGAIN') {
      // Nobody reads the log any more. Drop these lines; the next ones are tried again.
      this.#droppedCount += countLines(bytes);
    } else if (error !== null || written < bytes.byteLength) {
      this.#rest = bytes.subarray(error === null ? written : 0);
    }
    if (error === null) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), RETRY_AFTER_MS);
  }

  /** As many waiting lines as fit into one write to a pipe, but at least one; null if none waits. */
  #nextBytes(): Uint8Array | null {
    const lines = this.#lines;
    if (this.#firstLine === lines.length) return null;
    const bytes = Buffer.allocUnsafe(WRITE_BYTES_MAX);
    let length = 0;
    while (this.#firstLine < lines.length) {
      const line = lines[this.#firstLine]!;
      // Lines are ASCII except the path, where a client may send UTF-8 of up to three bytes per character.
      const isRoomFor = 3 * line.length <= bytes.byteLength - length;
      if (!isRoomFor && Buffer.byteLength(line) > bytes.byteLength - length) break;
      length += bytes.write(line, length);
      this.#firstLine += 1;
    }
    const isLong = length === 0;
    const written = isLong ? Buffer.from(lines[this.#firstLine++]!) : bytes.subarray(0, length);
    this.#forgetWritten();
    return written;
  }

  /** Removes written lines, seldom, because each time all others are moved. */
  #forgetWritten(): void {
    const isEmpty = this.#firstLine === this.#lines.length;
    if (!isEmpty && this.#firstLine < LINES_MAX) return;
    this.#lines = isEmpty ? [] : this.#lines.slice(this.#firstLine);
    this.#firstLine = 0;
  }
}

/** Texts of 0 to 999 with three digits. */
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/** Parts of a line that are the same in many lines. */
export class LineTexts {
  #secondMs = Number.NaN;
  /** The text of that second, up to and including the decimal point. */
  #second = '';
  readonly #networks = new TextMemory<string>(NETWORKS_MAX, ADDRESS_CHARS_MAX);

  time(atMs: number): string {
    const secondMs = Math.floor(atMs / 1_000) * 1_000;
    if (secondMs !== this.#secondMs) {
      this.#secondMs = secondMs;
      this.#second = toIsoText(secondMs).slice(0, -'000Z'.length);
    }
    return `${this.#second}${THREE_DIGITS[Math.floor(atMs - secondMs)]}Z`;
  }

  network(address: string): string {
    return this.#networks.get(address) ?? this.#networks.put(address, networkOf(address));
  }
}

/** The line of one request, including the newline. */
export function accessLine(finished: LoggedRequest, atMs: number, texts = new LineTexts()): string {
  const { principal } = finished;
  const path = quoted(finished.path.slice(0, PATH_CHARS_MAX));
  const key = principal.keyId === null ? 'null' : `"${principal.keyId}"`;
  const error = finished.errorCode === null ? '' : `,"error":"${finished.errorCode}"`;
  const line = `{"at":"${texts.time(atMs)}","level":"info","event":"request","method":"${finished.method}","route":"${finished.route}","path":${path},"status":${finished.status},"ms":${thousandths(finished.latencyMs)},"tier":"${principal.tier}","key_id":${key},"request_id":"${finished.requestId}","network":"${texts.network(finished.clientAddress)}"${error}}\n`;
  return withoutKeys(line);
}

function quoted(path: string): string {
  return PLAIN_PATH.test(path) ? `"${path}"` : JSON.stringify(path);
}

/** A length of time with three decimals. */
function thousandths(ms: number): string {
  const us = Math.round(ms * 1_000);
  return `${Math.floor(us / 1_000)}.${THREE_DIGITS[us % 1_000]}`;
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 10) count += 1;
  return count;
}
