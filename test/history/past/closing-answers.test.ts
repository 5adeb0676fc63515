// A closing price that is computed from the tape uses the same kickoff as a frozen one: the instant at which
// the match was first seen live, otherwise the kickoff that was stated last. This also holds if no price
// followed. If a file is lost, a line that changed meanwhile closes with what the next file shows, or has no
// closing price. If the server was stopped, an import can supply the closing prices.

import { expect, test } from 'bun:test';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS, toIsoText } from '../../../src/clock.ts';
import type { EventClosing } from '../../../src/contract/history.ts';
import { STATUS_LIVE } from '../../../src/domain/catalogue.ts';
import { encodeId, entityNumber } from '../../../src/domain/ids.ts';
import { PRICES_PREFIX } from '../../../src/history/files/folder.ts';
import { GapList } from '../../../src/history/files/gap-list.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { addToTape } from '../../../src/history/imports/add-to-tape.ts';
import { OddsApiImport, oddsAnswerOf } from '../../../src/history/imports/the-odds-api.ts';
import { TapeFollower } from '../../../src/history/live/tape-follower.ts';
import { TapeReader } from '../../../src/history/past/tape-reader.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tapeCalls, tapeIn } from '../tape-folder.ts';
import { KEYS, TapeWorld } from '../tape-world.ts';

const PRINCIPAL = { tier: 'enterprise', seesSharp: true, keyId: 'key' } as const;
const EVENT = encodeId('event', 1);
const [KEY] = KEYS as [number];
const DECODER = new TextDecoder();

async function closingOf(world: TapeWorld): Promise<EventClosing> {
  await world.atRest();
  return world.reading(async (tape) => {
    const asked = { eventId: EVENT, words: {}, principal: PRINCIPAL, nowMs: world.nowMs };
    const { bytes } = await tapeCalls(tape).closing(asked);
    return JSON.parse(DECODER.decode(bytes)) as EventClosing;
  });
}

/** A match with one price. Its first stated kickoff is an hour after that price. */
async function worldWithMatch(path: string) {
  const world = new TapeWorld({ path });
  await world.startWith(1);
  const kickoffMs = world.nowMs + HOUR_MS;
  const publishAt = (atMs: number, change: () => void): void => {
    world.settle(atMs - world.nowMs);
    change();
    world.publish();
  };
  world.putFixture(1, kickoffMs);
  world.putQuote(1, KEY, 20_000);
  world.publish();
  return { world, kickoffMs, publishAt };
}

test('a match that begins late closes with the last price before it was seen live', async () => {
  using folder = temporaryFolder();
  const { world, kickoffMs, publishAt } = await worldWithMatch(folder.path);
  await using _ = world;
  publishAt(kickoffMs + 5 * MINUTE_MS, () => world.putQuote(1, KEY, 21_000));
  publishAt(kickoffMs + 8 * MINUTE_MS, () => world.setLive(1, true));
  const liveAtMs = world.nowMs;
  publishAt(kickoffMs + 30 * MINUTE_MS, () => world.putQuote(1, KEY, 50_000));
  const { kickoff_at, closing } = await closingOf(world);
  expect(kickoff_at).toBe(toIsoText(liveAtMs));
  expect(closing.map(({ prices }) => prices.home)).toEqual([2.1]);
});

test('a match that is seen live without another price has its closing prices', async () => {
  using folder = temporaryFolder();
  const { world, kickoffMs, publishAt } = await worldWithMatch(folder.path);
  await using _ = world;
  publishAt(kickoffMs - 3 * MINUTE_MS, () => world.setLive(1, true));
  world.settle(20 * MINUTE_MS);
  const { kickoff_at, closing } = await closingOf(world);
  expect(Date.parse(kickoff_at!)).toBeLessThan(kickoffMs);
  expect(closing.map(({ prices }) => prices.home)).toEqual([2]);
});

test('a match that was postponed after its last price has no closing prices yet', async () => {
  using folder = temporaryFolder();
  const { world, kickoffMs, publishAt } = await worldWithMatch(folder.path);
  await using _ = world;
  publishAt(kickoffMs - 30 * MINUTE_MS, () => world.closeQuote(1, KEY));
  publishAt(kickoffMs - 10 * MINUTE_MS, () => world.putFixture(1, kickoffMs + HOUR_MS));
  world.settle(30 * MINUTE_MS);
  expect(await closingOf(world)).toMatchObject({ kickoff_at: toIsoText(kickoffMs + HOUR_MS), closing: [] });
});

test('if the tape did not see the match begin, its stated kickoff counts', async () => {
  using folder = temporaryFolder();
  const { world, kickoffMs, publishAt } = await worldWithMatch(folder.path);
  await using _ = world;
  publishAt(kickoffMs - MINUTE_MS, () => world.feedIsLost());
  publishAt(kickoffMs + 20 * MINUTE_MS, () => {
    world.setLive(1, true);
    world.putQuote(1, KEY, 60_000);
  });
  world.feedIsBack();
  world.publish();
  expect(await closingOf(world)).toMatchObject({ kickoff_at: toIsoText(kickoffMs) });
});

test('a match that was not live yet when the feed was lost after its stated kickoff closes with the last price before the gap', async () => {
  using folder = temporaryFolder();
  const { world, kickoffMs, publishAt } = await worldWithMatch(folder.path);
  await using _ = world;
  publishAt(kickoffMs + 3 * MINUTE_MS, () => world.putQuote(1, KEY, 21_000));
  const lostAtMs = kickoffMs + 4 * MINUTE_MS;
  publishAt(lostAtMs, () => world.feedIsLost());
  publishAt(lostAtMs + MINUTE_MS, () => {
    world.setLive(1, true);
    world.putQuote(1, KEY, 60_000);
  });
  world.feedIsBack();
  world.publish();
  world.settle(20 * MINUTE_MS);
  const { kickoff_at, closing } = await closingOf(world);
  expect(Math.abs(Date.parse(kickoff_at!) - lostAtMs)).toBeLessThan(1_000);
  expect(closing.map(({ prices }) => prices.home)).toEqual([2.1]);
});

