// The bounded URL cache: it stays bounded whatever is requested, and no caller evicts entries that others
// use.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { UrlCache } from '../../../src/http/kit/url-cache.ts';

interface Plan {
  readonly url: string;
  wasUsed: boolean;
}

/** Uses the cache as the server does: finds an entry, or offers one. @returns whether there was one */
function ask(table: UrlCache<Plan>, url: string, name: string, isPaid = true): boolean {
  const plan = table.find(url);
  if (plan === null) {
    table.offer(url, { name, isPaid }, () => ({ url, wasUsed: false }));
    return false;
  }
  expect(plan.url).toBe(url);
  plan.wasUsed = true;
  return true;
}

describe('UrlCache', () => {
  test('a URL is added when it is requested for the second time', () => {
    const table = new UrlCache<Plan>();
    expect([1, 2, 3, 4].map(() => ask(table, 'http://a/b', 'me'))).toEqual([false, false, true, true]);
    expect(table.size).toBe(1);
  });

  test('if all URLs of a slate are requested in turn, nearly all are added after the second turn', () => {
    const table = new UrlCache<Plan>();
    const urls = Array.from({ length: 4_096 }, (_, index) => `http://localhost/v1/events/evt_${index}/odds`);
    for (let turn = 0; turn < 2; turn += 1) for (const url of urls) ask(table, url, 'me');
    expect(table.size).toBeGreaterThan(0.98 * urls.length);
  });

  test('the cache never exceeds its bound, and finds only what was stored for that URL', () => {
    const step = fc.record({ url: fc.integer({ min: 0, max: 60 }), owner: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), fc.integer({ min: 1, max: 20 }), (steps, max) => {
        const table = new UrlCache<Plan>(max);
        for (const { url, owner } of steps) {
          ask(table, `http://localhost/${url}`, owner);
          expect(table.size).toBeLessThanOrEqual(max);
        }
      }),
    );
  });

  test('a caller that requests ever new URLs twice does not evict those that others use', () => {
    const table = new UrlCache<Plan>(100);
    const used = Array.from({ length: 40 }, (_, index) => `http://localhost/used/${index}`);
    for (let sight = 0; sight < 2; sight += 1) for (const url of used) ask(table, url, 'honest');
    for (let wave = 0; wave < 5_000; wave += 1) {
      for (let sight = 0; sight < 2; sight += 1) ask(table, `http://localhost/new/${wave}`, 'flood');
      if (wave % 20 === 0) expect(used.every((url) => ask(table, url, 'honest'))).toBe(true);
    }
    expect(table.size).toBeLessThanOrEqual(100);
  });

  test('no caller owns more than half of the entries, and no caller loses the URLs it uses when many others flood the cache', () => {
    const table = new UrlCache<Plan>(100);
    for (let url = 0; url < 500; url += 1) {
      for (let sight = 0; sight < 2; sight += 1) ask(table, `http://localhost/${url}`, 'one');
    }
    expect(table.size).toBe(50);
    const used = Array.from({ length: 20 }, (_, index) => `http://localhost/used/${index}`);
    for (let sight = 0; sight < 2; sight += 1) for (const url of used) ask(table, url, 'honest');
    for (let wave = 0; wave < 5_000; wave += 1) {
      for (let sight = 0; sight < 2; sight += 1)
        ask(table, `http://localhost/new/${wave}`, `owner ${wave % 50}`);
      if (wave % 20 === 0) expect(used.filter((url) => ask(table, url, 'honest')).length).toBe(used.length);
    }
  });

  test('callers who pay nothing own at most half of the entries together, and each of them a quarter; the rest is left for paid keys', () => {
    const table = new UrlCache<Plan>(100);
    const addAll = (name: string, isPaid: boolean) => {
      const before = table.size;
      for (let url = 0; url < 200; url += 1) {
        for (let sight = 0; sight < 2; sight += 1)
          ask(table, `http://localhost/${name}/${url}`, name, isPaid);
      }
      return table.size - before;
    };
    const added = ['acc_1', 'keyless', 'acc_2', 'acc_3'].map((name) => addAll(name, false));
    expect(added).toEqual([25, 25, 0, 0]);
    expect(addAll('key_1', true)).toBe(50);
  });

  test('a plan that was found but not used is evicted', () => {
    const table = new UrlCache<Plan>(10);
    const urlOf = (index: number) => `http://localhost/${index}`;
    for (let index = 0; index < 10; index += 1) {
      for (let sight = 0; sight < 2; sight += 1) ask(table, urlOf(index), index < 5 ? 'one' : 'two');
    }
    for (let index = 1; index < 10; index += 1) ask(table, urlOf(index), 'any');
    table.find(urlOf(0));
    for (let sight = 0; sight < 2; sight += 1) ask(table, urlOf(10), 'three');
    expect(table.find(urlOf(0))).toBeNull();
    expect(table.find(urlOf(10))).not.toBeNull();
  });

  test('a URL longer than 512 characters is not cached', () => {
    const table = new UrlCache<Plan>();
    for (let sight = 0; sight < 3; sight += 1) ask(table, `http://localhost/${'a'.repeat(512)}`, 'me');
    expect(table.size).toBe(0);
  });
});
