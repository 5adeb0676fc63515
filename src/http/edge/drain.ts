// The last answers of a server that stops. A client that keeps its connection open has no way to know that it is about
// to close, and a request that it has just sent would be lost. So for a while the server goes on answering, and says
// with each answer that the connection closes; meanwhile /ready is 503, for whoever sends requests this way.
//
// Those clients connect again at once, and a connection that is made at the moment at which the port closes is lost by
// the system, request and all. So shortly before that answers are held: whoever waits for an answer makes no connection.

/** How long answers are held before the port closes, and after, until the other threads have closed it too. */
const HELD_BEFORE_MS = 400;
const HELD_AFTER_MS = 100;

export class Drain {
  /** Resolved when held answers may go out; null while answers go out at once. */
  #held: PromiseWithResolvers<void> | null = null;

  /** Answers while the server stops: as `route` does, but the connection closes after it. */
  async answer(route: () => Response | Promise<Response> | undefined): Promise<Response | undefined> {
    if (this.#held !== null) await this.#held.promise;
    const response = await route();
    response?.headers.set('connection', 'close');
    return response;
  }

  /** Holds answers until `released`. */
  async hold(): Promise<void> {
    this.#held = Promise.withResolvers();
    await Bun.sleep(HELD_BEFORE_MS);
  }

  /** Lets held answers go, once every thread has had the time to close the port. */
  async release(): Promise<void> {
    if (this.#held === null) return;
    await Bun.sleep(HELD_AFTER_MS);
    this.#held.resolve();
    this.#held = null;
  }
}
