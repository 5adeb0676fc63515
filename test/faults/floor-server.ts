// The least that a server on Bun can do under an attack (`run-attacks.ts --floor`). One thread answers polls
// with bytes that are ready; it refuses everything else unread and closes the connection.

const EVENT_COUNT = 20;
const ODDS = new Blob([JSON.stringify({ data: 'x'.repeat(20_000) })]);
const SLATE = new Blob([JSON.stringify({ cursor: '', data: 'x'.repeat(2_000_000) })]);
const EVENTS = JSON.stringify({
  data: Array.from({ length: EVENT_COUNT }, (_, index) => ({ id: `e${index}` })),
});
const headers = { 'content-type': 'application/json' };
const refused = { status: 413, headers: { ...headers, connection: 'close' } };

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch({ url, method, headers: sent }) {
    if (url.endsWith('/health')) return new Response('{}', { headers });
    if (url.endsWith('/v1/odds') || url.endsWith('/v1/odds?status=live'))
      return new Response(SLATE, { headers });
    if (method !== 'GET' || !sent.has('authorization')) return new Response('{}', refused);
    return new Response(url.endsWith('/odds') ? ODDS : EVENTS, { headers });
  },
});
console.error(`url=${JSON.stringify(server.url.href)} feed_snapshot_complete`);
