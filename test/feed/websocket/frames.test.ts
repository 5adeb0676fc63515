// A message has the same meaning however it is encoded: as a line of JSON with any escapes, spaces and forms
// of numbers, or as MessagePack with texts, numbers and maps of any width. If one form is refused, so is the
// other, for the same reason.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseMessage } from '../../../src/feed/parse-message.ts';
import { type FrameReader, readBinaryFrame, readTextFrame } from '../../../src/feed/websocket/frames.ts';
import { isWellFormed } from '../plain-validator.ts';
import { everyMessage } from '../wire.ts';

const RUNS = 1_500;
const VALUES: readonly unknown[] = [
  ...[null, true, '', 'e1', 'football', 'live', 'open', 'crown', '1x2', 'totals', 'half_time', '__proto__'],
  ...['x'.repeat(200), 'x'.repeat(201), 'é'.repeat(16), 'é'.repeat(17), '😀'.repeat(8), 'a/b', '"\\', '\n'],
  // Characters that some decoders remove or replace, and that must stay.
  ...['\ufeff', '\ufeffe1', `\ufeff${'x'.repeat(60)}`, '\u2028', '\ufffd'],
  ...[
    '2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00.123Z',
    '2026-02-29T12:00:00.000Z',
    '2026-03-01T12:00:00.12aZ',
  ],
  ...[-0, 0, 1, -1, 0.25, -0.75, 1_000, 1_000.25, 200_000, 200_000.5, 127, 128, 255, 256, 65_535, 65_536],
  ...[2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 5e-324, 1e308, Number.POSITIVE_INFINITY],
  ...[[], [1.9], [1.9, 2], [1.9, 3.4, 4], [-0, 0], [9_999, 0], [[1], 2], {}, { key: 'a', name: '\ufeff' }],
];
const KEYS = [...new Set(everyMessage().flatMap((wire) => Object.keys(wire)))];

/** A valid message, some of its fields changed, repeated or left out, in another order. */
const message = fc
  .tuple(
    fc.constantFrom(...everyMessage()),
    fc.array(fc.tuple(fc.constantFrom(...KEYS, '__proto__', '1'), fc.constantFrom(...VALUES)), {
      maxLength: 2,
    }),
    fc.option(fc.nat(9), { freq: 1 }),
    fc.array(fc.nat(), { minLength: 15, maxLength: 15 }),
  )
  .map(([wire, more, left, order]) =>
    [...Object.entries(wire), ...more]
      .filter((_, index) => index !== left)
      .map((entry, index) => ({ entry, at: order[index]! % 3 }))
      .sort((one, other) => one.at - other.at)
      .map(({ entry }) => entry),
  );

/** The choices of an encoding, one after the other. */
class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  of<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.#numbers[this.#next++ % this.#numbers.length]! % choices.length]!;
  }
}

/** A map as the list of its entries, because a key may occur twice. */
class Entries {
  readonly entries: readonly (readonly [string, unknown])[];

  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries;
  }
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return value instanceof Entries ? value.entries : Object.entries(value);
}

