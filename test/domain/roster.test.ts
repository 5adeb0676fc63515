// Roster files: how a valid one is read, and that every invalid one is refused with the place and the allowed
// values.

import { describe, expect, test } from 'bun:test';
import { BOOKMAKER_CLASSES, BOOKMAKERS, SHARP_BOOKMAKERS_MASK } from '../../src/domain/catalogue.ts';
import { bookmakerNumber } from '../../src/domain/ids.ts';
import { bookmakersOf } from '../../src/domain/roster.ts';

const SHARP = { key: 'exchange', name: 'The Exchange', class: 'sharp' };

function roster(...bookmakers: unknown[]) {
  return { bookmakers };
}

describe('bookmakersOf', () => {
  test('reads the entries of the file in their order', () => {
    const retail = { key: 'shop_1', name: 'Shop', class: 'retail', group: 'owner', sources: { isports: 7 } };
    expect(bookmakersOf(roster(retail, SHARP))).toEqual([
      { key: 'shop_1', name: 'Shop', class: 'retail', group: 'owner', sources: { isports: 7 } },
      { key: 'exchange', name: 'The Exchange', class: 'sharp', sources: {} },
    ]);
  });

  test.each([
    [[], /"bookmakers"/],
    [{ bookmakers: {} }, /"bookmakers"/],
    [{ bookmakers: [SHARP], version: 1 }, /no field "version"/],
    [roster(), /0 bookmakers, allowed are 1 to 32/],
    [roster(...Array.from({ length: 33 }, (_, n) => ({ ...SHARP, key: `b${n}` }))), /33 bookmakers/],
    [roster('pinnacle'), /bookmakers\[0\] is "pinnacle"/],
    [roster(SHARP, { ...SHARP, key: 'Upper' }), /bookmakers\[1\]\.key is "Upper"/],
    [roster({ ...SHARP, name: '' }), /bookmakers\[0\]\.name/],
    [roster({ ...SHARP, class: 'soft' }), /class is "soft", allowed is one of sharp, asian, retail/],
    [roster({ ...SHARP, group: 7 }), /group is 7/],
    [roster({ ...SHARP, clas: 'sharp' }), /a field "clas"/],
    [roster({ ...SHARP, sources: { isports: 1.5 } }), /sources\["isports"\] is 1.5/],
    [roster({ ...SHARP, sources: 'isports' }), /sources is "isports"/],
    [roster(SHARP, { ...SHARP, name: 'Twice' }), /"exchange" is listed twice/],
    [
      roster({ ...SHARP, sources: { isports: 1 } }, { ...SHARP, key: 'b', sources: { isports: 1 } }),
      /"isports: 1" is listed twice/,
    ],
    [roster({ ...SHARP, exchange: 'yes' }), /exchange is "yes", allowed is true or false/],
  ])('refuses %j', (file, message) => {
    expect(() => bookmakersOf(file)).toThrow(message);
  });
});

test('the default roster is the contract’s: seven bookmakers, two classes, only Pinnacle sharp', () => {
  expect(BOOKMAKERS.map(({ key }) => key).join()).toBe('crown,sbobet,macau,m8bet,pinnacle,nova88,hkjc');
  expect(BOOKMAKER_CLASSES).toEqual(['sharp', 'asian']);
  expect(SHARP_BOOKMAKERS_MASK).toBe(1 << 4);
});

describe('bookmakerNumber', () => {
  test("bookmakerNumber gives the contract's numbers for its seven bookmakers, and higher, distinct numbers for others", () => {
    expect(BOOKMAKERS.map(({ key }) => bookmakerNumber(key))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(bookmakerNumber('bet365')).toBeGreaterThan(7);
    expect(bookmakerNumber('bet365')).not.toBe(bookmakerNumber('betfair'));
  });
});
