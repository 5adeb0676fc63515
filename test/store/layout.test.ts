import { describe, expect, test } from 'bun:test';
import { attachStore, createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { SMALL, smallStore } from './small-store.ts';

const WORD_MAGIC = 0;
const WORD_VERSION = 1;
const WORD_FIXTURES = 2;

describe('attachStore', () => {
  test('takes a store it made', () => {
    expect(attachStore(smallStore()).capacity).toEqual(SMALL);
    expect(new SlateReader(smallStore()).epochMs).toBe(1_000);
  });

  test('refuses a buffer that is not a store', () => {
    expect(() => attachStore(new SharedArrayBuffer(smallStore().byteLength))).toThrow('store magic');
    expect(() => attachStore(new SharedArrayBuffer(8))).toThrow('has a header');
  });

  test('refuses another layout version', () => {
    const buffer = smallStore();
    new Int32Array(buffer)[WORD_VERSION]!++;
    expect(() => attachStore(buffer)).toThrow('layout version');
    expect(() => new SlateReader(buffer)).toThrow('layout version');
    expect(() => new SlateWriter(buffer)).toThrow('layout version');
  });

  test('refuses a size that is not what the header says', () => {
    const grown = smallStore();
    new Int32Array(grown)[WORD_FIXTURES]!++;
    expect(() => attachStore(grown)).toThrow('size its header says');
    const whole = smallStore();
    const cut = new SharedArrayBuffer(whole.byteLength - 8);
    new Uint8Array(cut).set(new Uint8Array(whole, 0, cut.byteLength));
    expect(new Int32Array(cut)[WORD_MAGIC]).toBe(new Int32Array(whole)[WORD_MAGIC]!);
    expect(() => attachStore(cut)).toThrow('size its header says');
  });
});

describe('createStore', () => {
  test('refuses a capacity that holds nothing', () => {
    for (const name of Object.keys(SMALL)) {
      for (const count of [0, -1, 1.5, Number.NaN]) {
        expect(() => createStore(0, { ...SMALL, [name]: count })).toThrow(name);
      }
    }
  });

  test('needs for the default capacity the 313 MiB that its comment states', () => {
    expect(Math.round(createStore(0).byteLength / 2 ** 20)).toBe(313);
  });
});
