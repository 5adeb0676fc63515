// Times on the wire against a plain reading: the form, the platform's parser, and a date that exists.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { wireTimeMs } from '../../src/feed/wire-values.ts';

const FORM = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function plainly(text: string): number {
  const [, year, month, day] = FORM.exec(text) ?? [];
  const ms = Date.parse(text);
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = day !== undefined && date.getUTCDate() === Number(day);
  return exists && ms >= 0 && ms < Date.UTC(10_000, 0, 1) ? ms : Number.NaN;
}

test('wireTimeMs reads what a plain reader reads, with any character of a time changed', () => {
  const instant = fc
    .integer({ min: -1e12, max: 253_402_400_000_000 })
    .map((ms) => new Date(ms).toISOString());
  const changes = fc.array(fc.tuple(fc.nat(23), fc.constantFrom(...'0123456789-:.TZz+ e')), { maxLength: 3 });
  let readCount = 0;
  fc.assert(
    fc.property(instant, changes, fc.constantFrom('', '', '+00:00', 'Z', '0'), (iso, changed, tail) => {
      const characters = [...iso];
      for (const [at, character] of changed) characters[at] = character;
      const text = characters.join('') + tail;
      const ms = plainly(text);
      readCount += Number.isNaN(ms) ? 0 : 1;
      expect(wireTimeMs(text)).toEqual(ms);
      expect(wireTimeMs(text)).toEqual(ms); // and again, from what was read last
    }),
    { numRuns: 20_000 },
  );
  expect(readCount).toBeGreaterThan(2_000);
  for (const edge of ['2026-02-28T23:59:59.999Z', '2026-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z']) {
    expect(wireTimeMs(edge)).toEqual(plainly(edge));
  }
  for (const edge of ['2026-01-31T24:00:00.000Z', '2026-01-01T23:60:00.000Z', '2026-13-01T00:00:00.000Z']) {
    expect(wireTimeMs(edge)).toEqual(plainly(edge));
  }
});
