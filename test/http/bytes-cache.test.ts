// The cache of encoded answers against a plain model: bounded, counted, and never an answer from another token or time.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BytesCache } from '../../src/http/kit/bytes-cache.ts';

function answerOf(size: number, token: number, validUntilMs: number) {
  return { body: new Blob([new Uint8Array(size)]), etag: `"${token}"`, token, validUntilMs };
}

describe('BytesCache', () => {
  test('an answer is there for its token until it expires, and counts say so', () => {
    const cache = new BytesCache();
    cache.set('a', answerOf(10, 1, 1_000));
    expect(cache.get('a', 1, 999)?.etag).toBe('"1"');
    expect(cache.get('a', 1, 1_000)).toBeNull();
    expect(cache.get('a', 2, 999)).toBeNull();
    expect(cache.get('b', 1, 999)).toBeNull();
    expect([cache.hits, cache.misses]).toEqual([1, 3]);
  });

  test('full: the oldest half goes, the newest stays', () => {
    const cache = new BytesCache({ bytesMax: 100_000 });
    for (let index = 0; index < 10; index += 1) cache.set(`key-${index}`, answerOf(9_600, index, 1));
    expect(cache.size).toBe(10);
    cache.set('key-10', answerOf(9_600, 10, 1));
    expect(cache.get('key-0', 0, 0)).toBeNull();
    expect(cache.get('key-10', 10, 0)).not.toBeNull();
    expect(cache.get('key-9', 9, 0)).not.toBeNull();
    expect(cache.bytes).toBeLessThanOrEqual(60_000);
    expect(cache.size).toBeGreaterThanOrEqual(5);
  });

  test('an answer larger than the cache is not kept and drops nothing but its predecessor', () => {
    const cache = new BytesCache({ bytesMax: 1_000 });
    cache.set('a', answerOf(10, 1, 1));
    cache.set('b', answerOf(10, 1, 1));
    cache.set('a', answerOf(5_000, 2, 1));
    expect(cache.get('a', 1, 0)).toBeNull();
    expect(cache.get('a', 2, 0)).toBeNull();
    expect(cache.get('b', 1, 0)).not.toBeNull();
  });

  test('random use: never over the limit, never another answer than the last one set', () => {
    const operation = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      size: fc.integer({ min: 0, max: 3_000 }),
      token: fc.integer({ min: 0, max: 3 }),
      isGet: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const cache = new BytesCache({ bytesMax: 8_000 });
        const model = new Map<string, ReturnType<typeof answerOf>>();
        for (const { key, size, token, isGet } of operations) {
          if (isGet) {
            const found = cache.get(key, token, 0);
            if (found !== null) expect(found).toBe(model.get(key)!);
            if (found !== null) expect(found.token).toBe(token);
          } else {
            const answer = answerOf(size, token, 1);
            cache.set(key, answer);
            model.set(key, answer);
            expect(cache.get(key, token, 0)).toBe(answer);
          }
          expect(cache.bytes).toBeLessThanOrEqual(8_000);
          expect(cache.size).toBeLessThanOrEqual(model.size);
        }
      }),
    );
  });
});
