import { expect, test } from 'bun:test';
import { CountStore } from '../../src/access/counts/count-store.ts';
import { type Gate, SharedGate } from '../../src/access/gate.ts';
import { sessionCredential } from '../../src/access/key-cache.ts';
import { KEYS_TRUSTED_MS } from '../../src/access/limits.ts';
import { createAccessMemory } from '../../src/access/quotas/memory.ts';
import { createTicketMemory, Tickets } from '../../src/access/tickets.ts';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { hashText, mintKey } from '../../src/accounts/credentials/secrets.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { createOperatorKey } from '../../src/accounts/keys/key-service.ts';
import { ServiceError } from '../../src/errors.ts';
import { type RemoteKeys, watchRemoteKeys } from '../../src/start/data/remote-keys.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { PostgresPool } from '../../src/storage/postgres.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import { until } from '../support/condition.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';
import { admit, admitTicket } from './admit.ts';
import { defineCountStoreSuite } from './count-store-suite.ts';
import { ManualClock, START_MS } from './support.ts';

const ADDRESS = '192.0.2.1';

describePostgres((postgres) => {
  defineCountStoreSuite('Postgres', async () => {
    await emptyTables(postgres.pool);
    const errors: unknown[] = [];
    return {
      keys: new KeyRepository(postgresSql(postgres.pool)),
      open: (today) =>
        CountStore.open({ sql: postgresSql(postgres.pool), onError: (error) => errors.push(error) }, today),
      requestsOf: async (keyNumber) => {
        const rows = await postgres.pool.rows<{ requests: number }>(
          'SELECT requests FROM key_usage_days WHERE key_number = $1 ORDER BY day',
          [keyNumber],
        );
        return rows.map(({ requests }) => requests);
      },
      settle: async (store) => {
        await store.flush();
        expect(errors).toEqual([]);
      },
      [Symbol.asyncDispose]: async () => {},
    };
  });

  test('counts that could not be written are written once Postgres is back, each only once', async () => {
    await emptyTables(postgres.pool);
    const errors: unknown[] = [];
    const store = await CountStore.open(
      { sql: postgresSql(postgres.pool), onError: (error) => errors.push(error) },
      1,
    );
    const { record } = await createOperatorKey(optionsOf(postgres.pool), { tier: 'free', label: '' });
    await postgres.server.kill();
    for (const requests of [1, 2, 3]) {
      store.write({
        counts: [{ scope: 1, high: 1, low: 5, day: 1, requests }],
        uses: [{ number: record.number, atMs: requests }],
        keptDays: null,
      });
      store.addUsage([{ number: record.number, requests }], 1, 0);
      await store.flush();
    }
    expect(errors.length).toBeGreaterThan(0);
    await postgres.server.resume();
    await until('all is written', async () => {
      await store.flush();
      const rows = await postgres.pool
        .rows<{ requests: number }>('SELECT requests FROM daily_counts')
        .catch(() => []);
      return rows.length > 0;
    });
    expect(await postgres.pool.rows('SELECT requests FROM daily_counts')).toEqual([{ requests: 3 }]);
    expect(await postgres.pool.rows('SELECT requests FROM key_usage_days')).toEqual([{ requests: 6 }]);
    expect(await postgres.pool.rows('SELECT last_used_at_ms AS at FROM api_keys')).toEqual([{ at: 3 }]);
  });

  /** A node: its memory, the check for changed keys, and the gates of two HTTP threads. */
  class Node implements AsyncDisposable {
    readonly clock = new ManualClock();
    readonly memory = createAccessMemory({
      seed: 1,
      startedAtMs: START_MS,
      capacity: { keys: 64, addresses: 256 },
    });
    readonly pool = new PostgresPool({ url: postgres.server.url(), connections: 2 });
    readonly errors: unknown[] = [];
    readonly keys: RemoteKeys;
    readonly gates: readonly Gate[];

    constructor() {
      this.keys = watchRemoteKeys({
        pool: this.pool,
        accessMemory: this.memory,
        clock: this.clock,
        onError: (error) => this.errors.push(error),
      });
      const tickets = createTicketMemory();
      this.gates = [0, 1].map(
        (thread) =>
          new SharedGate({
            memory: this.memory,
            directory: this.keys,
            clock: this.clock,
            tickets: new Tickets(tickets, { thread, fillRandom }),
          }),
      );
    }

    /** The status that a request with this key gets. */
    async status(text: string, thread = 0): Promise<number> {
      const gate = this.gates[thread]!;
      try {
        await gate.lookUp(`Bearer ${text}`);
        return admit(gate, `Bearer ${text}`, ADDRESS, 0).refusal?.status ?? 200;
      } catch (error) {
        if (error instanceof ServiceError) return error.status;
        throw error;
      }
    }

    async [Symbol.asyncDispose](): Promise<void> {
      this.keys.close();
      await this.pool.close();
    }
  }

  test('a key made on one node works immediately on another, and stops working there at the next check after it is revoked', async () => {
    await emptyTables(postgres.pool);
    await using node = new Node();
    await using other = new Node();
    const options = optionsOf(node.pool);
    const { text, record } = await createOperatorKey(options, { tier: 'standard', label: '' });
    const { text: kept } = await createOperatorKey(options, { tier: 'standard', label: '' });
    for (const thread of [0, 1]) {
      expect(await other.status(text, thread)).toBe(200);
      expect(await other.status(kept, thread)).toBe(200);
    }
    const principal = other.gates[0]!.identify(`Bearer ${text}`).principal;
    expect(other.gates[0]!.isLive(principal)).toBe(true);
    await node.keys.check();
    await options.keys.revokeKey(record.keyId);
    await until('the key is dead', async () => (await other.status(text)) === 401);
    expect(await other.status(text, 1)).toBe(401);
    expect(await other.status(kept)).toBe(200);
    await until('its streams end', () => !other.gates[0]!.isLive(principal));
    expect(await other.status(`${text.slice(0, -1)}x`)).toBe(401);
  });

  test('a stream of a revoked key ends although other keys change all the time', async () => {
    await emptyTables(postgres.pool);
    await using node = new Node();
    const options = optionsOf(node.pool);
    const { text, record } = await createOperatorKey(options, { tier: 'standard', label: '' });
    const { record: other } = await createOperatorKey(options, { tier: 'standard', label: '' });
    const [gate] = node.gates;
    expect(await node.status(text)).toBe(200);
    const { principal } = gate!.identify(`Bearer ${text}`);
    await options.keys.revokeKey(record.keyId);
    await node.keys.check();
    gate!.isLive(principal);
    expect(await node.status(text)).toBe(401);
    await options.keys.revokeKey(other.keyId);
    await node.keys.check();
    expect(gate!.isLive(principal)).toBe(false);
  });

  test('a request that comes before the first check for changed keys waits for it', async () => {
    await emptyTables(postgres.pool);
    const { text } = await createOperatorKey(optionsOf(postgres.pool), { tier: 'standard', label: '' });
    const checked = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const locking = postgres.pool.transaction(async (sql) => {
      // The check deletes old rows of this table, so it waits for the lock. Reading a key does not use the
      // table.
      await sql.run('LOCK TABLE key_changes IN ACCESS EXCLUSIVE MODE');
      isLocked.resolve();
      await checked.promise;
    });
    await isLocked.promise;
    await using node = new Node();
    const asked = node.status(text);
    await postgres.pool.rows('SELECT pg_sleep(0.1)');
    checked.resolve();
    await locking;
    expect(await asked).toBe(200);
  });

  test('while Postgres is unreachable, known keys work for 15 minutes, and no live key is refused as unknown', async () => {
    await emptyTables(postgres.pool);
    await using node = new Node();
    const options = optionsOf(postgres.pool);
    const { text } = await createOperatorKey(options, { tier: 'standard', label: '' });
    const { text: unseen } = await createOperatorKey(options, { tier: 'standard', label: '' });
    await node.keys.check();
    expect(await node.status(text)).toBe(200);
    // The gate does not hold this key, because no request has read it yet. Admission fails in the same way if
    // keys change after a key was read and before it is admitted.
    expect(() => admit(node.gates[0]!, `Bearer ${unseen}`, ADDRESS, 1)).toThrow(/keys have just changed/);
    await postgres.server.kill();
    try {
      expect(await node.status(text)).toBe(200);
      // A thread that does not know the key asks the thread that does.
      expect(await node.status(text, 1)).toBe(200);
      expect(await node.status(unseen)).toBe(503);
      const principal = node.gates[0]!.identify(`Bearer ${text}`).principal;
      node.clock.advance(KEYS_TRUSTED_MS - 1_000);
      expect(await node.status(text)).toBe(200);
      node.clock.advance(2_000);
      expect(await node.status(text)).toBe(503);
      expect(node.gates[0]!.isLive(principal)).toBe(false);
    } finally {
      await postgres.server.resume();
    }
    await until('keys work again', async () => (await node.status(text)) === 200);
    expect(await node.status(unseen)).toBe(200);
  });

  test('a session of an unverified account is not accepted as a key; after the verification, every thread of every node accepts it', async () => {
    await emptyTables(postgres.pool);
    await using node = new Node();
    await using other = new Node();
    const accounts = new AccountRepository(postgresSql(postgres.pool));
    const account = { id: 'acc_1', email: 'a@example.com', passwordHash: 'h', plan: 'free' } as const;
    await accounts.createAccount({ ...account, verifiedAtMs: null, createdAtMs: 1 });
    const token = `ses_${'a'.repeat(43)}`;
    const expiresAtMs = START_MS + 3_600_000;
    await accounts.sessions.createSession({
      ...{ tokenHash: hashText(token), accountId: 'acc_1', createdAtMs: 1, expiresAtMs },
    });
    const credential = sessionCredential(token);
    const keyIdsOf = async ({ gates }: Node) => {
      await Promise.all(gates.map((gate) => gate.lookUp(credential)));
      return gates.map((gate) => gate.identify(credential).principal.keyId);
    };
    for (const one of [node, other]) expect(await keyIdsOf(one)).toEqual([null, null]);
    const code = { client: 'home', codeHash: 'c' };
    await accounts.codes.addCodes('acc_1', [{ ...code, scope: 'home', passwordHash: 'h', expiresAtMs }]);
    expect(await accounts.codes.verifyAccount('acc_1', { ...code, isLong: false }, START_MS)).toBe(true);
    await node.keys.check();
    expect(await keyIdsOf(node)).toEqual(['acc_1', 'acc_1']);
    await until('the other node has noticed', async () =>
      (await keyIdsOf(other)).every((id) => id === 'acc_1'),
    );
  });

  test('sessions and tickets are looked up like keys, and a changed plan takes effect', async () => {
    await emptyTables(postgres.pool);
    await using node = new Node();
    const accounts = new AccountRepository(postgresSql(postgres.pool));
    await accounts.createAccount({
      ...{ id: 'acc_1', email: 'a@example.com', passwordHash: 'h', plan: 'free' },
      ...{ verifiedAtMs: 1, createdAtMs: 1 },
    });
    const token = `ses_${'a'.repeat(43)}`;
    const expiresAtMs = START_MS + 3_600_000;
    await accounts.sessions.createSession({
      ...{ tokenHash: hashText(token), accountId: 'acc_1', createdAtMs: 1, expiresAtMs },
    });
    await node.keys.check();
    const key = await node.keys.fetchLive(hashText(token));
    expect(key).toMatchObject({ keyId: 'acc_1', ownerId: 'acc_1', tier: 'free', expiresAtMs, number: -1 });
    for (const accountId of ['acc_1', null]) {
      const { text: _text, ...secret } = mintKey(fillRandom);
      await new KeyRepository(postgresSql(postgres.pool)).createKey({
        ...{ ...secret, keyId: `key of ${accountId}`, accountId, label: '', tier: 'free' },
        ...{ createdAtMs: 1, expiresAtMs: null, allowedAddresses: [] },
      });
      const ownerId = accountId ?? 'key of null';
      expect(await node.keys.fetchLive(secret.hash)).toMatchObject({ tier: 'free', ownerId });
    }
    await accounts.setPlan('acc_1', 'realtime');
    await node.keys.check();
    expect(await node.keys.fetchLive(hashText(token))).toMatchObject({ tier: 'realtime' });

    const { text } = await createOperatorKey(optionsOf(postgres.pool), { tier: 'standard', label: '' });
    expect(await node.status(text)).toBe(200);
    const [issuer, other] = node.gates;
    const { ticket } = issuer!.issueTicket(issuer!.identify(`Bearer ${text}`).principal);
    await other!.lookUpTicket(ticket);
    expect(admitTicket(other!, ticket, ADDRESS)).toMatchObject({ refusal: null });
    expect(other!.lookUpTicket(ticket)).toBeNull();
    expect(admitTicket(other!, ticket, ADDRESS).refusal?.status).toBe(401);
  });
});

function optionsOf(pool: PostgresPool) {
  return { keys: new KeyRepository(postgresSql(pool)), clock: new ManualClock(), fillRandom };
}
