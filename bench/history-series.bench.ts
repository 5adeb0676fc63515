// What the two real series of shared/data cost on the tape: the time to import both, and the bytes per tick
// on disk. Two floors are shown with the bytes: the same files without headers and metadata, and the ticks of
// all days in one file without the rows that repeat standing prices at the start of a day. `bun run bench
// history` measures it; the series are kept outside of the repository.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PRICES_PREFIX } from '../src/history/files/folder.ts';
import { LocalFolder } from '../src/history/files/local-folder.ts';
import { openTickFile } from '../src/history/files/parquet-file.ts';
import { TICK_COLUMNS, type TickColumn } from '../src/history/files/tick-columns.ts';
import { compareTickLines, type Tick } from '../src/history/tick.ts';
import { benchFolder } from './bench-folder.ts';
import type { Figure } from './figures.ts';

const SERIES = new URL('../../shared/data/series', import.meta.url).pathname;
const NAMES = ['worldcup', 'wnba'] as const;
const LEVEL = 22;

export function define(): void {}

export async function costs(): Promise<Figure[]> {
  if (!existsSync(SERIES)) return [];
  const root = benchFolder();
  const startMs = performance.now();
  for (const name of NAMES) await importSeries(name, join(root, name));
  const value = (performance.now() - startMs) * 1e6;
  const name = 'history: import of both series';
  const figures: Figure[] = [{ name, value, unit: 'ns', baseline: null, aim: { of: 'value', atMost: 20e9 } }];
  for (const name of NAMES) {
    const { ticks, bytes, floorBytes, togetherBytes } = await weigh(join(root, name));
    figures.push({
      name: `history: at rest, ${name}: bytes a tick, and the least with this layout`,
      ...{ value: bytes / ticks, baseline: floorBytes / ticks, unit: 'bytes' },
      aim: { of: 'value', atMost: 6 },
    });
    figures.push({
      name: `history: at rest, ${name}: the least bytes a tick of all days together, without standing rows`,
      ...{ value: togetherBytes / ticks, baseline: null, unit: 'bytes', aim: null },
    });
  }
  return figures;
}

/** Imports in a child process, because the series need another roster. */
async function importSeries(name: string, folder: string): Promise<void> {
  const file = `${SERIES}/${name}-2026.ndjson.zst`;
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'import', 'the-odds-api', file], {
    cwd: join(import.meta.dir, '..'),
    env: {
      ...{ PATH: process.env.PATH ?? '', BOOKMAKERS: 'the-odds-api-us' },
      ...{ DATA_DIR: `${folder}-data`, HISTORY_DIR: folder, HISTORY_DAYS: '3650' },
    },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) throw new Error(`Cannot import ${file}`);
}

interface Weight {
  ticks: number;
  bytes: number;
  floorBytes: number;
  togetherBytes: number;
}

async function weigh(path: string): Promise<Weight> {
  const folder = new LocalFolder(path);
  const weight: Weight = { ticks: 0, bytes: 0, floorBytes: 0, togetherBytes: 0 };
  const together: Tick[] = [];
  for (const entry of await folder.list(PRICES_PREFIX)) {
    const file = await openTickFile(await folder.open(entry.path));
    const rows = await file.readRows(0, file.rowCount);
    together.push(...rows.filter(({ standing }) => !standing));
    weight.bytes += entry.bytes;
    for (const column of TICK_COLUMNS) weight.floorBytes += leastBytes(column, rows);
  }
  await folder.close();
  weight.ticks = together.length;
  together.sort(compareTickLines);
  for (const column of TICK_COLUMNS) weight.togetherBytes += leastBytes(column, together);
  return weight;
}

/**
 * The least that a column of one file can take: its plain values, or a sorted dictionary with codes of one or
 * two bytes, whichever is smaller after compression at zstd's highest level. A real file also has page
 * headers, metadata and the ids of its fixtures.
 */
function leastBytes({ read }: TickColumn, rows: readonly Tick[]): number {
  const cells = rows.map(read);
  const values = cells.filter((cell) => cell !== null);
  const levels = values.length === cells.length ? 0 : packed(bitsOf(cells.map((cell) => cell !== null)));
  if (typeof values[0] === 'boolean') return levels + packed(bitsOf(values as boolean[]));
  const dictionary = [...new Set(values)].sort((left, right) => (left < right ? -1 : 1));
  const codeOf = new Map(dictionary.map((value, code) => [value, code]));
  const codes = values.map((value) => codeOf.get(value)!);
  const bytes = dictionary.length <= 256 ? Uint8Array.from(codes) : Uint16Array.from(codes);
  const coded = packed(plain(dictionary)) + packed(new Uint8Array(bytes.buffer));
  return levels + Math.min(coded, packed(plain(values)));
}

function packed(bytes: Uint8Array): number {
  return Bun.zstdCompressSync(bytes, { level: LEVEL }).length;
}

function bitsOf(flags: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(flags.length / 8));
  for (const [index, flag] of flags.entries()) if (flag) bits[index >> 3]! |= 1 << (index & 7);
  return bits;
}

/** The plain bytes of a column: texts one after the other, numbers in eight bytes each. */
function plain(values: readonly (string | bigint | number | boolean)[]): Uint8Array {
  if (typeof values[0] === 'string') return new TextEncoder().encode(values.join('\0'));
  if (typeof values[0] === 'bigint') return new Uint8Array(BigInt64Array.from(values as bigint[]).buffer);
  return new Uint8Array(Float64Array.from(values as number[]).buffer);
}
