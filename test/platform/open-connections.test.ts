// What the system reports about the connections of a port.

import { expect, test } from 'bun:test';
import { connectionTableOf } from '../../src/platform/open-connections.ts';
import { until } from '../support/condition.ts';
import { RawConnection } from '../support/raw-connection.ts';

const HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\n';

test.skipIf(process.platform !== 'linux')(
  'connections are listed with what their clients have sent since the last answer, and can be closed (needs /proc, which only Linux has)',
  async () => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('answer') });
    const port = server.port!;
    const table = connectionTableOf(port, 4_096)!;
    const unfinished = `${HEAD}X: ${'y'.repeat(12_000)}`;
    const [slow, quick, both] = [
      await RawConnection.open(port),
      await RawConnection.open(port),
      await RawConnection.open(port),
    ];
    slow.send(unfinished);
    for (const one of [quick, both]) one.send(`${HEAD}\r\n`);
    await until('two are answered', () => [quick, both].every((one) => one.received.includes('answer')));
    // Times are in whole milliseconds, so send the second request later than the answer to the first.
    const answeredMs = performance.now();
    await until('some milliseconds have passed', () => performance.now() - answeredMs > 20);
    both.send(unfinished);
    const listed = () =>
      table
        .list()
        .map(({ isAnswered, unfinishedBytes }) => ({ isAnswered, unfinishedBytes }))
        .sort((left, right) => left.unfinishedBytes - right.unfinishedBytes);
    await until('all have arrived', () => listed().filter((one) => one.unfinishedBytes > 0).length === 2);
    expect(listed()).toEqual([
      { isAnswered: true, unfinishedBytes: 0 },
      { isAnswered: false, unfinishedBytes: unfinished.length },
      { isAnswered: true, unfinishedBytes: HEAD.length + 2 + unfinished.length },
    ]);
    for (const connection of table.list()) if (!connection.isAnswered) table.end(connection);
    await until('the unfinished request is gone', () => slow.isClosed);
    expect(quick.isClosed).toBe(false);
    quick.end();
    both.end();
    await server.stop(true);
  },
);
