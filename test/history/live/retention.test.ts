// Old files are removed by their age and their bytes, also those that were set aside. A file that cannot be
// removed stays, and the tape continues.

import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../src/clock.ts';
import { dayOfPath, GAPS_COPY_PATH, GAPS_PATH, PRICES_PREFIX } from '../../../src/history/files/folder.ts';
import { decodeGaps } from '../../../src/history/files/gap-file.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { applyRetention } from '../../../src/history/files/retention.ts';
import type { Gap } from '../../../src/history/tick.ts';
import { importSeasons } from '../../../src/start/history/import-to-tape.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { TapeWorld } from '../tape-world.ts';

async function daysOf({ path }: TapeWorld): Promise<string[]> {
  const files = await new LocalFolder(path).list(PRICES_PREFIX);
  return [...new Set(files.map((file) => dayOfPath(file.path)!))];
}

/**
 * Puts a price on each of three days on the tape.
 * @param hasGap whether the feed is lost for a minute on the second day
 * @returns adds another price
 */
async function withThreeDays(world: TapeWorld, hasGap = false): Promise<() => Promise<void>> {
  await world.startWith(1);
  let price = 10_100;
  const quoted = async (): Promise<void> => {
    world.publishPrice(price++);
    world.settle(61_000);
    await world.atRest();
  };
  for (const day of [1, 2, 3]) {
    await quoted();
    if (hasGap && day === 2) {
      world.feedIsLost();
      world.settle(61_000);
      world.feedIsBack();
      await world.atRest();
    }
    world.nowMs += DAY_MS;
  }
  return quoted;
}

test.each([
  [0, 0],
  [0, 300],
  [15_000, 0],
])(
  'while an old file cannot be removed, the tape is written and other files are removed; a removal takes %d ms, a list %d ms',
  async (takesMs, listMs) => {
    await using world = new TapeWorld({ days: 1, liveTicksMax: 1 });
    const quoted = await withThreeDays(world);
    const [first, second] = await daysOf(world);
    world.onList = () => {
      world.nowMs += listMs;
    };
    let refused = 0;
    world.onRemove = (path) => {
      if (dayOfPath(path) !== first) return;
      refused++;
      world.nowMs += takesMs;
      throw Object.assign(new Error('not ours'), { code: 'EACCES' });
    };
    await quoted(); // the time of its price counts from the next attempt on
    await quoted();
    expect(refused).toBe(2);
    expect(world.tape.standing().stopped).toBeNull();
    const days = await daysOf(world);
    expect(days).toContain(first!);
    // After a slow refusal, the other files wait for the next attempt.
    if (takesMs === 0) expect(days).not.toContain(second!);
    else expect(days).toContain(second!);
    // The older file that stays does not make the time of the removed file known.
    const atMs = world.published[1]!.receivedAtMs + 1_000;
    await world.reading(async (tape) => {
      expect(await tape.time.isKnownAt(atMs, 'all')).toBe(takesMs > 0);
      expect(tape.time.gapAt(atMs, 'all') === null).toBe(takesMs > 0);
      expect(await tape.time.isKnownAt(world.published[2]!.receivedAtMs + 1_000, 'all')).toBe(true);
    });
    expect(world.logged.filter((line) => line.includes('history_file_not_removed'))).toHaveLength(2);
    const { ticks } = await world.taped();
    expect(ticks.at(-1)?.receivedAtMs).toBe(world.published.at(-1)!.receivedAtMs);
    world.onRemove = () => {};
    await quoted();
    expect(await daysOf(world)).not.toContain(first!);
  },
);

