// Subscriptions to resources over stdio, for clients of each protocol: a client is notified that the signals
// and the odds of a fixture changed, and of nothing it did not subscribe to. HTTP has no subscriptions.

import { afterAll, describe, expect, test } from 'bun:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { eventWire, quoteWire, stateWire } from '../feed/wire.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';
import { ERAS, makeClient } from './serve.ts';
import { REPOSITORY } from './subprocess.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const price = (bookmaker: string, home: number) =>
  quoteWire(0, 'e0', { at: nowText(), bookmaker, market_type: '1x2', line: null, prices: [home, 3.3, 3.4] });

/** A match in play for which two bookmakers quote the same prices. */
function matchFeed(): ScriptedFeed {
  return new ScriptedFeed({
    slate: () => [
      eventWire(0, 'e0', { at: nowText(), scheduled_at: nowText(-1_800_000) }),
      stateWire(0, 'e0', { at: nowText() }),
      price('pinnacle', 2.2),
      price('crown', 2.2),
    ],
  });
}

const MOVE_EVERY_MS = 330;

/**
 * Waits for a condition. Meanwhile a price changes three times a second, so that it alternately has value and
 * no value.
 */
async function whilePricesMove(feed: ScriptedFeed, what: string, isTrue: () => boolean): Promise<void> {
  let moves = 0;
  let movedMs = -MOVE_EVERY_MS;
  await until(what, () => {
    const nowMs = performance.now();
    if (nowMs - movedMs >= MOVE_EVERY_MS) {
      movedMs = nowMs;
      feed.send(price('crown', moves++ % 2 === 0 ? 2.9 : 2.2));
    }
    return isTrue();
  });
}

// A client that probes for the protocol version would use that of 2026, which is tested already.
for (const { era, mode } of ERAS.filter(({ era }) => era !== 'probed')) {
  describe(`${era} client over stdio`, () => {
    test.concurrent('a client is notified when the odds of a fixture or the signals have changed', async () => {
      using feed = matchFeed();
      const client = makeClient(mode);
      const updated: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        updated.push(params.uri);
      });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [PROGRAM_PATH, 'mcp'],
          env: {
            ...childEnvironment(),
            ...{ DATA_DIR: `${folder.path}/${era}`, FEED: feed.url, HISTORY_DAYS: '0' },
          },
          cwd: REPOSITORY,
          stderr: 'ignore',
        }),
      );
      try {
        const { structuredContent } = await client.callTool({ name: 'list_today_matches', arguments: {} });
        const { matches } = structuredContent as { matches: { event_id: string }[] };
        const uris = ['overround://signals', `overround://odds/${matches[0]!.event_id}`];
        expect(client.getServerCapabilities()?.resources?.subscribe).toBe(true);
        if (era === '2025') {
          for (const uri of uris) await client.subscribeResource({ uri });
          const refused = client.subscribeResource({ uri: 'overround://bookmakers' });
          await expect(refused).rejects.toThrow('only overround://signals and overround://odds/{event_id}');
        } else {
          await client.listen({ resourceSubscriptions: uris });
        }
        for (const uri of uris) await whilePricesMove(feed, `${uri} changed`, () => updated.includes(uri));
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
        await whilePricesMove(feed, 'the signals changed twice more', () => updated.length >= before + 2);
        expect(updated.slice(before)).not.toContain(uris[1]!);
      } finally {
        await client.close();
      }
    }, 120_000);
  });
}
