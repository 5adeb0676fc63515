// All WebSockets of GET /v1/ws on one HTTP thread: opens them and checks them regularly.

import type { Clock } from '../../clock.ts';
import { SOCKET_PROTOCOLS, type SocketProtocol } from '../../contract/stream/socket.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { oneAtATime, Slices } from '../../pause.ts';
import { WATCH_EVERY_MS } from '../limits.ts';
import type { StreamOpener } from '../stream-opener.ts';
import { READERS_PER_CHECK, SLICE_MS } from '../stream-tick.ts';
import type { SocketHandler } from './socket-handler.ts';
import type { SocketWire } from './socket-messages.ts';
import { StreamSocket } from './stream-socket.ts';

const WIRES: Readonly<Record<SocketProtocol, SocketWire>> = {
  'overround.v1.json': 'json',
  'overround.v1.msgpack': 'msgpack',
};

/** A request that may become a WebSocket. */
export interface SocketHandshake {
  readonly principal: Principal;
  readonly clientAddress: string;
  header(name: string): string | null;
  /** Returns a check that is false once the caller's key is no longer valid. */
  allowance(): () => boolean;
  /** @returns false when the request is not a WebSocket handshake */
  upgrade(handler: SocketHandler, headers: Readonly<Record<string, string>>): boolean;
}

export interface StreamSocketsOptions {
  readonly opener: StreamOpener;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Issues a ticket that opens the next connection with the same key. */
  readonly issueTicket: (principal: Principal) => { readonly ticket: string; readonly expiresAtMs: number };
  /** Calls `run` every `ms` milliseconds until the returned function is called. */
  readonly every: (ms: number, run: () => unknown) => () => void;
  readonly onError: (error: unknown) => void;
}

export class StreamSockets {
  readonly #options: StreamSocketsOptions;
  readonly #open = new Set<StreamSocket>();
  readonly #endWatch: () => void;
  #isClosed = false;

  constructor(options: StreamSocketsOptions) {
    this.#options = options;
    const watch = oneAtATime(() => this.#watch(), options.onError);
    this.#endWatch = options.every(WATCH_EVERY_MS, watch);
  }

  /**
   * Makes the connection of a request a WebSocket.
   * @throws ServiceError `invalid_request` when the request is not a WebSocket handshake,
   * `upstream_unavailable` when the server is stopping
   */
  open(context: SocketHandshake): void {
    if (this.#isClosed) throw stopping();
    if (context.header('upgrade')?.toLowerCase() !== 'websocket') throw noHandshake();
    const { opener, clock, publicUrl, issueTicket, onError } = this.#options;
    const protocol = chosenProtocol(context.header('sec-websocket-protocol'));
    const { principal, clientAddress } = context;
    const socket = new StreamSocket(
      { opener, clock, publicUrl, issueTicket, onError, onClosed: (closed) => this.#open.delete(closed) },
      {
        principal,
        clientAddress,
        wire: WIRES[protocol ?? SOCKET_PROTOCOLS[0]],
        deflates: context.header('sec-websocket-extensions')?.includes('permessage-deflate') ?? false,
        isAllowed: context.allowance(),
      },
    );
    // Without this header, Bun would choose the first offered protocol; an empty text means no protocol.
    if (!context.upgrade(socket, { 'sec-websocket-protocol': protocol ?? '' })) throw noHandshake();
    this.#open.add(socket);
  }

  /** Checks all connections in slices, between which the thread does its other work. */
  async #watch(): Promise<void> {
    const { clock } = this.#options;
    const slices = new Slices(() => clock.monotonicMs(), SLICE_MS);
    let count = 0;
    for (const socket of this.#open) {
      socket.watch(clock.monotonicMs());
      if (++count % READERS_PER_CHECK === 0 && slices.isOver) await slices.pause();
    }
  }

  /** Closes every WebSocket; no further one can be opened. */
  close(): void {
    this.#isClosed = true;
    this.#endWatch();
    for (const socket of [...this.#open]) socket.sendAway('shutdown');
  }
}

/**
 * The first offered subprotocol that the server supports; null if it supports none of them (RFC 6455, 4.2.2).
 */
function chosenProtocol(offered: string | null): SocketProtocol | null {
  for (const word of offered?.split(',') ?? []) {
    const known = SOCKET_PROTOCOLS.find((protocol) => protocol === word.trim());
    if (known !== undefined) return known;
  }
  return null;
}

function noHandshake(): ServiceError {
  return new ServiceError(
    'invalid_request',
    'Cannot open a WebSocket: the request is not a WebSocket handshake',
    {
      status: 426,
      fix: 'Open wss://<host>/v1/ws with a WebSocket client; see docs/guide/streaming.md',
      headers: { upgrade: 'websocket' },
    },
  );
}

function stopping(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot open a WebSocket: the server is stopping', {
    retryAfterSeconds: 2,
  });
}
