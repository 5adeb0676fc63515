// The connections of one port as the system sees them: which peer each belongs to and what was sent on it.
// The main thread reads them, because it sees the descriptors of all threads. Bun does not show a connection
// before its first request and cannot close one; the system can do both. Linux only: /proc maps descriptors
// to connections, TCP_INFO shows their activity, and shutdown(2) closes them. The thread that serves the
// connection sees that as the client leaving. When attackers have taken every descriptor, no file of /proc
// can be opened, and that is when this is needed most. So the files are opened at the start, and descriptors
// are then tried by number.
//
// test/faults/descriptors.test.ts takes every descriptor and checks that callers are still served. It may be
// removed when Bun can list and close connections (bun#32705).

import { ptr } from 'bun:ffi';
import { openSync, readSync } from 'node:fs';
import { cLibrary } from './c-library.ts';
import { inodeOf, openDescriptors, portText, TABLES } from './socket-descriptors.ts';

export interface OpenConnection {
  readonly descriptor: number;
  /** In the notation of /proc/net/tcp. */
  readonly address: string;
  /** Whether the client has received any response. */
  readonly isAnswered: boolean;
  /** How long the client has sent nothing. */
  readonly silentMs: number;
  /**
   * Bytes of the client that may be part of an unfinished request: all that it has sent since it connected,
   * and 0 once the server has sent something after them.
   */
  readonly unfinishedBytes: number;
}

export interface ConnectionTable {
  list(): OpenConnection[];
  /** Closes a connection in both directions. */
  end(connection: OpenConnection): void;
}

/**
 * `sl: local:port remote:port state queues timer retransmits uid timeout inode`; state 01 is an established
 * connection.
 */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):[0-9A-F]{4} 01 \S+ \S+ \S+ +\d+ +\d+ (\d+)/gm;
const CHUNK_BYTES = 65_536;

/** From netinet/tcp.h and linux/tcp.h. */
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
const SHUT_RDWR = 2;
const LAST_DATA_SENT_AT = 44;
const LAST_DATA_RECV_AT = 52;
const BYTES_ACKED_AT = 120;
const BYTES_RECEIVED_AT = 128;
const INFO_BYTES = 256;

/** The connections of a port, or null if the system cannot list them. @param limit of file descriptors */
export function connectionTableOf(port: number, limit: number): ConnectionTable | null {
  const system = cLibrary();
  if (system === null) return null;
  const info = new Uint8Array(INFO_BYTES);
  const view = new DataView(info.buffer);
  const length = new Uint32Array(1);
  const tables = TABLES.map(openTable).filter((table) => table !== null);
  return {
    list() {
      const addresses = addressesByInode(tables.map(textOf), portText(port));
      const connections: OpenConnection[] = [];
      for (const descriptor of openDescriptors(limit)) {
        const address = addresses.get(inodeOf(descriptor));
        if (address === undefined) continue;
        length[0] = INFO_BYTES;
        if (system.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, ptr(info), ptr(length)) !== 0) continue;
        const isAnswered = view.getBigUint64(BYTES_ACKED_AT, true) > 1n;
        const silentMs = view.getUint32(LAST_DATA_RECV_AT, true);
        const isFinished = isAnswered && view.getUint32(LAST_DATA_SENT_AT, true) <= silentMs;
        const unfinishedBytes = isFinished ? 0 : Number(view.getBigUint64(BYTES_RECEIVED_AT, true));
        connections.push({ descriptor, address, isAnswered, silentMs, unfinishedBytes });
      }
      return connections;
    },
    // If the descriptor was closed meanwhile, the call returns an error and nothing happens.
    end: ({ descriptor }) => void system.shutdown(descriptor, SHUT_RDWR),
  };
}

function addressesByInode(texts: readonly string[], asked: string): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const text of texts) {
    for (const [, port, address, inode] of text.matchAll(ROW)) {
      if (port === asked) addresses.set(inode!, address!);
    }
  }
  return addresses;
}

function openTable(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null; // the system has no IPv6
  }
}

/** The present text of a table. Reading from its beginning generates it again. */
function textOf(table: number): string {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let text = '';
  for (let at = 0; ; ) {
    const count = readSync(table, chunk, 0, CHUNK_BYTES, at);
    if (count === 0) return text;
    text += chunk.toString('latin1', 0, count);
    at += count;
  }
}
