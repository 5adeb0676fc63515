// The cache of encoded answers against a plain model: bounded, counted, and never an answer with another tag.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AnswerCache, AnswerCaches, sightOf } from '../../../src/http/kit/answer-cache.ts';

function bodyOf(size: number): Blob {
  return new Blob([new Uint8Array(size)]);
}

describe('AnswerCache', () => {
  test('an answer is found only by its own tag, and the counts show it', () => {
    const cache = new AnswerCache();
    cache.set('a', { etag: '"1"', body: bodyOf(10), coding: null });
    expect(cache.get('a', '"1"')?.body?.size).toBe(10);
    expect(cache.get('a', '"2"')).toBeNull();
    expect(cache.get('b', '"1"')).toBeNull();
    expect([cache.hits, cache.misses]).toEqual([1, 2]);
  });

  test('when the cache is full, at least the oldest sixteenth is evicted, and the newest answers stay', () => {
    const cache = new AnswerCache(100_000);
    for (let index = 0; index < 10; index += 1)
      cache.set(`key-${index}`, { etag: `${index}`, body: bodyOf(9_600), coding: null });
    expect(cache.size).toBe(10);
    cache.set('key-10', { etag: '10', body: bodyOf(9_600), coding: null });
    expect(cache.get('key-0', '0')).toBeNull();
    expect(cache.get('key-10', '10')).not.toBeNull();
    expect(cache.get('key-9', '9')).not.toBeNull();
    expect(cache.size).toBe(10);
  });

  test('an answer larger than the cache is not kept and evicts only its predecessor', () => {
    const cache = new AnswerCache(1_000);
    cache.set('a', { etag: '1', body: bodyOf(10), coding: null });
    cache.set('b', { etag: '1', body: bodyOf(10), coding: null });
    cache.set('a', { etag: '2', body: bodyOf(5_000), coding: null });
    expect(cache.get('a', '1')).toBeNull();
    expect(cache.get('a', '2')).toBeNull();
    expect(cache.get('b', '1')).not.toBeNull();
  });

  test('an answer becomes worth keeping when it is requested again with the same tag', () => {
    const cache = new AnswerCache();
    const sights = (['1', '2', '2', '1'] as const).map((etag) => cache.isSecondSight(sightOf('a', etag)));
    expect(sights).toEqual([false, false, true, true]);
    expect(cache.isSecondSight(sightOf('b', '1'))).toBe(false);
  });

  test('answers stored for callers who pay nothing evict no answer that customers use', () => {
    const caches = new AnswerCaches(100_000);
    const kept = { etag: '1', body: bodyOf(9_000), coding: null };
    for (let index = 0; index < 10; index += 1) caches.of(true).set(`paid-${index}`, kept);
    for (let index = 0; index < 1_000; index += 1) caches.of(false).set(`free-${index}`, kept);
    for (let index = 0; index < 10; index += 1) {
      expect(caches.of(true).get(`paid-${index}`, '1')).not.toBeNull();
    }
    expect(caches.of(false).get('free-999', '1')).not.toBeNull();
    expect(caches.of(false).bytes).toBeLessThanOrEqual(50_000);
    expect(caches.bytes).toBe(caches.of(true).bytes + caches.of(false).bytes);
    expect([caches.hits, caches.size]).toEqual([11, 10 + caches.of(false).size]);
  });

  test('a sweep evicts what was not used since the previous sweep', () => {
    const caches = new AnswerCaches();
    const kept = { etag: '1', body: bodyOf(10), coding: null };
    for (const isPaid of [true, false]) {
      for (const key of ['a', 'b', 'c']) caches.of(isPaid).set(key, kept);
    }
    caches.sweep();
    expect(caches.size).toBe(6);
    const entry = caches.of(true).get('a', '1')!;
    caches.of(false).get('b', '1');
    caches.sweep();
    expect([caches.size, caches.of(true).size]).toEqual([2, 1]);
    caches.of(true).countHit(entry);
    caches.sweep();
    expect([caches.size, caches.of(true).get('a', '1')?.body]).toEqual([1, kept.body]);
    caches.sweep();
    caches.sweep();
    expect([caches.size, caches.bytes, entry.body]).toEqual([0, 0, null]);
  });

  test('under random use, the cache is never above its limit or its room, and always returns the answer that was stored last', () => {
    const operation = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      size: fc.integer({ min: 0, max: 3_000 }),
      etag: fc.constantFrom('1', '2', '3', '4'),
      isGet: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 200 }),
        fc.integer({ min: 0, max: 9_000 }),
        (operations, roomBytes) => {
          let held = 0;
          const room = {
            reserve: (bytes: number) => {
              if (held + bytes > roomBytes) return false;
              held += bytes;
              return true;
            },
            release: (bytes: number) => {
              held -= bytes;
            },
          };
          const cache = new AnswerCache(8_000, room);
          const model = new Map<string, { readonly etag: string; readonly body: Blob }>();
          for (const { key, size, etag, isGet } of operations) {
            if (isGet) {
              const found = cache.get(key, etag);
              const stored = { ...model.get(key), coding: null, wasUsed: true };
              if (found !== null) expect<unknown>({ ...found }).toEqual(stored);
            } else {
              const former = cache.get(key, model.get(key)?.etag ?? '');
              const body = bodyOf(size);
              const stored = cache.set(key, { etag: etag, body: body, coding: null });
              model.set(key, { etag, body });
              expect(cache.get(key, etag)?.body ?? null).toBe(stored === null ? null : body);
              // An answer that takes at most half of the room always gets it.
              if (stored === null) expect(2 * (size + 300)).toBeGreaterThan(Math.min(8_000, roomBytes));
              expect(former?.body ?? null).toBeNull();
            }
            expect(cache.bytes).toBeLessThanOrEqual(8_000);
            expect(held).toBe(cache.bytes);
            expect(cache.size).toBeLessThanOrEqual(model.size);
          }
        },
      ),
    );
  });
});
