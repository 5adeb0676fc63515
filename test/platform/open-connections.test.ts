// What the system reports about the connections of a port.

import { expect, test } from 'bun:test';
import { connectionTableOf } from '../../src/platform/open-connections.ts';
import { until } from '../support/condition.ts';
import { RawConnection } from '../support/raw-connection.ts';

const HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\n';

test.skipIf(process.platform !== 'linux')(
  'connections are listed with what their clients have sent, and can be closed (needs /proc, which only Linux has)',
  async () => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('answer') });
    const port = server.port!;
    const table = connectionTableOf(port, 4_096)!;
    const [slow, quick] = [await RawConnection.open(port), await RawConnection.open(port)];
    slow.send(`${HEAD}X: ${'y'.repeat(12_000)}`);
    quick.send(`${HEAD}\r\n`);
    await until('one is answered', () => quick.received.includes('answer'));
    const listed = () => table.list().map(({ isAnswered, receivedBytes }) => ({ isAnswered, receivedBytes }));
    await until('both are listed', () => listed().some(({ receivedBytes }) => receivedBytes > 12_000));
    expect(listed().sort((left, right) => left.receivedBytes - right.receivedBytes)).toEqual([
      { isAnswered: true, receivedBytes: HEAD.length + 2 },
      { isAnswered: false, receivedBytes: HEAD.length + 3 + 12_000 },
    ]);
    for (const connection of table.list()) if (!connection.isAnswered) table.end(connection);
    await until('the unfinished request is gone', () => slow.isClosed);
    expect(quick.isClosed).toBe(false);
    quick.end();
    await server.stop(true);
  },
);
