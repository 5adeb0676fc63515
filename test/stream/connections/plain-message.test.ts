import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { JSON_FIELDS_MAX } from '../../../src/parse-json.ts';
import { requirePlainMessage } from '../../../src/stream/connections/plain-message.ts';
import { readSocketMessage } from '../../../src/stream/connections/socket-messages.ts';
import { runs } from '../../support/runs.ts';

const packr = new Packr({ useRecords: false });
const DEFINE = [0xd6, 0x69];
const POINT = [0xd6, 0x70];
const RECORD = [0xd4, 0x72];

/**
 * Arrays of 15 entries in `levels` levels. Each entry is the same array one level below, so there are
 * 15^levels numbers.
 */
function bomb(levels: number): number[] {
  let inner = [0x9f, ...new Array<number>(15).fill(1)];
  for (let level = 1; level < levels; level++) {
    const id = [0, 0, 0, level];
    inner = [0x9f, ...DEFINE, ...id, ...inner];
    for (let entry = 1; entry < 15; entry++) inner.push(...POINT, ...id);
  }
  return inner;
}

function read(...bytes: readonly number[]): unknown {
  return readSocketMessage(Uint8Array.from(bytes), 'msgpack');
}

describe('a MessagePack message of a client', () => {
  test('any values of JSON that a client packs are read as they were sent', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('"__proto__"')); // msgpackr renames this field
        const sent = JSON.parse(text) as unknown;
        expect(readSocketMessage(packr.pack(sent), 'msgpack')).toEqual(sent);
      }),
      { numRuns: runs(300) },
    );
  });

  test('texts, bytes, numbers, arrays and maps of every size are checked to their end', () => {
    const values = [
      ...[0, -1, 127, 128, -33, 255, 256, 65_535, 65_536, -129, -32_769, 2 ** 32, -(2 ** 40), 0.5, 1e300],
      ...['', 'a'.repeat(31), 'a'.repeat(32), 'é'.repeat(200), 'a'.repeat(70_000)],
      ...[new Uint8Array(3), new Uint8Array(300), new Uint8Array(70_000), true, false, null],
      ...[[], new Array(16).fill(1), new Array(70_000).fill(1), { a: 1 }],
      Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`key${index}`, index])),
    ];
    for (const value of values) expect(() => requirePlainMessage(packr.pack(value))).not.toThrow();
    expect(readSocketMessage(packr.pack({ op: 'x', since: undefined }), 'msgpack')).toEqual({ op: 'x' });
  });

  test('extensions that multiply values or compile code are refused before they are decoded', () => {
    expect(read(...bomb(9))).toBeUndefined();
    expect(read(...bomb(9), 0)).toBeUndefined();
    expect(read(0x91, ...RECORD, 0x40, 0x91, 0xa1, 0x61, 1)).toBeUndefined();
    for (const head of [0xc1, 0xc7, 0xc8, 0xc9, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8])
      expect(() => requirePlainMessage(Uint8Array.of(head, ...new Array(20).fill(1)))).toThrow(
        'an extension',
      );
  });

  test('a message that is truncated, continues after its value, or has too many fields is refused', () => {
    const whole = packr.pack({ op: 'subscribe', id: 'x', events: ['a', 'b'], tick: 70_000, edge: 0.5 });
    for (let end = 0; end < whole.length; end++)
      expect(() => requirePlainMessage(whole.subarray(0, end))).toThrow('cut short');
    expect(() => requirePlainMessage(Uint8Array.from([...whole, 0]))).toThrow('bytes after the value');
    expect(() => requirePlainMessage(Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff))).toThrow('cut short');
    const fields = (count: number) =>
      packr.pack(Array.from({ length: count }, (_, index) => ({ [`a${index}`]: 1 })));
    expect(() => requirePlainMessage(fields(JSON_FIELDS_MAX))).not.toThrow();
    expect(() => requirePlainMessage(fields(JSON_FIELDS_MAX + 1))).toThrow('too many fields');
  });
});
