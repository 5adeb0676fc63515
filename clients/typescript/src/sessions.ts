// One connection of a mirror, by each of the three ways. A session hands what it is sent to its sink, in order, and ends
// by returning how long the server asks to stay away, or by throwing.

import type { Signal } from './changes.ts';
import { envelopeError, isEnvelope, OverroundError } from './errors.ts';
import { eventsOf } from './events.ts';
import type { components } from './schema.ts';
import type { OddsChanges } from './slate.ts';
import { type Transport, tooLarge } from './transport.ts';

type Schemas = components['schemas'];

/** @param cursor what is held already, null for nothing @returns milliseconds to wait before the next session */
export type Session = (cursor: string | null, signal: AbortSignal) => Promise<number>;

export interface SessionSink {
  changes(changes: OddsChanges): void;
  part(part: Schemas['StreamSnapshot']): void;
  delta(delta: Schemas['StreamDelta']): void;
  heartbeat(heartbeat: Schemas['StreamHeartbeat']): void;
  signal(signal: Signal): void;
  /** The ids of all signals that are open. */
  signalIds(ids: readonly string[]): void;
}

export interface SessionContext {
  readonly transport: Transport;
  /** Parameters of the view and the pace. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly sink: SessionSink;
}

/** The WebSocket of browsers, Bun, Deno, Node 22, or of the package `ws`. */
export type SocketConstructor = new (url: string, protocols: string[]) => WebSocket;

const SUBPROTOCOLS = { json: 'overround.v1.json', msgpack: 'overround.v1.msgpack' } as const;
const SUBSCRIPTION = 'mirror';
/** A stream that says nothing for this many heartbeats is taken for dead. */
const MISSED_HEARTBEATS_MAX = 3;
/** Until `hello` has said how often they come. */
const FIRST_SILENCE_MS = 15_000;

/** Asks for what changed, again and again. */
export function poll({
  transport,
  query,
  sink,
  everyMs,
}: SessionContext & { readonly everyMs: number }): Session {
  return async (since, signal) => {
    const { timeoutMs } = transport.options;
    for (let cursor = since; ; ) {
      const path = `/v1/odds?${words({ ...query, since: cursor })}`;
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const changes = (await transport.value(path, inTime)) as OddsChanges;
      sink.changes(changes);
      cursor = changes.cursor;
      await transport.options.runtime.sleep(everyMs, signal);
    }
  };
}

/** Reads `GET /v1/stream`. */
export function stream({ transport, query, sink }: SessionContext): Session {
  return async (since, signal) => {
    const watchdog = new Watchdog(signal);
    try {
      const path = `/v1/stream?${words({ ...query, since })}`;
      const { body } = await transport.open(path, watchdog.signal, 'text/event-stream');
      if (body === null) throw new Error('the stream has no body');
      for await (const { event, data } of eventsOf(body, transport.options.answerCharsMax)) {
        const endMs = hear({ event, data: JSON.parse(data) }, sink, watchdog);
        if (endMs !== null) return endMs;
      }
      return 0;
    } finally {
      watchdog.end();
    }
  };
}

/** Subscribes over `GET /v1/ws`, by a ticket where there is a key: browsers send no Authorization header with it. */
export function webSocket({
  transport,
  query,
  sink,
  WebSocket,
}: SessionContext & { readonly WebSocket: SocketConstructor | null }): Session {
  return async (since, signal) => {
    if (WebSocket === null) {
      throw new OverroundError('There is no WebSocket here', {
        code: 'no_websocket',
        fix: 'Hand one to createClient, such as the one of the package ws: createClient({ WebSocket })',
      });
    }
    const { url, key, answerCharsMax, msgpack } = transport.options;
    const ticket = key === null ? '' : `?ticket=${await ticketOf(transport, signal)}`;
    const watchdog = new Watchdog(signal);
    const protocol = SUBPROTOCOLS[msgpack === null ? 'json' : 'msgpack'];
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws${ticket}`, [protocol]);
    socket.binaryType = 'arraybuffer';
    try {
      return await new Promise<number>((resolve, reject) => {
        watchdog.signal.addEventListener('abort', () => reject(watchdog.signal.reason), { once: true });
        socket.addEventListener('open', () => {
          const set = Object.entries({ ...query, since }).filter(([, value]) => value != null);
          const wish = { op: 'subscribe', id: SUBSCRIPTION, ...Object.fromEntries(set) };
          // A copy: msgpackr packs the next value into the same memory.
          socket.send(msgpack === null ? JSON.stringify(wish) : new Uint8Array(msgpack.pack(wish)));
        });
        socket.addEventListener('close', ({ code, reason }) =>
          reject(
            new OverroundError(`The connection was closed (${code}${reason === '' ? '' : `, ${reason}`})`, {
              code: 'unreachable',
              isRetriable: true,
            }),
          ),
        );
        socket.addEventListener('message', ({ data }: { readonly data: string | ArrayBuffer }) => {
          if (watchdog.signal.aborted) return;
          try {
            const size = typeof data === 'string' ? data.length : data.byteLength;
            if (size > answerCharsMax) throw tooLarge('a message', answerCharsMax);
            const message = (
              typeof data === 'string' ? JSON.parse(data) : msgpack!.unpack(new Uint8Array(data))
            ) as { readonly event: string; readonly data: unknown };
            if (message.event === 'error') {
              throw isEnvelope(message.data)
                ? envelopeError(message.data, { status: statusOf(message.data.error.code) })
                : new Error(JSON.stringify(message));
            }
            const endMs = hear(message, sink, watchdog);
            if (endMs !== null) resolve(endMs);
          } catch (error) {
            reject(error);
            watchdog.end(); // What comes after it must not be applied.
          }
        });
      });
    } finally {
      watchdog.end();
      socket.close();
    }
  };
}

/** Hands one event of a stream on. @returns null, or, after the last one, how long to stay away */
function hear(
  { event, data }: { readonly event: string; readonly data: unknown },
  sink: SessionSink,
  watchdog: Watchdog,
): number | null {
  if (event === 'hello') watchdog.expect((data as Schemas['StreamHello']).heartbeat_ms);
  watchdog.heard();
  if (event === 'snapshot') sink.part(data as Schemas['StreamSnapshot']);
  else if (event === 'delta') sink.delta(data as Schemas['StreamDelta']);
  else if (event === 'heartbeat') sink.heartbeat(data as Schemas['StreamHeartbeat']);
  else if (event === 'signal') sink.signal(data as Signal);
  else if (event === 'signals') {
    const { ids } = data as Schemas['StreamSignals'];
    if (ids != null) sink.signalIds(ids);
  } else if (event === 'bye') return (data as Schemas['StreamBye']).reconnect_after_ms;
  return null;
}

/** Aborts a stream that has gone silent, or with the signal that it is given. */
class Watchdog {
  readonly #quiet = new AbortController();
  readonly #onStop: () => void;
  readonly #stop: AbortSignal;
  #silenceMs = FIRST_SILENCE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stop: AbortSignal) {
    this.#stop = stop;
    this.#onStop = () => this.#quiet.abort(stop.reason);
    stop.addEventListener('abort', this.#onStop, { once: true });
    if (stop.aborted) this.#onStop();
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#quiet.signal;
  }

  expect(heartbeatMs: number): void {
    this.#silenceMs = heartbeatMs * MISSED_HEARTBEATS_MAX;
  }

  heard(): void {
    clearTimeout(this.#timer);
    if (this.#quiet.signal.aborted) return;
    this.#timer = setTimeout(
      () => this.#quiet.abort(new Error(`nothing was heard for ${this.#silenceMs} ms`)),
      this.#silenceMs,
    );
  }

  /** Stops watching, and ends the connection if it is still open. */
  end(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener('abort', this.#onStop);
    this.#quiet.abort(new Error('the session is over'));
  }
}

async function ticketOf(transport: Transport, signal: AbortSignal): Promise<string> {
  const request = new Request(`${transport.options.url}/v1/tickets`, { method: 'POST', signal });
  const { ticket } = (await (await transport.call(request)).json()) as Schemas['StreamTicket'];
  return encodeURIComponent(ticket);
}

/** The status that an error of a socket would have as an answer; only those that end a mirror or mend it matter. */
function statusOf(code: string): number {
  return { invalid_request: 400, unauthorized: 401, forbidden: 403, validation_error: 422 }[code] ?? 0;
}

/** Parameters as the server reads them: lists with commas, nothing for what is not set. */
function words(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(Object.fromEntries(set.map(([name, value]) => [name, String(value)])));
}
