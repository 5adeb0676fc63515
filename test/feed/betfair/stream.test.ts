// A connection to Betfair's stream whose other side does not answer.

import { expect, test } from 'bun:test';
import { connectStream } from '../../../src/feed/betfair/stream.ts';

test('connectStream gives up a peer that accepts the connection and never answers the handshake', async () => {
  const giveUp = new AbortController();
  using silent = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: () => giveUp.abort() }, // the first bytes of the handshake
  });
  const handlers = { line: () => {}, closed: () => {} };
  const address = `tls://127.0.0.1:${silent.port}`;
  await expect(connectStream(address, handlers, giveUp.signal)).rejects.toThrow('Did not open in time');
});
