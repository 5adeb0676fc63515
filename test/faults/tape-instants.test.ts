// A server under load gives the same answers about an instant as it gave then. So it does after a restart,
// also with the roster in another order. `bun test/faults/tape-instants.ts` does it for ten minutes at 5,000
// messages a second.

import { expect, test } from 'bun:test';
import { compareInstants } from './tape-instants.ts';

test('answers about past instants equal those given then under load, also after a kill', async () => {
  const report = await compareInstants({ seconds: 2, rate: 1_000, instants: 20 });
  expect(report).toMatchObject({ instants: 20, differing: [], changed: [], gaps: 0 });
});
