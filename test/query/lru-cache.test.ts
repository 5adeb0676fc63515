// An `LruCache` stays within its bounds, unless the newest value alone exceeds them. The least recently used
// value is dropped first.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LruCache } from '../../src/query/lru-cache.ts';

const WEIGHT_MAX = 10;
const COUNT_MAX = 4;

const step = fc.record({
  act: fc.constantFrom('set', 'set', 'get', 'delete'),
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  weight: fc.nat(12),
});

test('LruCache drops the least recently used values until both bounds hold, and keeps the newest, as a plain list does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const kept = new LruCache<number>(WEIGHT_MAX, COUNT_MAX);
      let model: { key: string; value: number; weight: number }[] = [];
      const weightOf = () => model.reduce((sum, { weight }) => sum + weight, 0);
      for (const [value, { act, key, weight }] of steps.entries()) {
        const held = model.find((one) => one.key === key);
        model = model.filter((one) => one.key !== key);
        if (act === 'delete') kept.delete(key);
        else if (act === 'get') {
          expect(kept.get(key)).toBe(held?.value);
          if (held !== undefined) model.push(held);
        } else {
          kept.set(key, value, weight);
          model.push({ key, value, weight });
          while (model.length > 1 && (weightOf() > WEIGHT_MAX || model.length > COUNT_MAX)) model.shift();
        }
      }
      for (const { key, value } of [...model]) expect(kept.get(key)).toBe(value);
      for (const key of 'abcdef') {
        if (!model.some((one) => one.key === key)) expect(kept.get(key)).toBeUndefined();
      }
    }),
  );
});
