// A file of the history that cannot be read is moved away and reported; gaps are stored beside the files.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DAY_MS } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix, PRICES_PREFIX, SET_ASIDE_PREFIX } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { TapeReader } from '../../../src/history/past/tape-reader.ts';
import { compareTickLines, dayOf, dayStartMs, type TickLine } from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { runs } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tapeIn } from '../tape-folder.ts';
import { TapeWorld } from '../tape-world.ts';
import { tickArbitrary } from '../tick-arbitrary.ts';

test('a torn file is moved to set-aside and reported in the status; a failing disk moves nothing', async () => {
  await using world = new TapeWorld({ liveTicksMax: 1 });
  await world.startWith(1);
  world.publishPrice(10_100);
  const { files } = await world.taped();
  const [path] = files;
  writeFileSync(join(world.path, path!), 'torn');
  await world.tape.setAside(path!, Object.assign(new Error('no more descriptors'), { code: 'EMFILE' }));
  expect(existsSync(join(world.path, path!))).toBe(true);
  await world.tape.setAside(path!, new Error('not a Parquet file'));
  expect(world.tape.standing().setAside).toEqual([path]);
  expect(existsSync(join(world.path, path!))).toBe(false);
  expect(existsSync(join(world.path, 'set-aside', path!))).toBe(true);
});

test('files that were set aside are named after a restart, and can be set aside again once they were written again', async () => {
  await using world = new TapeWorld({ liveTicksMax: 1, days: 1 });
  await world.startWith(1);
  world.publishPrice(10_100);
  const [path = ''] = (await world.taped()).files;
  const file = join(world.path, path);
  const whole = readFileSync(file);
  const damage = async (): Promise<readonly string[]> => {
    writeFileSync(file, 'torn');
    // A reader that has listed the file before it was moved reports it again.
    for (let time = 0; time < 2; time++) await world.tape.setAside(path, new Error('not a Parquet file'));
    expect(existsSync(file)).toBe(false);
    return world.tape.standing().setAside;
  };
  expect(await damage()).toEqual([path]);
  await world.killed(0);
  expect(world.tape.standing().setAside).toEqual([path]);
  writeFileSync(file, whole);
  expect(await damage()).toEqual([path]);
  expect(world.logged.filter((line) => line.includes('history_file_unreadable'))).toEqual([]);
  // Once the day is too old, its damaged file is removed.
  world.putFixture(1);
  world.feedIsBack();
  for (const price of [10_200, 10_300]) {
    world.nowMs += 3 * DAY_MS;
    world.publishPrice(price);
    world.settle(61_000);
    await world.atRest();
  }
  expect(existsSync(join(world.path, SET_ASIDE_PREFIX, path))).toBe(false);
  expect(world.tape.standing().setAside).toEqual([]);
});

test('isAnsweredFrom() opens only the files of imports', async () => {
  const folder = new MemoryFolder();
  const kickoffMs = Date.UTC(2026, 2, 1);
  const opened: string[] = [];
  for (const name of [String(kickoffMs), 'import']) {
    await folder.write(`${dayPrefix('2026-03-02')}${name}.parquet`, new Uint8Array(8));
  }
  // These files cannot be read, so opening one is reported.
  const onBroken = (path: string): void => void opened.push(path);
  const tape = new TapeReader({ folder, source: null, monotonicMs: () => 0, onBroken });
  expect(await tape.time.isAnsweredFrom(encodeId('event', 1), kickoffMs)).toBe(false);
  expect(opened).toEqual([`${dayPrefix('2026-03-02')}import.parquet`]);
});

test('if gaps.parquet cannot be read it is set aside, and the tape continues', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'gaps.parquet'), 'torn');
  await using world = new TapeWorld({ path: folder.path });
  await world.start();
  world.feedIsBack();
  await world.tape.step();
  expect(world.tape.standing().setAside).toEqual(['gaps.parquet']);
  expect(world.tape.gaps()).toEqual([]);
});

test('a damaged file whose log is still there is written again, and then answers', async () => {
  await using world = new TapeWorld({ liveTicksMax: 2 });
  world.stuckAt = 'log removal';
  await world.startWith(1);
  const quote = async (price: number): Promise<void> => {
    world.publishPrice(price);
    await world.atRest();
  };
  await quote(10_100);
  const atMs = world.nowMs;
  await quote(10_200);
  const [path] = (await new LocalFolder(world.path).list(PRICES_PREFIX)).map((file) => file.path);
  world.stuckAt = null;
  await world.killed(0, () => writeFileSync(join(world.path, path!), 'torn'));
  await world.tape.setAside(path!, new Error('not a Parquet file'));
  expect(world.tape.standing().setAside).toEqual([]);
  // An earlier version would have set the file aside.
  await new LocalFolder(world.path).write(SET_ASIDE_PREFIX + path!, new Uint8Array(4));
  await world.tape.sealed();
  expect(await world.standingAt(atMs)).toHaveLength(1);
  expect(await world.reading((tape) => tape.time.isKnownAt(atMs, 'all'))).toBe(true);
});

