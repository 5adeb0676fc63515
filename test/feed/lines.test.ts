// Lines of a byte stream, cut anywhere, compared with splitting the whole text.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { linesOf, UNREADABLE_LINE } from '../../src/feed/lines.ts';

const CHARS_MAX = 8;

async function collect(chunks: readonly Uint8Array[]): Promise<(string | typeof UNREADABLE_LINE)[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return (await Array.fromAsync(linesOf(stream, CHARS_MAX))).flat().filter((line) => line !== '');
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let start = 0;
  for (let index = 0; start < bytes.length; index++) {
    const size = sizes[index % sizes.length]!;
    chunks.push(bytes.slice(start, start + size));
    start += size;
  }
  return chunks;
}

/** The expected form of one line. */
function readAlone(bytes: Buffer): string | typeof UNREADABLE_LINE {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) && text.length <= CHARS_MAX ? text : UNREADABLE_LINE;
}

describe('linesOf', () => {
  test('linesOf yields the lines that are not blank and marks lines that are too long, however the bytes are cut', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '€', '😀', ' ', '\r', '\n', '\n', '\t'),
      maxLength: 80,
    });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (whole, sizes) => {
          const expected = whole
            .split('\n')
            .filter((line) => line.length > CHARS_MAX || !/^[ \t\r]*$/.test(line))
            .map((line) => (line.length > CHARS_MAX ? UNREADABLE_LINE : line));
          expect(await collect(cut(new TextEncoder().encode(whole), sizes))).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a line without end is reported once, and is skipped in constant memory', async () => {
    const chunks = Array.from({ length: 100 }, () => new TextEncoder().encode('x'.repeat(1_000)));
    expect(await collect([...chunks, new TextEncoder().encode('\nok')])).toEqual([UNREADABLE_LINE, 'ok']);
  });

  test('a line that is not UTF-8 is marked and the others are read, however the bytes are cut', async () => {
    const line = fc.constantFrom(
      ...['a', '', 'é', '€uro', '\ufeff', '\ufffd', 'x'.repeat(CHARS_MAX + 1)].map((text) =>
        Buffer.from(text),
      ),
      // The examples: bytes of another encoding, a truncated character, half of a surrogate pair, and a byte
      // with which no character begins.
      ...[[0x53, 0xe3, 0x6f], [98, 0xe2, 0x82], [0xed, 0xa0, 0x80], [0xff]].map((bytes) =>
        Buffer.from(bytes),
      ),
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), sizes, async (lines, cuts) => {
        const expected = ['first', ...lines.map(readAlone)].filter((read) => read !== '');
        const bytes = Buffer.concat([
          Buffer.from('first'),
          ...lines.flatMap((each) => [Buffer.of(10), each]),
        ]);
        expect(await collect(cut(bytes, cuts))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('a byte order mark at the start of a file is not part of its first line', async () => {
    for (const size of [1, 2, 3, 50]) {
      const lines = await collect(cut(new TextEncoder().encode('\ufeffa\n\ufeffb'), [size]));
      expect(lines).toEqual(['a', '\ufeffb']);
    }
    expect(await collect([new TextEncoder().encode('\ufeffa')])).toEqual(['a']);
  });
});
