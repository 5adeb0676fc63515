// The cache of encoded answers against a plain model: bounded, counted, and never an answer with another tag.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AnswerCache } from '../../src/http/odds-answers.ts';

function answerOf(size: number, etag: string) {
  return { body: new Blob([new Uint8Array(size)]), etag };
}

describe('AnswerCache', () => {
  test('an answer is there for its tag alone, and counts say so', () => {
    const cache = new AnswerCache();
    cache.set('a', answerOf(10, '"1"'));
    expect(cache.get('a', '"1"')?.body.size).toBe(10);
    expect(cache.get('a', '"2"')).toBeNull();
    expect(cache.get('b', '"1"')).toBeNull();
    expect([cache.hits, cache.misses]).toEqual([1, 2]);
  });

  test('full: the oldest half goes, the newest stays', () => {
    const cache = new AnswerCache(100_000);
    for (let index = 0; index < 10; index += 1) cache.set(`key-${index}`, answerOf(9_600, `${index}`));
    expect(cache.size).toBe(10);
    cache.set('key-10', answerOf(9_600, '10'));
    expect(cache.get('key-0', '0')).toBeNull();
    expect(cache.get('key-10', '10')).not.toBeNull();
    expect(cache.get('key-9', '9')).not.toBeNull();
    expect(cache.bytes).toBeLessThanOrEqual(60_000);
    expect(cache.size).toBeGreaterThanOrEqual(5);
  });

  test('an answer larger than the cache is not kept and drops nothing but its predecessor', () => {
    const cache = new AnswerCache(1_000);
    cache.set('a', answerOf(10, '1'));
    cache.set('b', answerOf(10, '1'));
    cache.set('a', answerOf(5_000, '2'));
    expect(cache.get('a', '1')).toBeNull();
    expect(cache.get('a', '2')).toBeNull();
    expect(cache.get('b', '1')).not.toBeNull();
  });

  test('random use: never over the limit, never another answer than the last one set', () => {
    const operation = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      size: fc.integer({ min: 0, max: 3_000 }),
      etag: fc.constantFrom('1', '2', '3', '4'),
      isGet: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const cache = new AnswerCache(8_000);
        const model = new Map<string, ReturnType<typeof answerOf>>();
        for (const { key, size, etag, isGet } of operations) {
          if (isGet) {
            const found = cache.get(key, etag);
            if (found !== null) expect<unknown>(found).toEqual({ ...model.get(key), isKept: true });
          } else {
            const answer = answerOf(size, etag);
            cache.set(key, answer);
            model.set(key, answer);
            expect(cache.get(key, etag)?.body).toBe(answer.body);
          }
          expect(cache.bytes).toBeLessThanOrEqual(8_000);
          expect(cache.size).toBeLessThanOrEqual(model.size);
        }
      }),
    );
  });
});
