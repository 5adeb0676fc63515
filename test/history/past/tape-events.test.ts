// The fixtures of the tape have the teams, kickoff and status that were known last, even if no price
// followed. Part of the tape is in files, part in memory.

import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, toIsoText } from '../../../src/clock.ts';
import type { HistoryCoverage, HistoryEventPage } from '../../../src/contract/history.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { PRICES_PREFIX } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { TapeFollower } from '../../../src/history/live/tape-follower.ts';
import { dayOf } from '../../../src/history/tick.ts';
import { tapeCalls, tapeIn } from '../tape-folder.ts';
import { KEYS, TapeWorld } from '../tape-world.ts';

const PRINCIPAL = { tier: 'enterprise', seesSharp: true, keyId: 'key' } as const;
const [KEY] = KEYS as [number];

/** The fixtures that a caller's list has. @param day the day of kickoff */
async function listed(world: TapeWorld, day?: string): Promise<HistoryEventPage['data']> {
  await world.atRest();
  return world.reading(async (tape) => {
    const asked = { words: { limit: 10, day }, principal: PRINCIPAL, nowMs: world.nowMs };
    const { bytes } = await tapeCalls(tape).events(asked);
    return (JSON.parse(new TextDecoder().decode(bytes)) as HistoryEventPage).data;
  });
}

async function factsOf(world: TapeWorld) {
  return (await listed(world)).map(({ event, ticks }) => [event.status, event.scheduled_at, ticks]);
}

test.each(['in memory', 'in a file'])(
  'a fixture has the kickoff and status that were noted last, %s',
  async (where) => {
    await using world = new TapeWorld();
    await world.startWith(1);
    const kickoffMs = world.nowMs + HOUR_MS;
    world.putFixture(1, kickoffMs);
    world.putQuote(1, KEY, 20_000);
    world.publish();
    /** In the case 'in a file', ends the live part, so that it becomes a file. */
    const settle = async (): Promise<void> => {
      if (where === 'in a file') world.setBack(2_000);
      world.settle(5_000);
      await world.atRest();
    };
    await settle();
    world.closeQuote(1, KEY);
    world.publish();
    world.putFixture(1, kickoffMs + DAY_MS);
    world.publish();
    await settle();
    const later = toIsoText(kickoffMs + DAY_MS);
    expect(await factsOf(world)).toEqual([['scheduled', later, 2]]);
    expect(await listed(world, dayOf(kickoffMs))).toEqual([]);
    expect(await listed(world, dayOf(kickoffMs + DAY_MS))).toHaveLength(1);
    world.setLive(1, true);
    world.publish();
    await settle();
    expect(await factsOf(world)).toEqual([['live', later, 2]]);
    world.setLive(1, false);
    world.putQuote(1, KEY, 21_000);
    world.publish();
    await settle();
    expect(await factsOf(world)).toEqual([['scheduled', later, 3]]);
  },
);

test.each(['in memory', 'in a file'])(
  'a fixture has the team id of its team name once its team is known, %s',
  async (where) => {
    await using world = new TapeWorld();
    const settle = async (): Promise<void> => {
      if (where === 'in a file') world.setBack(2_000); // ends the live part, which becomes a file
      world.settle(5_000);
      await world.atRest();
    };
    const homeOf = async () => (await listed(world)).map(({ event }) => event.home_team);
    await world.startWith(1);
    world.putFixture(1, undefined, undefined, { number: 50, name: 'Winner QF1' });
    world.putQuote(1, KEY, 20_000);
    world.publish();
    await settle();
    expect(await homeOf()).toEqual([{ id: encodeId('team', 50), name: 'Winner QF1' }]);
    world.putFixture(1, undefined, undefined, { number: 60, name: 'Arsenal' });
    world.publish();
    await settle();
    const arsenal = { id: encodeId('team', 60), name: 'Arsenal' };
    expect(await homeOf()).toEqual([arsenal]);
    world.putQuote(1, KEY, 21_000);
    world.publish();
    await settle();
    expect(await homeOf()).toEqual([arsenal]);
  },
);

test('a serving node counts a tick only once while its file and its log both exist', async () => {
  await using world = new TapeWorld({ liveTicksMax: 2 });
  world.stuckAt = 'log removal';
  await world.startWith(1);
  for (const price of [20_000, 21_000, 22_000]) {
    world.putQuote(1, KEY, price);
    world.publish();
    world.settle();
    await world.atRest();
  }
  const folder = new LocalFolder(world.path);
  expect(await folder.list(PRICES_PREFIX)).toHaveLength(1);
  const tape = tapeIn(folder, new TapeFollower(folder));
  const asked = { principal: PRINCIPAL, nowMs: world.nowMs };
  const answers = [
    await tapeCalls(tape).events({ words: { limit: 10 }, ...asked }),
    await tapeCalls(tape).coverage(asked),
  ];
  tape.close();
  world.stuckAt = null;
  await world.killed(0); // it removes the log
  const [events, coverage] = answers.map(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)));
  expect((events as HistoryEventPage).data.map(({ ticks }) => ticks)).toEqual([3]);
  const { days } = coverage as HistoryCoverage;
  expect(days.map(({ fixtures, ticks }) => [fixtures, ticks])).toEqual([[1, 3]]);
});
