// A whole server freezes the closing prices of a match when its feed first says that the match is live, and
// still has them after it was killed.

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

const EVENT = entityNumber('event', 0, 'e1');

async function closingIn(dataDir: string): Promise<MatchClosing | null> {
  const path = join(dataDir, DATABASE_NAME);
  const database = openDatabase({
    path,
    schemas: [CLOSING_PRICES_SCHEMA],
    create: false,
    check: false,
    readsOnly: true,
  });
  try {
    return await new ClosingPrices(sqliteSql(database)).of(EVENT);
  } finally {
    database.close();
  }
}

test('closing prices are the last prices before the match is first seen live, and survive a kill', async () => {
  using folder = temporaryFolder();
  using feed = new ScriptedFeed({
    slate: () => [
      eventWire(0, 'e1', { at: nowText(), scheduled_at: nowText(3_600_000) }),
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
  expect(frozen!.prices).toMatchObject([
    { bookmaker: 'crown', lineQuarters: -3, pricesE4: [19_000, 20_100] },
  ]);
  const { ticks } = await tape();
  expect(ticks.filter(({ receivedAtMs }) => receivedAtMs < frozen!.kickoffMs)).toHaveLength(3);
  await using again = new ServerProcess(settings);
  await again.serving();
  expect(await closingIn(folder.path)).toEqual(frozen);
});
