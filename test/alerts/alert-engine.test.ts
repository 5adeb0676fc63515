// The engine over a real database, with a clock, an evaluation and endpoints that the test controls.
// Whatever happens to nodes and endpoints, the outbox is sent, by one node at a time.

import { describe, expect, test } from 'bun:test';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { bodyOf } from '../../src/alerts/delivery/payload.ts';
import { FAILURES_MAX, HOLD_MAX_MS } from '../../src/alerts/outbox/endpoint-queue.ts';
import { TAKEOVER_AFTER_MS } from '../../src/alerts/outbox/lease.ts';
import { OUTBOX_PER_RULE_MAX, OutboxStore } from '../../src/alerts/outbox/outbox-store.ts';
import { DELIVERIES_PER_S } from '../../src/alerts/outbox/routes.ts';
import { ALERT_DELIVERIES_KEPT_DAYS, FREE_ALERT_DELIVERIES_KEPT } from '../../src/limits.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import type { GivenRows, SqlDatabase, SqlValue } from '../../src/storage/sql.ts';
import { until } from '../support/condition.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';
import { turnsDuring } from '../support/turns-during.ts';
import {
  CUSTOMER,
  Node,
  type Opened,
  type Owner,
  openSqlite,
  STEP_MS,
  stranger,
  World,
} from './engine-world.ts';

const WAITING_COLUMNS = {
  ...{ message_id: 'text', rule_id: 'text', life: 'text', body: 'text', merged: 'bigint' },
  ...{ state: 'text', tries: 'bigint', due_at_ms: 'bigint', created_at_ms: 'bigint' },
} as const satisfies GivenRows['columns'];

