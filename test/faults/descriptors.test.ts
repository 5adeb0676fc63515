// Near the limit of file descriptors: silent connections are closed first, customers' idle ones survive, and
// one address has no more than its share.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '../support/condition.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { ServerProcess } from '../support/server-process.ts';

/** Fewer descriptors than the number of connections that fit in the listen queue of the port. */
const LIMIT = 300;
const FEED = { SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '2' };

/** Opens a connection; null when the server accepts no connections at the moment. */
async function tryToConnect(hostname: string, port: number): Promise<RawConnection | null> {
  try {
    return await RawConnection.open(port, { hostname });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return null;
    throw error;
  }
}

const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux)('a server with few descriptors (needs /proc, which only Linux has)', () => {
  let server: ServerProcess;
  let port: number;

  beforeAll(async () => {
    server = new ServerProcess(
      { HOST: '::', NODE_ENV: 'development', CONNECTIONS_PER_ADDRESS: '1000', ...FEED },
      { wrapper: ['prlimit', `--nofile=${LIMIT}`] },
    );
    port = Number(new URL((await server.serving()).replace('[::]', 'localhost')).port);
  }, 120_000);
  afterAll(() => server[Symbol.asyncDispose](), 120_000);

  test('closes silent strangers, and serves the idle connections of a customer and later clients', async () => {
    const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const customers = await Promise.all(
      Array.from({ length: 20 }, () => RawConnection.open(port, { hostname: '::1' })),
    );
    for (const customer of customers) customer.send(request);
    await until('the customer is answered', () =>
      customers.every(({ received }) => received.includes('200 OK')),
    );
    const strangers: RawConnection[] = [];
    // Each client sends the beginning of a request and nothing more. There are far more clients than
    // descriptors.
    for (let wave = 0; wave < 6; wave++) {
      const more = await Promise.all(Array.from({ length: 150 }, () => tryToConnect('127.0.0.1', port)));
      for (const stranger of more) {
        if (stranger === null) continue;
        stranger.send('GET /health HT');
        strangers.push(stranger);
      }
      const hasRoom = () => strangers.filter(({ isClosed }) => !isClosed).length < LIMIT * 0.7;
      await until('some of them are gone', () => hasRoom());
    }
    expect(customers.filter(({ isClosed }) => isClosed)).toEqual([]);
    for (const customer of customers) {
      customer.received = '';
      customer.send(request);
    }
    await until('idle connections are served on', () =>
      customers.every(({ received }) => received.includes('200 OK')),
    );
    await until('a newcomer is served', async () => {
      const newcomer = await tryToConnect('::1', port);
      newcomer?.end();
      return newcomer !== null;
    });
    expect(strangers.length).toBeGreaterThan(LIMIT * 0.7);
    expect(server.log).toMatch(/connections_ended/);
    for (const client of [...customers, ...strangers]) client.end();
  }, 120_000);

  test('closes silent strangers that take all descriptors at once, even when the check itself gets no descriptor', async () => {
    const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const customer = await RawConnection.open(port, { hostname: '::1' });
    const isAnswered = ({ received }: RawConnection) => received.includes('200 OK');
    customer.send(request);
    await until('the customer is answered', () => isAnswered(customer));
    // All of them wait in the system's queue, so they are accepted before the first check.
    server.child.kill('SIGSTOP');
    const strangers = await Promise.all(
      Array.from({ length: LIMIT + 100 }, () => tryToConnect('127.0.0.1', port)),
    );
    for (const stranger of strangers) stranger?.send('GET /health HT');
    server.child.kill('SIGCONT');
    await until('a newcomer is served', async () => {
      const newcomer = await tryToConnect('::1', port);
      newcomer?.send(request);
      await until(
        'it is answered or ended',
        () => newcomer === null || newcomer.isClosed || isAnswered(newcomer),
      );
      newcomer?.end();
      return newcomer !== null && isAnswered(newcomer);
    });
    expect(customer.isClosed).toBe(false);
    customer.received = '';
    customer.send(request);
    await until('the idle connection is still served', () => isAnswered(customer));
    expect(server.log).toMatch(/connections_ended/);
    expect(server.log).not.toMatch(/late_throw/);
    for (const client of [customer, ...strangers]) client?.end();
  }, 120_000);

  test('closes the connections of an address beyond its share', async () => {
    await using limited = new ServerProcess({
      CONNECTIONS_PER_ADDRESS: '50',
      HOST: '::',
      NODE_ENV: 'development',
      ...FEED,
    });
    const ownPort = Number(new URL((await limited.serving()).replace('[::]', 'localhost')).port);
    const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const own = await Promise.all(
      Array.from({ length: 40 }, () => RawConnection.open(ownPort, { hostname: '::1' })),
    );
    const greedy = await Promise.all(Array.from({ length: 200 }, () => RawConnection.open(ownPort)));
    for (const client of [...own, ...greedy]) client.send(request);
    await until('150 are ended', () => greedy.filter(({ isClosed }) => isClosed).length >= 150);
    expect(greedy.filter(({ isClosed }) => !isClosed)).toHaveLength(50);
    expect(own.filter(({ isClosed }) => isClosed)).toEqual([]);
    for (const client of [...own, ...greedy]) client.end();
  }, 120_000);
});