test('after the clock was set back, a lost file that begins after the live part leaves its time unknown', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  await world.tape.step();
  const isKnown = (atMs: number) => world.reading((tape) => tape.time.isKnownAt(atMs, 'all'));
  const lostFromMs = world.nowMs + 1;
  expect(await isKnown(lostFromMs)).toBe(true);
  const lost = `${SET_ASIDE_PREFIX}${dayPrefix(dayOf(lostFromMs))}${lostFromMs}-1.parquet`;
  await new LocalFolder(world.path).write(lost, new Uint8Array(4));
  expect(await isKnown(lostFromMs - 1)).toBe(true);
  expect(await isKnown(lostFromMs)).toBe(false);
});

test('ticksOf and fixtureAt return the same whether they read some rows or all, whatever was read before', async () => {
  const day = '2026-03-02';
  const received = fc.integer({ min: 1, max: 5 }).map((ms) => dayStartMs(day) + ms);
  const row = fc.tuple(tickArbitrary, received).map(([tick, receivedAtMs]) => ({ ...tick, receivedAtMs }));
  const question = fc.record({
    eventId: fc.constantFrom('evt_aaaaaaaa', 'evt_bbbbbbbb', 'evt_none'),
    bookmaker: fc.constantFrom('pinnacle', 'crown'),
    isNarrow: fc.boolean(),
    atMs: received,
  });
  const range = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 60 }),
      fc.array(question, { minLength: 1, maxLength: 8 }),
      async (ticks, questions) => {
        const folder = new MemoryFolder();
        const rows = ticks.toSorted(compareTickLines);
        await folder.write(`${dayPrefix(day)}000001.parquet`, encodeTickFile(rows, new Map()));
        const tape = tapeIn(folder);
        for (const [index, { eventId, bookmaker, isNarrow, atMs }] of questions.entries()) {
          const has = (line: TickLine): boolean =>
            line.bookmaker === bookmaker && (!isNarrow || line.marketType === 'totals');
          const lines = { key: `${bookmaker} ${isNarrow}`, has };
          const whole = tapeIn(folder);
          const all = await whole.ticksOf(eventId, range, { sight: 'all' });
          const some = await tape.ticksOf(eventId, range, { sight: 'all', lines });
          expect(some.filter(has)).toEqual(all.filter(has));
          if (index === 0) expect(some.filter((tick) => !has(tick))).toEqual([]); // others are not read
          const fixture = await whole.fixtureAt(eventId, atMs, 'all'); // chosen from all rows
          expect(await tapeIn(folder).fixtureAt(eventId, atMs, 'all')).toEqual(fixture);
          expect(await tape.fixtureAt(eventId, atMs, 'all')).toEqual(fixture);
        }
      },
    ),
    { numRuns: runs(40) },
  );
});

test('whatever byte of a page is changed, the coverage leaves the damaged file out and names it', async () => {
  const [tick] = fc.sample(tickArbitrary, { numRuns: 1, seed: 26 });
  const receivedAtMs = Date.UTC(2026, 5, 19, 12);
  const rows = Array.from({ length: 20 }, (_, index) => ({
    ...tick!,
    ...{ eventId: encodeId('event', 1), bookmaker: 'crown', status: 'open' as const, standing: false },
    ...{ atMs: receivedAtMs + index, receivedAtMs: receivedAtMs + index },
  }));
  const file = encodeTickFile(rows, new Map());
  const path = `${dayPrefix(dayOf(receivedAtMs))}${receivedAtMs}.parquet`;
  let damaged = 0;
  for (let at = 4; at < file.length / 2; at += 7) {
    const bytes = file.slice();
    bytes[at]! ^= 1;
    const folder = new MemoryFolder();
    await folder.write(path, bytes);
    const broken: string[] = [];
    const tape = new TapeReader({
      ...{ folder, source: null, monotonicMs: () => 0 },
      onBroken: (name) => broken.push(name),
    });
    const days = await tape.days('all');
    if (broken.length === 0) expect(days.map(({ ticks }) => ticks)).toEqual([rows.length]);
    else damaged++;
  }
  expect(damaged).toBeGreaterThan(10);
});
