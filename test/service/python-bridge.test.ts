// The bridge of docs/guide/feeds.md, run as printed, with a service that follows it.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '../support/condition.ts';
import { freePort } from '../support/free-port.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const python = Bun.which('python3');

test.skipIf(python === null)(
  'the bridge in docs/guide/feeds.md feeds a service (skipped without python3)',
  async () => {
    using folder = temporaryFolder();
    const page = await Bun.file(new URL('../../docs/guide/feeds.md', import.meta.url).pathname).text();
    const program = /```python\n([\s\S]+?)```/.exec(page)![1]!;
    const path = join(folder.path, 'bridge.py');
    await Bun.write(path, program);
    const port = freePort();
    const bridge = Bun.spawn([python!, path, String(port)], { stdout: 'ignore', stderr: 'ignore' });
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
