// A client that follows one view over one of the transports. The test can make it stall, disconnect and
// reconnect.

import { SocketClient } from '../../support/socket-client.ts';
import { eventsOf } from '../../support/stream-client.ts';
import type { CheckedMirror } from './checked-mirror.ts';

export const WIRES = ['events', 'overround.v1.json', 'overround.v1.msgpack'] as const;
type Wire = (typeof WIRES)[number];

interface MirrorClientOptions {
  readonly url: string;
  readonly key: string;
  readonly wire: Wire;
  /** Parameters of the view and the tick length. */
  readonly query: Readonly<Record<string, string | number>>;
  readonly mirror: CheckedMirror;
}

export class MirrorClient {
  readonly options: MirrorClientOptions;
  #connection: { close(): Promise<void> } | null = null;
  #stalledUntil: Promise<void> = Promise.resolve();
  /** The first error, if there was one. */
  failure: Error | null = null;

  constructor(options: MirrorClientOptions) {
    this.options = options;
  }

  get isConnected(): boolean {
    return this.#connection !== null;
  }

  async connect(): Promise<void> {
    const { wire, mirror } = this.options;
    const since = mirror.cursor === null ? {} : { since: mirror.cursor };
    this.#connection =
      wire === 'events' ? await this.#openEvents(since) : await this.#openSocket(wire, since);
  }

  async drop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    await connection?.close();
  }

  /** The client reads nothing for this long. A WebSocket client cannot stop reading. */
  stall(ms: number): void {
    this.#stalledUntil = Bun.sleep(ms);
  }

  #take(event: string, cursor: string | null, data: Record<string, unknown>): void {
    if (this.failure !== null) return;
    try {
      if (event === 'error' || event === 'bye') throw new Error(`${event}: ${JSON.stringify(data)}`);
      this.options.mirror.take({ event, cursor, data });
    } catch (error) {
      this.failure = error as Error;
    }
  }

  async #openSocket(wire: Wire, since: object): Promise<{ close(): Promise<void> }> {
    const { url, key, query } = this.options;
    const client = await SocketClient.open(url, { key, protocols: [wire] });
    let isOpen = true;
    client.onEvent = ({ event, cursor, data }) => {
      client.events.length = 0;
      if (isOpen) this.#take(event, cursor, data);
    };
    client.send({ op: 'subscribe', id: 'mirror', ...query, ...since });
    return {
      close: async () => {
        isOpen = false;
        await client.close();
      },
    };
  }

  async #openEvents(since: object): Promise<{ close(): Promise<void> }> {
    const { url, key, query } = this.options;
    const abort = new AbortController();
    const words = new URLSearchParams({ ...query, ...since } as Record<string, string>);
    const response = await fetch(`${url}/v1/stream?${words}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: abort.signal,
    });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const reading = this.#readEvents(response, abort.signal);
    return {
      close: async () => {
        abort.abort();
        await reading;
      },
    };
  }

  async #readEvents(response: Response, signal: AbortSignal): Promise<void> {
    try {
      for await (const { event, id, data } of eventsOf(response)) {
        await this.#stalledUntil;
        if (signal.aborted) return;
        this.#take(event, id, data);
      }
    } catch (error) {
      if (!signal.aborted) this.failure ??= error as Error;
    }
  }
}
