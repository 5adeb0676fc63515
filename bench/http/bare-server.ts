// What the runtime alone can do: Bun.serve with one body, two headers, and a 304 if the client sends the
// matching tag. `bun bench/http/bare-server.ts <file>` answers with the bytes of the file and prints its
// port.

const body = new Blob([await Bun.file(process.argv[2]!).bytes()]);
const etag = '"bare"';
const headers = { 'content-type': 'application/json; charset=utf-8', etag };
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) =>
    request.headers.get('if-none-match') === etag
      ? new Response(null, { status: 304, headers })
      : new Response(body, { headers }),
});
console.log(server.port);

export {};
