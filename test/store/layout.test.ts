import { describe, expect, test } from 'bun:test';
import { attachStore, createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { SMALL, smallStore } from './small-store.ts';

const WORD_VERSION = 1;
/** The first column of each part of the store that takes a large amount of memory. */
const FIRST_COLUMNS = {
  liquidity: 'liquidityKey',
  'page columns': 'pageGeneration',
  'quote columns': 'quoteKey',
  'opening columns': 'openingCount',
  departures: 'departedEvent',
  'price windows': 'windowEvent',
  names: 'entityNumber',
  arena: 'arena',
} as const;

describe('attachStore', () => {
  test('accepts a store that createStore has made', () => {
    expect(attachStore(smallStore()).capacity).toEqual(SMALL);
    expect(new SlateReader(smallStore()).epochMs).toBe(1_000);
  });

  test('refuses another layout version', () => {
    const buffer = smallStore();
    new Int32Array(buffer)[WORD_VERSION]!++;
    expect(() => attachStore(buffer)).toThrow('layout version');
    expect(() => new SlateReader(buffer)).toThrow('layout version');
    expect(() => new SlateWriter(buffer)).toThrow('layout version');
  });
});

describe('createStore', () => {
  test('createStore needs the 313 MiB that its comment states, with the default capacity', () => {
    expect(Math.round(createStore(0).byteLength / 2 ** 20)).toBe(313);
  });

  test('the store has its parts in the order and size that docs/internals/architecture.md shows', async () => {
    const page = await Bun.file(new URL('../../docs/internals/architecture.md', import.meta.url)).text();
    const drawn = [...page.matchAll(/^(\w+(?: \w+)?) {2,}.* ([\d.]+) MiB$/gm)].map(([, part, mib]) => [
      part,
      mib,
    ]);
    const store = createStore(0);
    const views = attachStore(store);
    const starts = Object.values(FIRST_COLUMNS).map((column) => views[column].byteOffset);
    const sizes = Object.entries(FIRST_COLUMNS).map(([part, column]) => {
      const start = views[column].byteOffset;
      const end = part === 'liquidity' ? views.slotPage.byteOffset : starts.find((other) => other > start);
      return [part, (((end ?? store.byteLength) - start) / 2 ** 20).toFixed(1)];
    });
    expect(drawn).toEqual(sizes);
  });
});
