// Which connections are closed when a process runs out of descriptors, or holds too many unfinished requests.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { connectionsToEnd } from '../../src/platform/connection-choice.ts';
import type { OpenConnection } from '../../src/platform/open-connections.ts';

test('addresses above their share lose connections, clients with few keep answered ones until the last resort, paying ones always, and no more are closed than needed', () => {
  const connection = fc.record({
    descriptor: fc.nat(),
    address: fc.constantFrom('crowd', 'crowd', 'crowd', 'crowd', 'proxy', 'small', 'other'),
    isAnswered: fc.boolean(),
    silentMs: fc.integer({ min: 0, max: 20_000 }),
    unfinishedBytes: fc.nat(100_000),
  });
  fc.assert(
    fc.property(
      fc.array(connection, { maxLength: 200 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 150 }),
      fc.boolean(),
      (connections, perAddressMax, excess, isLastResort) => {
        const isProxy = (address: string) => address === 'proxy';
        const isPaid = (address: string) => address === 'small';
        const options = { perAddressMax, excess, isLastResort, isProxy, isPaid };
        const ended = connectionsToEnd(connections, options);
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
          expect(isAnswered && (isProxy(address) || (isFew && (isPaid(address) || !isLastResort)))).toBe(
            false,
          );
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
  return { descriptor: 0, address, isAnswered: true, silentMs, unfinishedBytes: 0 };
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
  const none = { isLastResort: false, isProxy: () => false, isPaid: () => false };
  const crowded = connectionsToEnd(connections, { perAddressMax: 2_000, excess: 900, ...none });
  expect(crowded).toHaveLength(900);
  expect(crowded.filter((one) => !strangers.includes(one))).toEqual([]);
  const shared = connectionsToEnd(connections, { perAddressMax: 256, excess: 0, ...none });
  expect(shared).toHaveLength(744);
  expect(shared.filter((one) => !strangers.includes(one))).toEqual([]);
});

test('a proxy that is in the same /48 as other clients loses nothing, and does not count against them', () => {
  const proxy = ipv6Of([0xfd, 0, 0, 0, 0, 0, 0, 0]);
  const of = (last: number, count: number) =>
    Array.from({ length: count }, () => idle(ipv6Of([0xfd, 0, 0, 0, 0, 0, 0, last]), 10));
  const connections = [...of(0, 500), ...of(1, 20)];
  const isProxy = (address: string) => address === proxy;
  const options = { isLastResort: false, isProxy, isPaid: () => false };
  expect(connectionsToEnd(connections, { perAddressMax: 100, excess: 50, ...options })).toEqual([]);
  const crowd = [...connections, ...of(2, 200)];
  const ended = connectionsToEnd(crowd, { perAddressMax: 100, excess: 50, ...options });
  expect(ended).toHaveLength(120);
  expect(ended.filter(({ address }) => isProxy(address))).toEqual([]);
  const all = connectionsToEnd(crowd, { perAddressMax: 1_000, excess: 500, ...options, isLastResort: true });
  expect(all).toHaveLength(220);
});

test('a customer with forty connections loses none before strangers in many networks, or in its own /48', () => {
  const paid = ipv6Of([0x20, 1, 0xd, 0xb8, 0, 7, 0, 1]);
  const customer = Array.from({ length: 40 }, () => idle(paid, 20_000));
  const neighbours = Array.from({ length: 40 }, (_, index) =>
    idle(ipv6Of([0x20, 1, 0xd, 0xb8, 0, 7, 1, index]), 10),
  );
  const strangers = Array.from({ length: 1_000 }, (_, index) =>
    idle(ipv6Of([0x20, 1, 0xd, 0xb9, index >> 8, index & 0xff, 0, 0]), 10),
  );
  const connections = [...customer, ...strangers, ...neighbours];
  const isPaid = (address: string) => address === paid;
  const options = { perAddressMax: 256, isLastResort: true, isProxy: () => false, isPaid };
  const ended = connectionsToEnd(connections, { ...options, excess: 1_040 });
  expect(ended).toHaveLength(1_040);
  expect(ended.filter((one) => customer.includes(one))).toEqual([]);
  expect(connectionsToEnd(connections, { ...options, excess: 1_050 })).toHaveLength(1_050);
  const first = connectionsToEnd(connections, { ...options, excess: 1_040, isLastResort: false });
  expect(new Set(first)).toEqual(new Set(neighbours));
  const shared = connectionsToEnd(connections, { ...options, perAddressMax: 40, excess: 0 });
  expect(shared).toHaveLength(40);
  expect(shared.filter((one) => customer.includes(one))).toEqual([]);
});

test('the clients that may hold the most headers of unfinished requests lose connections, until 64 MB are left', () => {
  const [paid, proxy] = [ipv6Of([0x20, 1, 0xd, 0xb8, 0, 7, 0, 1]), ipv6Of([0xfd, 0, 0, 0, 0, 0, 0, 0])];
  const sent = (address: string, unfinishedBytes: number) => ({ ...idle(address, 10), unfinishedBytes });
  // Each stranger has fewer connections than an address may have.
  const strangers = Array.from({ length: 20_000 }, (_, index) =>
    sent(ipv6Of([0x20, 2, 0, index % 10, 0, 0, 0, 0]), 15_000),
  );
  const visitors = Array.from({ length: 2_000 }, (_, index) =>
    sent(ipv6Of([0x20, 3, index >> 8, index & 0xff, 0, 0, 0, 0]), 400),
  );
  const customers = [paid, proxy].flatMap((address) =>
    Array.from({ length: 1_000 }, () => sent(address, 1_000_000)),
  );
  const options = { perAddressMax: 8_192, excess: 0, isLastResort: false };
  const ended = connectionsToEnd([...customers, ...visitors, ...strangers], {
    ...options,
    isProxy: (address) => address === proxy,
    isPaid: (address) => address === paid,
  });
  expect(new Set(ended).difference(new Set(strangers)).size).toBe(0);
  const leftBytes = (strangers.length - ended.length) * 15_000 + visitors.length * 400;
  expect(leftBytes).toBeLessThanOrEqual(64 * 1_024 * 1_024);
  expect(leftBytes).toBeGreaterThan(64 * 1_024 * 1_024 - 10 * 15_000);
  const leftOf = Map.groupBy(
    strangers.filter((one) => !ended.includes(one)),
    ({ address }) => address,
  );
  // Each of the ten keeps as many as the others, give or take one.
  const counts = [...leftOf.values()].map(({ length }) => length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  const few = connectionsToEnd(strangers.slice(0, 4_000), {
    ...options,
    isProxy: () => false,
    isPaid: () => false,
  });
  expect(few).toEqual([]);
});
