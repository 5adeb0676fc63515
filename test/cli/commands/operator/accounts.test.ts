// The operator sets the plan of an account, while a service has the same storage open.

import { expect, test } from 'bun:test';
import { AccountRepository } from '../../../../src/accounts/account-repository.ts';
import { postgresSql } from '../../../../src/storage/postgres-sql.ts';
import { AccountsBench, PASSWORD, START_MS } from '../../../accounts/support.ts';
import { runCommand } from '../../../support/command-line.ts';
import { describePostgres, emptyTables } from '../../../support/postgres-tables.ts';

const ADA = 'ada@example.com';

const CLOCK = { wallMs: () => START_MS, monotonicMs: () => 0 };
const plan = (environment: Record<string, string>, ...words: string[]) =>
  runCommand(['accounts', 'plan', ...words], environment, CLOCK);

test('accounts plan sets the plan of one account, and refuses words that name no account or no plan', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  const DATA_DIR = bench.folder.path;
  await bench.signIn(service, ADA);
  const planNow = async () => (await bench.accounts.findAccountByEmail(ADA))?.plan;
  expect(await plan({ DATA_DIR }, ' Ada@Example.com', 'standard')).toMatchObject({
    code: 0,
    lines: [`Set the plan of ${ADA} from free to standard in ${DATA_DIR}`],
  });
  expect(await planNow()).toBe('standard');
  for (const [words, code] of [
    [[], 2],
    [[ADA], 2],
    [[ADA, 'gold'], 1],
    [['bo@example.com', 'free'], 1],
    [['no address', 'free'], 1],
  ] as const) {
    expect([words, (await plan({ DATA_DIR }, ...words)).code]).toEqual([words, code]);
  }
  expect(await planNow()).toBe('standard');
  const { account } = await service.login({ email: ADA, password: PASSWORD }, '192.0.2.1');
  expect(account.plan).toBe('standard');
});

describePostgres((postgres) => {
  test('accounts plan works over Postgres', async () => {
    await emptyTables(postgres.pool);
    const accounts = new AccountRepository(postgresSql(postgres.pool));
    await accounts.createAccount({
      ...{ id: 'acc_1', email: ADA, passwordHash: 'h', plan: 'free' },
      ...{ verifiedAtMs: START_MS, createdAtMs: START_MS },
    });
    const { code } = await plan({ DATABASE_URL: postgres.server.url() }, ADA, 'realtime');
    expect([code, (await accounts.findAccountByEmail(ADA))?.plan]).toEqual([0, 'realtime']);
  });
});
