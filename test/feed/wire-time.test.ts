// Times on the wire compared with a plain reading of the protocol page by another library.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { wireTimeMs } from '../../src/feed/wire-time.ts';
import { plainTimeMs } from './plain-validator.ts';

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
      const ms = plainTimeMs(text);
      readCount += Number.isNaN(ms) ? 0 : 1;
      expect(wireTimeMs(text)).toEqual(ms);
      expect(wireTimeMs(text)).toEqual(ms); // the second time from the cache
    }),
    { numRuns: 20_000 },
  );
  expect(readCount).toBeGreaterThan(2_000);
});

test('wireTimeMs reads ends of days, months and years as a plain reader does, in any zone and precision', () => {
  const year = fc.constantFrom('1969', '1970', '2016', '2024', '2026', '9999');
  const month = fc.constantFrom('00', '01', '02', '06', '12', '13');
  const day = fc.constantFrom('00', '01', '28', '29', '30', '31', '32');
  const hour = fc.constantFrom('00', '22', '23', '24', '25');
  const minute = fc.constantFrom('00', '29', '30', '59', '60');
  const second = fc.constantFrom(
    '',
    ':00',
    ':59',
    ':60',
    ':61',
    ':00.000',
    ':59.999',
    ':60.000',
    ':60.5',
    ':00.001',
  );
  const zone = fc.constantFrom('Z', 'Z', '', '+00:00', '-01:00', '+01:30', '-23:59', '+24:00');
  let readCount = 0;
  fc.assert(
    fc.property(year, month, day, hour, minute, second, zone, (...[y, mo, d, h, mi, s, z]) => {
      const text = `${y}-${mo}-${d}T${h}:${mi}${s}${z}`;
      const ms = plainTimeMs(text);
      readCount += Number.isNaN(ms) ? 0 : 1;
      expect([text, wireTimeMs(text)]).toEqual([text, ms]);
    }),
    { numRuns: 20_000 },
  );
  expect(readCount).toBeGreaterThan(1_000);
});

test.each([
  ['2026-01-31T24:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ['2026-01-31T24:00Z', '2026-02-01T00:00:00.000Z'],
  ['2026-01-31T24:00:00+02:00', '2026-01-31T22:00:00.000Z'],
  ['2026-01-31T24:00:01Z', null],
  ['9999-12-31T24:00:00Z', null],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
  ['2016-12-31T23:59:60.250Z', '2016-12-31T23:59:59.999Z'],
  ['2017-01-01T01:59:60+02:00', '2016-12-31T23:59:59.999Z'],
  ['2016-12-31T23:59:60+02:00', null],
  ['2026-03-01T12:00:60Z', null],
  ['2016-12-30T23:59:60.000Z', null],
  ['2026-02-29T00:00:00.000Z', null],
  ['2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
])('%s is read as %p', (text, read) => {
  const expected = read === null ? Number.NaN : Date.parse(read);
  expect([wireTimeMs(text), plainTimeMs(text)]).toEqual([expected, expected]);
});
