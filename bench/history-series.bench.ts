// What the two real series of shared/data cost on the tape: the time to import both, and the bytes per tick
// on disk. `bun run bench history` measures it; the series are kept outside of the repository.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PRICES_PREFIX } from '../src/history/files/folder.ts';
import { LocalFolder } from '../src/history/files/local-folder.ts';
import { openTickFile } from '../src/history/files/parquet-file.ts';
import { rowsOf } from '../src/history/imports/imported-days.ts';
import { benchFolder } from './bench-folder.ts';
import type { Figure } from './figures.ts';

const SERIES = new URL('../../shared/data/series', import.meta.url).pathname;
const NAMES = ['worldcup', 'wnba'] as const;

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
    const { ticks, bytes } = await weigh(join(root, name));
    figures.push({
      name: `history: at rest, ${name}: bytes a tick`,
      ...{ value: bytes / ticks, baseline: null, unit: 'bytes', aim: { of: 'value', atMost: 6 } },
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

/** The ticks of a tape, without the rows that repeat standing prices at the start of a day, and its bytes. */
async function weigh(path: string): Promise<{ readonly ticks: number; readonly bytes: number }> {
  const folder = new LocalFolder(path);
  let ticks = 0;
  let bytes = 0;
  for (const entry of await folder.list(PRICES_PREFIX)) {
    const file = await openTickFile(await folder.open(entry.path));
    const rows = await rowsOf(file);
    ticks += rows.filter(({ standing }) => !standing).length;
    bytes += entry.bytes;
  }
  await folder.close();
  return { ticks, bytes };
}