test.each([
  ['EACCES', false],
  ['ECONNRESET', true],
  ['ETIMEDOUT', true],
] as const)(
  'a file that could not be removed (%s) leaves no gap, unless it is gone or its removal may still happen',
  async (code, isGap) => {
    await using world = new TapeWorld({ days: 1, liveTicksMax: 1 });
    const quoted = await withThreeDays(world);
    const [, second] = await daysOf(world);
    const recorded: Buffer[] = [];
    world.onRemove = (path) => {
      const isSecond = dayOfPath(path) === second;
      if (isSecond) recorded.push(readFileSync(join(world.path, GAPS_PATH)));
      if (isSecond && code === 'ECONNRESET') rmSync(join(world.path, path));
      throw Object.assign(new Error('not removed'), { code: isSecond ? code : 'EACCES' });
    };
    await quoted();
    await quoted();
    const atMs = world.published[1]!.receivedAtMs + 1_000;
    const hasGap = (gaps: readonly Gap[]): boolean =>
      gaps.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < (toMs ?? 0));
    // The gap is in the file of gaps before the removal, in case the process is killed right after the
    // removal.
    expect(recorded.length).toBeGreaterThan(0);
    expect(hasGap(await decodeGaps(recorded[0]!))).toBe(true);
    expect(hasGap(world.tape.gaps())).toBe(isGap);
    expect(hasGap(await decodeGaps(readFileSync(join(world.path, GAPS_PATH))))).toBe(isGap);
    await world.reading(async (tape) => {
      expect(await tape.time.isKnownAt(atMs, 'all')).toBe(!isGap);
      expect(tape.time.gapAt(atMs, 'all') === null).toBe(!isGap);
    });
  },
);

test.each([
  ['EACCES', false, false],
  ['EACCES', false, true],
  ['ETIMEDOUT', true, false],
  ['ETIMEDOUT', true, true],
])(
  'after a kill before a removal, the next process takes back the gap if the removal is refused (%s), also if it is in parts (%#)',
  async (code, isGap, isInParts) => {
    await using world = new TapeWorld({ days: 1, liveTicksMax: 1 });
    const quoted = await withThreeDays(world, isInParts);
    const gaps = world.tape.gaps();
    expect(gaps).toHaveLength(isInParts ? 1 : 0);
    const [, second] = await daysOf(world);
    const lists = [GAPS_PATH, GAPS_COPY_PATH].map((path) => join(world.path, path));
    let recorded: readonly Buffer[] = [];
    let attempts = 0;
    world.onRemove = (path) => {
      const isSecond = dayOfPath(path) === second;
      if (isSecond && ++attempts === 1) recorded = lists.map((list) => readFileSync(list));
      const isNext = isSecond && attempts === 2; // the first attempt after the kill
      throw Object.assign(new Error('not removed'), { code: isNext ? code : 'EACCES' });
    };
    while (attempts === 0) await quoted();
    const atMs = world.published[1]!.receivedAtMs + 1_000;
    const hasGap = (): boolean =>
      world.tape.gaps().some(({ fromMs, toMs }) => fromMs <= atMs && atMs < (toMs ?? 0));
    await world.killed(0, () => {
      for (const [index, list] of lists.entries()) writeFileSync(list, recorded[index]!);
    });
    expect(hasGap()).toBe(true);
    world.putFixture(1);
    world.feedIsBack();
    for (let attempt = 0; attempt < 3; attempt++) await quoted();
    expect(attempts).toBeGreaterThan(2);
    expect(await daysOf(world)).toContain(second!);
    expect(hasGap()).toBe(isGap);
    expect(await world.reading((tape) => tape.time.isKnownAt(atMs, 'all'))).toBe(!isGap);
    // A gap that was there before stays, and what is taken back leaves nothing of itself.
    const ended = world.tape.gaps().filter(({ toMs }) => toMs! < world.published[2]!.receivedAtMs);
    if (!isGap) expect(ended).toEqual([...gaps]);
  },
);

test('a gap stays if its file may still go, although a later attempt to remove the file is refused', async () => {
  await using world = new TapeWorld({ days: 1, liveTicksMax: 1 });
  const quoted = await withThreeDays(world);
  const [, second] = await daysOf(world);
  let refused = 0;
  world.onRemove = (path) => {
    const isLate = dayOfPath(path) === second && ++refused === 1;
    throw Object.assign(new Error('not removed'), { code: isLate ? 'ETIMEDOUT' : 'EACCES' });
  };
  for (let attempt = 0; attempt < 4; attempt++) await quoted();
  expect(refused).toBeGreaterThan(1);
  const atMs = world.published[1]!.receivedAtMs + 1_000;
  expect(world.tape.gaps().some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs!)).toBe(true);
});

