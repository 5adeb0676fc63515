// Which connections are closed when a process runs out of descriptors.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { connectionsToEnd } from '../../src/platform/connection-choice.ts';
import type { OpenConnection } from '../../src/platform/open-connections.ts';

test('addresses above their share lose connections, answered connections of small clients stay, and no more are closed than needed', () => {
  const connection = fc.record({
    descriptor: fc.nat(),
    address: fc.constantFrom('crowd', 'crowd', 'crowd', 'crowd', 'proxy', 'small', 'other'),
    isAnswered: fc.boolean(),
    silentMs: fc.integer({ min: 0, max: 20_000 }),
  });
  fc.assert(
    fc.property(
      fc.array(connection, { maxLength: 200 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 150 }),
      (connections, perAddressMax, excess) => {
        const isProxy = (address: string) => address === 'proxy';
        const ended = connectionsToEnd(connections, { perAddressMax, excess, isProxy });
        expect(new Set(ended).size).toBe(ended.length);
        const countOf = (list: readonly OpenConnection[], address: string) =>
          list.filter((one) => one.address === address).length;
        const over = ['crowd', 'small', 'other'].map((address) =>
          Math.max(0, countOf(connections, address) - perAddressMax),
        );
        const overCount = over.reduce((sum, count) => sum + count, 0);
        expect(ended.length).toBeGreaterThanOrEqual(overCount);
        expect(ended.length).toBeLessThanOrEqual(Math.max(overCount, excess));
        for (const { address, isAnswered } of ended) {
          const isFew = countOf(connections, address) <= Math.min(32, perAddressMax);
          expect(isAnswered && isFew).toBe(false);
        }
      },
    ),
  );
});
