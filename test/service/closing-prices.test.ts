// A whole server freezes the closing prices of a match when its feed first says that the match is live, and
// still has them after it was killed while the match was live.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { CLOSING_PRICES_SCHEMA, ClosingPrices, type MatchClosing } from '../../src/archive/closing-prices.ts';
import { entityNumber } from '../../src/domain/ids.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { eventWire, quoteWire, stateWire } from '../feed/wire.ts';
import { readTape } from '../history/tape-folder.ts';
import { until } from '../support/condition.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function closingIn(dataDir: string, event = 'e1'): Promise<MatchClosing | null> {
  const path = join(dataDir, DATABASE_NAME);
  const database = openDatabase({
    path,
    schemas: [CLOSING_PRICES_SCHEMA],
    create: false,
    check: false,
    readsOnly: true,
  });
  try {
    return await new ClosingPrices(sqliteSql(database)).of(entityNumber('event', 0, event));
  } finally {
    database.close();
  }
}

test('closing prices are the last prices before the match is first seen live, and survive a kill', async () => {
  using folder = temporaryFolder();
  let isLive = false;
  using feed = new ScriptedFeed({
    slate: () => [
      eventWire(0, 'e1', { at: nowText(), scheduled_at: nowText(3_600_000) }),
      ...(isLive ? [stateWire(0, 'e1', { at: nowText() })] : []),
      quoteWire(0, 'e1', { at: nowText(), prices: [1.95, 1.97] }),
      quoteWire(0, 'e1', { at: nowText(), line: -1, prices: [2.2, 1.7], status: 'suspended' }),
    ],
  });
  const settings = {
    ...{ FEED: feed.url, DATA_DIR: folder.path, HISTORY_DAYS: '30' },
    ...{ NODE_ENV: 'test', LOG_LEVEL: 'info' },
  };
  const tape = () => readTape(join(folder.path, 'history'));
  let frozen: MatchClosing | null = null;
  {
    await using server = new ServerProcess(settings);
    await server.serving();
    await until('the first prices are on the tape', async () => (await tape()).ticks.length === 2);
    feed.send(quoteWire(0, 'e1', { at: nowText(), prices: [1.9, 2.01] }));
    await until('the last price before play is too', async () => (await tape()).ticks.length === 3);
    feed.send(stateWire(0, 'e1', { at: nowText() }));
    feed.send(quoteWire(0, 'e1', { at: nowText(), prices: [1.4, 3.1] }));
    await until('the close is frozen', async () => {
      frozen = await closingIn(folder.path);
      return frozen !== null;
    });
    await server.kill();
  }
  isLive = true;
  expect(frozen!.prices).toMatchObject([
    { bookmaker: 'crown', lineQuarters: -3, pricesE4: [19_000, 20_100] },
  ]);
  const { ticks } = await tape();
  expect(ticks.filter(({ receivedAtMs }) => receivedAtMs < frozen!.kickoffMs)).toHaveLength(3);
  await using again = new ServerProcess(settings);
  await again.serving();
  const later = eventWire(0, 'e2', { at: nowText(), scheduled_at: nowText(3_600_000) });
  for (const wire of [later, quoteWire(0, 'e2', { at: nowText(), prices: [1.8, 2.1] })]) feed.send(wire);
  await until('the prices of another match are on the tape', async () =>
    (await tape()).ticks.some(({ pricesE4 }) => pricesE4.home === 18_000),
  );
  feed.send(stateWire(0, 'e2', { at: nowText() }));
  // Matches of the log are settled before new matches.
  await until('the other match is settled', async () => (await closingIn(folder.path, 'e2')) !== null);
  expect(await closingIn(folder.path)).toEqual(frozen);
});
