// A file of ticks returns the rows that were written, and its row groups have the list of their fixtures.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { encodeTickFile, openTickFile, TickFileWriter } from '../../../src/history/files/parquet-file.ts';
import { type ColumnName, TICK_COLUMNS } from '../../../src/history/files/tick-columns.ts';
import { rowsOf } from '../../../src/history/imports/imported-days.ts';
import { compareTickLines, type FixtureIds, type Tick } from '../../../src/history/tick.ts';
import { tickArbitrary } from '../tick-arbitrary.ts';

const IDS: FixtureIds = { leagueId: 'lg_1', homeId: 'tm_1', awayId: 'tm_2' };
const NO_IDS: ReadonlyMap<string, FixtureIds> = new Map();

async function opened(bytes: Uint8Array) {
  return await openTickFile(bytes.slice().buffer);
}

test('rows are read back as they were written, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tickArbitrary, { minLength: 1, maxLength: 60 }), async (ticks) => {
      const rows = ticks.toSorted(compareTickLines);
      const file = await opened(encodeTickFile(rows, NO_IDS));
      expect(await rowsOf(file)).toEqual(rows);
    }),
    { numRuns: 40 },
  );
});

test("hyparquet's own reader finds the same cells in small groups and in large ones", async () => {
  for (const [count, copies] of [
    [40, 1],
    [60, 100],
  ] as const) {
    const ticks = fc.sample(tickArbitrary, { seed: 4, numRuns: count });
    const rows = Array.from({ length: copies }, () => ticks)
      .flat()
      .toSorted(compareTickLines);
    const file = encodeTickFile(rows, NO_IDS).slice().buffer;
    const cells = await parquetReadObjects({
      file,
      compressors: { ZSTD: (input) => Bun.zstdDecompressSync(input) },
      parsers: { timestampFromMilliseconds: (millis) => millis },
    });
    const expected = rows.map((row) =>
      Object.fromEntries(TICK_COLUMNS.map(({ name, read }) => [name, read(row)])),
    );
    expect(cells).toEqual(expected);
  }
});

test('row groups list their fixtures and times, and rows that are spread over groups are read', async () => {
  const [base] = fc.sample(tickArbitrary, { seed: 1, numRuns: 1 }) as [Tick];
  const rows = Array.from({ length: 30 }, (_, index) => ({
    ...base,
    eventId: `evt_${String(Math.floor(index / 3)).padStart(8, '0')}`,
    receivedAtMs: 1_000 + index,
  }));
  const writer = new TickFileWriter();
  for (let start = 0; start < rows.length; start += 10) writer.addGroup(rows.slice(start, start + 10));
  const file = await opened(writer.finish(new Map([[rows[0]!.eventId, IDS]])));
  expect(file.rowGroups[1]).toEqual({
    rowStart: 10,
    rowEnd: 20,
    firstEventId: 'evt_00000003',
    lastEventId: 'evt_00000006',
    receivedFromMs: 1_010,
    receivedToMs: 1_019,
  });
  expect(await rowsOf(file)).toEqual(rows);
  expect(file.ids).toEqual(new Map([[rows[0]!.eventId, IDS]]));
});

test('the memory of an open file includes its marks', async () => {
  const rows = fc.sample(tickArbitrary, { seed: 3, numRuns: 1 });
  const marks = Array.from({ length: 5_000 }, (_, index) => [0, 1_781_906_400_000 + index, 1] as const);
  const [plain, marked] = await Promise.all([
    opened(encodeTickFile(rows, NO_IDS)),
    opened(encodeTickFile(rows, NO_IDS, { fixtures: [rows[0]!], marks })),
  ]);
  expect(marked.notes.marks).toEqual(marks);
  // A mark is three numbers of 8 bytes, in a list for itself.
  expect(marked.metadataBytes - plain.metadataBytes).toBeGreaterThan(marks.length * 24);
});

/** Ticks of some lines whose prices repeat: as few as get every encoding, with and without a dictionary. */
function repeatingTicks(count: number): Tick[] {
  const ticks = fc.sample(tickArbitrary, { seed: 5, numRuns: 20 });
  return Array.from({ length: count }, (_, row) => {
    const tick = ticks[row % ticks.length]!;
    return { ...tick, receivedAtMs: tick.receivedAtMs + row };
  }).toSorted(compareTickLines);
}

test('pages have checksums: one changed byte in a page or its header is refused, unless it changes no value', async () => {
  const bytes = encodeTickFile(repeatingTicks(4_100), NO_IDS);
  const { row_groups: groups } = parquetMetadata(bytes.slice().buffer);
  const file = await openTickFile({
    byteLength: bytes.length,
    slice: (from, to) => bytes.slice(from, to).buffer,
  });
  const someRows = Int32Array.of(0, 7, 2_000, 4_000);
  const read = async (name: ColumnName) => {
    const group = await file.readGroup(file.rowGroups[0]!);
    return [group.pick(someRows), group].map((some) => {
      const cellOf = some.reader(name);
      return Array.from({ length: some.rowCount }, (_, row) => cellOf(row));
    });
  };
  const encodings = new Set<string>();
  let refused = 0;
  let bytesTried = 0;
  for (const { meta_data: column } of groups[0]!.columns) {
    const name = column!.path_in_schema[0] as ColumnName;
    encodings.add(column!.encodings.join(' '));
    const values = await read(name);
    const start = Number(column!.dictionary_page_offset ?? column!.data_page_offset);
    for (let at = start; at < start + Number(column!.total_compressed_size); at++) {
      const byte = bytes[at]!;
      bytes[at] = byte ^ (1 << (at % 8));
      const found = await read(name).catch(() => null);
      bytes[at] = byte;
      bytesTried++;
      if (found === null) refused++;
      else expect(Bun.deepEquals(found, values)).toBe(true);
    }
  }
  expect([...encodings].sort()).toEqual(['PLAIN', 'PLAIN RLE_DICTIONARY', 'RLE']);
  expect(refused / bytesTried).toBeGreaterThan(0.9);
});

test('a file with one changed byte behind its pages is refused, unless that byte changes nothing', async () => {
  const rows = repeatingTicks(20);
  const bytes = encodeTickFile(rows, new Map([[rows[0]!.eventId, IDS]]));
  const { row_groups: groups } = parquetMetadata(bytes.slice().buffer);
  const { total_compressed_size: size, data_page_offset: start } = groups.at(-1)!.columns.at(-1)!.meta_data!;
  const { ids, notes } = await opened(bytes);
  let accepted = 0;
  const checksumAt = Number(start + size);
  for (let at = checksumAt; at < bytes.length; at++) {
    for (const bits of [1 << (at % 8), 0xff]) {
      const damaged = bytes.slice();
      damaged[at]! ^= bits;
      const file = await opened(damaged).catch(() => null);
      if (file === null) continue;
      accepted++;
      expect({ ids: file.ids, notes: file.notes, rows: await rowsOf(file) }).toEqual({ ids, notes, rows });
    }
  }
  expect(accepted).toBeLessThan(3);
  const earlier = Buffer.concat([bytes.subarray(0, checksumAt), bytes.subarray(checksumAt + 4)]);
  expect((await opened(earlier)).ids).toEqual(ids); // earlier versions wrote no checksum
});

test('a file that was cut off, and a file that is not Parquet, are refused', async () => {
  const whole = encodeTickFile(fc.sample(tickArbitrary, { seed: 2, numRuns: 3 }), NO_IDS);
  await expect(opened(whole.slice(0, -20))).rejects.toThrow();
  await expect(opened(new Uint8Array(100))).rejects.toThrow();
});
