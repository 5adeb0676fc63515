// One JSON line per request, in production. Lines are collected and written together, one write at a time, so that a
// request only pays for making its line. When the log's reader does not keep up, lines are dropped and counted.
//
// sonic-boom was tried for this and left: its periodic flush writes an empty text 49 times a second when idle, it waits
// 100 ms after a full pipe, a write that failed keeps its place in the queue, and its end waits for a stuck reader.
//
// No secret is ever in a line: it holds no header and no query, and a key or session token that a caller put into a
// path is masked. Nor is a person: of the client's address a line holds the network alone.

import { type Clock, toIsoText } from '../clock.ts';
import type { Principal } from '../domain/tiers.ts';
import { networkOf } from '../ip-address.ts';
import { withoutKeys } from '../log.ts';

/** Lines that wait. Full: the line is dropped and counted. */
const LINES_MAX = 8_192;
const FLUSH_AFTER_MS = 20;
/** A pipe takes this much at once or nothing (PIPE_BUF of Linux), so lines of several threads never mix. */
const WRITE_BYTES_MAX = 4_096;
const RETRY_AFTER_MS = 20;
/** Characters of a path in a line. Longer: cut. */
const PATH_CHARS_MAX = 256;
/** Longest wait at the end for a reader that does not keep up. */
const CLOSE_WITHIN_MS = 500;

/** A request that has been answered. */
export interface FinishedRequest {
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
  /** What went wrong inside, when something did: for the log, never for the answer. */
  readonly errorCode: string | null;
}

export interface AccessLogOptions {
  readonly clock: Clock;
  /** Starts one write; `done` is told the bytes taken, or the error. Never called while another write is under way. */
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
  /** The rest of a write that was cut short. */
  #rest: Uint8Array | null = null;
  #droppedCount = 0;
  #onDrained: (() => void) | null = null;

  constructor({ clock, write }: AccessLogOptions) {
    this.#clock = clock;
    this.#write = write;
  }

  /** Lines lost because the log's reader did not keep up. */
  get droppedCount(): number {
    return this.#droppedCount;
  }

  add(finished: FinishedRequest): void {
    if (this.#lines.length >= LINES_MAX) {
      this.#droppedCount += 1;
      return;
    }
    this.#lines.push(accessLine(finished, this.#clock.wallMs()));
    if (!this.#isWriting) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS);
  }

  /** Writes what waits, for at most half a second. */
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
      // Nobody reads the log any more. These lines are given up; the next ones are tried again.
      this.#droppedCount += countLines(bytes);
    } else if (error !== null || written < bytes.byteLength) {
      this.#rest = bytes.subarray(error === null ? written : 0);
    }
    if (error === null) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), RETRY_AFTER_MS);
  }

  /** As many whole lines as a pipe takes at once, at least one. */
  #nextBytes(): Uint8Array | null {
    if (this.#lines.length === 0) return null;
    let count = 0;
    let bytesMax = 0;
    while (count < this.#lines.length) {
      // Lines are ASCII but for a path, which a client may send in UTF-8 of up to three bytes a character.
      bytesMax += Buffer.byteLength(this.#lines[count]!);
      if (bytesMax > WRITE_BYTES_MAX && count > 0) break;
      count += 1;
    }
    return Buffer.from(this.#lines.splice(0, count).join(''));
  }
}

/** The line of one request, with its line end. */
export function accessLine(finished: FinishedRequest, atMs: number): string {
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
