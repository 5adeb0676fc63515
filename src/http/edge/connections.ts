// What requests need of their connections: the client's address, no time-out for long answers, and the switch
// to a WebSocket, whose events go to the streams of its connection.

import type { ClientAddresses } from '../../access/client-address.ts';
import { parseAddress } from '../../ip-address.ts';
import type { SocketHandler } from '../../stream/connections/socket-handler.ts';
import type { ServerParts } from '../kit/server-parts.ts';
import type { Listening } from './listener.ts';

/**
 * Seconds after which a connection without any traffic is closed: slow headers, slow bodies, slow readers.
 */
export const IDLE_TIMEOUT_S = 20;

/** A client that answers no ping for this long is considered gone; an idle client still answers pings. */
const PONG_TIMEOUT_S = 60;

export class Connections implements Pick<ServerParts, 'peerOf' | 'keepOpen' | 'upgrade'> {
  /** The listener of the latest request. Bun can be asked about any connection of this thread through it. */
  latest: Listening | null = null;
  readonly #addresses: ClientAddresses;
  /** For each client (`address port`), the function to call when that client reads nothing. */
  readonly #keptOpen = new Map<string, () => void>();

  constructor(addresses: ClientAddresses) {
    this.#addresses = addresses;
  }

  /** The number of open streams. Bun counts each of them among the requests that it answers. */
  get keptOpenCount(): number {
    return this.#keptOpen.size;
  }

  readonly peerOf = (request: Request): string =>
    this.#addresses.of(this.latest?.requestIP(request)?.address ?? null, request);

  readonly keepOpen = (request: Request, onStuck: () => void): (() => void) => {
    const listening = this.latest;
    const end = listening?.requestIP(request) ?? null;
    const peer = end === null ? '' : `${parseAddress(end.address)?.toString() ?? end.address} ${end.port}`;
    listening?.timeout(request, 0);
    this.#keptOpen.set(peer, onStuck);
    return () => {
      listening?.timeout(request, IDLE_TIMEOUT_S);
      if (this.#keptOpen.get(peer) === onStuck) this.#keptOpen.delete(peer);
    };
  };

  readonly upgrade = (request: Request, handler: SocketHandler, headers: Record<string, string>): boolean =>
    this.latest?.upgrade(request, { data: handler, headers }) ?? false;

  /**
   * For each client that reads nothing, calls the `onStuck` that was passed to `keepOpen` for its connection.
   * @param peers each as `address port`
   */
  stuck(peers: readonly string[]): void {
    for (const peer of peers) this.#keptOpen.get(peer)?.();
  }
}

/** Bun's settings for WebSockets. @param messageBytesMax a larger message ends the connection */
export function socketOptions(messageBytesMax: number): Bun.WebSocketHandler<SocketHandler> {
  return {
    idleTimeout: PONG_TIMEOUT_S,
    sendPings: true,
    maxPayloadLength: messageBytesMax,
    perMessageDeflate: true,
    open: (socket) => socket.data.opened(socket),
    message: (socket, message) => socket.data.received(message),
    drain: (socket) => socket.data.drained(),
    ping: (socket) => socket.data.pinged(),
    pong: (socket, data) => socket.data.ponged(data.toString('latin1')),
    close: (socket) => socket.data.closed(),
  };
}
