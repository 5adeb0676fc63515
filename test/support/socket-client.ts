// A client of GET /v1/ws. It keeps the messages that it receives, in either encoding, and waits for events.

import { Packr } from 'msgpackr';
import { until } from './condition.ts';

export interface SocketEvent {
  readonly id: string | null;
  readonly event: string;
  readonly cursor: string | null;
  readonly data: Record<string, unknown>;
}

export interface SocketOptions {
  readonly key?: string;
  readonly ticket?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

const PACKER = new Packr({ useRecords: false, variableMapSize: true });

export class SocketClient {
  readonly events: SocketEvent[] = [];
  readonly socket: WebSocket;
  /** Called with every event. */
  onEvent: (event: SocketEvent) => void = () => undefined;
  #closed: { readonly code: number; readonly reason: string } | null = null;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => {
      const event = (
        typeof data === 'string' ? JSON.parse(data) : PACKER.unpack(new Uint8Array(data as ArrayBuffer))
      ) as SocketEvent;
      this.events.push(event);
      this.onEvent(event);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      this.#closed = { code, reason };
    });
  }

  static async open(url: string, options: SocketOptions = {}): Promise<SocketClient> {
    const { key, ticket, protocols = [], headers = {} } = options;
    const query = ticket === undefined ? '' : `?ticket=${ticket}`;
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws${query}`, {
      headers: { ...authorization, ...headers },
      protocols: [...protocols],
    } as unknown as string[]);
    const client = new SocketClient(socket);
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', () => resolve());
    await promise;
    return client;
  }

  /** Code and reason of the close; null while the socket is open. */
  get closed(): { readonly code: number; readonly reason: string } | null {
    return this.#closed;
  }

  send(message: object): void {
    const isPacked = this.socket.protocol.endsWith('msgpack');
    this.socket.send(isPacked ? PACKER.pack(message) : JSON.stringify(message));
  }

  /** Waits for the event number `count` of this name; with an id, only events of that subscription count. */
  async next(
    event: string,
    { id, count = 1 }: { id?: string | null; count?: number } = {},
  ): Promise<SocketEvent> {
    const found = (): SocketEvent[] =>
      this.events.filter((one) => one.event === event && (id === undefined || one.id === id));
    await until(`${count} of ${event}`, () => found().length >= count);
    return found()[count - 1]!;
  }

  async close(): Promise<void> {
    this.socket.close();
    await until('the socket is closed', () => this.#closed !== null);
  }
}
