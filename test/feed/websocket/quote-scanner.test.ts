// The scanner of usual quotes compared with the general reader: after any other maps, and for bytes with any
// fault, both read the same.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { MessagePackReader } from '../../../src/feed/websocket/message-pack.ts';
import { QuoteScanner } from '../../../src/feed/websocket/quote-scanner.ts';
import { ShortTexts } from '../../../src/feed/websocket/short-texts.ts';
import { runs } from '../../support/runs.ts';
import { quoteWire } from '../wire.ts';

const packr = new Packr({ useRecords: false });
const KEYS = Object.keys(quoteWire(1));
/**
 * The fields in the order of a sender that adds its own number to messages of others: the number comes last.
 */
const KEYS_AS_SENT = [...KEYS.filter((key) => key !== 'seq'), 'seq'];

/** There are few different values, so that many fields equal those of the previous map. */
const usualValue = fc.constantFrom<unknown>(
  'quote',
  'open',
  '',
  0,
  127,
  256,
  65_536,
  -1,
  -0.75,
  1.95,
  null,
  [2, 3.4],
);
const anyValue = fc.constantFrom<unknown>(
  ...['quote', 'open', 'fixture-1', 'fixture-2', '', 'fünf', 'x'.repeat(31), 'x'.repeat(32), 'x'.repeat(60)],
  ...[0, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32, -1, -32, -33, -0.75, 1.95, null, true, false],
  ...[[], [2], [1.95, 1.97], [2, 3.4, null], [2, 'x'], [1, 2, 3, 4], [[1], 2], { key: 'a', name: 'b' }],
  Uint8Array.of(1, 2),
);
const anyKey = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: fc.constantFrom('opening', 'opened_at', '__proto__', 'ät', 'x'.repeat(40)) },
);
/** The fields of a map. A key may occur twice. */
const fields = fc.oneof(
  fc.constant([...Object.entries(quoteWire(1))]),
  fc
    .tuple(fc.shuffledSubarray(KEYS, { minLength: 8 }), fc.array(anyValue, { minLength: 10, maxLength: 10 }))
    .map(([keys, values]) => keys.map((key, index) => [key, values[index]] as const)),
  fc
    .array(usualValue, { minLength: KEYS.length, maxLength: KEYS.length })
    .map((values) => KEYS_AS_SENT.map((key, index) => [key, values[index]] as const)),
  fc.array(fc.tuple(anyKey, anyValue), { minLength: 8, maxLength: 11 }),
  // A map with another event and otherwise the fields of the previous map.
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.shuffledSubarray(KEYS, { minLength: 9 }))
    .map(([seq, keys]) => keys.map((key) => [key, quoteWire(seq, `fixture-${seq}`)[key]] as const)),
);
const damage = fc.record({ at: fc.nat(), byte: fc.nat(255), isCut: fc.boolean() });
const frame = fc.record({
  maps: fc.array(fields, { minLength: 1, maxLength: 6 }),
  damages: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(damage, { maxLength: 3 }) },
  ),
});

function mapBytes(entries: readonly (readonly [string, unknown])[]): Uint8Array {
  const parts = entries.flatMap(([key, value]) => [packr.pack(key), packr.pack(value)].map(copyOf));
  return Buffer.concat([Uint8Array.of(0x80 | entries.length), ...parts]);
}

/** A copy, because msgpackr returns a part of a buffer that it reuses. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}

function frameBytes({
  maps,
  damages,
}: typeof frame extends fc.Arbitrary<infer Frame> ? Frame : never): Buffer {
  let bytes = Buffer.concat([Uint8Array.of(0x90 | maps.length), ...maps.map(mapBytes)]);
  for (const { at, byte, isCut } of damages) {
    if (isCut) bytes = bytes.subarray(0, at % bytes.length);
    else if (bytes.length > 0) bytes[at % bytes.length] = byte;
    if (bytes.length === 0) break;
  }
  return bytes;
}

function readWith(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch {
    return 'refused';
  }
}

test('every frame, whole or damaged, reads as it does without the scanner, whatever was read before', () => {
  const reader = new MessagePackReader();
  const general = new MessagePackReader();
  let refusedCount = 0;
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 4 }), (frames) => {
      for (const bytes of frames.map(frameBytes)) {
        // The scanner does not read maps that are nested deeper than messages are. So inside these two
        // arrays, the bytes are read without it.
        const wrapped = Buffer.concat([Uint8Array.of(0x91, 0x91), bytes]);
        const expected = readWith(() => (general.read(wrapped) as [[unknown]])[0][0]);
        expect(readWith(() => reader.read(bytes))).toEqual(expected);
        if (expected === 'refused') refusedCount++;
      }
    }),
    { numRuns: runs(1_000) },
  );
  expect(refusedCount).toBeGreaterThan(100);
});

test.each([
  ['a handicap', quoteWire(7)],
  [
    'a 1x2 without a line',
    omit(quoteWire(70_000, 'e', { market_type: '1x2', prices: [2, 3.4, 3.6] }), 'line'),
  ],
  [
    'a 1x2 whose line is null',
    quoteWire(300, 'e', { market_type: '1x2', line: null, prices: [2, 3.4, 3.6] }),
  ],
])(
  '%s is read by the scanner, whichever quote came before and however its fields are ordered',
  (_name, wire) => {
    const scanner = new QuoteScanner(new ShortTexts());
    fc.assert(
      fc.property(fc.array(fc.shuffledSubarray(Object.entries(wire), { minLength: 9 })), (orders) => {
        for (const entries of [...orders, Object.entries(wire)]) {
          if (entries.length < Object.keys(wire).length) continue;
          const bytes = mapBytes(entries);
          scanner.begin(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
          expect(scanner.read(1, entries.length)).toEqual(Object.fromEntries(entries));
          expect(scanner.end).toBe(bytes.length);
        }
      }),
      { numRuns: 200 },
    );
  },
);

function omit(wire: Record<string, unknown>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(wire).filter(([name]) => name !== key));
}
