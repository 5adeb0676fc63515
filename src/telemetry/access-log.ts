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
import type { Principal } from '../domain/tiers.ts';
import { networkOf } from '../ip-address.ts';
import { withoutKeys } from '../log.ts';

/** Lines waiting to be written. Full: the line is dropped and counted. */
const LINES_MAX = 8_192;
const FLUSH_AFTER_MS = 20;
/** A pipe takes this much at once or nothing (PIPE_BUF of Linux), so lines of several threads never mix. */
const WRITE_BYTES_MAX = 4_096;
const RETRY_AFTER_MS = 20;
/** Characters of a path in a line. Longer: cut. */
const PATH_CHARS_MAX = 256;
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
    if (this.#lines.length >= LINES_MAX) {
      this.#droppedCount += 1;
      return;
    }
    this.#lines.push(accessLine(finished, this.#clock.wallMs()));
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

  /** As many whole lines as a pipe takes at once, but at least one. */
  #nextBytes(): Uint8Array | null {
    if (this.#lines.length === 0) return null;
    let count = 0;
    let bytesMax = 0;
    while (count < this.#lines.length) {
      // Lines are ASCII except the path, where a client may send UTF-8 of up to three bytes per character.
      bytesMax += Buffer.byteLength(this.#lines[count]!);
      if (bytesMax > WRITE_BYTES_MAX && count > 0) break;
      count += 1;
    }
    return Buffer.from(this.#lines.splice(0, count).join(''));
  }
}

/** The line of one request, including the newline. */
export function accessLine(finished: LoggedRequest, atMs: number): string {
  const { principal } = finished;
  const path = JSON.stringify(finished.path.slice(0, PATH_CHARS_MAX));
  const key = principal.keyId === null ? 'null' : `"${principal.keyId}"`;
  const error = finished.errorCode === null ? '' : `,"error":"${finished.errorCode}"`;
  const line = `{"at":"${toIsoText(atMs)}","level":"info","event":"request","method":"${finished.method}","route":"${finished.route}","path":${path},"status":${finished.status},"ms":${finished.latencyMs.toFixed(3)},"tier":"${principal.tier}","key_id":${key},"request_id":"${finished.requestId}","network":"${networkOf(finished.clientAddress)}"${error}}\n`;
  return withoutKeys(line);
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 10) count += 1;
  return count;
}