function json(value: unknown, choices: Choices): string {
  if (typeof value === 'number') return choices.of(jsonNumbers(value));
  if (typeof value === 'string') return choices.of([JSON.stringify(value), escaped(value)]);
  if (Array.isArray(value))
    return `[${value.map((each) => json(each, choices)).join(choices.of([',', ' ,\t']))}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = entriesOf(value).map(
    ([key, each]) => `${json(key, choices)}${choices.of([':', ' : '])}${json(each, choices)}`,
  );
  return `{${pairs.join(choices.of([',', ' , ']))}}`;
}

function jsonNumbers(value: number): string[] {
  if (value === Number.POSITIVE_INFINITY) return ['1e999'];
  const text = Object.is(value, -0) ? '-0' : JSON.stringify(value);
  return /^-?\d{1,15}$/.test(text) ? [text, `${text}.0`, `${text}e0`, `${text}.00E+0`, `${text}e-0`] : [text];
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

function packed(value: unknown, choices: Choices): Buffer<ArrayBuffer> {
  if (typeof value === 'number') return choices.of(packedNumbers(value));
  if (typeof value === 'string') return packedText(Buffer.from(value), choices);
  if (Array.isArray(value)) {
    const head = headOf(value.length, [0x90, 16, null, 0xdc, 0xdd], choices);
    return Buffer.concat([head, ...value.map((each) => packed(each, choices))]);
  }
  if (typeof value !== 'object' || value === null) return Buffer.of(value === null ? 0xc0 : 0xc3);
  const entries = entriesOf(value);
  const head = headOf(entries.length, [0x80, 16, null, 0xde, 0xdf], choices);
  return Buffer.concat([head, ...entries.flatMap((entry) => entry.map((each) => packed(each, choices)))]);
}

function packedText(bytes: Buffer, choices: Choices): Buffer<ArrayBuffer> {
  return Buffer.concat([headOf(bytes.length, [0xa0, 32, 0xd9, 0xda, 0xdb], choices), bytes]);
}

type Heads = readonly [fixed: number, below: number, one: number | null, two: number, four: number];

/** The first bytes of a text, an array or a map of this length, in one of the widths that it may have. */
function headOf(
  length: number,
  [fixed, below, one, two, four]: Heads,
  choices: Choices,
): Buffer<ArrayBuffer> {
  const heads = [sized(two, length, 2), sized(four, length, 4)];
  if (length < below) heads.push(Buffer.of(fixed | length), Buffer.of(fixed | length));
  if (one !== null && length < 256) heads.push(sized(one, length, 1));
  return choices.of(heads);
}

function sized(head: number, value: number, size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(1 + size);
  bytes[0] = head;
  bytes.writeUIntBE(value, 1, size);
  return bytes;
}

function packedNumbers(value: number): Buffer<ArrayBuffer>[] {
  const double = Buffer.alloc(9, 0xcb);
  double.writeDoubleBE(value, 1);
  const numbers = [double];
  if (Math.fround(value) === value) {
    const single = Buffer.alloc(5, 0xca);
    single.writeFloatBE(value, 1);
    numbers.push(single);
  }
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return numbers;
  const long = Buffer.alloc(9, 0xd3);
  long.writeBigInt64BE(BigInt(value), 1);
  numbers.push(long);
  if (value < 0) return value >= -32 ? [...numbers, Buffer.of(0x100 + value)] : numbers;
  if (value < 0x80) numbers.push(Buffer.of(value));
  for (const [head, size] of [
    [0xcc, 1],
    [0xcd, 2],
    [0xce, 4],
  ] as const) {
    if (value < 2 ** (8 * size)) numbers.push(sized(head, value, size));
  }
  return numbers;
}

/** The validator's result for each message that `read` finds. */
function found(read: (reader: FrameReader) => void): unknown[] {
  const messages: unknown[] = [];
  read({
    message: (wire) => {
      messages.push(parseMessage(wire));
      return true;
    },
    undecodable: () => messages.push('undecodable'),
  });
  return messages;
}

test(`${RUNS} frames in any spelling, text and binary, are read as JSON.parse and the protocol page require`, () => {
  const counts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(59), { minLength: 30, maxLength: 90 }),
      fc.constantFrom('\n', '\r\n', '\n\n', ' \n\t'),
      (messages, numbers, lineBreak) => {
        const choices = new Choices(numbers);
        const maps = messages.map((entries) => new Entries(entries));
        const lines = maps.map((map) => json(map, choices));
        const values = lines.map((line) => JSON.parse(line) as unknown);
        const expected = values.map(parseMessage);
        for (const [index, value] of values.entries()) {
          const isTaken = typeof expected[index] !== 'string';
          expect(isTaken).toBe(isWellFormed(value));
          counts[isTaken ? 'taken' : 'refused'] += 1;
        }
        expect(found((reader) => readTextFrame(lines.join(lineBreak), reader))).toEqual(expected);
        expect(found((reader) => readBinaryFrame(packed(maps, choices), reader))).toEqual(expected);
      },
    ),
    { numRuns: RUNS },
  );
  expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(RUNS / 10);
});
