// A server that is killed while it writes its price history: no file is torn, no tick is doubled, and missing
// prices always lie in a gap. `bun test/faults/tape-kills.ts` does it fifty times under load.

import { expect, test } from 'bun:test';
import { killAgainAndAgain } from './tape-kills.ts';

test('when a server is killed in the middle of writing, the tape has each price once, or a gap that covers it', async () => {
  const report = await killAgainAndAgain(2, 20);
  expect(report.kills).toBe(2);
  expect(report.gaps).toBeGreaterThan(0);
});
