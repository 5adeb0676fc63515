// A tape that begins without a readable log, although its ring has already dropped some changes. What is left
// in the ring must not be taken for the whole slate.

import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { DAY_MS } from '../../../src/clock.ts';
import { dayPrefix, GAPS_COPY_PATH, GAPS_PATH } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { dayOf, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { KEYS, TapeWorld } from '../tape-world.ts';

async function nextStep(world: TapeWorld): Promise<void> {
  world.settle();
  await world.tape.step();
}

test('if a node becomes leader for the first time after its ring has dropped the whole slate, the tape begins with a gap, which ends once the slate was sent again', async () => {
  await using world = new TapeWorld({ number: 100 });
  world.startSlate();
  for (const event of [1, 2]) {
    world.putFixture(event);
    for (const key of KEYS) world.putQuote(event, key, 10_100);
  }
  world.publish();
  world.feedIsBack();
  world.settle(31_000);
  world.trim();
  world.publishPrice(10_200);
  const beginMs = world.nowMs;
  await world.takeOver();
  await world.tape.step();
  expect(world.tape.gaps()).toEqual([{ fromMs: beginMs, toMs: null, reason: 'stopped' }]);
  await nextStep(world);
  expect(world.tape.gaps()).toEqual([{ fromMs: beginMs, toMs: world.nowMs, reason: 'stopped' }]);
  expect(await world.standingAt(world.nowMs)).toEqual(world.shownTexts());
});

test.each(['the log', 'the log, with files before it'])(
  'the gap after a loss of %s ends when the whole slate has been sent again, even if the feed was never lost',
  async (lost) => {
    await using world = new TapeWorld({ liveTicksMax: 4 });
    await world.startWith(1, 2);
    const prices = lost === 'the log' ? 2 : 7;
    for (let price = 10_100; price < 10_100 + prices; price++) world.publishPrice(price);
    world.putQuote(2, KEYS[0]!, 10_100);
    world.publish();
    await world.atRest();
    const folder = new LocalFolder(world.path);
    for (const path of await folder.logs()) rmSync(`${world.path}/${path}`);
    world.publishPrice(10_300);
    await world.startTape();
    await nextStep(world);
    expect(world.tape.gaps()).toMatchObject([{ toMs: world.nowMs, reason: 'stopped' }]);
    expect(await world.standingAt(world.nowMs)).toEqual(world.shownTexts());
    await nextStep(world);
    expect(world.tape.gaps()).toHaveLength(1);
  },
);

test('a first tape whose ring has dropped nothing begins without a gap', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  await world.startTape();
  await nextStep(world);
  expect(world.tape.gaps()).toEqual([]);
  expect(await world.standingAt(world.nowMs)).toEqual(world.shownTexts());
});

/** Writes an import's file with one tick. */
async function importTick(world: TapeWorld, receivedAtMs: number): Promise<void> {
  const tick: Tick = {
    ...{ eventId: 'evt_imported', sport: 'football', league: 'League', home: 'Home', away: 'Away' },
    ...{ kickoffMs: null, bookmaker: 'crown', marketType: '1x2', period: 'full_time', line: null },
    ...{ status: 'open', pricesE4: { ...NO_PRICES, home: 20_000, draw: 30_000, away: 40_000 } },
    ...{ atMs: receivedAtMs, receivedAtMs, inPlay: false, scoreHome: null, scoreAway: null, standing: false },
  };
  const path = `${dayPrefix(dayOf(receivedAtMs))}import-0123456789ab.parquet`;
  await new LocalFolder(world.path).write(path, encodeTickFile([tick], new Map()));
}

test('a first tape in a folder with an import begins without a gap', async () => {
  await using world = new TapeWorld();
  await importTick(world, world.nowMs - 8 * DAY_MS);
  await world.startWith(1);
  world.publishPrice(10_100);
  await nextStep(world);
  expect(world.tape.gaps()).toEqual([]);
});

test('the gap after the loss of the log begins with the end of the last file of ours, whatever was imported', async () => {
  await using world = new TapeWorld({ liveTicksMax: 4 });
  await world.startWith(1);
  for (let price = 10_100; price < 10_107; price++) world.publishPrice(price);
  await world.atRest();
  const folder = new LocalFolder(world.path);
  for (const path of await folder.logs()) rmSync(`${world.path}/${path}`);
  const receivedMs = world.published.map(({ receivedAtMs }) => receivedAtMs);
  await importTick(world, world.nowMs + 5 * DAY_MS);
  world.nowMs += 8 * DAY_MS;
  await world.killed(0);
  const [gap] = world.tape.gaps();
  expect(receivedMs).toContain(gap!.fromMs);
});

test('a lost list of gaps leaves imported days as they are: the list is about the time of the server', async () => {
  await using world = new TapeWorld({ liveTicksMax: 4 });
  await world.startWith(1);
  for (let price = 10_100; price < 10_107; price++) world.publishPrice(price);
  await world.atRest();
  await importTick(world, world.nowMs - 8 * DAY_MS);
  await world.killed(0, () => {
    for (const path of [GAPS_PATH, GAPS_COPY_PATH]) writeFileSync(`${world.path}/${path}`, 'torn');
  });
  expect(Math.min(...world.tape.gaps().map(({ fromMs }) => fromMs))).toBe(Date.UTC(2026, 5, 19));
});
