// Which answers about the past may be cached for ever: those to which no import can add.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { MINUTE_MS, toIsoText } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { importSeasons } from '../../../src/start/history/import-to-tape.ts';
import { tapeCalls } from '../tape-folder.ts';
import { TapeWorld } from '../tape-world.ts';

const SEASON = `Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,B365H,B365D,B365A,PSH,PSD,PSA
E0,19/06/2026,23:59,Man United,Fulham,1,0,H,1.63,4.38,5.30,1.65,4.23,5.28
`;
const ALL = { tier: 'enterprise', seesSharp: true, keyId: 'key' } as const;
const FREE = { tier: 'free', seesSharp: false, keyId: 'key' } as const;

/** A tape's answers about an instant, and about the ten minutes before it or the time since `fromMs`. */
async function answersOf(
  world: TapeWorld,
  atMs: number,
  principal: typeof ALL | typeof FREE = ALL,
  fromMs = atMs - 10 * MINUTE_MS,
) {
  const caller = { principal, nowMs: world.nowMs };
  const eventId = encodeId('event', 1);
  const at = toIsoText(atMs);
  const range = { from: toIsoText(fromMs), to: at };
  return await world.reading(async (tape) => {
    const calls = tapeCalls(tape);
    const odds = await calls.odds({ ...caller, eventId, words: {}, at });
    const batch = await calls.batch({ ...caller, eventIds: [eventId], words: {}, at });
    const slate = await calls.slate({ ...caller, words: {}, at });
    const words = { ...range, resolution: 'tick', limit: 10 } as const;
    const ticks = await calls.ticks({ ...caller, eventId, words });
    return { finals: [odds, batch, slate, ticks].map(({ isFinal }) => isFinal), slate: slate.etag };
  });
}

async function importSeason(world: TapeWorld, bookmaker: readonly [string, string]): Promise<void> {
  const path = join(world.path, 'E0.csv');
  await Bun.write(path, SEASON);
  await importSeasons(new LocalFolder(world.path), { paths: [path], bookmakers: [bookmaker] });
}

test('an answer about an imported day is not final, because another import may add to it', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(20 * MINUTE_MS);
  world.publishPrice(10_200);
  world.settle(20 * MINUTE_MS);
  await world.tape.step();
  const atMs = world.nowMs - 5 * MINUTE_MS;
  const own = await answersOf(world, atMs);
  expect(own.finals).toEqual([true, true, true, true]);
  const seenByFree = await answersOf(world, atMs, FREE);
  await importSeason(world, ['PS', 'pinnacle']);
  const first = await answersOf(world, atMs);
  expect(first.finals).toEqual([false, false, false, false]);
  // A free caller does not see that the sharp bookmaker was imported.
  expect(await answersOf(world, atMs, FREE)).toEqual(seenByFree);
  await importSeason(world, ['B365', 'crown']);
  const second = await answersOf(world, atMs);
  expect(second.finals).toEqual([false, false, false, false]);
  expect(new Set([own.slate, first.slate, second.slate]).size).toBe(3);
});

test('an answer about a gap is not final, because an import may fill it', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(MINUTE_MS);
  await world.tape.step();
  const beforeMs = world.nowMs - MINUTE_MS / 2;
  world.feedIsLost();
  world.settle();
  world.settle(30 * MINUTE_MS);
  world.feedIsBack();
  await world.tape.step();
  const backAtMs = world.nowMs;
  world.settle(30 * MINUTE_MS);
  await world.tape.step();
  expect((await answersOf(world, backAtMs - MINUTE_MS)).finals).toEqual([false, false, false, false]);
  const laterMs = backAtMs + 20 * MINUTE_MS;
  expect((await answersOf(world, laterMs)).finals).toEqual([true, true, true, true]);
  // The gap lies inside the range.
  expect((await answersOf(world, laterMs, ALL, beforeMs)).finals).toEqual([true, true, true, false]);
});
