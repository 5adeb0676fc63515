// Subscriptions to resources over stdio, for clients of each protocol: a client is notified that the signals
// and the odds of a fixture changed, and of nothing it did not subscribe to. HTTP has no subscriptions.

import { afterAll, describe, expect, test } from 'bun:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ERAS, makeClient } from './serve.ts';
import { REPOSITORY } from './subprocess.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

// A client that finds the protocol by probing ends with that of 2026.
for (const { era, mode } of ERAS.filter(({ era }) => era !== 'probed')) {
  describe(`${era} client over stdio`, () => {
    test.concurrent('is notified that the odds of a fixture and the signals changed', async () => {
      const client = makeClient(mode);
      const updated: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        updated.push(params.uri);
      });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: ['src/main.ts', 'mcp'],
          env: {
            DATA_DIR: `${folder.path}/${era}`,
            SIMULATOR_FOOTBALL_FIXTURES: '6',
            SIMULATOR_BASKETBALL_FIXTURES: '0',
            SIMULATOR_RATE: '100',
            HISTORY_DAYS: '0',
          },
          cwd: REPOSITORY,
          stderr: 'ignore',
        }),
      );
      try {
        const { structuredContent } = await client.callTool({ name: 'list_today_matches', arguments: {} });
        const { matches } = structuredContent as { matches: { event_id: string; status: string }[] };
        const match = matches.find(({ status }) => status !== 'finished');
        const uris = ['overround://signals', `overround://odds/${match!.event_id}`];
        expect(client.getServerCapabilities()?.resources?.subscribe).toBe(true);
        if (era === '2025') {
          for (const uri of uris) await client.subscribeResource({ uri });
          const refused = client.subscribeResource({ uri: 'overround://bookmakers' });
          await expect(refused).rejects.toThrow('only overround://signals and overround://odds/{event_id}');
        } else {
          await client.listen({ resourceSubscriptions: uris });
        }
        for (const uri of uris) await until(`${uri} changed`, () => updated.includes(uri));
        expect([...new Set(updated)].sort()).toEqual([...uris].sort());
        for (const uri of uris) {
          const { contents } = await client.readResource({ uri });
          const [content] = contents as unknown as [{ text: string }];
          expect(Object.keys(JSON.parse(content.text))).toContain(
            uri.endsWith('signals') ? 'entries' : 'odds',
          );
        }
        if (era !== '2025') return;
        await client.unsubscribeResource({ uri: uris[1]! });
        const before = updated.length;
        await until('the signals changed twice more', () => updated.length >= before + 2);
        expect(updated.slice(before)).not.toContain(uris[1]!);
      } finally {
        await client.close();
      }
    }, 120_000);
  });
}
