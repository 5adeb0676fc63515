// The file of gaps returns the gaps that were written, or is refused.

import { expect, test } from 'bun:test';
import { decodeGaps, encodeGaps } from '../../../src/history/files/gap-file.ts';
import { GapList } from '../../../src/history/files/gap-list.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { GAP_REASONS, type Gap } from '../../../src/history/tick.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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

test('saves at the same time follow each other, also after one that failed, and the last one counts', async () => {
  using place = temporaryFolder();
  const folder = new LocalFolder(`${place.path}/history`);
  const gaps = new GapList(folder);
  const [, ...ended] = GAPS;
  const saves = ended.map((gap) => {
    gaps.add([gap]);
    return gaps.save(null);
  });
  const results = await Promise.allSettled([...saves, gaps.save(GAPS[0]!)]);
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 'fulfilled'));
  const again = new GapList(folder);
  await again.load();
  expect(again.all).toEqual(ended);

  const refusing = new LocalFolder('/proc/overround');
  const refused = new GapList(refusing);
  refused.add([ended[0]!]);
  const failed = await Promise.allSettled([refused.save(null), refused.save(null)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
