// The baseline of http.bench.ts: a bare Bun.serve that answers the bytes of a file. `bun bench/bare-server.ts <file>`
// prints its port.

const body = new Blob([await Bun.file(process.argv[2]!).bytes()]);
const headers = { 'content-type': 'application/json; charset=utf-8' };
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response(body, { headers }),
});
console.log(server.port);

export {};
