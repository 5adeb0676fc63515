// The server's side of a feed: slow followers, and requests that are no follower's.

import { describe, expect, test } from 'bun:test';
import { serveFeed } from '../../../src/feed/websocket/server.ts';
import { until } from '../../support/condition.ts';
import { startPipeline } from '../websocket-support.ts';

const LOCAL = { hostname: '127.0.0.1', port: 0 };

describe('serveFeed', () => {
  test('closes a follower that does not read, and keeps the others', async () => {
    await using first = await startPipeline({ kind: 'simulator' }, { ratePerSecond: 60_000 });
    const server = serveFeed({ outlet: first.pipeline.outlet, listen: LOCAL, token: null, epoch: 'run' });
    const url = `ws://127.0.0.1:${server.port}/`;
    await using second = await startPipeline({ kind: 'websocket', url });
    const idle = new WebSocket(url);
    await new Promise((resolve) => idle.addEventListener('open', resolve));
    idle.pause();
    await until('both follow', () => server.followerCount === 2);
    await until('the idle one is closed', () => server.followerCount === 1);
    const before = second.reader.counters().messages_applied;
    await until('the other goes on', () => second.reader.counters().messages_applied > before);
    expect(second.logged.join('\n')).not.toContain('feed_disconnected');
    idle.terminate();
    await server.stop();
  }, 120_000);

  test('answers requests without the token, with another encoding, or without a WebSocket handshake', async () => {
    await using first = await startPipeline({ kind: 'simulator' });
    const server = serveFeed({ outlet: first.pipeline.outlet, listen: LOCAL, token: 'secret', epoch: 'run' });
    const ask = async (path: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })).status;
    };
    expect(await ask('/', 'secreT')).toBe(401);
    expect(await ask('/', 'secret-')).toBe(401);
    expect(await ask('/?encoding=xml', 'secret')).toBe(400);
    expect(await ask('/', 'secret')).toBe(426);
    await server.stop();
  });
});
