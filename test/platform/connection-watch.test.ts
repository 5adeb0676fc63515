// What is done before accepting is paused because of too many connections.

import { expect, test } from 'bun:test';
import { watchConnections } from '../../src/platform/connection-watch.ts';
import type { OpenConnection } from '../../src/platform/open-connections.ts';
import { until } from '../support/condition.ts';

test('strangers in many networks are closed before accepting is paused, and a customer with forty connections loses none', async () => {
  const connections = Array.from({ length: 1_000 }, (_, index): OpenConnection => {
    const address = index < 40 ? 'customer' : `stranger ${index}`;
    return { descriptor: index, address, isAnswered: true, silentMs: 10, unfinishedBytes: 0 };
  });
  const ended: string[] = [];
  let isPaused = false;
  const endWatch = watchConnections({
    acceptor: {
      get isPaused() {
        return isPaused;
      },
      pause: () => {
        isPaused = true;
      },
      resume: () => {},
    },
    openCount: () => connections.length - ended.length,
    limit: 1_050,
    table: { list: () => connections, end: ({ address }) => void ended.push(address) },
    perAddressMax: 100,
    isProxy: () => false,
    paidAddresses: () => new Set(['customer']),
    onEnded: () => {},
    onChange: () => {},
    onError: (error) => {
      throw error;
    },
  });
  await until('enough are closed', () => ended.length > 0 || isPaused);
  endWatch();
  expect(ended).toHaveLength(371);
  expect(ended).not.toContain('customer');
  expect(isPaused).toBe(false);
});
