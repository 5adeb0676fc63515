// The lower bound of a cache miss: a server that only sends. Its response is prepared and copied for each
// request, like bytes just encoded, with the ten headers that every response has. Nothing is looked up,
// checked, encoded or counted. `bun bench/http/miss-floor-server.ts <file>` answers with the bytes of the
// file and prints its port.

const bytes = await Bun.file(process.argv[2]!).bytes();
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () =>
    new Response(bytes, {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        etag: '"floor"',
        'cache-control': 'private, no-cache',
        vary: 'Authorization',
        'x-content-type-options': 'nosniff',
        'x-request-id': '0-1',
        'x-ratelimit-limit': '60000',
        'x-ratelimit-remaining': '59999',
        'x-ratelimit-reset': '1700000000',
        'server-timing': 'app;dur=0.01',
      },
    }),
});
console.log(server.port);

export {};
