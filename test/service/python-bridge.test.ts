// examples/bridge.py, the bridge of docs/guide/feeds.md, with a service that follows it.

import { expect, test } from 'bun:test';
import { until } from '../support/condition.ts';
import { freePort } from '../support/free-port.ts';
import { runService } from '../support/running-service.ts';

const BRIDGE = new URL('../../examples/bridge.py', import.meta.url).pathname;
const python = Bun.which('python3');

test.skipIf(python === null)(
  'a service follows the bridge of docs/guide/feeds.md (skipped without python3)',
  async () => {
    const port = freePort();
    const bridge = Bun.spawn([python!, BRIDGE, String(port)], { stdout: 'ignore', stderr: 'ignore' });
    try {
      await until('the bridge listens', () => listens(port));
      await using service = await runService({ FEED: `ws://127.0.0.1:${port}`, FEED_TOKEN: 'secret' });
      const { data } = await service.get<{ data: { id: string; home_team: { name: string } }[] }>(
        '/v1/events',
      );
      expect(data.map((event) => event.home_team.name)).toEqual(['Reds']);
      await until(
        'a price has come',
        async () => (await service.get<{ odds: number }>('/health')).odds === 1,
      );
    } finally {
      bridge.kill();
      await bridge.exited;
    }
  },
  120_000,
);

async function listens(port: number): Promise<boolean> {
  try {
    (await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })).end();
    return true;
  } catch {
    return false;
  }
}
