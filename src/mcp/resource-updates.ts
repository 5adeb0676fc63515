// Subscriptions to resources, on connections that last: stdio. Clients of the 2025 protocols subscribe to one
// address at a time and are notified about each address that they subscribed to. For a 2026-07-28 client, the
// SDK keeps the subscriptions: it gets every change and forwards the requested ones. There are no
// subscriptions over HTTP, where every request is independent and may run on any thread.

import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Maximum number of addresses that one client may subscribe to. A further one is refused. */
const SUBSCRIPTIONS_MAX = 100;

/** Notifies about changed resources. */
export interface ResourceChanges {
  /** Whether changes of this address are published: `signals`, or `odds/` and an event id. */
  isFollowed(address: string): boolean;
  /** Calls `onChange` with the changed addresses, at most once a second. @returns a function that stops it */
  follow(onChange: (addresses: readonly string[]) => void): () => void;
}

interface UpdatesOptions {
  readonly scheme: string;
  readonly changes: ResourceChanges;
  /** Whether the client uses a protocol before 2026-07-28. */
  readonly isLegacy: boolean;
  /** Called with the reason when a notification cannot be sent; no more are sent on that connection. */
  report(failure: unknown): void;
}

/** Offers subscriptions on a server that is about to be connected. */
export function offerUpdates(server: McpServer, { scheme, changes, isLegacy, report }: UpdatesOptions): void {
  server.server.registerCapabilities({ resources: { subscribe: true, listChanged: false } });
  const subscribed = new Set<string>();
  let stop: (() => void) | null = null;
  const end = (): void => {
    stop?.();
    stop = null;
  };
  const notify = async (addresses: readonly string[]): Promise<void> => {
    try {
      for (const address of addresses) {
        const uri = scheme + address;
        if (!isLegacy || subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
      }
    } catch (failure) {
      // The client has gone or the connection is broken, so there is nobody to notify.
      end();
      report(failure);
    }
  };
  const begin = (): void => {
    stop ??= changes.follow((addresses) => void notify(addresses));
  };
  server.server.onclose = end;
  if (!isLegacy) {
    begin();
    return;
  }
  server.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (!uri.startsWith(scheme) || !changes.isFollowed(uri.slice(scheme.length))) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Cannot subscribe: only ${scheme}signals and ${scheme}odds/{event_id} are followed`,
      );
    }
    if (!subscribed.has(uri) && subscribed.size >= SUBSCRIPTIONS_MAX) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Cannot subscribe: ${SUBSCRIPTIONS_MAX} resources are subscribed to`,
      );
    }
    subscribed.add(uri);
    begin();
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    if (subscribed.size === 0) end();
    return {};
  });
}
