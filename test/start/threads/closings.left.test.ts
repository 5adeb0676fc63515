// A source often drops a match at its kickoff. Its closing prices are still frozen ten minutes later, even if
// the process ended in between.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { MINUTE_MS } from '../../../src/clock.ts';
import { KEYS, TapeWorld } from '../../history/tape-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { closingsOf, historyDatabase } from './closings-of.ts';

const ENDINGS = ['restart', 'another segment and a restart', 'two restarts', 'takeover'] as const;

test.each(ENDINGS)('a match that left the slate at its kickoff has closing prices after: %s', async (end) => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'history');
  const database = historyDatabase(folder.path);
  await using world = new TapeWorld({ path });
  await using heir = new TapeWorld({ path, number: 100 });
  let [writer, closings] = [world, closingsOf(world, { database })];
  await world.startWith(1, 2, 3);
  heir.startSlate();
  heir.feedIsBack();
  const kickoffMs = world.nowMs + 30 * MINUTE_MS;
  const waitUntil = async (minutes: number): Promise<void> => {
    const untilMs = kickoffMs + minutes * MINUTE_MS;
    while (writer.nowMs < untilMs) {
      for (const one of new Set([writer, heir])) one.settle(MINUTE_MS / 2);
      await writer.atRest();
      await closings.settle(writer.tape);
    }
  };
  const restart = async (): Promise<void> => {
    closings = closingsOf(world, { database });
    await world.killed(0);
    world.putFixture(3);
    world.feedIsBack();
  };
  world.putFixture(1, kickoffMs);
  world.putFixture(2, kickoffMs);
  for (const event of [1, 2, 3]) world.putQuote(event, KEYS[0]!, 19_000);
  world.publish();
  await waitUntil(-20);
  world.remove(2); // long before its kickoff: it has no closing price
  world.publish();
  await waitUntil(0);
  world.remove(1);
  world.publish();
  await waitUntil(3);
  if (end === 'another segment and a restart') {
    world.setBack(2_000); // ends the segment
    world.settle();
    await world.atRest();
  }
  if (end === 'takeover') {
    await world.die();
    [writer, closings] = [heir, closingsOf(heir, { database })];
    await heir.takeOver();
  } else await restart();
  if (end === 'two restarts') {
    await waitUntil(5);
    await restart();
  }
  await waitUntil(9);
  expect(await closings.frozen(1)).toBeNull();
  await waitUntil(11);
  expect(await closings.frozen(1)).toMatchObject({
    kickoffMs,
    prices: [{ pricesE4: [19_000, 19_001, 19_002] }],
  });
  expect(await closings.frozen(2)).toBeNull();
  await database.close();
});
