// A replay reads a day in parts. Together they are every tick in the order of publishing, whatever files and
// logs the day consists of, and no part is larger than allowed.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../src/clock.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { TickFileWriter } from '../../../src/history/files/parquet-file.ts';
import { TapeFiles } from '../../../src/history/past/tape-files.ts';
import { type TicksInOrder, ticksInOrder } from '../../../src/history/replay/ticks-in-order.ts';
import { compareTickLines, dayOf, type TapeRange, type Tick } from '../../../src/history/tick.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { KEYS, TapeWorld } from '../tape-world.ts';
import { tickArbitrary } from '../tick-arbitrary.ts';

const START_MS = Date.UTC(2026, 5, 19);
const PART_TICKS_MAX = 5;
const ALWAYS: TapeRange = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
/** Ticks within a few seconds, so that many share a second or an instant. */
const offsetMs = fc.integer({ min: 0, max: 40 }).map((step) => step * 250);
const tick = fc.tuple(tickArbitrary, offsetMs).map(([made, atMs]): Tick => ({ ...made, receivedAtMs: atMs }));
interface MadeFile {
  readonly day: number;
  readonly ticks: readonly Tick[];
  readonly groupTicks: number;
  readonly isImport: boolean;
}

/** A file whose row groups have only a few ticks each. Files of a day may overlap, as those of imports do. */
const file: fc.Arbitrary<MadeFile> = fc.record({
  day: fc.integer({ min: 0, max: 2 }),
  ticks: fc.array(tick, { minLength: 1, maxLength: 30 }),
  groupTicks: fc.integer({ min: 1, max: 12 }),
  isImport: fc.boolean(),
});

function filesIn(path: string): TapeFiles {
  return new TapeFiles({
    ...{ folder: new LocalFolder(path), monotonicMs: () => 0 },
    onBroken: (_path, error) => {
      throw error;
    },
  });
}

/**
 * Writes files, in the order in which a replay reads them.
 * @returns the rows of all. Imports lack those since the first file of the server, whose time the tape itself
 * knows
 */
async function written(local: LocalFolder, made: readonly MadeFile[]): Promise<Tick[]> {
  const rowsOf = new Map<string, Tick[]>();
  const ownFromMs = Math.min(
    ...made.flatMap(({ day, isImport }, index) => (isImport ? [] : [START_MS + day * DAY_MS + index])),
  );
  for (const [index, { day, ticks, groupTicks, isImport }] of made.entries()) {
    const startMs = START_MS + day * DAY_MS;
    const rows = ticks.map((each) => ({ ...each, receivedAtMs: startMs + each.receivedAtMs }));
    rows.sort(compareTickLines);
    const writer = new TickFileWriter();
    for (let row = 0; row < rows.length; row += groupTicks)
      writer.addGroup(rows.slice(row, row + groupTicks));
    const name = isImport ? `import-${index}` : `${startMs + index}-a`;
    const path = `${dayPrefix(dayOf(startMs))}${name}.parquet`;
    await local.write(path, writer.finish(new Map()));
    rowsOf.set(path, isImport ? rows.filter(({ receivedAtMs }) => receivedAtMs < ownFromMs) : rows);
  }
  return [...rowsOf].sort(([left], [right]) => (left < right ? -1 : 1)).flatMap(([, rows]) => rows);
}

async function partsOf(
  options: Pick<TicksInOrder, 'files' | 'source'> & Partial<TicksInOrder>,
  range: TapeRange,
): Promise<Tick[][]> {
  const parts: Tick[][] = [];
  const bounded = { sight: 'all', isOver: () => false, partTicksMax: PART_TICKS_MAX, ...options } as const;
  for await (const part of ticksInOrder(bounded, range)) parts.push([...part]);
  return parts;
}

/**
 * The ticks of a range in the order of publishing, without the rows that only repeat the lines at the
 * beginning of a file.
 */
function sorted(rows: readonly Tick[], { fromMs, toMs }: TapeRange): Tick[] {
  return rows
    .filter(({ standing }) => !standing)
    .filter(({ receivedAtMs }) => receivedAtMs >= fromMs && receivedAtMs < toMs)
    .sort((left, right) => left.receivedAtMs - right.receivedAtMs);
}

test('the parts of a replay are every tick in the order of publishing, and each is small', async () => {
  const property = fc.asyncProperty(
    fc.array(file, { maxLength: 5 }),
    fc.tuple(offsetMs, offsetMs),
    async (made, [firstMs, lastMs]) => {
      using folder = temporaryFolder();
      const rows = await written(new LocalFolder(folder.path), made);
      const range = { fromMs: START_MS + firstMs, toMs: START_MS + 2 * DAY_MS + lastMs };
      const parts = await partsOf({ files: filesIn(folder.path), source: null }, range);
      expect(parts.flat()).toEqual(sorted(rows, range));
      for (const part of parts) {
        const seconds = new Set(part.map(({ receivedAtMs }) => Math.floor(receivedAtMs / 1_000)));
        if (seconds.size > 1) expect(part.length).toBeLessThanOrEqual(PART_TICKS_MAX);
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test('a replay joins files with what is still in memory, over midnight', async () => {
  await using world = new TapeWorld({ liveTicksMax: 7 });
  await world.startWith(1, 2, 3);
  for (let round = 0; round < 20; round++) {
    for (const event of [3, 1, 2]) world.putQuote(event, KEYS[round % 3]!, 10_100 + round);
    world.publish();
    world.settle(round % 4 === 0 ? 1_800_000 : 10);
    await world.tape.step();
    // The test lists the files itself, so no file may be in the middle of being written.
    await world.tape.sealed();
    const parts = await partsOf({ files: filesIn(world.path), source: world.tape }, ALWAYS);
    expect(parts.flat().map(({ receivedAtMs }) => receivedAtMs)).toEqual(
      world.published.map(({ receivedAtMs }) => receivedAtMs),
    );
  }
  const parts = await partsOf({ files: filesIn(world.path), source: world.tape }, ALWAYS);
  expect(parts.flat()).toEqual(sorted((await world.taped()).ticks, ALWAYS));
});

test('once a replay has been ended, it reads no more of its day', async () => {
  using folder = temporaryFolder();
  const ticks = fc.sample(tick, { numRuns: 40, seed: 1 }).map((each) => ({ ...each, standing: false }));
  await written(new LocalFolder(folder.path), [{ day: 0, ticks, groupTicks: 4, isImport: false }]);
  let reads = 0;
  const isOver = (): boolean => ++reads >= 3;
  expect(await partsOf({ files: filesIn(folder.path), source: null, isOver }, ALWAYS)).toEqual([]);
  expect(reads).toBeLessThan(6); // the file has ten row groups
});
