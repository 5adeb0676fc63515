// The lower bound: bare Bun that writes frames of a given size to every connected socket at a given interval,
// and does nothing else. `bun bench/streams/bare-server.ts <bytes of a frame> <ms between two>` prints its
// port.

const [frameBytes, everyMs] = process.argv.slice(2).map(Number) as [number, number];
const head = 'event: delta\ndata: {"conflated":false,"filler":"';
const frame = new TextEncoder().encode(
  `${head}${'x'.repeat(Math.max(0, frameBytes - head.length - 4))}"}\n\n`,
);
const text = new TextDecoder().decode(frame);
const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
const sockets = new Set<Bun.ServerWebSocket<undefined>>();
const server = Bun.serve<undefined>({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  fetch: (request, listening) => {
    if (listening.upgrade(request, { data: undefined })) return undefined as unknown as Response;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        streams.add(controller);
        controller.enqueue(frame);
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  },
  websocket: {
    open: (socket) => {
      sockets.add(socket);
    },
    message: () => undefined,
  },
});
setInterval(() => {
  for (const controller of streams) controller.enqueue(frame);
  for (const socket of sockets) socket.send(text);
}, everyMs);
console.log(server.port);

export {};