test('if the gap that a removed file would leave cannot be saved, the file stays and there is no gap', async () => {
  await using world = new TapeWorld({ days: 1, liveTicksMax: 1 });
  const quoted = await withThreeDays(world);
  const [first, second] = await daysOf(world);
  world.onRemove = (path) => {
    if (dayOfPath(path) === first) throw Object.assign(new Error('not ours'), { code: 'EACCES' });
  };
  const draft = join(world.path, '.gaps-copy.parquet.draft');
  mkdirSync(draft); // where the file of gaps is written first
  await quoted();
  await quoted();
  expect(await daysOf(world)).toContain(second!);
  expect(world.tape.gaps()).toEqual([]);
  rmdirSync(draft);
  await quoted();
  expect(await daysOf(world)).not.toContain(second!);
  expect(world.tape.gaps()).not.toEqual([]);
});

test('files that were set aside count as old files too, and are removed like the files of their day', async () => {
  const second = Date.UTC(2026, 5, 20);
  const names = [
    'prices/day=2026-06-19/1781827200000-a.parquet',
    'set-aside/prices/day=2026-06-19/1781830000000-b.parquet',
    'prices/day=2026-06-19/1781840000000-c.parquet',
    `set-aside/log/${second}-d.log`,
    `prices/day=2026-06-20/${second + 1}-e.parquet`,
    'prices/day=2026-06-21/1782000000000-f.parquet',
  ];
  const removedWith = async (days: number, bytes: number) => {
    const folder = new MemoryFolder();
    const others = ['set-aside/gaps.parquet', 'prices/notes.txt', 'set-aside/log/notes.txt'];
    for (const path of [...names, ...others]) await folder.write(path, new Uint8Array(10));
    const time = { nowMs: Date.UTC(2026, 5, 21, 12), monotonicMs: () => 0 };
    const noHole = (path: string) => Promise.reject(new Error(`no older file stays than ${path}`));
    const { removed, fileBytes, oldestDay } = await applyRetention(folder, { days, bytes }, time, noHole);
    expect(removed).toEqual(names.slice(0, removed.length));
    expect(fileBytes).toBe(60 - 10 * removed.length);
    const left = (await folder.list('')).map(({ path }) => path);
    expect(left).toEqual([...names.slice(removed.length), ...others].toSorted());
    return [removed.length, oldestDay];
  };
  expect(await removedWith(9, 1_000)).toEqual([0, '2026-06-19']);
  expect(await removedWith(9, 45)).toEqual([2, '2026-06-19']);
  expect(await removedWith(1, 1_000)).toEqual([3, '2026-06-20']);
  expect(await removedWith(0, 1_000)).toEqual([5, '2026-06-21']);
  expect(await removedWith(9, 0)).toEqual([6, null]);
});

test('drafts that a kill left are removed: at a start those of the tape, and by an import those of imports', async () => {
  await using world = new TapeWorld();
  const day = 'prices/day=2026-06-19';
  const own = [
    `${day}/.1781900000000-a.parquet.draft`,
    `set-aside/${day}/.import-${'a'.repeat(12)}.parquet.draft`,
  ];
  const former = [`${day}/1781900000000-a.parquet.draft`, `${day}/1781900000000-b.parquet.draft`];
  const imports = ['.', ''].map((dot) => `${day}/${dot}import-${'b'.repeat(12)}.parquet.draft`);
  const others = ['overround.db.17.draft', 'notes/mine.draft'];
  const all = [...own, ...former, ...imports, ...others];
  for (const path of all) await Bun.write(join(world.path, path), 'half of a file');
  const left = () => all.filter((path) => existsSync(join(world.path, path)));
  await world.startWith(1);
  expect(left()).toEqual([...imports, ...others]);
  const season = join(world.path, 'E0.csv');
  await Bun.write(season, 'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,PSH,PSD,PSA\n');
  await importSeasons(new LocalFolder(world.path), { paths: [season], bookmakers: [] });
  expect(left()).toEqual(others);
});

test('a draft that cannot be removed does not stop the tape', async () => {
  await using world = new TapeWorld();
  await Bun.write(join(world.path, 'prices/.1.parquet.draft'), 'half of a file');
  world.onRemove = () => {
    throw Object.assign(new Error('not ours'), { code: 'EACCES' });
  };
  await world.startWith(1);
  expect(world.logged.filter((line) => line.includes('history_draft_not_removed'))).toHaveLength(1);
  world.publishPrice(10_100);
  world.settle();
  await world.tape.step();
  expect(world.tape.standing()).toMatchObject({ stopped: null, ticks: 1 });
});
