// A server under load answers about a past instant as it answered at that instant. After a restart it still
// does, even with the roster in another order. `bun test/faults/tape-instants.ts` tests it for ten minutes at
// 5,000 messages a second.

import { expect, test } from 'bun:test';
import { compareInstants } from './tape-instants.ts';

test('answers about past instants equal the answers that were given at those instants under load, even after a kill', async () => {
  const report = await compareInstants({ seconds: 2, rate: 1_000, instants: 20 });
  expect(report).toMatchObject({ instants: 20, differing: [], changed: [], gaps: 0 });
});
