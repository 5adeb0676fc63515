// Addresses of customers, noted by one thread and read by another.

import { expect, test } from 'bun:test';
import { PAID_ADDRESSES_WORDS, PaidAddresses } from '../../src/access/paid-addresses.ts';

const NOW_S = 1_700_000_000;

test('list: what another thread has noted within a day, as /proc/net/tcp and /proc/net/tcp6 show it', () => {
  const words = new Int32Array(new SharedArrayBuffer(4 * PAID_ADDRESSES_WORDS));
  const noting = new PaidAddresses(words, 7);
  const reading = new PaidAddresses(words, 7);
  noting.note('unknown', NOW_S);
  expect([...reading.list(NOW_S)]).toEqual([]);
  noting.note('127.0.0.1', NOW_S);
  noting.note('2001:db8::1', NOW_S + 9);
  expect(reading.list(NOW_S)).toEqual(
    new Set(['0100007F', '0000000000000000FFFF00000100007F', 'B80D0120000000000000000001000000']),
  );
  expect(reading.list(NOW_S + 86_405)).toEqual(new Set(['B80D0120000000000000000001000000']));
  noting.note('127.0.0.1', NOW_S + 86_400);
  expect(reading.list(NOW_S + 2 * 86_400)).toEqual(new Set(['0100007F', '0000000000000000FFFF00000100007F']));
});
