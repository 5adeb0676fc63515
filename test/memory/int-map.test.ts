// The sorted map of typed arrays behaves like a Map.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { IntMap } from '../../src/memory/int-map.ts';

const STEP = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'delete', 'copy', 'clear'),
  key: fc.oneof(fc.integer({ min: -3, max: 40 }), fc.constantFrom(-(2 ** 31), 2 ** 31 - 1)),
  value: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
});

test('after any steps, an IntMap has the entries of a Map, sorted by key', () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 120 }), (steps) => {
      let map = new IntMap();
      const model = new Map<number, number>();
      for (const { kind, key, value } of steps) {
        if (kind === 'delete') expect(map.delete(key)).toBe(model.delete(key));
        else if (kind === 'clear') {
          map.clear();
          model.clear();
        } else if (kind === 'copy') {
          const before = map;
          map = map.copy();
          before.set(key, value);
          before.delete(0);
        } else {
          map.set(key, value);
          model.set(key, value);
        }
        expect(map.size).toBe(model.size);
        expect(map.has(key)).toBe(model.has(key));
        expect(map.get(key)).toBe(model.get(key));
      }
      const sorted = [...model].sort(([left], [right]) => left - right);
      expect([...map.keys]).toEqual(sorted.map(([key]) => key));
      expect([...map.values]).toEqual(sorted.map(([, value]) => value));
    }),
  );
});
