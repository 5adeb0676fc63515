// A file of the history that cannot be read is moved away and reported; gaps are stored beside the files.

import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix, PRICES_PREFIX, SET_ASIDE_PREFIX } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { TapeReader } from '../../../src/history/past/tape-reader.ts';
import {
  compareTickLines,
  dayOf,
  dayStartMs,
  type Gap,
  type Tick,
  type TickLine,
} from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { runs } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tapeIn } from '../tape-folder.ts';
import { asModel, KEYS, listedText, type StuckAt, TapeWorld } from '../tape-world.ts';
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

test('isAnsweredFrom() opens only files of imports', async () => {
  const folder = new MemoryFolder();
  const kickoffMs = Date.UTC(2026, 2, 1);
  const opened: string[] = [];
  for (const name of [String(kickoffMs), 'import']) {
    await folder.write(`${dayPrefix('2026-03-02')}${name}.parquet`, new Uint8Array(8));
  }
  // These files cannot be read, so each one that is opened is reported.
  const onBroken = (path: string): void => void opened.push(path);
  const tape = new TapeReader({ folder, source: null, monotonicMs: () => 0, onBroken });
  expect(await tape.isAnsweredFrom(encodeId('event', 1), kickoffMs)).toBe(false);
  expect(opened).toEqual([`${dayPrefix('2026-03-02')}import.parquet`]);
});

test('if gaps.parquet cannot be read it is set aside, and the tape continues', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'gaps.parquet'), 'torn');
  await using world = new TapeWorld({ path: folder.path });
  await world.start();
  world.feedIsBack();
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
  expect(await world.reading((tape) => tape.isKnownAt(atMs, 'all'))).toBe(true);
});

test('after the clock was set back, a lost file that begins after the live part leaves its time unknown', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  await world.tape.step();
  const isKnown = (atMs: number) => world.reading((tape) => tape.isKnownAt(atMs, 'all'));
  const lostFromMs = world.nowMs + 1;
  expect(await isKnown(lostFromMs)).toBe(true);
  const lost = `${SET_ASIDE_PREFIX}${dayPrefix(dayOf(lostFromMs))}${lostFromMs}-1.parquet`;
  await new LocalFolder(world.path).write(lost, new Uint8Array(4));
  expect(await isKnown(lostFromMs - 1)).toBe(true);
  expect(await isKnown(lostFromMs)).toBe(false);
});

/** How a file is damaged: a part of it is replaced, or it ends early. */
const damage = fc.record({
  file: fc.nat(),
  at: fc.double({ min: 0, max: 0.99, noNaN: true }),
  isCut: fc.boolean(),
});

test('wherever a file is damaged, the answer about an instant is as before or not known, also after the file is set aside', async () => {
  let unknown = 0;
  await fc.assert(
    fc.asyncProperty(damage, fc.integer({ min: 3, max: 9 }), async ({ file, at, isCut }, rounds) => {
      await using world = new TapeWorld({ liveTicksMax: 2 });
      await world.startWith(1, 2, 3);
      const instants: number[] = [];
      const moves: Promise<void>[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const event of [1, 2, 3]) world.putQuote(event, KEYS[round % 3]!, 10_100 + round);
        world.publish();
        instants.push(world.nowMs);
        await world.tape.sealed();
      }
      const before = await world.standingsAt(instants);
      const { files } = await world.taped();
      const path = join(world.path, files[file % files.length]!);
      const bytes = readFileSync(path);
      const from = Math.floor(bytes.length * at);
      writeFileSync(
        path,
        isCut ? bytes.subarray(0, from) : bytes.fill(0xa5, from, Math.min(bytes.length, from + 40)),
      );
      const tape = new TapeReader({
        ...{ folder: new LocalFolder(world.path), source: world.tape, monotonicMs: () => 0 },
        onBroken: (broken, error) => void moves.push(world.tape.setAside(broken, error)),
      });
      for (let turn = 0; turn < 2; turn++) {
        for (const [index, instant] of instants.entries()) {
          const slate = [...(await tape.slateAt(instant, 'all')).fixtures()];
          const isKnown = await tape.isKnownAt(instant, 'all');
          if (!isKnown) unknown++;
          if (!isKnown && turn > 0) expect(tape.gapAt(instant, 'all')).not.toBeNull();
          if (isKnown) expect(world.textsOf(slate)).toEqual(before[index]!);
        }
        await Promise.all(moves);
      }
      tape.close();
    }),
    { numRuns: 20 },
  );
  expect(unknown).toBeGreaterThan(0);
});