function defineEngineSuite(name: string, openSql: () => Promise<Opened>): void {
  const open = async () => new World(await openSql());
  /** A world with one rule, and a node that has watched it for a second. */
  const begin = async () => {
    const world = await open();
    await world.rule('one');
    const node = new Node(world, 'a');
    await node.run(1_000);
    return { world, node, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
  };

  describe(`AlertEngine over ${name}`, () => {
    test('each alert is sent once, in order, and stored as accepted', async () => {
      await using begun = await begin();
      const { world, node } = begun;
      await node.run(1_000, 'x', 'y', 'x');
      expect(world.arrived.flatMap(({ ids }) => ids)).toEqual(['x', 'y', 'x']);
      expect(await world.states('one')).toEqual(['taken', 'taken', 'taken']);
    });

    test('a dead endpoint delays no other endpoint, and gets each alert once when it is back', async () => {
      await using world = await open();
      await world.rule('dead');
      await world.rule('good');
      world.answers.set('https://dead.example/', 500);
      const node = new Node(world, 'a');
      await node.run(1_000);
      await node.run(1_000, 'x', 'y');
      await node.run(1_000, 'x');
      expect(world.arrived.map(({ url }) => url)).toEqual(Array(3).fill('https://good.example/'));
      world.answers.clear();
      await node.run(60_000);
      const late = world.arrived.filter(({ url }) => url === 'https://dead.example/');
      expect(late.flatMap(({ ids }) => ids).toSorted()).toEqual(['x', 'x', 'y']);
      expect(new Set(late.map(({ messageId }) => messageId)).size).toBe(late.length);
    });

    test('after a 410 the rule has ended, and its waiting alerts have failed', async () => {
      await using begun = await begin();
      const { world, node } = begun;
      world.answers.set('https://one.example/', 410);
      node.news.given.push('x', 'y', 'z');
      await until('nothing waits', async () => {
        await node.run(STEP_MS);
        return (await world.states('one')).join(' ') === 'failed failed failed';
      });
      expect(await world.rules.find('acc_1', 'one')).toMatchObject({ status: 'ended' });
    });

    test('after many failures in a row an endpoint’s rules are stopped; once they are active again, they send the waiting alerts', async () => {
      await using world = await open();
      await world.rule('one');
      world.answers.set('https://one.example/', 503);
      const node = new Node(world, 'a');
      await node.run(500);
      for (let index = 0; index < FAILURES_MAX; index++) {
        await node.run(200, `s${index}`);
      }
      await until('the rule is stopped', async () => {
        await node.run(STEP_MS);
        return world.stopped.length > 0;
      });
      expect(world.stopped).toEqual(['one']);
      expect(await world.rules.find('acc_1', 'one')).toMatchObject({ status: 'failing' });
      const waiting = (await world.states('one')).filter((state) => state === 'waiting').length;
      expect(waiting).toBeGreaterThan(0);
      world.answers.clear();
      await node.run(20_000);
      expect(world.arrived).toEqual([]);
      await world.rules.change('acc_1', 'one', (rule) => ({ ...rule, status: 'active', note: null }));
      await node.run(60_000);
      expect(world.arrived.length).toBe(waiting);
    });

    test('a node that dies loses nothing: another takes over, once the lease has run out', async () => {
      await using world = await open();
      await world.rule('one');
      world.answers.set('https://one.example/', 500);
      const [first, second] = [new Node(world, 'a'), new Node(world, 'b')];
      await first.run(1_000);
      await first.run(500, 'x', 'y');
      await second.engine.step();
      expect([first.lease.isHeld, second.lease.isHeld]).toEqual([true, false]);
      // From here on the first node does nothing.
      world.answers.clear();
      await second.run(TAKEOVER_AFTER_MS - 1_000);
      expect([second.lease.isHeld, world.arrived.length]).toEqual([false, 0]);
      await second.run(10_000);
      expect(world.arrived.flatMap(({ ids }) => ids).toSorted()).toEqual(['x', 'y']);
      // The first node comes back: it has lost the lease, and sends nothing.
      await first.run(1_000, 'z');
      expect(first.lease.isHeld).toBe(false);
      expect(world.arrived).toHaveLength(2);
    });

    for (const [way, byMs] of [
      ['back', -30 * 86_400_000],
      ['forward', 30 * 86_400_000],
    ] as const) {
      test(`a clock that is set ${way} by a month delays no alert of a running node, and loses none`, async () => {
        await using begun = await begin();
        const { world, node } = begun;
        // An endpoint gets at most ten attempts a second. These ten are sent in one second, and the last one
        // fails.
        await node.run(400, ...Array.from({ length: 9 }, (_, index) => `a${index}`));
        world.answers.set('https://one.example/', 500);
        await node.run(200, 'late');
        world.setByMs = byMs;
        world.answers.clear();
        await node.run(12_000, 'next');
        const ids = world.arrived.flatMap((one) => one.ids);
        expect(ids.toSorted()).toEqual(
          [...ids.filter((id) => id.startsWith('a')), 'late', 'next'].toSorted(),
        );
        expect(ids).toHaveLength(11);
        // The next node sends the alert that it finds in the outbox.
        world.answers.set('https://one.example/', 500);
        await node.run(500, 'last');
        world.setByMs = 0;
        world.answers.clear();
        await node.engine.close();
        const second = new Node(world, 'b');
        await second.run(1_000);
        // The second node cannot know which clock was right, so it may wait, but at most an hour.
        world.nowMs += HOLD_MAX_MS;
        await second.run(20_000);
        expect(world.arrived.at(-1)!.ids).toEqual(['last']);
      });
    }

    test('an account that is deleted while alerts wait and are being sent gets nothing more', async () => {
      await using begun = await begin();
      const { world, node } = begun;
      const held = world.hold('https://one.example/');
      world.answers.set('https://one.example/', 500);
      await node.run(200, 'x', 'y', 'x');
      await new AccountRepository(world.sql).deleteAccount('acc_1');
      await node.run(500);
      held.resolve();
      await node.run(100);
      world.answers.clear();
      await node.run(60_000);
      expect(world.arrived).toEqual([]);
      expect(await world.states('one')).toEqual([]);
      expect([node.engine.ruleCount, node.engine.isIdle]).toEqual([0, true]);
    });

    test('if a rule gets a new URL during an attempt that fails, the attempt is repeated at that URL', async () => {
      await using begun = await begin();
      const { world, node } = begun;
      const held = world.hold('https://one.example/');
      world.answers.set('https://one.example/', 500);
      await node.run(200, 'x');
      const to = { url: 'https://two.example/', format: 'raw' } as const;
      await world.rules.change('acc_1', 'one', (rule) => ({ ...rule, to }));
      await node.run(500);
      held.resolve();
      await node.run(100);
      await node.run(60_000, 'x');
      expect(world.arrived.map(({ url, ids }) => [url, ...ids])).toEqual([
        ['https://two.example/', 'x'],
        ['https://two.example/', 'x'],
      ]);
      expect(new Set(world.arrived.map(({ messageId }) => messageId)).size).toBe(2);
    });

    test("if an account's alerts fail at an endpoint, another account's continue there; both share the endpoint's pace", async () => {
      await using world = await open();
      const url = 'https://shared.example/';
      await world.rule('own', url);
      await world.rule('other', url, 50, stranger(1));
      world.refused.add('other');
      const node = new Node(world, 'a');
      await node.run(500);
      for (let index = 0; index < FAILURES_MAX; index++) {
        await node.run(200, `s${index}`);
      }
      await until('the other rule is stopped', async () => {
        await node.run(STEP_MS);
        return world.stopped.length > 0;
      });
      expect(world.stopped).toEqual(['other']);
      expect(await world.rules.find('acc_1', 'own')).toMatchObject({ status: 'active' });
      expect(world.arrived.flatMap(({ ids }) => ids)).toEqual(
        Array.from({ length: FAILURES_MAX }, (_, index) => `s${index}`),
      );
      expect(world.attemptsPerSecond).toBeLessThanOrEqual(DELIVERIES_PER_S);
    });

    test('while a node reads many rules, its thread does other work', async () => {
      await using world = await open();
      for (let index = 0; index < 300; index++) await world.rule(`r${index}`, undefined, 300);
      const node = new Node(world, 'a');
      const turns: number[] = [];
      while (node.engine.ruleCount === 0) {
        turns.push(await turnsDuring(() => node.engine.step()));
        world.nowMs += STEP_MS;
      }
      expect(turns.at(-1)).toBeGreaterThanOrEqual(3);
    });

    test('the newest finished deliveries of each rule and of each account are kept, fewer of them on the free plan', async () => {
      await using world = await open();
      const store = new OutboxStore(world.sql);
      const counts = async (owner: Owner): Promise<number[]> => {
        const one = { body: '{}', life: 'x', atMs: world.nowMs };
        const ids: string[] = [];
        for (let index = 0; index < 12; index++) {
          const { id } = await world.rule(`${owner.accountId}-${index}`, undefined, 50, owner);
          ids.push(id);
          const rows = Array.from({ length: 210 }, () => ({ ...one, messageId: world.nextId(), ruleId: id }));
          await store.add(rows);
          const result = { tries: 1, dueAtMs: 0, sentAtMs: 0, status: 200, error: null, answer: '' };
          await store.settle(
            rows.slice(1).map(({ messageId }) => ({ messageId, state: 'taken' as const, ...result })),
          );
        }
        await store.prune({ accountId: owner.accountId, isPaid: owner.plan !== 'free' });
        const left = await Promise.all(
          ids.map((id) => world.rules.deliveries(id, { before: null, max: 300 })),
        );
        return left.map((rows) => rows.length);
      };
      // Each rule also keeps its waiting delivery. The last eight rules keep one delivery more, because
      // theirs are the newest.
      const shares = (each: number) => [...new Array(4).fill(each + 1), ...new Array(8).fill(each + 2)];
      expect(await counts(stranger(1))).toEqual(shares(16));
      expect(await counts(CUSTOMER)).toEqual(shares(166));
    });

    test('a rule of a free account keeps few of its deliveries, and none for longer than a week', async () => {
      await using world = await open();
      await world.rule('one', undefined, 50, stranger(1));
      const node = new Node(world, 'a');
      await node.run(1_000);
      for (let index = 0; index < 75; index++) await node.run(200, `s${index}`);
      await node.run(1_000);
      expect(world.arrived).toHaveLength(75);
      expect((await world.states('one')).length).toBeLessThanOrEqual(FREE_ALERT_DELIVERIES_KEPT + 49);
      world.nowMs += (ALERT_DELIVERIES_KEPT_DAYS + 1) * 86_400_000;
      await node.run(1_000);
      expect(await world.states('one')).toEqual([]);
    });

    test('deliveries of a stopped rule fail once they have waited for a day, and few of them are kept', async () => {
      await using world = await open();
      await world.rule('one', undefined, 50, stranger(1));
      await world.rules.change('acc_free_1', 'one', (rule) => ({ ...rule, status: 'failing' }));
      const one = { body: '{}', life: 'x', atMs: world.nowMs, ruleId: 'one' };
      await new OutboxStore(world.sql).add(
        Array.from({ length: 100 }, () => ({ ...one, messageId: world.nextId() })),
      );
      const node = new Node(world, 'a');
      await node.run(1_000);
      expect(await world.states('one')).toEqual(new Array(100).fill('waiting'));
      world.nowMs += 86_400_000;
      await node.run(1_000);
      expect(await world.states('one')).toEqual(new Array(FREE_ALERT_DELIVERIES_KEPT).fill('failed'));
    });

    test("reading the outbox leaves out alerts that wait for a stopped rule, but not the rule's test deliveries", async () => {
      await using world = await open();
      await world.rule('stopped', undefined, 50, stranger(1));
      await world.rule('good');
      await world.rules.change('acc_free_1', 'stopped', (rule) => ({ ...rule, status: 'failing' }));
      const store = new OutboxStore(world.sql);
      const one = { body: '{}', atMs: world.nowMs };
      await store.add([
        { ...one, messageId: 'a', ruleId: 'stopped', life: 'x' },
        { ...one, messageId: 'b', ruleId: 'stopped', life: 'test:b' },
        { ...one, messageId: 'c', ruleId: 'good', life: 'x' },
      ]);
      const rows = await store.waiting();
      expect(rows.map(({ message_id }) => message_id)).toEqual(['b', 'c']);
    });

    test('after a rule has changed, the node reads that rule and its deliveries, and no others', async () => {
      const read: string[] = [];
      const { sql, [Symbol.asyncDispose]: close } = await openSql();
      const counting: SqlDatabase = Object.assign(Object.create(sql) as SqlDatabase, {
        rows: async <Row>(statement: string, parameters?: readonly SqlValue[]): Promise<Row[]> => {
          const rows = await sql.rows<Row & { readonly rule_id?: string; readonly holder?: string }>(
            ...([statement, parameters] as const),
          );
          read.push(...rows.map((row) => row.rule_id ?? row.holder ?? ''));
          return rows;
        },
        ...{
          run: sql.run.bind(sql),
          runGiven: sql.runGiven.bind(sql),
          transaction: sql.transaction.bind(sql),
        },
      });
      await using world = new World({ sql: counting, [Symbol.asyncDispose]: close });
      for (let index = 0; index < 40; index++) {
        world.answers.set((await world.rule(`r${index}`)).to.url, 500);
      }
      const node = new Node(world, 'a');
      await node.run(1_000);
      await node.run(500, 'x', 'y');
      read.length = 0;
      await world.rules.change(CUSTOMER.accountId, 'r7', (rule) => ({
        ...{ ...rule, name: 'new name' },
        to: { url: 'https://new.example/', format: 'raw' },
      }));
      await node.run(500);
      expect([...new Set(read)].sort()).toEqual(['', 'r7']);
      expect(read.length).toBeLessThan(20);
      await node.run(40_000);
      expect(world.arrived.map(({ url, ids }) => [url, ...ids])).toEqual([
        ['https://new.example/', 'x'],
        ['https://new.example/', 'y'],
      ]);
    });

    test('a test delivery of a stopped rule is retried, however often rules are read meanwhile', async () => {
      await using world = await open();
      const { id, to } = await world.rule('stopped');
      await world.rules.change(CUSTOMER.accountId, id, (rule) => ({ ...rule, status: 'failing' }));
      const node = new Node(world, 'a');
      await node.run(500);
      world.answers.set(to.url, 500);
      const body = bodyOf((await world.rules.find(CUSTOMER.accountId, id))!, [], world.nowMs);
      await world.rules.addTest({
        ...{ messageId: 'm', ruleId: id, life: 'test:m', body, atMs: world.nowMs },
      });
      await node.run(10_000);
      world.answers.delete(to.url);
      await node.run(60_000);
      expect(world.arrived.map(({ messageId }) => messageId)).toEqual(['m']);
    });

    test('a full outbox drops new alerts, and reports the rule of each', async () => {
      await using world = await open();
      await world.rule('one');
      world.answers.set('https://one.example/', 500);
      const node = new Node(world, 'a');
      await node.run(1_000);
      await node.run(100, ...Array.from({ length: OUTBOX_PER_RULE_MAX + 5 }, (_, index) => `s${index}`));
      await node.run(100, 'more');
      expect(world.full).toEqual(Array(6).fill('one'));
      const waiting = await world.sql.rows(`SELECT 1 FROM alert_deliveries WHERE state = 'waiting'`);
      expect(waiting.length).toBe(OUTBOX_PER_RULE_MAX);
    });

    test('an owner cannot resend a delivery while 500 deliveries of the account wait', async () => {
      await using begun = await begin();
      const { world, node } = begun;
      await node.run(1_000, 'x');
      const rule = (await world.rules.find(CUSTOMER.accountId, 'one'))!;
      const { message_id } = (await world.rules.deliveries('one', { before: null, max: 1 }))[0]!;
      const wait = (count: number) =>
        world.sql.insertAll(
          'alert_deliveries',
          {
            columns: WAITING_COLUMNS,
            rows: Array.from({ length: count }, () => [
              world.nextId(),
              'one',
              'life',
              '{}',
              1,
              'waiting',
              0,
              0,
              0,
            ]),
          },
          '(message_id) DO NOTHING',
        );
      await wait(499);
      expect(await world.rules.resend(rule, message_id, world.nowMs)).toBe('queued');
      expect(await world.rules.resend(rule, message_id, world.nowMs)).toBe('full');
    });

    test('after a step that failed unexpectedly, an engine that begins again finds and sends alerts as before', async () => {
      await using begun = await begin();
      const { world, node } = begun;
      await node.run(500, 'x');
      world.answers.set('https://one.example/', 500);
      await node.run(500, 'y');
      node.news.failure = new Error('a bug');
      await expect(node.engine.step()).rejects.toThrow('a bug');
      node.engine.beginAgain();
      world.answers.clear();
      await node.run(1_000);
      await node.run(10_000, 'z');
      expect(world.arrived.flatMap(({ ids }) => ids)).toEqual(['x', 'z', 'y']);
      expect(await world.states('one')).toEqual(['taken', 'taken', 'taken']);
    });

    test('when a node stops in an orderly way, another node takes over at its next step', async () => {
      await using world = await open();
      await world.rule('one');
      const [first, second] = [new Node(world, 'a'), new Node(world, 'b')];
      await first.run(1_000);
      await first.engine.close();
      await second.run(STEP_MS);
      expect(second.lease.isHeld).toBe(true);
    });
  });
}

defineEngineSuite('SQLite', openSqlite);

describePostgres((postgres) => {
  defineEngineSuite('Postgres', async () => {
    await emptyTables(postgres.pool);
    return { sql: postgresSql(postgres.pool), [Symbol.asyncDispose]: async () => {} };
  });
});
