// Servers that are killed while they keep the record of signals: a single server over SQLite, which starts
// again; and the leader of two servers over Redis and Postgres, whose record the other server continues. A
// signal that stays open is recorded as one signal with a gap. A signal that opens later is another signal.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { PostgresPool } from '../../src/storage/postgres.ts';
import { eventWire, quoteWire } from '../feed/wire.ts';
import { until } from '../support/condition.ts';
import { POSTGRES_MISSING, PostgresServer } from '../support/postgres-server.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const missing = POSTGRES_MISSING ?? REDIS_MISSING;
if (missing !== null) console.log(`skipped: ${missing}`);

/** The columns of the record that this test reads. */
interface Row {
  readonly id: string;
  readonly event_number: number;
  readonly opened_at_ms: number;
  readonly closed_at_ms: number | null;
  readonly longest_gap_ms: number;
}

const ROWS = `SELECT id, event_number, opened_at_ms, closed_at_ms, longest_gap_ms FROM signal_record
  WHERE sees_sharp = 1 AND kind = 'value' AND reference = 'sharp' ORDER BY opened_at_ms, id`;

/**
 * What a feed quotes: for each match a sharp bookmaker and another one, whose price is below fair, or 4 %
 * above fair in matches with value.
 */
class Market {
  /** Matches with value. */
  readonly valuable = new Set<string>();
  /** When a server last requested the slate. It knows no price before that. */
  slateAtMs = 0;
  readonly #matches: readonly string[];
  readonly #kickoffAt = nowText(36_000_000);

  constructor(matches: readonly string[]) {
    this.#matches = matches;
    this.valuable.add(matches[0]!);
  }

  feed(): ScriptedFeed {
    return new ScriptedFeed({
      slate: () => {
        this.slateAtMs = Date.now();
        return this.#matches.flatMap((match) => this.#slateOf(match));
      },
    });
  }

  priceOf(match: string) {
    return totals(match, 'crown', [this.valuable.has(match) ? 2.08 : 1.9, 1.8]);
  }

  #slateOf(match: string) {
    return [
      eventWire(0, match, { at: nowText(), scheduled_at: this.#kickoffAt }),
      totals(match, 'pinnacle', [1.95, 1.95]),
      this.priceOf(match),
    ];
  }
}

function totals(match: string, bookmaker: string, prices: readonly number[]) {
  return quoteWire(0, match, { at: nowText(), bookmaker, market_type: 'totals', line: 2.5, prices });
}

/**
 * Kills the server that keeps the record, and lets another one continue. Then the value in one match ends,
 * and value in another match begins.
 */
async function expectOneSignal(world: {
  readonly market: Market;
  readonly feedNow: () => ScriptedFeed;
  readonly rows: () => Promise<readonly Row[]>;
  readonly kill: () => Promise<void>;
  readonly goOn: () => Promise<void>;
}): Promise<void> {
  const { market, feedNow, rows, kill, goOn } = world;
  await until('the signal is on record', async () => (await rows()).length === 1);
  const [before] = await rows();
  expect(before).toMatchObject({ closed_at_ms: null, longest_gap_ms: 0 });
  await kill();
  const killedAtMs = Date.now();
  await goOn();
  await until('the signal goes on', async () => (await rows())[0]!.longest_gap_ms > 0);
  const [after, ...others] = await rows();
  expect(others).toEqual([]);
  expect(after).toMatchObject({ id: before!.id, opened_at_ms: before!.opened_at_ms, closed_at_ms: null });
  // The gap begins when the record was last written, which is before the kill, and ends when the next server
  // has a slate.
  expect(after!.longest_gap_ms).toBeGreaterThanOrEqual(market.slateAtMs - killedAtMs);
  expect(after!.longest_gap_ms).toBeLessThanOrEqual(Date.now() - before!.opened_at_ms);
  market.valuable.clear();
  feedNow().send(market.priceOf('e1'));
  await until('the signal closes', async () => (await rows())[0]!.closed_at_ms !== null);
  market.valuable.add('e2');
  feedNow().send(market.priceOf('e2'));
  await until('a signal that opens later is another', async () => (await rows()).length === 2);
  const [first, second] = await rows();
  expect(first!.id).toBe(before!.id);
  expect(first!.closed_at_ms!).toBeGreaterThan(killedAtMs);
  expect(second).toMatchObject({ closed_at_ms: null, longest_gap_ms: 0 });
  expect(second!.opened_at_ms).toBeGreaterThanOrEqual(first!.closed_at_ms!);
}

const COMMON = { LOG_LEVEL: 'info', NODE_ENV: 'test', HISTORY_DAYS: '30' };

test('after a kill and a restart a signal is still one signal, and its row has the length of the gap', async () => {
  using folder = temporaryFolder();
  const market = new Market(['e1', 'e2']);
  using feed = market.feed();
  const settings = { ...COMMON, FEED: feed.url, DATA_DIR: folder.path };
  await using servers = new AsyncDisposableStack();
  const start = async (): Promise<ServerProcess> => {
    const server = servers.use(new ServerProcess(settings));
    await server.serving();
    return server;
  };
  const server = await start();
  await expectOneSignal({
    ...{ market, feedNow: () => feed, kill: () => server.kill() },
    goOn: async () => void (await start()),
    rows: async () => {
      using database = new Database(join(folder.path, DATABASE_NAME), { readonly: true, strict: true });
      return database.query<Row, []>(ROWS).all();
    },
  });
});

test.skipIf(missing !== null)(
  'a leader that is killed leaves its open signal to the next one, which records the time between as a gap',
  async () => {
    await using open = new AsyncDisposableStack();
    const [redis, postgres] = await Promise.all([RedisServer.start(), PostgresServer.start()]);
    open.use(redis);
    open.use(postgres);
    const folder = open.use(temporaryFolder());
    const market = new Market(['e1', 'e2']);
    // A scripted feed has one follower, so each node has its own, with the same matches.
    const feeds = [open.use(market.feed()), open.use(market.feed())] as const;
    const databaseUrl = await postgres.createDatabase();
    const start = (index: 0 | 1): ServerProcess =>
      open.use(
        new ServerProcess({
          ...{ ...COMMON, ROLE: 'ingest', FEED: feeds[index].url, REDIS_URL: redis.url },
          ...{ DATABASE_URL: databaseUrl, HISTORY_DIR: join(folder.path, 'history') },
        }),
      );
    const leader = start(0);
    await leader.serving();
    const standby = start(1);
    await standby.listening();
    const pool = new PostgresPool({ url: databaseUrl });
    open.defer(() => pool.close());
    await expectOneSignal({
      ...{ market, feedNow: () => feeds[1], rows: () => pool.rows<Row>(ROWS) },
      kill: () => leader.kill(),
      goOn: async () => {},
    });
  },
);