test('whatever is damaged while the server is down, an instant has the same answer afterwards, or lies in a gap', async () => {
  const kinds = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(damage, { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 2, max: 9 }),
      fc.boolean(),
      fc.constantFrom<(StuckAt | null)[]>(null, 'file', 'log removal'),
      fc.boolean(),
      async (damages, rounds, isRestarted, stuckAt, isDense) => {
        await using world = new TapeWorld({ liveTicksMax: 4 });
        world.stuckAt = stuckAt;
        await world.startWith(1, 2, 3);
        const instants: number[] = [];
        const moves: Promise<void>[] = [];
        const step = async (round: number): Promise<void> => {
          if (round % 4 === 1) world.remove(1);
          else if (round % 4 === 3) world.putFixture(1);
          world.setLive(2, true, { goals: round });
          if (isDense && round % 2 === 1) world.nowMs--; // publishes twice in a millisecond
          for (const event of [1, 2, 3]) world.putQuote(event, KEYS[round % 3]!, 10_100 + round);
          world.publish();
          instants.push(world.nowMs);
          await world.atRest();
        };
        for (let round = 0; round < rounds; round++) await step(round);
        if (isRestarted) {
          await world.killed(0); // this leaves a gap on record
          for (const event of [1, 2, 3]) world.putFixture(event);
          world.feedIsBack();
          for (let round = 0; round < 3; round++) await step(round);
        }
        const before = await world.standingsAt(instants);
        const listed = await world.listedAtAll(instants);
        const lastMs = world.nowMs;
        const ticks = await world.reading((tape) => ticksUntil(tape, lastMs));
        const wasKnown = instants.map((instant) => !isIn(world.tape.gaps(), instant));
        world.stuckAt = null;
        await world.killed(0, () => {
          for (const { file, at, isCut } of damages) {
            const files = readdirSync(world.path, { recursive: true, withFileTypes: true })
              .filter((entry) => entry.isFile())
              .map(({ parentPath, name }) => join(parentPath, name))
              .sort();
            const path = files[file % files.length]!;
            const bytes = readFileSync(path);
            const from = Math.floor(bytes.length * at);
            const damaged = Uint8Array.from(bytes).fill(0xa5, from, Math.min(bytes.length, from + 40));
            writeFileSync(path, isCut ? bytes.subarray(0, from) : damaged);
            const kind = path.slice(world.path.length + 1).split(/[/.]/)[0]!;
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          }
        });
        for (const event of [1, 2, 3]) world.putFixture(event);
        world.feedIsBack();
        const after = new TapeReader({
          ...{ folder: new LocalFolder(world.path), source: world.tape, monotonicMs: () => 0 },
          onBroken: (broken, error) => void moves.push(world.tape.setAside(broken, error)),
        });
        for (let turn = 0; turn < 2; turn++) {
          for (const instant of instants) await after.slateAt(instant, 'all'); // reading finds what is broken
          await ticksUntil(after, lastMs);
          await Promise.all(moves);
          for (const [index, instant] of instants.entries()) {
            const slate = [...(await after.slateAt(instant, 'all')).fixtures()];
            if (!(await after.isKnownAt(instant, 'all'))) {
              expect(after.gapAt(instant, 'all')).not.toBeNull();
            } else {
              expect(wasKnown[index]).toBe(true);
              expect(world.textsOf(slate)).toEqual(before[index]!);
              expect(slate.map(listedText).sort()).toEqual([...listed[index]!]);
              for (const past of slate) {
                expect(await after.fixtureAt(past.fixture.eventId, instant, 'all')).toEqual(past);
              }
            }
          }
          const known = (tick: Tick): boolean => !isIn(after.gaps('all'), tick.receivedAtMs);
          expect(textsOf((await ticksUntil(after, lastMs)).filter(known))).toEqual(
            textsOf(ticks.filter(known)),
          );
          await world.tape.sealed();
        }
        after.close();
      },
    ),
    {
      numRuns: runs(40),
      examples: [
        // The rows that the log lost have times in the millisecond in which the next log begins.
        [[{ file: 2, at: 0.9275, isCut: true }], 5, false, 'file', false],
        // The oldest of several logs has lost its end, or the log in the middle is empty.
        [[{ file: 2, at: 0.99, isCut: true }], 9, false, 'file', false],
        [[{ file: 3, at: 0, isCut: true }], 8, false, 'log removal', false],
        // A log has lost rows of a millisecond of which it still has other rows.
        [[{ file: 2, at: 0.798, isCut: false }], 3, true, 'file', true],
        // Both copies of the list of gaps are damaged.
        [[0, 1].map((file) => ({ file, at: 0.5, isCut: false })), 3, true, null, false],
      ],
    },
  );
  expect([...kinds.keys()].sort()).toEqual(['gaps', 'gaps-copy', 'log', 'prices']);
});

test('ticksOf returns the same ticks of a line whether some or all lines are requested, whatever was read before', async () => {
  const day = '2026-03-02';
  const received = fc.integer({ min: 1, max: 5 }).map((ms) => dayStartMs(day) + ms);
  const row = fc.tuple(tickArbitrary, received).map(([tick, receivedAtMs]) => ({ ...tick, receivedAtMs }));
  const question = fc.record({
    eventId: fc.constantFrom('evt_aaaaaaaa', 'evt_bbbbbbbb', 'evt_none'),
    bookmaker: fc.constantFrom('pinnacle', 'crown'),
    isNarrow: fc.boolean(),
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
        for (const [index, { eventId, bookmaker, isNarrow }] of questions.entries()) {
          const has = (line: TickLine): boolean =>
            line.bookmaker === bookmaker && (!isNarrow || line.marketType === 'totals');
          const lines = { key: `${bookmaker} ${isNarrow}`, has };
          const all = await tapeIn(folder).ticksOf(eventId, range, { sight: 'all' });
          const some = await tape.ticksOf(eventId, range, { sight: 'all', lines });
          expect(some.filter(has)).toEqual(all.filter(has));
          if (index === 0) expect(some.filter((tick) => !has(tick))).toEqual([]); // others are not read
        }
      },
    ),
    { numRuns: runs(40) },
  );
});

/** The ticks of every fixture that were published by an instant. */
async function ticksUntil(tape: TapeReader, toMs: number): Promise<readonly Tick[]> {
  const range = { fromMs: 0, toMs: toMs + 1 };
  const found = [1, 2, 3].map((event) => tape.ticksOf(encodeId('event', event), range, { sight: 'all' }));
  return (await Promise.all(found)).flat();
}

/** Ticks as sorted texts, because the order within a millisecond is not kept. */
function textsOf(ticks: readonly Tick[]): readonly string[] {
  return ticks.map(asModel).sort();
}

function isIn(gaps: readonly Gap[], atMs: number): boolean {
  return gaps.some(({ fromMs, toMs }) => fromMs <= atMs && (toMs === null || atMs < toMs));
}
