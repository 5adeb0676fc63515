// The connection that a ticket opens. A ticket is good for one, so it is a WebSocket: a view after the first is another
// subscription of the same connection, where a stream of server-sent events would need a second ticket.

import type { Static } from '@sinclair/typebox';
import type { SocketError, SocketMessage } from '../../../contract/socket.ts';
import { ApiFailure } from './api.ts';
import type { StreamEvent } from './event-stream.ts';

/** A connection that has said nothing for so long after it was asked for a view is taken for dead. */
const FIRST_EVENT_MS = 15_000;

/** What an error is over HTTP, by its code; others are a fault of the request. */
const STATUSES: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  internal: 500,
  upstream_unavailable: 503,
};

export class TicketSocket {
  readonly #socket: WebSocket;
  #views = 0;
  #isOver = false;

  constructor(ticket: string) {
    const address = `${location.origin.replace(/^http/, 'ws')}/v1/ws?ticket=${encodeURIComponent(ticket)}`;
    this.#socket = new WebSocket(address, 'overround.v1.json');
    this.#socket.addEventListener('close', () => this.close());
  }

  /** Whether it has ended, or never opened; the ticket is used up then. */
  get isOver(): boolean {
    return this.#isOver;
  }

  close(): void {
    this.#isOver = true;
    this.#socket.close();
  }

  /**
   * The events of one view, in order; ends when the connection does. One view is followed at a time.
   * @param query of /v1/stream, `since` included
   * @throws ApiFailure when the view is refused, and the reason of the signal when that ends it
   */
  async *events(query: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    this.#views += 1;
    const id = `view-${this.#views}`;
    const ended = new AbortController();
    const firstEvent = setTimeout(() => this.close(), FIRST_EVENT_MS);
    // What has come and was not read yet waits here; whoever reads it does nothing slower than the server's pace.
    const inbox = new ReadableStream<StreamEvent>({
      start: (controller) => {
        const until = { signal: ended.signal };
        const begin = (): void =>
          this.#say({ op: 'subscribe', id, ...Object.fromEntries(new URLSearchParams(query)) });
        if (this.#isOver) controller.close();
        else if (this.#socket.readyState === WebSocket.OPEN) begin();
        else this.#socket.addEventListener('open', begin, until);
        this.#socket.addEventListener('close', () => controller.close(), until);
        signal.addEventListener('abort', () => controller.error(signal.reason), until);
        this.#socket.addEventListener(
          'message',
          ({ data: text }: MessageEvent<string>) => {
            const { id: of, event, data } = JSON.parse(text) as Static<typeof SocketMessage>;
            if (of !== id && of !== null) return;
            clearTimeout(firstEvent);
            if (event === 'error') controller.error(failureOf(data as SocketError));
            else controller.enqueue({ name: event, data });
          },
          until,
        );
      },
    });
    const reader = inbox.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      clearTimeout(firstEvent);
      ended.abort();
      this.#say({ op: 'unsubscribe', id });
    }
  }

  #say(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function failureOf({ error: { code, message, fix }, scope }: SocketError): ApiFailure {
  return new ApiFailure(message, { status: STATUSES[code] ?? 400, code, fix, scope });
}
