// The file of a mirror, truncated at every byte as a crash might do. The mirror continues from the last
// complete line with a cursor, and the file contains exactly what was written up to that line.

import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Delta, SlateSnapshot } from '../../src/terminal/follow.ts';
import { MirrorFile } from '../../src/terminal/mirror-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const VIEW = { markets: '1x2', league: undefined };
const BODY = { full: false, as_of: null, stale: false, fixtures: [], removed: [] };

function snapshot(part: number, last: boolean, cursor: string): SlateSnapshot {
  return { ...BODY, full: true, part, last, cursor };
}

function delta(to: string, padding = ''): Delta {
  // Long lines, so that the search from the end of the file crosses block boundaries.
  return { ...BODY, from: 'x', to, cursor: to, conflated: false, removed: [`evt_${padding}`] };
}

function write(path: string, nowMs = 0): MirrorFile {
  const file = new MirrorFile(path, VIEW);
  file.append('snapshot', snapshot(1, false, 'c1'), nowMs);
  file.append('snapshot', snapshot(2, true, 'c1'), nowMs);
  file.append('delta', delta('c2', 'é'.repeat(50_000)), nowMs);
  file.append('snapshot', snapshot(1, false, 'c3'), nowMs);
  return file;
}

test('a file that is cut anywhere is continued after its last line with a cursor', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'mirror.ndjson');
  write(path).close();
  const whole = readFileSync(path);
  const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []));
  const cursors = [null, null, 'c1', 'c2', 'c2'];
  // The kept part ends with the first line or with a line that has a cursor. The mirror cannot continue from
  // the incomplete snapshot at the end.
  const kept = [ends[0]!, ends[0]!, ends[2]!, ends[3]!, ends[3]!];
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer({ min: 0, max: whole.length }),
        fc.constantFrom(...ends, ...ends.map((end) => end - 1)),
      ),
      (length) => {
        writeFileSync(path, whole.subarray(0, length));
        const linesWhole = ends.filter((end) => end <= length).length;
        const state = Math.max(0, linesWhole - 1);
        const file = new MirrorFile(path, VIEW);
        const bytes = linesWhole === 0 ? 0 : kept[state]!;
        expect([file.since, file.cutBytes]).toEqual([
          linesWhole === 0 ? null : cursors[state]!,
          length - bytes,
        ]);
        file.append('delta', delta('c9'), 0);
        file.close();
        const text = readFileSync(path, 'utf8');
        if (bytes > 0) expect(text.startsWith(whole.subarray(0, bytes).toString())).toBe(true);
        const lines = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
        expect(lines[0]).toEqual({ mirror: 1, parameters: { markets: '1x2' } });
        expect(lines.at(-1)).toMatchObject({ cursor: 'c9', event: 'delta' });
      },
    ),
    { numRuns: 60 },
  );
});

test('MirrorFile refuses another view, another kind of file, and a second writer', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'mirror.ndjson');
  const file = write(path);
  expect(() => new MirrorFile(path, VIEW)).toThrow('another mirror is writing to it');
  file.close();
  expect(() => new MirrorFile(path, { markets: 'totals' })).toThrow('other filters or another format');
  const other = join(folder.path, 'notes.txt');
  writeFileSync(other, 'dear diary');
  expect(() => new MirrorFile(other, VIEW)).toThrow('is not a mirror file');
  expect(readFileSync(other, 'utf8')).toBe('dear diary');
  truncateSync(path, 0);
  const emptied = new MirrorFile(path, { markets: 'totals' });
  expect(emptied.since).toBeNull();
  emptied.close();
});

test('a file with only its first line is continued, and nothing is cut off', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'mirror.ndjson');
  new MirrorFile(path, VIEW).close();
  const text = readFileSync(path, 'utf8');
  const file = new MirrorFile(path, VIEW);
  expect([file.since, file.cutBytes]).toEqual([null, 0]);
  file.close();
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('MirrorFile refuses a path that cannot be a file, and creates nothing there', () => {
  using folder = temporaryFolder();
  expect(() => new MirrorFile(folder.path, VIEW)).toThrow('it is a folder. Use a file');
  expect(() => new MirrorFile(join(folder.path, 'none/m.ndjson'), VIEW)).toThrow(
    'is not a folder. Use a file',
  );
  writeFileSync(join(folder.path, 'notes.txt'), '');
  expect(() => new MirrorFile(join(folder.path, 'notes.txt/m.ndjson'), VIEW)).toThrow('is not a folder');
  expect(readdirSync(folder.path)).toEqual(['notes.txt']);
});

test('an unfinished snapshot is removed before the lines are written that continue from the earlier cursor', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'mirror.ndjson');
  const file = write(path);
  const lines = (): string[] =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line))
      .map(({ event, cursor, data }) => `${event} ${data.part ?? ''} ${cursor}`);
  expect(lines()).toEqual(['snapshot 1 null', 'snapshot 2 c1', 'delta  c2', 'snapshot 1 null']);
  file.append('delta', delta('c4'), 0);
  expect(lines()).toEqual(['snapshot 1 null', 'snapshot 2 c1', 'delta  c2', 'delta  c4']);
  file.append('snapshot', snapshot(1, false, 'c5'), 0);
  file.append('snapshot', snapshot(1, false, 'c6'), 0);
  file.append('snapshot', snapshot(2, true, 'c6'), 0);
  expect(lines().slice(-3)).toEqual(['delta  c4', 'snapshot 1 null', 'snapshot 2 c6']);
  expect(file.byteCount).toBe(readFileSync(path).length);
  file.close();
});
