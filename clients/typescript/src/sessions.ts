// One connection of a mirror, by each of the three transports. A session passes what it receives to its sink,
// in order. It ends by returning how long the server asks the client to wait, or by throwing.

import type { Signal } from './changes.ts';
import { envelopeError, isEnvelope, OverroundError } from './errors.ts';
import { eventsOf } from './events.ts';
import type { components } from './schema.ts';
import type { OddsChanges } from './slate.ts';
import { type Transport, type TransportOptions, tooLarge } from './transport.ts';
import { type Watchdog, watchdogOf } from './watchdog.ts';

type Schemas = components['schemas'];

/**
 * @param cursor the cursor of the content; null for the whole view
 * @returns milliseconds to wait before the next session
 */
export type Session = (cursor: string | null, signal: AbortSignal) => Promise<number>;

export interface SessionSink {
  changes(changes: OddsChanges): void;
  part(part: Schemas['StreamSnapshot']): void;
  delta(delta: Schemas['StreamDelta']): void;
  heartbeat(heartbeat: Schemas['StreamHeartbeat']): void;
  signal(signal: Signal): void;
  /** Receives the ids of all open signals. */
  signalIds(ids: readonly string[]): void;
}

export interface SessionContext {
  readonly transport: Transport;
  /** The parameters of the view and of the tick. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly sink: SessionSink;
}

/** The WebSocket class of browsers, Bun, Deno or Node 22, or of the package `ws`. */
export type SocketConstructor = new (url: string, protocols: string[]) => WebSocket;

const SUBPROTOCOLS = { json: 'overround.v1.json', msgpack: 'overround.v1.msgpack' } as const;
const SUBSCRIPTION = 'mirror';
/** The longest silence before the server's `hello`, which announces the heartbeat interval. */
const FIRST_SILENCE_MS = 15_000;

/** Requests the changes at regular intervals. */
export function poll({
  transport,
  query,
  sink,
  everyMs,
}: SessionContext & { readonly everyMs: number }): Session {
  return async (since, signal) => {
    const { timeoutMs } = transport.options;
    for (let cursor = since; ; ) {
      const path = `/v1/odds?${parametersOf({ ...query, since: cursor })}`;
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
    const watchdog = watchdogOf(signal, FIRST_SILENCE_MS);
    try {
      const path = `/v1/stream?${parametersOf({ ...query, since })}`;
      const { body } = await transport.open(path, watchdog.signal, 'text/event-stream');
      if (body === null) throw new Error('the stream has no body');
      const { answerCharsMax } = transport.options;
      const check = (chars: number): void => {
        if (chars > answerCharsMax) throw tooLarge('an event of the stream', answerCharsMax);
      };
      for await (const { name, data } of eventsOf(body, check)) {
        const endMs = deliver({ event: name, data }, sink, watchdog);
        if (endMs !== null) return endMs;
      }
      return 0;
    } finally {
      watchdog.end();
    }
  };
}

/**
 * Subscribes over `GET /v1/ws`. A key is exchanged for a ticket first, because browsers send no Authorization
 * header with a WebSocket.
 */
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
    const { url, key, msgpack } = transport.options;
    const ticket = key === null ? '' : `?ticket=${await ticketOf(transport, signal)}`;
    const watchdog = watchdogOf(signal, FIRST_SILENCE_MS);
    const protocol = SUBPROTOCOLS[msgpack === null ? 'json' : 'msgpack'];
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws${ticket}`, [protocol]);
    socket.binaryType = 'arraybuffer';
    try {
      return await new Promise<number>((resolve, reject) => {
        watchdog.signal.addEventListener('abort', () => reject(watchdog.signal.reason), { once: true });
        socket.addEventListener('open', () => socket.send(subscriptionOf({ ...query, since }, msgpack)));
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
            const message = messageOf(data, transport.options);
            const endMs = deliver(message, sink, watchdog);
            if (endMs !== null) resolve(endMs);
          } catch (error) {
            reject(error);
            watchdog.end(); // messages after an error must not be applied
          }
        });
      });
    } finally {
      watchdog.end();
      socket.close();
    }
  };
}

/** The message that subscribes. */
function subscriptionOf(query: object, msgpack: TransportOptions['msgpack']) {
  const set = Object.entries(query).filter(([, value]) => value != null);
  const request = { op: 'subscribe', id: SUBSCRIPTION, ...Object.fromEntries(set) };
  // A copy, because msgpackr reuses this memory for the next value.
  return msgpack === null ? JSON.stringify(request) : new Uint8Array(msgpack.pack(request));
}

/** @throws OverroundError for an error message, or when the message is too large */
function messageOf(
  data: string | ArrayBuffer,
  { answerCharsMax, msgpack }: Pick<TransportOptions, 'answerCharsMax' | 'msgpack'>,
): { readonly event: string; readonly data: unknown } {
  const size = typeof data === 'string' ? data.length : data.byteLength;
  if (size > answerCharsMax) throw tooLarge('a message', answerCharsMax);
  const message = (typeof data === 'string' ? JSON.parse(data) : msgpack!.unpack(new Uint8Array(data))) as {
    readonly event: string;
    readonly data: unknown;
  };
  if (message.event !== 'error') return message;
  throw isEnvelope(message.data)
    ? envelopeError(message.data, { status: statusOf(message.data.error.code) })
    : new Error(JSON.stringify(message));
}

/**
 * Passes one event of a stream to the sink. @returns null; for a `bye`, the milliseconds to wait before
 * reconnecting
 */
function deliver(
  { event, data }: { readonly event: string; readonly data: unknown },
  sink: SessionSink,
  watchdog: Watchdog,
): number | null {
  watchdog.heard((data as Partial<Schemas['StreamHello']>).heartbeat_ms);
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

async function ticketOf(transport: Transport, signal: AbortSignal): Promise<string> {
  const request = new Request(`${transport.options.url}/v1/tickets`, { method: 'POST', signal });
  const { ticket } = (await (await transport.call(request)).json()) as Schemas['StreamTicket'];
  return encodeURIComponent(ticket);
}

/**
 * The HTTP status that corresponds to the code of a WebSocket error. Only codes that make the mirror fail, or
 * reload the whole view, are listed.
 */
function statusOf(code: string): number {
  return { invalid_request: 400, unauthorized: 401, forbidden: 403, validation_error: 422 }[code] ?? 0;
}

/** Parameters as the server reads them: lists joined by commas, unset ones left out. */
function parametersOf(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(Object.fromEntries(set.map(([name, value]) => [name, String(value)])));
}
