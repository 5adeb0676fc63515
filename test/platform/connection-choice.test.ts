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

/** An address in the notation of /proc/net/tcp6. @param bytes the first eight */
function ipv6Of(bytes: readonly number[]): string {
  const all = [...bytes, 0, 0, 0, 0, 0, 0, 0, 1];
  const words = [0, 4, 8, 12].map((at) => all.slice(at, at + 4).reverse());
  return words
    .flat()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}

function idle(address: string, silentMs: number): OpenConnection {
  return { descriptor: 0, address, isAnswered: true, silentMs };
}

test('a /48 counts as one client, so a stranger with a thousand addresses in it loses connections before a customer with forty connections', () => {
  const strangers = Array.from({ length: 1_000 }, (_, index) =>
    idle(ipv6Of([0x20, 1, 0xd, 0xb8, 0, 7, index >> 8, index & 0xff]), 10),
  );
  const customer = Array.from({ length: 40 }, () => idle('0000000000000000FFFF00000100007F', 20_000));
  const neighbours = Array.from({ length: 40 }, (_, index) =>
    idle(ipv6Of([0x20, 1, 0xd, 0xb8, 0, 8 + index, 0, 0]), 20_000),
  );
  const connections = [...customer, ...neighbours, ...strangers];
  const isProxy = () => false;
  const crowded = connectionsToEnd(connections, { perAddressMax: 2_000, excess: 900, isProxy });
  expect(crowded).toHaveLength(900);
  expect(crowded.filter((one) => !strangers.includes(one))).toEqual([]);
  const shared = connectionsToEnd(connections, { perAddressMax: 256, excess: 0, isProxy });
  expect(shared).toHaveLength(744);
  expect(shared.filter((one) => !strangers.includes(one))).toEqual([]);
});

test('a proxy that is in the same /48 as other clients loses nothing, and does not count against them', () => {
  const proxy = ipv6Of([0xfd, 0, 0, 0, 0, 0, 0, 0]);
  const of = (last: number, count: number) =>
    Array.from({ length: count }, () => idle(ipv6Of([0xfd, 0, 0, 0, 0, 0, 0, last]), 10));
  const connections = [...of(0, 500), ...of(1, 20)];
  const isProxy = (address: string) => address === proxy;
  expect(connectionsToEnd(connections, { perAddressMax: 100, excess: 50, isProxy })).toEqual([]);
  const crowd = [...connections, ...of(2, 200)];
  const ended = connectionsToEnd(crowd, { perAddressMax: 100, excess: 50, isProxy });
  expect(ended).toHaveLength(120);
  expect(ended.filter(({ address }) => isProxy(address))).toEqual([]);
});
