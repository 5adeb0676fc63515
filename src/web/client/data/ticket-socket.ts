// The connection that a ticket opens. A ticket opens one connection only, so this is a WebSocket: changing
// the view is another subscription on the same connection, where server-sent events would need a second
// ticket. The page keeps requesting a ticket for the next connection, because tickets expire after ten
// minutes.

import type { Static } from '@sinclair/typebox';
import type { StreamEvent } from '../../../../clients/typescript/src/events.ts';
import type { SocketError, SocketMessage } from '../../../contract/stream/socket.ts';
import type { StreamTicket } from '../../../contract/stream/stream.ts';
import { ApiFailure } from './api.ts';
import { keepTicket } from './link-ticket.ts';

/** A connection that sends nothing for this long after a subscription counts as dead. */
const FIRST_EVENT_MS = 15_000;
/** Half of a ticket's life, so the stored ticket stays valid for at least five more minutes. */
const RENEW_MS = 300_000;

/** The HTTP status of an error code. Other codes mean a fault of the request. */
const STATUSES: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  internal: 500,
  upstream_unavailable: 503,
};

export class TicketSocket {
  readonly #socket: WebSocket;
  readonly ticket: string;
  #views = 0;
  #isOver = false;
  #wasOpen = false;
  #isRenewing = false;

  constructor(ticket: string) {
    this.ticket = ticket;
    const address = `${location.origin.replace(/^http/, 'ws')}/v1/ws?ticket=${encodeURIComponent(ticket)}`;
    this.#socket = new WebSocket(address, 'overround.v1.json');
    let timer: ReturnType<typeof setInterval> | undefined;
    this.#socket.addEventListener('open', () => {
      this.#wasOpen = true;
      this.#renew();
      timer = setInterval(() => this.#renew(), RENEW_MS);
    });
    this.#socket.addEventListener('message', (message: MessageEvent<string>) => {
      if (!this.#isRenewing) return;
      const { id, event, data } = JSON.parse(message.data) as Static<typeof SocketMessage>;
      if (id !== null || (event !== 'ticket' && event !== 'error')) return;
      // The answer to a renewal belongs to no view, so views do not get it. If the renewal is refused, for
      // example because too many tickets are unused, the link still works until this connection ends.
      this.#isRenewing = false;
      message.stopImmediatePropagation();
      if (event === 'ticket') keepTicket((data as Static<typeof StreamTicket>).ticket);
    });
    this.#socket.addEventListener('close', () => {
      clearInterval(timer);
      this.close();
    });
  }

  /** Whether the connection was opened; the ticket is then used up. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** Whether the connection has ended, or could not be opened. */
  get isOver(): boolean {
    return this.#isOver;
  }

  close(): void {
    this.#isOver = true;
    this.#socket.close();
  }

  /**
   * The events of one view, in order, until the connection ends. Only one view is followed at a time.
   * @param query of /v1/stream, including `since`
   * @throws ApiFailure when the subscription is refused, and the signal's reason when the signal aborts
   */
  async *events(query: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    this.#views += 1;
    const id = `view-${this.#views}`;
    const ended = new AbortController();
    const firstEvent = setTimeout(() => this.close(), FIRST_EVENT_MS);
    // Buffers events that were received and not read yet. The reader keeps up with the server's pace, so the
    // buffer stays small.
    const inbox = new ReadableStream<StreamEvent>({
      start: (controller) => {
        const until = { signal: ended.signal };
        const begin = (): void =>
          this.#send({ op: 'subscribe', id, ...Object.fromEntries(new URLSearchParams(query)) });
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
      this.#send({ op: 'unsubscribe', id });
    }
  }

  #renew(): void {
    this.#isRenewing = true;
    this.#send({ op: 'renew' });
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function failureOf({ error: { code, message, fix }, scope }: SocketError): ApiFailure {
  return new ApiFailure(message, { status: STATUSES[code] ?? 400, code, fix, scope });
}