test('a gap that a restart divides counts from its beginning for the kickoff that is frozen', async () => {
  using folder = temporaryFolder();
  const { world, kickoffMs, publishAt } = await worldWithMatch(folder.path);
  await using _ = world;
  const lostAtMs = kickoffMs - 5 * MINUTE_MS;
  publishAt(lostAtMs, () => world.feedIsLost());
  await world.atRest();
  const gapsFromMs: number[] = [];
  world.listener = {
    restored: () => {},
    fixture: (_event, { eventStatus, gapFromMs }) => {
      if (eventStatus === STATUS_LIVE) gapsFromMs.push(gapFromMs);
    },
  };
  world.settle(10 * MINUTE_MS);
  await world.atRest();
  await world.killed(0);
  world.putFixture(1, kickoffMs);
  world.setLive(1, true);
  world.publish();
  world.feedIsBack();
  await world.atRest();
  expect(gapsFromMs).toHaveLength(1);
  expect(Math.abs(gapsFromMs[0]! - lostAtMs)).toBeLessThan(1_000);
});

test('a match has closing prices from an import, although the server was stopped at its kickoff', async () => {
  const kickoffMs = Date.UTC(2026, 5, 19, 15);
  const folder = new MemoryFolder();
  const reading = new OddsApiImport(new Map([['one', 'crown']]));
  for (const [hoursBefore, price] of [
    [3, 1.8],
    [1, 1.9],
    [-1, 2.5],
  ] as const) {
    const timestamp = toIsoText(kickoffMs - hoursBefore * HOUR_MS);
    const names = { home_team: 'Home', away_team: 'Away' };
    const outcomes = [
      { name: 'Home', price },
      { name: 'Away', price: 2 },
    ];
    const markets = [{ key: 'h2h', last_update: timestamp, outcomes }];
    const fixture = {
      ...{ id: 'fixture', sport_key: 'basketball_wnba', sport_title: 'WNBA', ...names },
      commence_time: toIsoText(kickoffMs),
      bookmakers: [{ key: 'one', title: 'one', last_update: timestamp, markets }],
    };
    const answer = oddsAnswerOf({ timestamp, data: [fixture] })!;
    reading.add(answer.timestampMs, [answer]);
  }
  await addToTape(folder, reading.finish());
  const gaps = new GapList(folder);
  gaps.add([{ fromMs: kickoffMs - 20 * HOUR_MS, toMs: kickoffMs + 20 * HOUR_MS, reason: 'stopped' }]);
  await gaps.save(null);
  const follower = new TapeFollower(folder);
  await follower.catchUp();
  const tape = tapeIn(folder, follower);
  expect(tape.time.gaps('all')).toHaveLength(1);
  const eventId = encodeId('event', entityNumber('event', 1, 'fixture'));
  const asked = { eventId, words: {}, principal: PRINCIPAL, nowMs: kickoffMs + 30 * HOUR_MS };
  const { bytes } = await tapeCalls(tape).closing(asked);
  const { closing } = JSON.parse(DECODER.decode(bytes)) as EventClosing;
  expect(closing.map(({ prices }) => prices.home)).toEqual([1.9]);
  tape.close();
});

test.each([true, false])(
  'lines that changed while a lost file was being written close with what the next file shows, or not at all (set aside: %p)',
  async (isSetAside) => {
    await using world = new TapeWorld({ liveTicksMax: 4 });
    await world.startWith(1);
    const [moved, withdrawn, , movedLater] = KEYS as [number, number, number, number];
    const quote = (key: number, price: number) => () => world.putQuote(1, key, price);
    await world.publishEach(...KEYS.map((key) => quote(key, 10_100)));
    await world.publishEach(quote(moved, 10_200), quote(moved, 10_300), () => world.closeQuote(1, withdrawn));
    await world.publishEach(() => world.setLive(1, true), quote(movedLater, 10_400));
    await world.publishEach(...[1, 2, 3, 4].map((step) => quote(movedLater, 10_400 + step)));
    const closing = async () => {
      const broken = new Set<string>();
      const onBroken = (path: string): void => void broken.add(path);
      const parts = { folder: new LocalFolder(world.path), source: world.tape, monotonicMs: () => 0 };
      const tape = new TapeReader({ ...parts, onBroken });
      const asked = { eventId: EVENT, words: {}, principal: PRINCIPAL, nowMs: world.nowMs + HOUR_MS };
      const { bytes } = await tapeCalls(tape).closing(asked);
      tape.close();
      const answer = JSON.parse(DECODER.decode(bytes)) as EventClosing;
      return { broken, prices: answer.closing.map(({ prices }) => prices.home ?? prices.over) };
    };
    expect((await closing()).prices).toEqual([1.03, 1.01, 1.01, 1.01]);
    const files = (await new LocalFolder(world.path).list(PRICES_PREFIX)).map((file) => file.path);
    expect(files).toHaveLength(3);
    truncateSync(join(world.path, files[1]!), 100);
    if (isSetAside) await world.tape.setAside(files[1]!, new Error('it is cut off'));
    const { broken, prices } = await closing();
    expect([...broken]).toEqual(isSetAside ? [] : [files[1]!]);
    expect(prices).toEqual([1.03, 1.01]);
  },
);
