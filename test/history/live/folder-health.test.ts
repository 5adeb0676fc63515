// A folder that refuses writes: the disk is full, read-only or slow. The tape reports it and stops. Changes
// that fit in the ring are written once the folder accepts them again; changes that do not fit leave a gap
// with its own reason.

import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../src/clock.ts';
import { GAPS_COPY_PATH, GAPS_PATH, ShortLogError } from '../../../src/history/files/folder.ts';
import { GapList } from '../../../src/history/files/gap-list.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { FolderHealth } from '../../../src/history/live/folder-health.ts';
import { readLog } from '../../../src/history/live/recover-logs.ts';
import { createLog } from '../../../src/log.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asModel, modelText, TapeWorld } from '../tape-world.ts';

async function refusing<Result>(code: string, work: () => Promise<Result>): Promise<Result> {
  const { append, write } = LocalFolder.prototype;
  const refuse = async (): Promise<void> => {
    throw Object.assign(new Error(`the disk says ${code}`), { code });
  };
  LocalFolder.prototype.append = refuse;
  LocalFolder.prototype.write = refuse;
  try {
    return await work();
  } finally {
    LocalFolder.prototype.append = append;
    LocalFolder.prototype.write = write;
  }
}

async function opened(path: string, ringRecords: number): Promise<TapeWorld> {
  const world = new TapeWorld({ path, ringRecords, liveTicksMax: 1_000 });
  await world.startWith(1);
  await world.tape.step();
  return world;
}

function quotes(world: TapeWorld, count: number, from: number): void {
  for (let number = 0; number < count; number++) {
    world.publishPrice(from + number);
  }
}

for (const [code, reason] of [
  ['ENOSPC', 'disk_full'],
  ['EROFS', 'read_only'],
  ['EIO', 'storage_failed'],
] as const) {
  test(`${code}: the tape is stopped, loses nothing that fits in the ring, and then continues`, async () => {
    using folder = temporaryFolder();
    await using world = await opened(folder.path, 256);
    await refusing(code, async () => {
      quotes(world, 50, 11_000);
      await world.tape.step();
      expect(world.tape.standing().stopped).toBe(reason);
    });
    world.settle(2_000);
    const { ticks } = await world.taped();
    expect(world.tape.standing().stopped).toBeNull();
    expect(world.tape.gaps()).toEqual([]);
    expect(ticks.map(asModel)).toEqual(world.published.map(modelText));
  });
}

test('a disk that lost the end of the log gets the whole end again', async () => {
  using folder = temporaryFolder();
  await using world = await opened(folder.path, 256);
  quotes(world, 50, 11_000);
  await world.tape.step();
  await world.mountAgain();
  quotes(world, 5, 12_000);
  await world.tape.step();
  expect(world.tape.standing().stopped).toBeNull();
  const published = world.published.map(modelText);
  await world.killed(7);
  const { ticks } = await world.taped();
  expect(ticks.map(asModel)).toEqual(published);
});

test('a log that is written again after a restart still names the log before it', async () => {
  using place = temporaryFolder();
  await using world = await opened(place.path, 256);
  quotes(world, 5, 11_000);
  world.settle(10_800_000); // into the next day
  quotes(world, 5, 12_000);
  await world.taped();
  const folder = new LocalFolder(place.path);
  const [path = ''] = await folder.logs();
  const logBefore = async () => {
    const { after, bytesBefore } = readLog(path, (await folder.readLog(path, 0))!);
    return { after, bytesBefore };
  };
  const written = await logBefore();
  expect(written).toEqual({ after: expect.stringMatching(/^log\//), bytesBefore: expect.any(Number) });
  await world.killed(0);
  world.putFixture(1);
  world.feedIsBack();
  quotes(world, 5, 13_000);
  await world.tape.step();
  await world.mountAgain();
  quotes(world, 5, 14_000);
  await world.tape.step();
  expect(await logBefore()).toEqual(written);
});

test('a start names the files that were set aside, without those that are in their place again', async () => {
  const folder = new MemoryFolder();
  const [lost, restored] = ['1-a', '2-b'].map((name) => `prices/day=2026-06-19/${name}.parquet`);
  for (const path of [lost, restored, GAPS_PATH]) await folder.write(`set-aside/${path}`, new Uint8Array(9));
  for (const path of [restored!, `${lost}.draft`, GAPS_PATH]) await folder.write(path, new Uint8Array(9));
  const log = createLog({ clock: systemClock, json: false, level: 'error', write: () => {} });
  const health = new FolderHealth(folder, log, () => undefined);
  await health.findSetAside();
  expect(health.setAside).toEqual([lost!]);
});

test('a log is opened again after a failed write', async () => {
  using place = temporaryFolder();
  const folder = new LocalFolder(place.path);
  const path = join(place.path, 'log/1.log');
  mkdirSync(dirname(path));
  symlinkSync('/dev/full', path);
  await expect(folder.append('log/1.log', 0, new Uint8Array(3))).rejects.toThrow('ENOSPC');
  rmSync(path);
  await folder.append('log/1.log', 0, new Uint8Array(3));
  expect(statSync(path).size).toBe(3);
  await expect(folder.append('log/1.log', 5, new Uint8Array(3))).rejects.toThrow(ShortLogError);
  await folder.close();
});

test('a disk that is full for longer than the ring can hold leaves a gap with the reason disk_full, and the last prices are there', async () => {
  using folder = temporaryFolder();
  await using world = await opened(folder.path, 64);
  await refusing('ENOSPC', async () => {
    for (let round = 0; round < 10; round++) {
      quotes(world, 20, 11_000 + 100 * round);
      await world.tape.step();
      world.settle(2_000);
    }
  });
  for (let round = 0; round < 6; round++) {
    await world.tape.step();
    world.settle(2_000);
  }
  const { ticks } = await world.taped();
  expect(world.tape.gaps()).toMatchObject([{ reason: 'disk_full', toMs: expect.any(Number) }]);
  expect(world.tape.standing().dropped).toBeGreaterThan(0);
  expect(ticks.at(-1)?.pricesE4.home).toBe(11_919);
});

test('the list of gaps and its copy stay in place if a second reading succeeds, and are moved aside if it fails', async () => {
  const folder = new MemoryFolder();
  const gaps = new GapList(folder);
  gaps.add([{ fromMs: 1_000, toMs: 2_000, reason: 'stopped' }]);
  await gaps.save(null);
  const log = createLog({ clock: systemClock, json: false, level: 'error', write: () => {} });
  const health = new FolderHealth(folder, log, () => undefined);
  const move = (path: string) =>
    health.moveAside(path, new Error('half of it was read'), async () => undefined);
  const pathsIn = async (prefix: string) => (await folder.list(prefix)).map(({ path }) => path);
  const both = [GAPS_COPY_PATH, GAPS_PATH];
  for (const path of both) expect(await move(path)).toBe(true);
  expect([health.setAside, await pathsIn('')]).toEqual([[], both]);
  for (const path of both) {
    await folder.write(path, (await folder.read(path))!.fill(0, 20));
    expect(await move(path)).toBe(true);
  }
  expect([health.setAside, await pathsIn('')]).toEqual([both, both.map((path) => `set-aside/${path}`)]);
});
