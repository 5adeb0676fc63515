// The last answers of a server that is stopping. A client with an open connection cannot know that it is
// about to close, and a request that it has just sent would be lost. So the server answers for a while
// longer, and announces with each answer that the connection will close. Meanwhile /ready is 503, so that
// load balancers send requests elsewhere.
//
// Clients whose connection was closed reconnect immediately. If they do so at the moment at which the port
// closes, the operating system drops the connection and its request. So answers are held back shortly before
// that: a client that waits for an answer opens no connection.

/**
 * How long answers are held back before this thread closes the port, and how long after that, until the other
 * threads have closed it too.
 */
const HELD_BEFORE_MS = 400;
const HELD_AFTER_MS = 100;

export class Drain {
  /** Resolves when held answers may be sent; null while no answers are held back. */
  #held: PromiseWithResolvers<void> | null = null;

  /** Answers a request with `route`, then closes its connection. */
  async answer(route: () => Response | Promise<Response> | undefined): Promise<Response | undefined> {
    if (this.#held !== null) await this.#held.promise;
    const response = await route();
    // `hold` may have been called while this answer was made, for example while its caller, who has no key,
    // had to wait. Then hold this answer back too.
    if (this.#held !== null) await this.#held.promise;
    response?.headers.set('connection', 'close');
    return response;
  }

  /** Holds back answers until `release`. Resolves when the port may close. */
  async hold(): Promise<void> {
    this.#held = Promise.withResolvers();
    await Bun.sleep(HELD_BEFORE_MS);
  }

  /** Sends the held answers, once every thread has had time to close the port. */
  async release(): Promise<void> {
    if (this.#held === null) return;
    await Bun.sleep(HELD_AFTER_MS);
    this.#held.resolve();
    this.#held = null;
  }
}
