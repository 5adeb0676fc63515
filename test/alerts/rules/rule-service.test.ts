// Alert rules over HTTP: what their owners can do, and what is refused.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { AccountRepository } from '../../../src/accounts/account-repository.ts';
import { ATTEMPT_LIMITS, Attempts } from '../../../src/accounts/credentials/attempts.ts';
import type { AccountRecord } from '../../../src/accounts/records.ts';
import { allowedTargets } from '../../../src/alerts/delivery/target.ts';
import { RuleRepository } from '../../../src/alerts/rules/rule-repository.ts';
import { DELIVERIES_BYTES_MAX, RuleService } from '../../../src/alerts/rules/rule-service.ts';
import { systemClock } from '../../../src/clock.ts';
import { FREE_ALERTS_FEW, FREE_ALERTS_MAX } from '../../../src/limits.ts';
import { SQLITE_SCHEMAS } from '../../../src/start/data/service-database.ts';
import { fillRandom } from '../../../src/start/threads/random.ts';
import { DATABASE_NAME, openDatabase } from '../../../src/storage/database.ts';
import { sqliteSql } from '../../../src/storage/sqlite-sql.ts';
import { AccountClient } from '../../support/account-client.ts';
import { type RunningService, runService } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { personOf } from '../person.ts';

const TO = { url: 'https://hooks.example.com/a', format: 'raw' } as const;
const VALUE = { name: 'Value', when: { kind: 'value', min_edge_pct: 3 }, to: TO } as const;

let service: RunningService;
let ada: AccountClient;
let bob: AccountClient;

beforeAll(async () => {
  service = await runService({
    TRUSTED_PROXIES: '127.0.0.1',
    ALERTS_ALLOW: '127.0.0.1',
    OPERATOR_EMAILS: 'ada@example.com',
    SIMULATOR_SEED: '3',
  });
  ada = await personOf(service, 'ada@example.com', 'realtime');
  bob = await personOf(service, 'bob@example.com', 'free');
}, 120_000);
afterAll(() => service[Symbol.asyncDispose]());

interface Shown {
  readonly alert: {
    readonly id: string;
    readonly sentence: string;
    readonly status: string;
    readonly note: string | null;
  };
  readonly secret?: string | null;
  readonly error?: { readonly code: string; readonly message: string; readonly fix: string };
}

async function asked(
  client: AccountClient,
  [method, path, status]: readonly [string, string, number],
  body?: unknown,
): Promise<Shown> {
  const answer = await client.send(method, `/platform/alerts${path}`, body);
  expect({ path, status: answer.status, text: status < 300 ? '' : answer.text }).toEqual({
    path,
    status,
    text: status < 300 ? '' : answer.text,
  });
  return answer.body as Shown;
}

async function made(client: AccountClient, rule: object = VALUE): Promise<Shown> {
  return asked(client, ['POST', '', 200], rule);
}

function databaseIn(folder: string): Database {
  return openDatabase({ path: join(folder, DATABASE_NAME), schemas: SQLITE_SCHEMAS, create: true });
}

/** A new account, and the service of its rules. */
async function ownerOf(database: Database, rules: RuleRepository, throttle = async (): Promise<void> => {}) {
  const account: AccountRecord = {
    ...{ id: 'acc_1', email: 'a@example.com', passwordHash: 'h', plan: 'standard' },
    ...{ verifiedAtMs: 1, createdAtMs: 1 },
  };
  await new AccountRepository(sqliteSql(database)).createAccount(account);
  const owner = new RuleService({
    ...{ rules, allowed: allowedTargets([]), clock: systemClock, fillRandom },
    ...{ serviceSecret: 'secret', isOperator: () => false },
    ...{ throttle, throttleNames: async () => {} },
  });
  return { owner, account };
}

