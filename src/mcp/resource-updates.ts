// Subscriptions to resources, over connections that last: stdio. Clients of the 2025 protocols subscribe to one address after
// the other, and are told of those. Of a 2026-07-28 client the SDK keeps what it listens to: it is handed every change and
// passes on those that were asked for. Over HTTP there are no subscriptions: every request stands alone, on any thread.

import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Addresses that one client may subscribe to. Full: one more is refused. */
const SUBSCRIPTIONS_MAX = 100;

/** Tells which resources have changed. */
export interface ResourceChanges {
  /** Whether what an address shows can be followed: `signals`, or `odds/` and an event id. */
  isFollowed(address: string): boolean;
  /** Calls with the addresses that changed, at most once a second. @returns how to end it */
  follow(onChange: (addresses: readonly string[]) => void): () => void;
}

interface UpdatesOptions {
  readonly scheme: string;
  readonly changes: ResourceChanges;
  /** Whether the client speaks a protocol before 2026-07-28. */
  readonly isLegacy: boolean;
  /** Hears of failures that are no client's. */
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
  const tell = async (addresses: readonly string[]): Promise<void> => {
    try {
      for (const address of addresses) {
        const uri = scheme + address;
        if (!isLegacy || subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
      }
    } catch (failure) {
      // The client has gone, or the connection is broken: nobody is left to tell.
      end();
      report(failure);
    }
  };
  const begin = (): void => {
    stop ??= changes.follow((addresses) => void tell(addresses));
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
