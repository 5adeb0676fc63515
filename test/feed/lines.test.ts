// Lines of a byte stream, cut anywhere, against splitting the whole text.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LINE_TOO_LONG, linesOf } from '../../src/feed/lines.ts';

const CHARS_MAX = 8;

async function collect(chunks: readonly Uint8Array[]): Promise<(string | typeof LINE_TOO_LONG)[]> {
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

describe('linesOf', () => {
  test('yields the lines that are not blank, too long ones marked, however the bytes are cut', async () => {
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
            .map((line) => (line.length > CHARS_MAX ? LINE_TOO_LONG : line));
          expect(await collect(cut(new TextEncoder().encode(whole), sizes))).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a line without end is told once and read past in constant memory', async () => {
    const chunks = Array.from({ length: 100 }, () => new TextEncoder().encode('x'.repeat(1_000)));
    expect(await collect([...chunks, new TextEncoder().encode('\nok')])).toEqual([LINE_TOO_LONG, 'ok']);
  });

  test('a last line that was cut inside a character is handed on, for the reader to refuse', async () => {
    expect(await collect([new Uint8Array([97, 10, 98, 0xe2, 0x82])])).toEqual(['a', 'b\ufffd']);
  });
});
