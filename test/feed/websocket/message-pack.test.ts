// The MessagePack reader compared with msgpackr, and with bytes that are not MessagePack.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { MessagePackReader } from '../../../src/feed/websocket/message-pack.ts';
import { runs } from '../../support/runs.ts';
import { everyMessage } from '../wire.ts';

const packr = new Packr({ useRecords: false });
/** msgpackr renames this key, so it has a test of its own. */
const hasNoProto = (json: unknown) => !JSON.stringify(json).includes('__proto__');
/** Values of JSON, and NaN and the infinities, which MessagePack has too. */
const value = fc
  .jsonValue({ maxDepth: 5 })
  .filter(hasNoProto)
  .chain((json) => fc.constantFrom<unknown>(json, Number.NaN, Number.NEGATIVE_INFINITY));

describe('MessagePackReader', () => {
  const reader = new MessagePackReader(); // one for all: what it caches from one value must not leak into the next

  test('reads what msgpackr writes, whatever it read before', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        for (const each of values) expect(reader.read(packr.pack(each))).toEqual(jsonOf(each));
      }),
      { numRuns: 1_000 },
    );
  });

  test('reads texts of every length and script, keys of every name, and numbers of every width', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'grapheme', maxLength: 300 }),
          fc.oneof(fc.string({ unit: 'grapheme', maxLength: 70_000 }), fc.double(), fc.maxSafeInteger()),
        ),
        (map) => {
          fc.pre(hasNoProto(map));
          expect(reader.read(packr.pack(map))).toEqual(jsonOf(map));
        },
      ),
      { numRuns: 300 },
    );
    for (const integer of [
      ...[0, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32, 2 ** 52, -1, -32, -33, -128, -129, -32_769],
      ...[-(2 ** 31), -(2 ** 33)],
    ]) {
      expect(reader.read(packr.pack(integer))).toBe(integer);
    }
  });

  test('a key __proto__ is a key like any other', () => {
    const bytes = Uint8Array.from([0x81, 0xa9, ...Buffer.from('__proto__'), 0x81, 0xa1, 0x61, 1]);
    const map = reader.read(bytes) as object;
    expect(Object.keys(map)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
  });

  test('refuses truncated bytes, and throws only RangeError or TypeError, whatever the bytes', () => {
    const whole = packr.pack(everyMessage());
    for (let end = 0; end < whole.length; end++) expect(() => reader.read(whole.subarray(0, end))).toThrow();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          reader.read(bytes);
        } catch (error) {
          expect(error instanceof RangeError || error instanceof TypeError).toBe(true);
        }
      }),
      { numRuns: runs(2_000) },
    );
    // Five bytes that announce an array of four billion entries.
    expect(() => reader.read(Uint8Array.from([0xdd, 0xff, 0xff, 0xff, 0xff]))).toThrow('cut short');
    expect(() => reader.read(new Uint8Array(100).fill(0x91))).toThrow('deeper than');
  });
});

/**
 * The value as msgpackr itself decodes it: msgpackr writes -0 as 0, and undefined as null, in some places.
 */
function jsonOf(each: unknown): unknown {
  return new Packr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' }).unpack(
    packr.pack(each),
  );
}
