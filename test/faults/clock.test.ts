// The clock of the machine is set back by hours under a running server, by libfaketime: no answer is from a time to come,
// and the next price shows.

import { expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventWire, quoteWire } from '../feed/wire.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const HOUR_MS = 3_600_000;

// The library is Debian's package faketime; most machines have it not.
test.skipIf(!existsSync(LIBRARY))(
  'after the clock was set back the next price is served, under a time that is not ahead',
  async () => {
    using folder = temporaryFolder();
    const offsetFile = join(folder.path, 'offset');
    let offsetMs = 0;
    const setClock = (ms: number) => {
      offsetMs = ms;
      writeFileSync(offsetFile, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1_000}s\n`);
    };
    setClock(0);
    // The upstream is on the same machine: its clock is set back too.
    const at = () => nowText(offsetMs);
    let price = 1.9;
    using feed = new ScriptedFeed({
      at,
      slate: () => [
        eventWire(0, 'e1', { at: at(), scheduled_at: nowText(HOUR_MS) }),
        quoteWire(0, 'e1', { at: at(), prices: [price, 2] }),
      ],
    });
    await using server = new ServerProcess({
      ...{ FEED: feed.url, DATA_DIR: folder.path, LD_PRELOAD: LIBRARY, FAKETIME_TIMESTAMP_FILE: offsetFile },
      ...{ FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
    });
    const [, url = ''] = await server.logged(/listening url="([^"]+)"/);
    const [key = ''] = await createKeys(folder.path, 'enterprise', 1);
    const { data } = (await askedJson(`${url}/v1/events`, key)) as { data: { id: string }[] };
    const odds = async () =>
      JSON.stringify(await askedJson(`${url}/v1/events/${data[0]!.id}/odds?format=decimal`, key));
    await until('the first price is served', async () => (await odds()).includes(':1.9,'));
    price = 1.7; // also in the snapshot, should the price be sent before the source is connected again
    setClock(-2 * HOUR_MS);
    await server.logged(/clock_set_back/);
    feed.send(quoteWire(0, 'e1', { prices: [price, 2] }));
    await until('the next price is served', async () => (await odds()).includes(':1.7,'));
    // The thread that takes prices in was replaced, and its source may still be connecting.
    const health = async () =>
      (await fetch(`${url}/health`)).json() as Promise<{ status: string; feed_live: boolean }>;
    await until('the feed is live', async () => (await health()).feed_live);
    expect((await health()).status).toBe('ok');
    const text = await odds();
    const answeredMs = Date.now() + offsetMs;
    const stamps = [...text.matchAll(/"(?:as_of|confirmed_at)":"([^"]+)"/g)];
    expect(stamps.length).toBeGreaterThan(1);
    for (const [, stamp] of stamps) expect(Date.parse(stamp!)).toBeLessThanOrEqual(answeredMs);
    expect(text).not.toContain('"stale":true');
  },
);

async function askedJson(url: string, key: string): Promise<unknown> {
  return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json();
}
