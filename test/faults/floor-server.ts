// The least work that a server on Bun can do under an attack (`run-attacks.ts --floor`). One thread answers
// polls and slates with prepared bytes. It opens WebSockets and answers each message with an error, up to a
// limit. It refuses everything else unread and closes the connection.

const EVENT_COUNT = 20;
const ODDS = new Blob([JSON.stringify({ data: 'x'.repeat(20_000) })]);
const SLATE = new Blob([JSON.stringify({ cursor: '', data: 'x'.repeat(2_000_000) })]);
const EVENTS = JSON.stringify({
  data: Array.from({ length: EVENT_COUNT }, (_, index) => ({ id: `e${index}` })),
});
/** Paths that are answered with the whole slate. */
const SLATES = ['/v1/odds', '/v1/stream'];
const headers = { 'content-type': 'application/json' };
const refused = { status: 413, headers: { ...headers, connection: 'close' } };

/** How many messages a WebSocket may send before it is closed: as many as a client without a key may send. */
const SOCKET_MESSAGES_MAX = 25;

const server = Bun.serve<{ count: number }>({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request, self) {
    const { url, method, headers: sent } = request;
    if (url.endsWith('/v1/ws') && self.upgrade(request, { data: { count: 0 } })) return;
    if (url.endsWith('/health')) return new Response('{}', { headers });
    if (SLATES.some((path) => url.includes(path))) return new Response(SLATE, { headers });
    if (method !== 'GET' || !sent.has('authorization')) return new Response('{}', refused);
    return new Response(url.endsWith('/odds') ? ODDS : EVENTS, { headers });
  },
  websocket: {
    message(socket) {
      socket.data.count += 1;
      if (socket.data.count <= SOCKET_MESSAGES_MAX) socket.send('{"event":"error"}');
      else socket.close(1008, 'limit');
    },
  },
});
console.error(`url=${JSON.stringify(server.url.href)} feed_snapshot_complete`);
