// Finds connections that send many requests without waiting for answers. Bun answers all requests in a
// connection's buffer in one go, thousands of them, while every other connection waits, and it has no limit
// for this. But an answer with `Connection: close` makes Bun end the connection and drop the rest of the
// buffer.
//
// Two requests of one connection within one turn of the event loop mean that the client did not wait. Finding
// out a request's connection costs a tenth of an answer, so only one request in CHECK_EVERY is checked.

import type { Listening } from './listener.ts';

/**
 * One request in this many is checked. So a connection with twice as many in its buffer is always found, and
 * one with fewer may be missed.
 */
const CHECK_EVERY = 32;

export class PipelineGuard {
  #count = 0;
  /** Address and port of the last connection that was checked in this turn; null before the first. */
  #seen: string | null = null;

  /** Whether the request is one of many that its connection sent without waiting. */
  isFlood(request: Request, listening: Listening): boolean {
    this.#count += 1;
    if (this.#count < CHECK_EVERY) return false;
    this.#count = 0;
    const peer = listening.requestIP(request);
    if (peer === null) return false;
    const connection = `${peer.address} ${peer.port}`;
    if (this.#seen === connection) return true;
    if (this.#seen === null) setImmediate(() => this.#turn());
    this.#seen = connection;
    return false;
  }

  #turn(): void {
    this.#seen = null;
  }
}
