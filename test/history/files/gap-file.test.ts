// The file of gaps returns the gaps that were written, or is refused.

import { expect, test } from 'bun:test';
import { decodeGaps, encodeGaps } from '../../../src/history/files/gap-file.ts';
import { GAP_REASONS, type Gap } from '../../../src/history/tick.ts';

const START_MS = Date.UTC(2026, 5, 1);
const GAPS = GAP_REASONS.map((reason, index): Gap => {
  const fromMs = START_MS + index * 3_600_000;
  const gap = { fromMs, toMs: index === 0 ? null : fromMs + 60_000, reason };
  return index === 1 ? { ...gap, removedFromMs: fromMs - 5_000 } : gap;
});

test('gaps are read back as they were written, none included', async () => {
  for (const gaps of [GAPS, []]) expect(await decodeGaps(encodeGaps(gaps))).toEqual(gaps);
});

test('a file with one changed byte is refused, unless that byte changes no gap', async () => {
  const bytes = encodeGaps(GAPS);
  let refused = 0;
  for (const at of bytes.keys()) {
    for (const bits of [0x01, 0x7f, 0x80, 0xff]) {
      const damaged = bytes.slice();
      damaged[at]! ^= bits;
      const read = await decodeGaps(damaged).catch(() => null);
      if (read === null) refused += 1;
      else expect(read).toEqual(GAPS);
    }
  }
  expect(refused).toBeGreaterThan(bytes.length);
});
