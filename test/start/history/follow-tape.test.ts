// /ready of a serving node names the files of the price history that it could not read.

import { expect, test } from 'bun:test';
import { GapList } from '../../../src/history/files/gap-list.ts';
import { createLog } from '../../../src/log.ts';
import { followTape } from '../../../src/start/history/follow-tape.ts';
import { createTapeRing, readTapeReport } from '../../../src/store/tape-ring.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';

test('a serving node reports a damaged file until the files change, and does not report a failing disk', async () => {
  const folder = new MemoryFolder();
  const path = 'prices/day=2026-06-19/1781827200000-a.parquet';
  await folder.write(path, new TextEncoder().encode('torn'));
  await new GapList(folder).save(null);
  let nowMs = 0;
  const tapeMemory = createTapeRing(16, 1);
  const clock = { wallMs: () => nowMs, monotonicMs: () => nowMs };
  const lines: string[] = [];
  const log = createLog({ clock, json: false, level: 'warn', write: (line) => lines.push(line) });
  const keeper = followTape({ tapeMemory, clock, log }, folder);
  const reported = async (): Promise<unknown> => {
    nowMs += 1_000;
    await keeper.step();
    return JSON.parse(readTapeReport(tapeMemory)!);
  };
  const sound = { state: 'ok', reason: null, gap: null, set_aside: [] };
  expect(await reported()).toEqual(sound);
  keeper.onBroken(path, Object.assign(new Error('no more descriptors'), { code: 'EMFILE' }));
  expect(await reported()).toEqual(sound);
  for (let time = 0; time < 2; time++) keeper.onBroken(path, new Error('not a Parquet file'));
  expect(await reported()).toEqual({ ...sound, set_aside: [path] });
  expect(lines.filter((line) => line.includes('history_file_unreadable'))).toHaveLength(3);
  await folder.append('log/1781827200000-a.log', 0, new Uint8Array(1));
  expect(await reported()).toEqual({ ...sound, set_aside: [path] });
  await folder.removeLog('log/1781827200000-a.log'); // so the log is a file now
  expect(await reported()).toEqual(sound);
});
