// A handover waits for room or for a time, and for nothing once it is stopped.

import { expect, test } from 'bun:test';
import { Handover } from '../../src/feed/handover.ts';
import type { FeedSink } from '../../src/feed/source.ts';

const LONG_MS = 3_600_000;

/** A queue that is full and never gets room. */
const FULL: FeedSink = {
  offer: () => false,
  room: () => new Promise(() => {}),
  caughtUp() {},
  alive() {},
  connection() {},
  undecodable() {},
};

test('a stop ends the current wait and every later one', async () => {
  for (const wait of [
    (handover: Handover) => handover.sleep(LONG_MS),
    (handover: Handover) => handover.flush(),
  ]) {
    const handover = new Handover(FULL);
    handover.hold({ type: 'heartbeat' });
    const underWay = wait(handover);
    handover.stop();
    await underWay;
    await wait(handover);
    expect(handover.isStopped).toBe(true);
  }
}, 120_000);
