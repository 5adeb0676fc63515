// Kills the leader of two real nodes while alerts are being sent, and then the node that took over: every
// alert arrives, and twice only with the same `webhook-id`. By hand: `bun test/faults/alert-takeover.ts`; it
// needs redis-server and Postgres.

import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { RuleRepository } from '../../src/alerts/rules/rule-repository.ts';
import { PostgresPool } from '../../src/storage/postgres.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import { quoteWire } from '../feed/wire.ts';
import { until } from '../support/condition.ts';
import { pageFeed } from '../support/page-slate.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { RedisServer } from '../support/redis-server.ts';
import { nowText } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { AlertEndpoint } from './alert-endpoint.ts';

const PRICE_FROM = 50;

export interface TakeoverReport {
  readonly takeovers: number;
  readonly alerts: number;
  readonly lost: number;
  readonly repeated: number;
  readonly doubled: number;
}

async function takeOverTwice(): Promise<TakeoverReport> {
  await using redis = await RedisServer.start();
  await using postgres = await PostgresServer.start();
  const feed = pageFeed(3);
  using endpoint = new AlertEndpoint();
  const start = () =>
    new ServerProcess({
      ...{ ROLE: 'ingest', FEED: feed.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url() },
      ...{ ALERTS_ALLOW: '127.0.0.1', HISTORY_DAYS: '0', NODE_ENV: 'development', SCORING_THREADS: '1' },
    });
  let leader = start();
  await leader.serving();
  await addRule(postgres.url(), endpoint.url);
  let price = PRICE_FROM;
  /** Sends prices until one of them is reported, which shows that a node watches. */
  const reported = async (): Promise<void> => {
    const before = endpoint.ids.size;
    await until('an alert arrives', async () => {
      price += 1;
      const over = (value: number): void =>
        feed.send(
          quoteWire(0, 'e1', {
            ...{ at: nowText(), bookmaker: 'crown', market_type: 'totals', line: 2.5 },
            prices: [value, 1.5],
          }),
        );
      over(price);
      await Bun.sleep(400);
      over(1.9);
      await Bun.sleep(200);
      return endpoint.ids.size > before;
    });
  };
  const written = new Set<string>();
  for (let takeover = 0; takeover < 2; takeover++) {
    const standby = start();
    await standby.listening();
    await reported();
    endpoint.isUp = false;
    for (let round = 0; round < 3; round++) {
      price += 1;
      feed.send(
        quoteWire(0, 'e1', {
          ...{ at: nowText(), bookmaker: 'crown', market_type: 'totals', line: 2.5 },
          prices: [price, 1.5],
        }),
      );
      await Bun.sleep(300);
    }
    for (const signal of await signalsIn(postgres.url())) written.add(signal);
    await leader.kill();
    endpoint.isUp = true;
    leader = standby;
    await reported();
    console.log(`takeover ${takeover + 1}: ${endpoint.ids.size} signals arrived`);
  }
  for (const signal of await signalsIn(postgres.url())) written.add(signal);
  const lost = () => [...written].filter((signal) => !endpoint.ids.has(signal)).length;
  await until('what waited arrives', () => lost() === 0);
  await leader.end();
  feed.stop();
  return { takeovers: 2, alerts: written.size, lost: lost(), ...endpoint.counts() };
}

async function addRule(url: string, to: string): Promise<void> {
  const pool = new PostgresPool({ url, connections: 1 });
  const sql = postgresSql(pool);
  await new AccountRepository(sql).createAccount({
    ...{ id: 'acc_1', email: 'a@example.com', passwordHash: '', plan: 'enterprise' },
    ...{ verifiedAtMs: 1, createdAtMs: 1 },
  });
  await new RuleRepository(sql).create(
    {
      ...{ id: `alr_${'1'.repeat(20)}`, accountId: 'acc_1', name: 'All', names: {}, where: {} },
      when: {
        ...{ kind: 'price', market: 'totals', outcome: 'over', price: PRICE_FROM },
        ...{ closed: true, again_after_s: 0 },
      },
      to: { url: to, format: 'raw' },
      ...{ status: 'active', note: null, secretVersion: 1, rotatedAtMs: null, createdAtMs: 1 },
    },
    50,
  );
  await pool.close();
}

async function signalsIn(url: string): Promise<string[]> {
  const pool = new PostgresPool({ url, connections: 1 });
  const rows = await pool.rows<{ body: string }>('SELECT body FROM alert_deliveries');
  await pool.close();
  return rows.flatMap(({ body }) => AlertEndpoint.signalsOf(body));
}

if (import.meta.main) {
  console.log(JSON.stringify(await takeOverTwice()));
  process.exit(0);
}
