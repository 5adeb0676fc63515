import { expect, test } from 'bun:test';
import { limitReceiveBuffers } from '../../src/platform/receive-buffers.ts';

test.if(process.platform === 'linux')(
  'limitReceiveBuffers() finds the socket that listens on a port, and no socket on a free port',
  async () => {
    const options = {
      hostname: '127.0.0.1',
      fetch: async (request: Request) => new Response(String((await request.bytes()).length)),
    };
    const server = Bun.serve({ ...options, port: 0 });
    const other = Bun.serve({ ...options, port: 0 });
    try {
      expect(limitReceiveBuffers(server.port!)).toBe(1);
      // A body larger than the limit still arrives completely, in pieces.
      const answer = await fetch(server.url, { method: 'POST', body: new Uint8Array(2_000_000) });
      expect(await answer.text()).toBe('2000000');
    } finally {
      await Promise.all([server.stop(true), other.stop(true)]);
    }
    expect(limitReceiveBuffers(server.port!)).toBe(0);
  },
);
