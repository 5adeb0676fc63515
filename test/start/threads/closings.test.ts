// Closing prices are frozen once: a node that takes the tape over while the match is live keeps them. A file
// of the history that cannot be read is set aside, and closing prices are frozen from the others.

import { expect, test } from 'bun:test';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import type { EventClosing } from '../../../src/contract/history.ts';
import { QUOTE_SUSPENDED, STATUS_LIVE } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { PRICES_PREFIX } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { createLog } from '../../../src/log.ts';
import { type Closings, openClosings } from '../../../src/start/threads/closings.ts';
import { createStore } from '../../../src/store/layout.ts';
import { tapeCalls } from '../../history/tape-folder.ts';
import { KEYS, TapeWorld } from '../../history/tape-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { closingsOf, historyDatabase } from './closings-of.ts';

test('a file that cannot be read is set aside, and then the closing prices are frozen', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'history');
  await using world = new TapeWorld({ path, liveTicksMax: 4 });
  await world.startWith(1);
  for (let price = 10_100; price < 10_120; price++) {
    world.settle(60_000);
    world.putQuote(1, KEYS[0]!, price);
    world.publish();
    await world.atRest();
  }
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const newest = files
    .filter((file) => file.endsWith('.parquet') && file.includes('day='))
    .toSorted()
    .at(-1)!;
  truncateSync(join(path, newest), 100);
  world.settle(1_000);
  const { clock } = world;
  const database = historyDatabase(folder.path);
  const log = createLog({ clock, json: false, level: 'error', write: () => {} });
  const parts = { database, storeBuffer: createStore(0), clock, log };
  const closings = openClosings(parts, new LocalFolder(path));
  const live = {
    kickoffMs: world.nowMs,
    eventStatus: STATUS_LIVE,
    nowMs: world.nowMs,
    gapFromMs: Number.NaN,
  };
  closings.keeper.fixture(1, live);
  await closings.settle(world.tape);
  expect(world.tape.standing().setAside).toHaveLength(1);
  world.settle(HOUR_MS);
  await closings.settle(world.tape);
  const frozen = await closings.frozen(1);
  // The last price was in the lost file. The live part was begun after that file, so it repeats the price.
  expect(frozen?.prices.map(({ pricesE4 }) => pricesE4[0])).toEqual([10_119]);
  await database.close();
});

test('after a file was set aside, lines that changed while it was being written close with what the next file shows, or not at all', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'history');
  await using world = new TapeWorld({ path, liveTicksMax: 4 });
  await world.startWith(1);
  const [moved, withdrawn, unchanged, movedLater] = KEYS as [number, number, number, number];
  const quote = (key: number, price: number) => () => world.putQuote(1, key, price);
  await world.publishEach(...KEYS.map((key) => quote(key, 10_100)));
  await world.publishEach(quote(moved, 10_200), quote(moved, 10_300), () => world.closeQuote(1, withdrawn));
  const kickoffMs = world.nowMs + 500;
  await world.publishEach(quote(movedLater, 10_400));
  await world.publishEach(...[1, 2, 3, 4].map((step) => quote(movedLater, 10_400 + step)));
  const files = (await new LocalFolder(path).list(PRICES_PREFIX)).map((file) => file.path);
  expect(files).toHaveLength(3);
  truncateSync(join(path, files[1]!), 100);
  const { clock } = world;
  const database = historyDatabase(folder.path);
  const log = createLog({ clock, json: false, level: 'error', write: () => {} });
  const closings = openClosings({ database, storeBuffer: createStore(0), clock, log }, new LocalFolder(path));
  closings.keeper.fixture(1, {
    kickoffMs,
    eventStatus: STATUS_LIVE,
    nowMs: kickoffMs,
    gapFromMs: Number.NaN,
  });
  await closings.settle(world.tape);
  expect(world.tape.standing().setAside).toEqual([files[1]!]);
  world.settle(HOUR_MS);
  await closings.settle(world.tape);
  const frozen = await closings.frozen(1);
  expect(frozen?.prices.map(({ key, pricesE4 }) => [key, pricesE4[0]])).toEqual([
    [moved, 10_300],
    [unchanged, 10_100],
  ]);
  await database.close();
});

