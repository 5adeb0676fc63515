import { describe, expect, test } from 'bun:test';
import { attachStore, createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { SMALL, smallStore } from './small-store.ts';

const WORD_VERSION = 1;

describe('attachStore', () => {
  test('takes a store it made', () => {
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
  test('needs for the default capacity the 313 MiB that its comment states', () => {
    expect(Math.round(createStore(0).byteLength / 2 ** 20)).toBe(313);
  });
});
