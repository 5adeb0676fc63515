// Runs in a separate network with the rules of ops/overround.nft: listens there, connects from several
// addresses, and prints how many connections of each were established.

import { connect, createServer } from 'node:net';

const TRIES = 400;
/** Addresses in the order of their attempts; two of one IPv6 network count as one client. */
const CLIENTS = ['127.0.0.2', '127.0.0.3', 'fd00::1', 'fd00::2', 'fd00:0:0:1::1'];

const server = createServer((socket) => socket.on('error', () => {}));
await new Promise<void>((listening) => server.listen(3000, '::', listening));
const counts: Record<string, number> = {};
for (const client of CLIENTS) {
  const host = client.includes(':') ? 'fd00::1' : '127.0.0.1';
  const tries = Array.from({ length: TRIES }, () => stands(client, host));
  counts[client] = (await Promise.all(tries)).filter(Boolean).length;
}
console.log(JSON.stringify(counts));
process.exit(0);

function stands(localAddress: string, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: 3000, localAddress });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
}
