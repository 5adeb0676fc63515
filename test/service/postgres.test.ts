// Two servers on one Postgres over HTTP: sign-up, key and poll; a key that is revoked on both; and Postgres
// that is killed and frozen meanwhile.

import { expect, test } from 'bun:test';
import { AccountClient } from '../support/account-client.ts';
import { type Answered, call } from '../support/call.ts';
import { until } from '../support/condition.ts';
import { POSTGRES_MISSING, PostgresServer } from '../support/postgres-server.ts';
import { runService } from '../support/running-service.ts';

const POLL = '/v1/sports';

test.skipIf(POSTGRES_MISSING !== null)(
  `two servers on one Postgres serve and recover while it dies and freezes${POSTGRES_MISSING ? `: ${POSTGRES_MISSING}` : ''}`,
  async () => {
    await using postgres = await PostgresServer.start();
    const settings = {
      ...{ DATABASE_URL: await postgres.createDatabase(), TRUSTED_PROXIES: '127.0.0.1' },
      ...{ SIMULATOR_FOOTBALL_FIXTURES: '4', SIMULATOR_BASKETBALL_FIXTURES: '1' },
    };
    await using first = await runService(settings);
    await using second = await runService(settings);
    expect(second.service.developmentKey).toBeNull();
    const servers = [first, second];
    const poll = (key: string): Promise<Answered[]> =>
      Promise.all(
        servers.map(({ url }) => call(`${url}${POLL}`, { headers: { authorization: `Bearer ${key}` } })),
      );
    const statuses = async (key: string) => (await poll(key)).map(({ status }) => status);

    const person = new AccountClient(first, { email: 'a@example.com', address: '10.200.0.1' });
    await person.enter();
    const makeKey = async () => {
      const answered = await person.send('POST', '/platform/keys', { tier: 'free' });
      expect(answered.status).toBe(200);
      return answered.body as { readonly key: string; readonly key_id: string };
    };
    const kept = await makeKey();
    const revoked = await makeKey();
    const unseen = await makeKey();
    expect(await statuses(kept.key)).toEqual([200, 200]);
    expect(await statuses(revoked.key)).toEqual([200, 200]);
    expect((await person.send('DELETE', `/platform/keys/${revoked.key_id}`)).status).toBe(200);
    expect((await poll(revoked.key))[0]!.status).toBe(401);
    await until('the other server has heard of it', async () => (await statuses(revoked.key))[1] === 401);
    const elsewhere = new AccountClient(second, { email: person.email, address: '10.200.0.2' });
    expect((await elsewhere.logIn()).status).toBe(200);
    expect((await elsewhere.send('GET', '/platform/keys')).body).toMatchObject({ keys: { length: 3 } });

    await postgres.kill();
    expect(await statuses(kept.key)).toEqual([200, 200]);
    expect(await statuses(revoked.key)).toEqual([401, 401]);
    const refused = [
      ...(await poll(unseen.key)),
      await person.logIn(),
      await person.signUp(),
      await person.verify('123456'),
      await person.send('POST', '/platform/keys', { tier: 'free' }),
      await call(`${first.url}/v1/results`, { headers: { authorization: `Bearer ${kept.key}` } }),
    ];
    for (const { status, headers } of refused) {
      expect(status).toBe(503);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await postgres.resume();
    await until('the other key works', async () =>
      (await statuses(unseen.key)).every((status) => status === 200),
    );
    const afterwards = await makeKey();

    postgres.freeze();
    try {
      expect(await statuses(kept.key)).toEqual([200, 200]);
      expect(await statuses(afterwards.key)).toEqual([503, 503]);
    } finally {
      postgres.thaw();
    }
    await until('its key works', async () =>
      (await statuses(afterwards.key)).every((status) => status === 200),
    );
    await until('its first prices are written', async () => {
      const database = new URL(settings.DATABASE_URL).pathname.slice(1);
      return Number(await postgres.psql('SELECT count(*) FROM openings', database)) > 0;
    });
  },
  120_000,
);
