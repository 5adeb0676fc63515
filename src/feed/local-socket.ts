// Where a running server offers what it applies to this machine: a Unix socket in its data folder, which the recorder
// joins. It speaks WebSocket like `feed serve`; the folder's permissions are its lock.

import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedOutlet } from './outlet.ts';
import { type FeedServer, serveFeed } from './websocket/server.ts';

const SOCKET_NAME = 'feed.sock';

/** The address to follow at. */
export function localFeedUrl(dataDir: string): string {
  return `ws+unix://${localFeedPath(dataDir)}`;
}

export function localFeedPath(dataDir: string): string {
  return join(dataDir, SOCKET_NAME);
}

/** Offers the outlet there, in place of a server that died without a word. @throws when the path cannot be bound */
export function serveLocally(dataDir: string, outlet: FeedOutlet, epoch: string): FeedServer {
  const unix = localFeedPath(dataDir);
  rmSync(unix, { force: true });
  const server = serveFeed({ outlet, listen: { unix }, token: null, epoch });
  chmodSync(unix, 0o600);
  return server;
}
