// When a thread collects all garbage, and when it collects only young objects.

import { expect, test } from 'bun:test';
import { ThreadGarbage } from '../../src/platform/thread-garbage.ts';

const MB = 1024 * 1024;

/** A heap in which collections of young objects free nothing. */
class Heap {
  usedMb = 300;
  garbageMb = 0;
  readonly collections: ('all' | 'young')[] = [];
  readonly #collector = {
    heapBytes: () => (this.usedMb + this.garbageMb) * MB,
    collectAll: () => {
      this.collections.push('all');
      this.garbageMb = 0;
    },
    collectYoung: () => this.collections.push('young'),
  };
  readonly garbage: ThreadGarbage;

  constructor(isInBackground = false) {
    this.garbage = isInBackground
      ? ThreadGarbage.inBackground(this.#collector)
      : new ThreadGarbage(this.#collector);
  }
}

test.each([
  { isInBackground: false, garbageMbMax: 60 },
  { isInBackground: true, garbageMbMax: 20 },
])(
  'the amount of old garbage stays bounded, however many requests there are: %p',
  ({ isInBackground, garbageMbMax }) => {
    const heap = new Heap(isInBackground);
    let highestMb = 0;
    for (let request = 0; request < 400; request++) {
      heap.garbage.collect();
      heap.garbageMb += 5;
      highestMb = Math.max(highestMb, heap.garbageMb);
    }
    expect(highestMb).toBeLessThanOrEqual(garbageMbMax);
  },
);

test('memory that stays in use, and a heap that does not grow, cause no further full collection', () => {
  const heap = new Heap();
  heap.garbage.collect();
  heap.usedMb = 500;
  for (let request = 0; request < 5; request++) heap.garbage.collect();
  expect(heap.collections).toEqual(['young', 'all', 'young', 'young', 'young', 'young']);
});
