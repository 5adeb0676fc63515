import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  attachSharedBuffer,
  type ColumnCursor,
  createSharedBuffer,
  type SharedLayout,
  sharedByteCount,
} from '../../src/memory/shared-buffer.ts';
import { freshMemory } from '../../src/platform/fresh-memory.ts';

const KINDS = ['uint8', 'int16', 'int32', 'float64', 'bigInt64'] as const;
type Column = ReturnType<ColumnCursor[(typeof KINDS)[number]]>;

/**
 * A layout with one column per kind. The first, third and fifth have `rows` elements, the others `rows` times
 * `wide`.
 */
function layoutOf(kinds: readonly (typeof KINDS)[number][]): SharedLayout<'rows' | 'wide', Column[]> {
  return {
    name: 'table',
    magic: 0x54_45_53_54,
    version: 3,
    sizeNames: ['rows', 'wide'],
    columns: (cursor, { rows, wide }) =>
      kinds.map((kind, index) => cursor[kind](index % 2 === 0 ? rows : rows * wide)),
  };
}

const LAYOUT = layoutOf(KINDS);
const SIZES = { rows: 3, wide: 2 };

describe('attachSharedBuffer', () => {
  test('an attached view sees what another view wrote, in columns that do not overlap', () => {
    const size = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...KINDS)), size, size, (kinds, rows, wide) => {
        const layout = layoutOf(kinds);
        const buffer = createSharedBuffer(layout, { rows, wide });
        attachSharedBuffer(layout, buffer).forEach((column, index) => {
          expect(column.byteOffset % 8).toBe(0);
          expect(column.length).toBe(index % 2 === 0 ? rows : rows * wide);
          if (column instanceof BigInt64Array) column.fill(BigInt(index + 1));
          else column.fill(index + 1);
        });
        attachSharedBuffer(layout, buffer).forEach((column, index) => {
          expect([...column].every((value) => Number(value) === index + 1)).toBe(true);
        });
      }),
    );
  });

  test('attachSharedBuffer refuses a buffer of another kind or version, and one without a header', () => {
    const buffer = createSharedBuffer(LAYOUT, SIZES);
    expect(() => attachSharedBuffer({ ...LAYOUT, magic: 1 }, buffer)).toThrow('starts with the table magic');
    expect(() => attachSharedBuffer({ ...LAYOUT, version: 4 }, buffer)).toThrow('layout version is 4');
    const zeroed = new SharedArrayBuffer(buffer.byteLength);
    expect(() => attachSharedBuffer(LAYOUT, zeroed)).toThrow('starts with the table magic');
    expect(() => attachSharedBuffer(LAYOUT, new SharedArrayBuffer(8))).toThrow('has a header');
  });

  test('memory of whole pages is zeroed, even after an earlier buffer was filled and freed', () => {
    for (let turn = 0; turn < 3; turn++) {
      const buffer = createSharedBuffer(LAYOUT, { rows: 70_000, wide: 1 }, null, freshMemory);
      expect(buffer.byteLength % 65_536).toBe(0);
      const [bytes] = attachSharedBuffer(LAYOUT, buffer);
      expect((bytes as Uint8Array).every((value) => value === 0)).toBe(true);
      (bytes as Uint8Array).fill(255);
      expect((attachSharedBuffer(LAYOUT, buffer)[0] as Uint8Array).at(-1)).toBe(255);
    }
  });

  test('attachSharedBuffer refuses a buffer that is longer or shorter than its header says', () => {
    const bytes = new Uint8Array(createSharedBuffer(LAYOUT, SIZES));
    for (const difference of [-8, 8]) {
      const other = new SharedArrayBuffer(bytes.length + difference);
      new Uint8Array(other).set(bytes.subarray(0, Math.min(bytes.length, other.byteLength)));
      expect(() => attachSharedBuffer(LAYOUT, other)).toThrow('size its header says');
    }
  });
});

describe('createSharedBuffer', () => {
  test('createSharedBuffer makes as many bytes as sharedByteCount says', () => {
    expect(createSharedBuffer(LAYOUT, SIZES).byteLength).toBe(sharedByteCount(LAYOUT, SIZES));
  });

  test('createSharedBuffer refuses a size that is not a positive integer, and names it', () => {
    for (const wide of [0, -1, 1.5, Number.NaN]) {
      expect(() => createSharedBuffer(LAYOUT, { rows: 1, wide })).toThrow('table size wide');
    }
  });
});
