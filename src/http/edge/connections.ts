// What is asked of the connections that requests come on: whose they are, and that one is kept open or becomes a WebSocket.

import type { ClientAddresses } from '../../access/client-address.ts';
import { parseAddress } from '../../ip-address.ts';
import type { ServerParts } from '../kit/server-parts.ts';
import type { SocketHandler } from '../kit/socket.ts';
import type { Listening } from './listener.ts';

/** A connection that moves no byte for this long is closed: slow headers, slow bodies, slow readers. */
export const IDLE_TIMEOUT_S = 20;

export class Connections implements Pick<ServerParts, 'peerOf' | 'keepOpen' | 'upgrade'> {
  /** The listener of the request that came last: Bun asks it about any connection of this thread. */
  latest: Listening | null = null;
  readonly #addresses: ClientAddresses;
  /** What to do when the client at an `address port` reads nothing. */
  readonly #keptOpen = new Map<string, () => void>();

  constructor(addresses: ClientAddresses) {
    this.#addresses = addresses;
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

  /** Tells those who keep the connections of these clients open, named as `address port`, that they read nothing. */
  stuck(peers: readonly string[]): void {
    for (const peer of peers) this.#keptOpen.get(peer)?.();
  }
}
