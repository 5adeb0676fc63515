// Finds connections that send many requests without waiting for answers. Bun answers all that lie in a connection's
// buffer in one go, thousands of them, while every other connection waits; it has no limit of its own. What it does
// have: an answer with `Connection: close` ends the connection, and what is left in its buffer is dropped.
//
// Two requests of one connection within one turn of the event loop were sent without waiting. To look up a connection
// costs a tenth of an answer, so one request in LOOK_EVERY is looked at.

import type { Listening } from './listener.ts';

/** A connection that has twice as many requests in its buffer is found for certain; fewer are answered. */
const LOOK_EVERY = 32;

export class PipelineGuard {
  #count = 0;
  /** Address and port of the last one that was looked at in this turn, null at its beginning. */
  #seen: string | null = null;

  /** Whether the request is one of many that its connection sent at once. */
  isFlood(request: Request, listening: Listening): boolean {
    this.#count += 1;
    if (this.#count < LOOK_EVERY) return false;
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
