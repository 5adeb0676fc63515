// A leader that is killed in the middle of a burst: the standby continues the price history in a bucket.
// `bun test/faults/tape-cluster.ts` does it several times, and with a shared folder too.

import { expect, test } from 'bun:test';
import { REDIS_MISSING } from '../support/redis-server.ts';
import { killLeaders } from './tape-cluster.ts';

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

test.skipIf(REDIS_MISSING !== null)(
  'a takeover neither loses nor doubles a price of a history in a bucket, and nodes give the same bytes about the past',
  async () => {
    const report = await killLeaders('s3', 1);
    expect(report).toMatchObject({ takeovers: 1, ticks: 720, wrongLines: [], gaps: [], differing: [] });
  },
);
