// The index of names takes many steps for a large slate, and a server is ready only after the last of them.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { call } from '../support/call.ts';
import { createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { eventMessage, writeRecording } from '../support/recording-file.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a server with 1,500 fixtures is ready only once names are indexed, so the first queries find what is there', async () => {
  using folder = temporaryFolder();
  const events = Array.from({ length: 1_500 }, (_, index) =>
    eventMessage(
      {
        key: `e${index}`,
        home: `Northtown ${index}`,
        away: `Southbridge ${index}`,
        league: `League ${index % 50}`,
        scheduledAt: '2026-03-10T20:00:00.000Z',
      },
      '2026-03-10T11:00:00.000Z',
    ),
  );
  const feed = writeRecording(join(folder.path, 'slate.ndjson'), events);
  await using large = new ServerProcess({ ...PROXY_SETTINGS, FEED: feed });
  const address = await large.listening();
  await until('it is ready', async () => (await call(`${address}/ready`, {})).status === 200);
  const [key = ''] = await createKeys(large.dataDir, 'enterprise', 1);
  const headers = { authorization: `Bearer ${key}` };
  const queries = Array.from({ length: 20 }, (_, index) => `Northtown ${index * 74}`);
  const found = await Promise.all(
    queries.map(async (name) => {
      const answered = await call(`${address}/v1/teams?q=${encodeURIComponent(name)}`, { headers });
      return [answered.status, (answered.body as { data: { name: string }[] }).data[0]?.name];
    }),
  );
  expect(found).toEqual(queries.map((name) => [200, name]));
}, 120_000);
