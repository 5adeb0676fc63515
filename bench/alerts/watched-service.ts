// A service in this process whose rules the bench writes into its database, with one account that owns them.

import { join } from 'node:path';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import type { AlertRule } from '../../src/alerts/rules/alert-rule.ts';
import { RuleRepository } from '../../src/alerts/rules/rule-repository.ts';
import { encodeId, entityNumber } from '../../src/domain/ids.ts';
import { SQLITE_SCHEMAS } from '../../src/start/data/service-database.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { until } from '../../test/support/condition.ts';
import { pageFeed } from '../../test/support/page-slate.ts';
import { runService } from '../../test/support/running-service.ts';
import type { ScriptedFeed } from '../../test/support/scripted-feed.ts';

const ACCOUNT = 'acc_1';

export type GivenRule = Pick<AlertRule, 'when' | 'where'> & { readonly url: string };

export interface WatchedService {
  readonly feed: ScriptedFeed;
  /** Stores the rules, and waits until the alert engine has loaded them. */
  watch(rules: readonly GivenRule[]): Promise<void>;
  /** Deletes all rules, and waits until the alert engine has none. */
  forget(): Promise<void>;
  /** The value of a metric. The name includes its labels. */
  metric(name: string): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** @param fixtures how many fixtures are on the slate; `eventId` gives the id of each */
export async function watchedService(fixtures: number): Promise<WatchedService> {
  const feed = pageFeed(fixtures);
  const service = await runService({ FEED: feed.url, ALERTS_ALLOW: '127.0.0.1' });
  const path = join(service.dataDir, DATABASE_NAME);
  const database = openDatabase({ path, schemas: SQLITE_SCHEMAS, create: false, busyTimeoutMs: 30_000 });
  const sql = sqliteSql(database);
  await new AccountRepository(sql).createAccount({
    ...{ id: ACCOUNT, email: 'a@example.com', passwordHash: '', plan: 'enterprise' },
    ...{ verifiedAtMs: 1, createdAtMs: 1 },
  });
  const repository = new RuleRepository(sql);
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1));
  };
  const areWatched = (count: number) =>
    until(`${count} rules are watched`, async () => (await metric('overround_alert_rules')) === count);
  return {
    feed,
    metric,
    watch: async (rules) => {
      for (const [index, rule] of rules.entries()) {
        await repository.create(ruleOf(rule, index), rules.length);
        await Bun.sleep(1); // lets the service write to the same file in between
      }
      await areWatched(rules.length);
    },
    forget: async () => {
      for (const { id } of await repository.list(ACCOUNT)) {
        await repository.delete(ACCOUNT, id);
        await Bun.sleep(1);
      }
      await areWatched(0);
    },
    [Symbol.asyncDispose]: async () => {
      database.close();
      await service[Symbol.asyncDispose]();
      feed.stop();
    },
  };
}

/** The id of the fixture with this number, counted from 0. */
export function eventId(fixture: number): string {
  return encodeId('event', entityNumber('event', 0, `e${fixture}`));
}

function ruleOf({ when, where, url }: GivenRule, index: number): AlertRule {
  return {
    ...{ id: `alr_${String(index).padStart(20, '0')}`, accountId: ACCOUNT, name: `n${index}`, names: {} },
    ...{ when, where, to: { url, format: 'raw' }, status: 'active', note: null },
    ...{ secretVersion: 1, rotatedAtMs: null, createdAtMs: index },
  };
}
