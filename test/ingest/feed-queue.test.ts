// The queue between source and store: bounded, in order, drained on the next tick.

import { describe, expect, test } from 'bun:test';
import { FeedQueue, type QueueEntry } from '../../src/ingest/feed-queue.ts';
import { FEED_BATCH_MAX } from '../../src/limits.ts';

/** A queue whose ticks run when the test says so. */
function manualQueue(capacity?: number) {
  const ticks: (() => void)[] = [];
  const batches: { entries: readonly QueueEntry[]; depth: number }[] = [];
  const queue = new FeedQueue({
    drain: (entries, depth) => batches.push({ entries, depth }),
    schedule: (tick) => ticks.push(tick),
    ...(capacity === undefined ? {} : { capacity }),
  });
  return { queue, batches, ticks, tick: () => ticks.shift()?.() };
}

describe('FeedQueue', () => {
  test('the queue drains nothing before the next tick, then all entries in order', () => {
    const { queue, batches, ticks, tick } = manualQueue();
    queue.offer('a');
    queue.caughtUp();
    queue.offer('b');
    expect(batches).toEqual([]);
    expect(ticks).toHaveLength(1);
    tick();
    expect(batches[0]!.entries.map((entry) => entry.message ?? entry.mark?.mark)).toEqual([
      'a',
      'caught_up',
      'b',
    ]);
    expect(ticks).toHaveLength(0);
  });

  test('offer is refused while the queue is full; room() resolves once a tick has drained it', async () => {
    const { queue, tick } = manualQueue(2);
    expect([queue.offer(1), queue.offer(2), queue.offer(3)]).toEqual([true, true, false]);
    let hasRoom = false;
    const room = queue.room().then(() => {
      hasRoom = true;
    });
    await Promise.resolve();
    expect(hasRoom).toBe(false);
    tick();
    await room;
    expect(queue.offer(3)).toBe(true);
    expect(queue.depth).toBe(1);
  });

  test('room() resolves immediately while the queue is not full', async () =>
    await expect(manualQueue(1).queue.room()).resolves.toBeUndefined());

  test('a burst is divided into batches, each with the number of entries that are left in the queue after it', () => {
    const { queue, batches, tick } = manualQueue();
    for (let index = 0; index < FEED_BATCH_MAX + 10; index++) queue.offer(index);
    tick();
    tick();
    expect(batches.map(({ entries, depth }) => [entries.length, depth])).toEqual([
      [FEED_BATCH_MAX, 10],
      [10, 0],
    ]);
  });

  test('a full queue still accepts marks, and a flood of garbage is one entry with a count', () => {
    const { queue, batches, tick } = manualQueue(1);
    queue.offer('a');
    for (let index = 0; index < 100_000; index++) queue.undecodable();
    expect(queue.depth).toBe(2);
    queue.connection(false);
    tick();
    expect(batches[0]!.entries.map((entry) => entry.mark)).toEqual([
      null,
      { mark: 'undecodable', count: 100_000 },
      { mark: 'connection', connected: false, triedAtMs: null },
    ]);
  });
});
