// A listener that is replaced finishes the open requests of its connections and reports that it has stopped
// accepting; after that, every new connection belongs to the new listener.

import { expect, test } from 'bun:test';
import { Listener, type Listening } from '../../../src/http/edge/listener.ts';
import { until } from '../../support/condition.ts';

test('a replaced listener finishes its open requests and accepts no further connections', async () => {
  const made: Listening[] = [];
  const slow = Promise.withResolvers<void>();
  const listener: Listener = new Listener({
    port: 0,
    retireMs: 100,
    listen: (port) => {
      const generation = made.length;
      const listening: Listening = Bun.serve({
        port,
        hostname: '127.0.0.1',
        reusePort: true,
        fetch: async (request) => {
          if (request.url.endsWith('/slow')) await slow.promise;
          return new Response(`${generation} ${listener.isRetiring(listening)}`, {
            headers: { connection: 'close' },
          });
        },
        websocket: { message: () => {} },
      }) as Listening;
      made.push(listening);
      return listening;
    },
  });
  const url = `http://127.0.0.1:${listener.port}`;
  async function ask(path = '/'): Promise<string> {
    return await (await fetch(url + path)).text();
  }
  expect(await ask()).toBe('0 false');
  const underWay = ask('/slow');
  await until('the slow one is under way', () => listener.pendingCount() === 1);
  listener.replace();
  await until('the newer one answers', async () => (await ask()) === '1 false');
  await until('the former listener accepts no more', async () => {
    // A connection that is made while the old listener closes may be lost (docs/guide/operations.md#https).
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask().catch(() => 'lost')));
    return answers.every((answer) => answer === '1 false');
  });
  expect(listener.pendingCount()).toBe(1);
  slow.resolve();
  expect(await underWay).toBe('0 true');

  listener.pause();
  listener.replace(); // accepts nothing: `resume` makes a listener anyway
  expect(made.length).toBe(2);
  listener.resume();
  expect(await ask()).toBe('2 false');
  await listener.stop(1_000);
  await expect(ask()).rejects.toThrow();
});
