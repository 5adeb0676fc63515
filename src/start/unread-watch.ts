// The watch over clients of event streams that read nothing, in main. The system takes some megabytes for such a client
// before Bun has to hold a byte back, so an HTTP thread cannot see it. What the system holds for each connection stands
// in /proc/net/tcp, which takes milliseconds to read when there are many; so main reads it, while streams are open, and
// tells the HTTP threads whose has not shrunk for too long. Elsewhere than on Linux nobody is told of.

import { readFile } from 'node:fs/promises';
import { parseAddress } from '../ip-address.ts';

const LOOK_EVERY_MS = 2_500;
/** What a client may leave unread, without ever taking something of it, for STUCK_LARGE_MS; less of it for STUCK_MS. */
const LARGE_BYTES = 1024 * 1024;
const STUCK_LARGE_MS = 10_000;
const STUCK_MS = 30_000;

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** `sl: local:port remote:port state tx:rx`, in hexadecimal; state 01 is an established connection. */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) 01 ([0-9A-F]{8}):/gm;

interface Queue {
  readonly bytes: number;
  /** Since when it has not shrunk. */
  readonly sinceMs: number;
}

/** What the system holds for the clients of one port, from look to look. */
export class UnreadQueues {
  readonly #portText: string;
  #queues = new Map<string, Queue>();

  constructor(port: number) {
    this.#portText = port.toString(16).toUpperCase().padStart(4, '0');
  }

  /**
   * @param tables the texts of /proc/net/tcp and its sisters
   * @returns whose queue has not shrunk for too long, as `address port`
   */
  look(tables: readonly string[], nowMs: number): string[] {
    const queues = new Map<string, Queue>();
    const stuck: string[] = [];
    for (const table of tables) {
      for (const [, localPort, address, port, unread] of table.matchAll(ROW)) {
        if (localPort !== this.#portText || unread === '00000000') continue;
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
  /** Streams that are open: without any nothing is looked at. */
  readonly streamCount: () => number;
  readonly monotonicMs: () => number;
  /** Told of the clients, as `address port`, that have taken nothing for too long. */
  readonly onStuck: (peers: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Looks again and again without keeping the process alive. @returns the function that ends it */
export function watchUnread(options: UnreadWatchOptions): () => void {
  const queues = new UnreadQueues(options.port);
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking || options.streamCount() === 0) return;
    isLooking = true;
    try {
      const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1')));
      const peers = queues.look(tables, options.monotonicMs());
      if (peers.length > 0) options.onStuck(peers);
    } catch (error) {
      options.onError(error);
    } finally {
      isLooking = false;
    }
  };
  if (process.platform !== 'linux') return () => undefined;
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** An address of the table: groups of four bytes, each with its lowest byte first. */
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
