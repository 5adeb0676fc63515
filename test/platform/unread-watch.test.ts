// Finds connections whose queue in /proc/net/tcp has not shrunk for too long, because the client does not
// read.

import { expect, test } from 'bun:test';
import { UnreadQueues } from '../../src/platform/unread-watch.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n';

function row(local: string, remote: string, bytes: number, state = '01'): string {
  const unread = bytes.toString(16).toUpperCase().padStart(8, '0');
  return `   0: ${local} ${remote} ${state} ${unread}:00000000 00:00000000 00000000     0        0 1 1\n`;
}

test('UnreadQueues: a connection gets more time whenever its client reads, and if its queue is small', () => {
  const queues = new UnreadQueues(8_080);
  const local = '0100007F:1F90';
  const check = (atMs: number, never: number, some: number, small: number) =>
    queues.check(
      [
        HEAD + row(local, '0100007F:C001', never) + row('0100007F:1F91', '0100007F:C009', 9e6),
        row(local, '0000000000000000FFFF00000200007F:C002', some) +
          row(local, 'B80D0120000000000000000001000000:C003', small) +
          row(local, '0100007F:C004', 9e6, '06'),
      ],
      atMs,
    );
  expect(check(0, 2e6, 3e6, 100)).toEqual([]);
  expect(check(5_000, 2e6, 2e6, 100)).toEqual([]);
  expect(check(10_000, 3e6, 2e6, 100)).toEqual(['127.0.0.1 49153']);
  expect(check(14_000, 0, 1.9e6, 150)).toEqual([]);
  expect(check(23_999, 2e6, 1.9e6, 150)).toEqual([]);
  expect(check(24_000, 2e6, 1.9e6, 150)).toEqual(['127.0.0.2 49154']);
  expect(check(30_000, 2e6, 1e6, 150)).toEqual(['2001:db8::1 49155']);
});
