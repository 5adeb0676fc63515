// Limits what the system receives on a connection before the server reads it. Bun reads up to half a megabyte
// at once, and parses all of it before any code of ours runs. When a hundred connections have sent that much,
// in tiny chunks or as pings, the thread stops again and again. Requests are small, so RECEIVE_BYTES is
// enough for a connection. A listening socket passes its limit on to every connection that it accepts. Linux
// only: elsewhere nothing happens.
//
// Measured with bare Bun and a hundred connections that each send 350 KB in tiny chunks and then 2.5 MB of
// pings. Without the limit there are eight pauses of 12 to 69 ms. With it there is one pause of 43 to 62 ms,
// and all others last at most 16 ms. `bun test/faults/run-attacks.ts socketPings` repeats it. It may be
// removed when Bun reads less at once, or when such a limit is an option of Bun.serve.

import { ptr } from 'bun:ffi';
import { readFileSync } from 'node:fs';
import { cLibrary } from './c-library.ts';
import { inodeOf, openDescriptors, portText, TABLES } from './socket-descriptors.ts';

/** Linux counts its own overhead too, and doubles the number for that. */
const RECEIVE_BYTES = 65_536;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
/** `sl: local:port remote:port state queues timer retransmits uid timeout inode`; state 0A is listening. */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:0000 0A \S+ \S+ \S+ +\d+ +\d+ (\d+)/gm;

/**
 * Limits the connections that this process will accept on a port, if the system shows its descriptors.
 * @returns how many listening sockets were limited
 */
export function limitReceiveBuffers(port: number): number {
  const system = cLibrary();
  if (system === null) return 0;
  const value = new Int32Array([RECEIVE_BYTES]);
  const inodes = listeningInodes(port);
  let count = 0;
  for (const descriptor of inodes.size === 0 ? [] : openDescriptors(0)) {
    if (!inodes.has(inodeOf(descriptor))) continue;
    if (system.setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, ptr(value), 4) === 0) count += 1;
  }
  return count;
}

function listeningInodes(port: number): ReadonlySet<string> {
  const inodes = new Set<string>();
  for (const table of TABLES) {
    for (const [, found, inode] of textOf(table).matchAll(ROW)) {
      if (found === portText(port)) inodes.add(inode!);
    }
  }
  return inodes;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // no IPv6, no /proc, or clients hold every descriptor: the limit is then the system's
  }
}
