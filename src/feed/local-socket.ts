// A running server publishes its slate to this machine on a Unix socket in its data folder; the recorder
// connects there. It speaks WebSocket like `feed serve`. The permissions of the folder and of the socket
// limit who can connect.

import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type FeedServer, type FeedServerOptions, serveFeed } from './websocket/server.ts';

const SOCKET_NAME = 'feed.sock';

export interface LocalFeedAddress {
  readonly url: string;
  /** Removes the symbolic link, if the address needed one. Nobody can connect through it afterwards. */
  release(): void;
}

/**
 * The address to follow. Bun passes the path of a `ws+unix:` URL to the system as the URL spells it, with
 * %20. So a folder with a space or an accent in its name is reached through a link in the folder of temporary
 * files.
 */
export function localFeedAddress(dataDir: string): LocalFeedAddress {
  const path = resolve(localFeedPath(dataDir));
  const isPlain = /^[\w./-]+$/.test(path);
  if (isPlain) return { url: `ws+unix://${path}`, release: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'overround-feed-'));
  const link = join(folder, SOCKET_NAME);
  symlinkSync(path, link);
  return { url: `ws+unix://${link}`, release: () => rmSync(folder, { recursive: true, force: true }) };
}

export function localFeedPath(dataDir: string): string {
  return join(dataDir, SOCKET_NAME);
}

/**
 * Publishes the outlet on the socket of a data folder. A socket that a dead server left is replaced.
 * @throws when the path cannot be bound
 */
export function serveLocally(
  dataDir: string,
  local: Pick<FeedServerOptions, 'outlet' | 'epoch' | 'joinReport'>,
): FeedServer {
  const unix = localFeedPath(dataDir);
  rmSync(unix, { force: true });
  const server = serveFeed({ ...local, listen: { unix }, token: null });
  chmodSync(unix, 0o600);
  return server;
}