describe('Alert rules', () => {
  test('a list of deliveries is at most 256 KB long; `before` lists the older ones', async () => {
    const { alert } = await made(ada);
    {
      using database = new Database(join(service.dataDir, DATABASE_NAME));
      // Deliveries as they may have been stored before 1.0.0.
      database.run(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200)
         INSERT INTO alert_deliveries (message_id, rule_id, life, body, merged, state, tries, due_at_ms,
           created_at_ms, answer)
         SELECT 'msg_' || n || id, id, 'x', ?1, 1, 'taken', 1, 0, created_at_ms, ?2
         FROM numbers JOIN alert_rules ON id = ?3`,
        [JSON.stringify({ text: '"'.repeat(8_000) }), '\x01'.repeat(4_096), alert.id],
      );
    }
    const listed: string[] = [];
    for (;;) {
      const before = listed.length === 0 ? '' : `?before=${listed.at(-1)}`;
      const answer = await ada.send('GET', `/platform/alerts/${alert.id}/deliveries${before}`);
      expect(answer.status).toBe(200);
      expect(answer.text.length).toBeLessThan(DELIVERIES_BYTES_MAX + 1_024);
      const { deliveries } = answer.body as { readonly deliveries: readonly { readonly id: string }[] };
      if (deliveries.length === 0) break;
      listed.push(...deliveries.map(({ id }) => id));
    }
    expect(listed).toEqual(Array.from({ length: 200 }, (_, index) => `msg_${200 - index}${alert.id}`));
    {
      using database = new Database(join(service.dataDir, DATABASE_NAME));
      database.run('DELETE FROM alert_deliveries WHERE message_id = ?', [listed[50]!]);
    }
    const path = `/${alert.id}/deliveries?before=`;
    const { error } = await asked(ada, ['GET', path + listed[50], 400]);
    expect(error).toMatchObject({ code: 'invalid_request', fix: expect.stringContaining('Start again') });
    await asked(ada, ['GET', path + listed[51], 200]);
    await ada.send('DELETE', `/platform/alerts/${alert.id}`);
  });

  test('a list of deliveries is complete, even if the last one of a read is deleted before the next read', async () => {
    using folder = temporaryFolder();
    using database = databaseIn(folder.path);
    /** Deletes the oldest delivery of each read. */
    class Shrinking extends RuleRepository {
      override async deliveries(...read: Parameters<RuleRepository['deliveries']>) {
        const rows = await super.deliveries(...read);
        database.run('DELETE FROM alert_deliveries WHERE id = ?', [rows.at(-1)?.id ?? null]);
        return rows;
      }
    }
    const rules = new Shrinking(sqliteSql(database));
    const { owner, account } = await ownerOf(database, rules);
    const { alert } = await owner.create(account, { ...VALUE, names: {} });
    const ids = Array.from({ length: 70 }, (_, index) => `msg_${index}`);
    for (const messageId of ids) {
      await rules.addTest({ messageId, ruleId: alert.id, life: messageId, body: '{}', atMs: 1 });
    }
    const listed = await owner.deliveries(account, alert.id, null);
    expect(listed.map(({ id }) => id)).toEqual(ids.reverse());
  });

  test('a test of a rule that is deleted meanwhile gets the same answer as a test of an unknown rule', async () => {
    using folder = temporaryFolder();
    using database = databaseIn(folder.path);
    const rules = new RuleRepository(sqliteSql(database));
    const throttle = async (): Promise<void> => {
      const [rule] = await rules.list('acc_1');
      if (rule !== undefined) await rules.delete('acc_1', rule.id);
    };
    const { owner, account } = await ownerOf(database, rules, throttle);
    const { alert } = await owner.create(account, { ...VALUE, names: {} });
    await expect(owner.test(account, alert.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(database.query(`SELECT 1 FROM alert_state WHERE name LIKE 'delivery:%'`).all()).toEqual([]);
  });

  test('a rule is created with a secret that is shown once, then listed, changed, paused and deleted', async () => {
    const { alert, secret } = await made(ada);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(alert).toMatchObject({ status: 'active', name: 'Value', note: null });
    expect(alert.sentence).toBe('Value of 3 % or more, to hooks.example.com');
    const read = await ada.send('GET', `/platform/alerts/${alert.id}`);
    expect(read.text).not.toContain('whsec_');
    expect((await ada.send('GET', '/platform/alerts')).text).toContain(alert.id);
    const paused = await asked(ada, ['PATCH', `/${alert.id}`, 200], { status: 'paused', name: 'Later' });
    expect(paused.alert).toMatchObject({ status: 'paused', name: 'Later' });
    const rotated = await asked(ada, ['POST', `/${alert.id}/rotate`, 200]);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret!);
    await asked(ada, ['DELETE', `/${alert.id}`, 200]);
    await asked(ada, ['GET', `/${alert.id}`, 404]);
  });

  test('a rule about a price is shown as a sentence', async () => {
    const { alert } = await made(ada, {
      name: 'Price',
      when: { kind: 'price', market: 'totals', outcome: 'over', line: 2.5, price: 2.1 },
      where: { sport: 'football', period: 'full_time', in_play: false },
      to: { url: 'https://discord.com/api/webhooks/1/token', format: 'discord' },
    });
    expect(alert.sentence).toBe(
      'A price of 2.1 or more for totals over 2.5 in football, full time, before kickoff, to Discord',
    );
    await asked(ada, ['DELETE', `/${alert.id}`, 200]);
  });

  test('rules about other kinds of signals are shown as sentences with the thresholds in effect', async () => {
    const sentences: readonly (readonly [when: object, sentence: string])[] = [
      [{ kind: 'middle', min_ev_pct: -1 }, 'A middle with an expected return of -1 % or more'],
      [{ kind: 'low_hold' }, 'A hold of 1 % or less'],
      [
        { kind: 'move', within_s: 90 },
        'A fair probability that moves by 5 percentage points or more within 90 s',
      ],
      [{ kind: 'move', of: 'price', pct: 4 }, 'A price that moves by 4 % or more within 30 min'],
      [{ kind: 'steam', owners: 4 }, 'Steam of 1.5 % or more by at least 4 owners within 30 min'],
    ];
    for (const [when, sentence] of sentences) {
      const { alert } = await made(ada, { ...VALUE, when });
      expect(alert.sentence).toBe(`${sentence}, to hooks.example.com`);
      await asked(ada, ['DELETE', `/${alert.id}`, 200]);
    }
  });

  test('names in a rule are looked up only for a session of a verified account', async () => {
    const stranger = new AccountClient(service, { email: 'eve@example.com', address: '203.0.113.8' });
    const where = { team: 'no such team anywhere' };
    const requests = [
      ['POST', '', { ...VALUE, where }],
      ['PATCH', '/alr_0123456789', { where }],
      ['POST', '/preview', { when: VALUE.when, where }],
    ] as const;
    for (const [method, path, body] of requests) await asked(stranger, [method, path, 401], body);
    await stranger.signUp();
    await stranger.logIn();
    for (const [method, path, body] of requests) await asked(stranger, [method, path, 403], body);
    await stranger.verify(stranger.codes().at(-1)!);
    for (const [method, path, body] of requests) await asked(stranger, [method, path, 400], body);
  });

  test('look-ups of names are counted, also those that find nothing', async () => {
    const person = await personOf(service, 'hal@example.com', 'free');
    const body = { when: VALUE.when, where: { league: 'no such league anywhere' } };
    const me = (await person.send('GET', '/platform/me')).body as { account: { id: string } };
    const database = new Database(join(service.dataDir, DATABASE_NAME));
    const attempts = new Attempts(sqliteSql(database));
    const limit = ATTEMPT_LIMITS.alertNamesPerAccount;
    const subject = `alert names ${me.account.id}`;
    for (let index = 1; index < limit.max; index++) {
      await attempts.take(subject, limit, systemClock.wallMs());
    }
    database.close();
    await asked(person, ['POST', '/preview', 400], body);
    await asked(person, ['POST', '/preview', 429], body);
  });

  test('a rule belongs to its account: another account gets 404', async () => {
    const { alert } = await made(ada);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate'],
      ['GET', '/deliveries'],
    ] as const) {
      const body = method === 'PATCH' ? { status: 'paused' } : undefined;
      await asked(bob, [method, `/${alert.id}${path}`, 404], body);
    }
    await asked(ada, ['DELETE', `/${alert.id}`, 200]);
  });

  const REFUSED: readonly (readonly [what: string, rule: object, fix: string])[] = [
    ['an unknown field', { ...VALUE, when: { kind: 'value', min_edge: 3 } }, 'min_edge_pct'],
    ['a field of another kind', { ...VALUE, when: { kind: 'value', price: 2 } }, 'Drop price'],
    ['a price without its outcome', { ...VALUE, when: { kind: 'price', price: 2 } }, 'market, outcome'],
    [
      'an outcome of another market',
      { ...VALUE, when: { kind: 'price', market: '1x2', outcome: 'over', price: 2 } },
      'home, draw, away',
    ],
    [
      'a middle of a 1x2',
      { ...VALUE, when: { kind: 'middle' }, where: { markets: '1x2' } },
      'Send asian_handicap or totals',
    ],
    [
      'a line of a 1x2',
      { ...VALUE, when: { kind: 'price', market: '1x2', outcome: 'home', price: 2, line: 1 } },
      'Drop line',
    ],
    ['filters of a source', { ...VALUE, when: { kind: 'source' }, where: { sport: 'football' } }, 'Drop'],
    ['owners of a move', { ...VALUE, when: { kind: 'move', owners: 3 } }, 'Drop owners'],
    [
      'steam in play, which does not exist',
      { ...VALUE, when: { kind: 'steam' }, where: { in_play: true } },
      'Drop in_play',
    ],
    ['an unknown league', { ...VALUE, where: { league: 'Zzyzx Cup' } }, 'GET /v1/leagues'],
    ['an unknown team', { ...VALUE, where: { team: 'Zzyzx' } }, 'GET /v1/teams'],
    ['a private address', { ...VALUE, to: { url: 'https://10.0.0.1/', format: 'raw' } }, 'ALERTS_ALLOW'],
    ['plain http', { ...VALUE, to: { url: 'http://8.8.8.8/', format: 'raw' } }, 'https'],
    [
      'a chat of Telegram that is missing',
      { ...VALUE, to: { url: 'https://api.telegram.org/bot1/sendMessage', format: 'telegram' } },
      'chat_id',
    ],
  ];
  for (const [what, rule, fix] of REFUSED) {
    test(`a rule with ${what} is refused, and the error says how to fix it`, async () => {
      const { error } = await asked(ada, ['POST', '', 400], rule);
      expect(error!.fix).toContain(fix);
    });
  }

  test('a rule about a bookmaker or a kind that the plan does not include is refused', async () => {
    const sharp = { ...VALUE, where: { bookmakers: 'pinnacle' } };
    expect((await asked(bob, ['POST', '', 403], sharp)).error!.message).toContain('pinnacle');
    const { error } = await asked(bob, ['POST', '', 403], { ...VALUE, when: { kind: 'source' } });
    expect(error!.fix).toContain('OPERATOR_EMAILS');
    const { alert } = await made(ada, { ...VALUE, when: { kind: 'source' } });
    await asked(ada, ['DELETE', `/${alert.id}`, 200]);
  });

  test('a new rule that can report nothing on its plan has a note that states this', async () => {
    const noteOf = async (person: AccountClient, when: object): Promise<string | null> => {
      const { alert } = await made(person, { ...VALUE, when });
      await asked(person, ['DELETE', `/${alert.id}`, 200]);
      return alert.note;
    };
    expect(await noteOf(bob, { kind: 'value' })).toContain('not part of the free tier');
    expect(await noteOf(bob, { kind: 'value', reference: 'consensus' })).toBeNull();
    expect(await noteOf(bob, { kind: 'arbitrage' })).toBeNull();
    expect(await noteOf(ada, { kind: 'value' })).toBeNull();
    const { alert } = await made(bob, { ...VALUE, when: { kind: 'arbitrage' } });
    const changed = await asked(bob, ['PATCH', `/${alert.id}`, 200], { when: { kind: 'value' } });
    expect(changed.alert!.note).toContain('not part of the free tier');
    await asked(bob, ['DELETE', `/${alert.id}`, 200]);
  });

  test('the rules of all free accounts together are bounded, and the last quarter is for accounts with few rules', async () => {
    const carol = await personOf(service, 'carol@example.com', 'free');
    const { alert } = await made(bob);
    using database = new Database(join(service.dataDir, DATABASE_NAME));
    const fillUpTo = (count: number) =>
      database.run(
        `WITH RECURSIVE numbers (n) AS (
           SELECT count(*) + 1 FROM alert_rules JOIN accounts ON accounts.id = account_id WHERE plan = 'free'
           UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
         INSERT INTO alert_rules (id, account_id, name, definition, url, format, status, secret_version, created_at_ms)
         SELECT 'filled_' || n, account_id, name, definition, url, format, 'paused', 1, created_at_ms
         FROM numbers JOIN alert_rules ON id = ?1`,
        [alert.id, count],
      );
    fillUpTo((FREE_ALERTS_MAX * 3) / 4);
    for (let index = 0; index < FREE_ALERTS_FEW; index++) await made(carol);
    const { error } = await asked(carol, ['POST', '', 503], VALUE);
    expect(error).toMatchObject({ code: 'upstream_unavailable', fix: expect.stringContaining('paid plan') });
    await asked(bob, ['POST', '', 503], VALUE);
    fillUpTo(FREE_ALERTS_MAX);
    const dora = await personOf(service, 'dora@example.com', 'free');
    await asked(dora, ['POST', '', 503], VALUE);
    const paid = await made(ada);
    database.run(`DELETE FROM alert_rules WHERE id LIKE 'filled_%'`);
    await made(dora);
    await asked(ada, ['DELETE', `/${paid.alert.id}`, 200]);
    await asked(bob, ['DELETE', `/${alert.id}`, 200]);
  });

  test('an account may have at most 50 rules', async () => {
    for (let index = 0; index < 50; index++) await made(bob);
    const { error } = await asked(bob, ['POST', '', 402], VALUE);
    expect(error!.fix).toContain('Delete a rule');
  });
});
