// At most four bodies in chunks are read at a time, in the order of their arrival; a refused body counts as
// being read for 250 ms more.

import { expect, test } from 'bun:test';
import { ChunkedBodies } from '../../../../src/http/edge/bodies/chunked-bodies.ts';
import { eventLoopTurn } from '../../../../src/pause.ts';

test('a body that was refused counts as being read for 250 ms more; a body that arrived whole does not', async () => {
  let nowMs = 0;
  const bodies = new ChunkedBodies({ monotonicMs: () => nowMs });
  const begun: number[] = [];
  const read = (index: number, isRefused: boolean): Promise<unknown> =>
    bodies
      .read(
        () => true,
        async () => {
          begun.push(index);
          await eventLoopTurn();
          if (isRefused) throw new Error('413');
          return index;
        },
      )
      .catch(() => null);
  const all = [false, true, true, true, true, false].map((isRefused, index) => read(index, isRefused));
  await eventLoopTurn();
  await eventLoopTurn();
  await eventLoopTurn();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  nowMs = 249;
  bodies.startWaiting();
  expect(bodies.waitingCount).toBe(1);
  nowMs = 250;
  bodies.startWaiting();
  expect(await Promise.all(all)).toEqual([0, null, null, null, null, 5]);
});

test('a body whose request was dropped is not read, and does not count as being read', async () => {
  const bodies = new ChunkedBodies({ monotonicMs: () => 0 });
  const unread = async (): Promise<never> => {
    throw new Error('it was read');
  };
  const left = Array.from({ length: 9 }, () => bodies.read(() => false, unread));
  expect(await Promise.all(left)).toEqual(Array(9).fill(null));
});
