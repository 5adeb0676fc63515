import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TextTable } from '../../../src/query/json/text-table.ts';

const decoder = new TextDecoder();
const room = new Uint8Array(2_048);
const view = new DataView(room.buffer);

test('TextTable.put writes any printable text at any place, even after the table was emptied', () => {
  const printable = fc.string({ unit: 'binary-ascii', maxLength: 1_000 }).map(asPrintable);
  fc.assert(
    fc.property(fc.array(printable, { maxLength: 20 }), fc.nat(9), (texts, start) => {
      const table = new TextTable();
      for (let turn = 0; turn < 2; turn += 1) {
        const handles = texts.map((text) => table.add(text));
        const found = handles.map((handle) => {
          const end = table.put(view, start, handle);
          return decoder.decode(room.subarray(start, end));
        });
        expect(found).toEqual(texts);
        table.clear();
      }
    }),
  );
  expect(() => new TextTable().add('caf\u00e9')).toThrow('printable ASCII');
});

/** Random text of the same length, with characters from space to tilde. */
function asPrintable(text: string): string {
  return Array.from(text, (character) => String.fromCharCode(32 + (character.charCodeAt(0) % 95))).join('');
}
