// The least work that a cache hit needs, written by hand: find the key, take a token from its bucket in
// shared memory, check one version, compare the tag, send ten headers. No router, no URL cache, no metrics.
// `bun bench/http/reference-server.ts <file> <keys, one a line>` answers with the bytes of the file and
// prints its port.

import { ReferenceGate, referenceInit } from './reference-parts.ts';

const bytes = await Bun.file(process.argv[2]!).bytes();
const gate = new ReferenceGate(await Bun.file(process.argv[3]!).text());
const version = new Int32Array(new SharedArrayBuffer(4));

let body = new Blob([bytes]);
let bodyVersion = 0;
let etag = '"reference-0"';
let serial = 0;

function answer(request: Request): Response {
  const { headers } = request;
  const fullInMs = gate.take(headers.get('authorization'));
  if (typeof fullInMs !== 'number') return fullInMs;
  const current = Atomics.load(version, 0);
  if (current !== bodyVersion) {
    body = new Blob([bytes]);
    bodyVersion = current;
    etag = `"reference-${current}"`;
  }
  const isUnchanged = headers.get('if-none-match') === etag;
  serial += 1;
  return new Response(isUnchanged ? null : body, referenceInit({ etag, isUnchanged, serial, fullInMs }));
}

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
console.log(server.port);