test('closing prices do not change when another node takes the tape over while the match is live, or when its history thread restarts', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'history');
  const database = historyDatabase(folder.path);
  await using leader = new TapeWorld({ path });
  await using heir = new TapeWorld({ path, number: 100 });
  const worlds = [leader, heir];
  const play = (change: (world: TapeWorld) => void): void => {
    for (const world of worlds) {
      world.settle(1_000);
      change(world);
      world.publish();
      world.settle(500);
    }
  };
  const first = closingsOf(leader, { database });
  await leader.start();
  heir.startSlate();
  for (const world of worlds) {
    // The kickoff of the match is stated for the next day, but the match begins now.
    world.putFixture(1);
    world.feedIsBack();
  }
  play((world) => world.putQuote(1, KEYS[0]!, 19_000));
  play((world) => world.setLive(1, true));
  await leader.tape.step();
  await first.settle(leader.tape);
  const frozen = await first.frozen(1);
  expect(frozen?.prices.map(({ pricesE4 }) => pricesE4[0])).toEqual([19_000]);
  for (const world of worlds) world.settle(45 * MINUTE_MS);
  play((world) => world.putQuote(1, KEYS[0]!, 12_000));
  await leader.tape.step();
  heir.trim();
  await leader.die();
  const second = closingsOf(heir, { database });
  const lead = async (closings: Closings): Promise<void> => {
    for (let step = 0; step < 3; step++) {
      heir.settle(1_000);
      await heir.tape.step();
      await closings.settle(heir.tape);
    }
  };
  await heir.takeOver();
  await lead(second);
  expect(heir.tape.gaps()).toEqual([]);
  expect(await second.frozen(1)).toEqual(frozen);
  const third = closingsOf(heir, { database });
  await heir.startTape({ isShared: true });
  await lead(third);
  expect(await third.frozen(1)).toEqual(frozen);
  await database.close();
});

const OUTAGES = (['stopped', 'feed_lost'] as const).flatMap((reason) =>
  [5, 90].flatMap((minutes) => [false, true].map((isTried) => ({ reason, minutes, isTried }))),
);

test.each(OUTAGES)(
  'if the tape saw nothing from $minutes minutes before the kickoff on ($reason), closing prices count as confirmed up to that moment; attempted meanwhile: $isTried',
  async ({ reason, minutes, isTried }) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'history');
    const database = historyDatabase(folder.path);
    await using world = new TapeWorld({ path });
    const [unmoved, moved, suspended, withdrawn] = KEYS as [number, number, number, number];
    const confirmedAtMs = world.nowMs + 24 * HOUR_MS;
    let closings = closingsOf(world, { database, confirmedAtMs });
    await world.startWith(1);
    world.settle(1_000);
    const kickoffMs = world.nowMs + minutes * MINUTE_MS;
    world.putFixture(1, kickoffMs);
    for (const key of KEYS) world.putQuote(1, key, 10_100);
    world.publish();
    if (reason === 'feed_lost') world.feedIsLost();
    world.settle();
    await world.atRest();
    world.nowMs = kickoffMs + 30 * MINUTE_MS;
    if (reason === 'stopped') {
      closings = closingsOf(world, { database, confirmedAtMs });
      await world.killed(0);
    }
    const settle = async (): Promise<void> => {
      world.settle(10_000);
      await world.atRest();
      await closings.settle(world.tape);
    };
    if (isTried) await settle();
    world.putFixture(1, kickoffMs);
    world.setLive(1, true);
    world.putQuote(1, unmoved, 10_100);
    world.putQuote(1, moved, 30_000);
    world.putQuote(1, suspended, 10_100, QUOTE_SUSPENDED);
    world.closeQuote(1, withdrawn);
    world.publish();
    if (isTried) await settle();
    world.feedIsBack();
    const backAtMs = world.nowMs;
    await settle();
    const [gap] = world.tape.gaps();
    expect(gap).toMatchObject({ reason, toMs: backAtMs });
    const frozen = await closings.frozen(1);
    // A line in a gap of ten minutes or less before the kickoff is treated like a line that was suspended for
    // as long.
    const lines = minutes > 10 ? [unmoved] : [unmoved, moved, suspended, withdrawn];
    expect(frozen).toMatchObject({
      kickoffMs,
      prices: lines.map((key) => ({ key, confirmedAtMs: gap!.fromMs })),
    });
    const { bytes } = await world.reading((tape) =>
      tapeCalls(tape).closing({
        ...{ eventId: encodeId('event', 1), words: {}, nowMs: world.nowMs },
        principal: { tier: 'enterprise', seesSharp: true, keyId: 'key' },
      }),
    );
    const answer = JSON.parse(new TextDecoder().decode(bytes)) as EventClosing;
    expect(answer.closing).toHaveLength(lines.length);
    await database.close();
  },
);
