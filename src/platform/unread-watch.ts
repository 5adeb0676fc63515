// Detects clients of event streams that read nothing, from the main thread. The system buffers some megabytes
// for such a client before Bun has to hold back a byte, so an HTTP thread cannot see it. How much the system
// buffers for each connection is in /proc/net/tcp, and reading that takes milliseconds if there are many
// connections. So the main thread reads it while streams are open, and notifies the HTTP threads of clients
// whose buffer has not shrunk for too long. Outside Linux no client is reported.
//
// Measured: 200 slow readers of 20 MB took 4 GB (bun#35138). It may be removed when Bun reports how much the
// system has buffered for a connection.

import { readFile } from 'node:fs/promises';
import { parseAddress } from '../ip-address.ts';
import { every } from '../pause.ts';
import { portText, TABLES } from './socket-descriptors.ts';

const CHECK_EVERY_MS = 2_500;
/**
 * With more than this unread, a client that reads nothing is reported after STUCK_LARGE_MS; with less, after
 * STUCK_MS.
 */
const LARGE_BYTES = 1024 * 1024;
const STUCK_LARGE_MS = 10_000;
const STUCK_MS = 30_000;

/** `sl: local:port remote:port state tx:rx`, in hexadecimal; state 01 is an established connection. */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) 01 ([0-9A-F]{8}):/gm;

interface Queue {
  readonly bytes: number;
  /** The time of the last check at which the buffer had shrunk. */
  readonly sinceMs: number;
}

/** What the system buffers for the clients of one port, from check to check. */
export class UnreadQueues {
  readonly #port: string;
  #queues = new Map<string, Queue>();

  constructor(port: number) {
    this.#port = portText(port);
  }

  /**
   * @param tables the texts of /proc/net/tcp and /proc/net/tcp6
   * @returns the clients, as `address port`, whose buffer has not shrunk for too long
   */
  check(tables: readonly string[], nowMs: number): string[] {
    const queues = new Map<string, Queue>();
    const stuck: string[] = [];
    for (const table of tables) {
      for (const [, localPort, address, port, unread] of table.matchAll(ROW)) {
        if (localPort !== this.#port || unread === '00000000') continue;
        const peer = `${address} ${port}`;
        const bytes = Number.parseInt(unread!, 16);
        const before = this.#queues.get(peer);
        const sinceMs = before === undefined || bytes < before.bytes ? nowMs : before.sinceMs;
        queues.set(peer, { bytes, sinceMs });
        if (nowMs - sinceMs < (bytes > LARGE_BYTES ? STUCK_LARGE_MS : STUCK_MS)) continue;
        stuck.push(`${addressOf(address!)} ${Number.parseInt(port!, 16)}`);
      }
    }
    this.#queues = queues;
    return stuck;
  }
}

export interface UnreadWatchOptions {
  readonly port: number;
  /** How many streams are open. If none is, nothing is checked. */
  readonly streamCount: () => number;
  readonly monotonicMs: () => number;
  /** Called with the clients, as `address port`, that have read nothing for too long. */
  readonly onStuck: (peers: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Checks regularly, without keeping the process alive. @returns a function that stops the checks */
export function watchUnread(options: UnreadWatchOptions): () => void {
  const queues = new UnreadQueues(options.port);
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking || options.streamCount() === 0) return;
    isChecking = true;
    try {
      const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1')));
      const peers = queues.check(tables, options.monotonicMs());
      if (peers.length > 0) options.onStuck(peers);
    } catch (error) {
      options.onError(error);
    } finally {
      isChecking = false;
    }
  };
  if (process.platform !== 'linux') return () => undefined;
  return every(CHECK_EVERY_MS, () => void check());
}

/** An address in the table's notation: groups of four bytes, each with its lowest byte first. */
export function addressOf(hex: string): string {
  const groups = (hex.match(/.{8}/g) ?? []).map((group) => (group.match(/../g) ?? []).reverse());
  const bytes = groups.flat().map((byte) => Number.parseInt(byte, 16));
  const text =
    bytes.length === 4
      ? bytes.join('.')
      : Array.from({ length: 8 }, (_, word) =>
          (bytes[2 * word]! * 256 + bytes[2 * word + 1]!).toString(16),
        ).join(':');
  return parseAddress(text)?.toString() ?? text;
}
