// What the tape needs of a folder. The same tests run on a disk and on a bucket.

import { describe, expect, test } from 'bun:test';
import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { systemClock } from '../../../src/clock.ts';
import { dayPrefix, type HistoryFolder, isSystemError } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { S3Folder, s3PlaceOf } from '../../../src/history/files/s3-folder.ts';
import { FolderHealth } from '../../../src/history/live/folder-health.ts';
import { TapeReader } from '../../../src/history/past/tape-reader.ts';
import { dayOf, dayStartMs, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { createLog } from '../../../src/log.ts';
import { S3Server } from '../../support/s3-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface OpenedFolder extends AsyncDisposable {
  readonly folder: HistoryFolder;
}

function local(): OpenedFolder {
  const place = temporaryFolder();
  const folder = new LocalFolder(place.path);
  return {
    folder,
    [Symbol.asyncDispose]: async () => {
      await folder.close();
      place[Symbol.dispose]();
    },
  };
}

function bucket(): OpenedFolder {
  const server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: 'a/b' }, server.options);
  return { folder, [Symbol.asyncDispose]: async () => server[Symbol.dispose]() };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (found: Uint8Array | null): string | null =>
  found === null ? null : new TextDecoder().decode(found);

describe.each([
  ['a disk', local],
  ['a bucket', bucket],
] as const)('on %s', (_name, open) => {
  test('files are written whole, listed by prefix, read in parts and removed', async () => {
    await using opened = open();
    const { folder } = opened;
    expect(await folder.list('prices/')).toEqual([]);
    expect(await folder.read('gaps.parquet')).toBeNull();
    for (let number = 0; number < 130; number++) {
      await folder.write(
        `prices/day=2026-06-19/${String(number).padStart(4, '0')}.parquet`,
        bytes(`file ${number}`),
      );
    }
    await folder.write('gaps.parquet', bytes('gaps'));
    const files = await folder.list('prices/');
    expect(files).toHaveLength(130);
    expect(files[7]).toEqual({ path: 'prices/day=2026-06-19/0007.parquet', bytes: 6 });
    const file = await folder.open(files[7]!.path);
    expect(file.byteLength).toBe(6);
    expect(textOf(new Uint8Array(await file.slice(2, 4)))).toBe('le');
    await folder.write(files[7]!.path, bytes('another'));
    expect(textOf(await folder.read(files[7]!.path))).toBe('another');
    await folder.remove(files[7]!.path);
    await folder.remove(files[7]!.path);
    expect(await folder.list('prices/')).toHaveLength(129);
  });

  test('a log grows at its end, and a write at an earlier offset replaces everything after it', async () => {
    await using opened = open();
    const { folder } = opened;
    expect(await folder.logs()).toEqual([]);
    expect(await folder.readLog('log/1.log', 0)).toBeNull();
    await folder.append('log/1.log', 0, bytes('first,'));
    await folder.append('log/1.log', 6, bytes('torn'));
    await folder.append('log/1.log', 6, bytes('second'));
    await folder.append('log/2.log', 0, bytes('other'));
    expect(textOf(await folder.readLog('log/1.log', 0))).toBe('first,second');
    expect(textOf(await folder.readLog('log/1.log', 6))).toBe('second');
    expect(textOf(await folder.readLog('log/1.log', 12))).toBe('');
    expect(await folder.logs()).toEqual(['log/1.log', 'log/2.log']);
    await folder.removeLog('log/1.log');
    expect(await folder.logs()).toEqual(['log/2.log']);
  });
});

test('on a disk, a file that is being written has a name that readers of the whole folder ignore', async () => {
  using place = temporaryFolder();
  const day = 'prices/day=2026-06-19/';
  mkdirSync(join(place.path, day), { recursive: true });
  const names = new Set<string | null>();
  const { promise: isWritten, resolve } = Promise.withResolvers<void>();
  const watcher = watch(join(place.path, day), (_event, name) => {
    names.add(name);
    if (name === '1.parquet') resolve();
  });
  const folder = new LocalFolder(place.path);
  await folder.write(`${day}1.parquet`, bytes('file'));
  await isWritten;
  watcher.close();
  expect([...names].sort()).toEqual(['.1.parquet.draft', '1.parquet']);
  // A process that was killed left a draft.
  await Bun.write(join(place.path, day, '.2.parquet.draft'), 'fi');
  expect((await folder.list('prices/')).map(({ path }) => path)).toEqual([`${day}1.parquet`]);
});

test('the number of names that a bucket lists for new pieces of a log, and for all logs, does not grow with the pieces', async () => {
  using server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: 'a' }, server.options);
  for (let piece = 0; piece < 250; piece++) await folder.append('log/1.log', 2 * piece, bytes('ab'));
  await folder.append('log/2.log', 0, bytes('other'));
  const listedBy = async (call: () => Promise<unknown>): Promise<number> => {
    const before = server.listed;
    await call();
    return server.listed - before;
  };
  expect(textOf(await folder.readLog('log/1.log', 0))).toBe('ab'.repeat(250));
  expect(textOf(await folder.readLog('log/1.log', 496))).toBe('abab');
  expect(await listedBy(() => folder.readLog('log/1.log', 496))).toBe(2);
  expect(textOf(await folder.readLog('log/1.log', 500))).toBe('');
  expect(await listedBy(() => folder.readLog('log/1.log', 500))).toBe(1);
  expect(await folder.readLog('log/3.log', 500)).toBeNull();
  expect(await folder.logs()).toEqual(['log/1.log', 'log/2.log']);
  expect(await listedBy(() => folder.logs())).toBe(2);
});

test('all logs are returned, even if they are more than a bucket lists at once', async () => {
  using server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: '' }, server.options);
  const paths = Array.from({ length: 230 }, (_, log) => `log/${1000 + log}.log`);
  for (const path of paths) {
    for (const offset of [0, 1]) await folder.append(path, offset, bytes('a'));
  }
  expect(await folder.logs()).toEqual(paths);
});

test('32 pieces of a log are read at the same time, and those behind a hole are not part of the log', async () => {
  using server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: 'a' }, server.options);
  const path = 'log/1.log';
  const text = Array.from({ length: 80 }, (_, piece) => String.fromCharCode(33 + piece)).join('');
  for (let piece = 0; piece < 80; piece++) await folder.append(path, piece, bytes(text[piece]!));
  const { promise: isFull, resolve: release } = Promise.withResolvers<void>();
  let [waiting, waitingMax] = [0, 0];
  server.onRead = async () => {
    waitingMax = Math.max(waitingMax, ++waiting);
    if (waiting === 32) release();
    await isFull;
    waiting--;
  };
  expect(textOf(await folder.readLog(path, 0))).toBe(text);
  expect(waitingMax).toBe(32);
  const keyOf = (piece: number): string => `tapes/a/${path}/${String(piece).padStart(12, '0')}`;
  server.objects.delete(keyOf(50));
  expect(textOf(await folder.readLog(path, 10))).toBe(text.slice(10, 50));
  server.onRead = async (key) => {
    if (key === keyOf(40)) server.objects.delete(key); // after the list
  };
  expect(textOf(await folder.readLog(path, 10))).toBe(text.slice(10, 40));
});

test('up to sixteen pieces of a log are removed at the same time, and the first piece alone at the end', async () => {
  using server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: 'a' }, server.options);
  for (let piece = 0; piece < 40; piece++) await folder.append('log/1.log', piece, bytes('a'));
  const { promise: isFull, resolve: release } = Promise.withResolvers<void>();
  const removed: string[] = [];
  let [waiting, waitingMax] = [0, 0];
  server.onRemove = async (key) => {
    removed.push(key);
    waitingMax = Math.max(waitingMax, ++waiting);
    if (waiting === 16) release();
    await isFull;
    waiting--;
  };
  await folder.removeLog('log/1.log');
  expect([removed.length, removed.at(-1), waitingMax]).toEqual([40, 'tapes/a/log/1.log/000000000000', 16]);
  expect(server.objects.size).toBe(0);
});

test('a write that a bucket refuses fails, and the address of a bucket is parsed', async () => {
  using server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: '' }, server.options);
  server.refusesWrites = true;
  await expect(folder.write('a', bytes('b'))).rejects.toThrow();
  expect(s3PlaceOf('s3://tapes/a/b/')).toEqual({ bucket: 'tapes', prefix: 'a/b' });
  expect(s3PlaceOf('s3://tapes')).toEqual({ bucket: 'tapes', prefix: '' });
  expect(s3PlaceOf('/var/lib/history')).toBeNull();
});

test('a write that a bucket applies late does not undo the next write to the file', async () => {
  using server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: 'a' }, server.options);
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const written: string[] = [];
  server.onWrite = async (key) => {
    written.push(key);
    arrived.resolve();
    if (written.length === 1) await released.promise;
  };
  const older = folder.write('gaps.parquet', bytes('older'));
  await arrived.promise;
  const newer = [1, 2].map((count) => folder.write('gaps.parquet', bytes(`newer ${count}`)));
  for (const path of ['x', 'y', 'z']) await folder.write(path, bytes(path)); // other files do not wait
  expect(written).toEqual(['gaps.parquet', 'x', 'y', 'z'].map((path) => `tapes/a/${path}`));
  released.resolve();
  await Promise.all([older, ...newer]);
  expect(textOf(await folder.read('gaps.parquet'))).toBe('newer 2');
});

test('a write that a bucket never answers does not block the file for ever', async () => {
  using server = new S3Server();
  const times = { writeHoldsMs: 50 };
  const folder = new S3Folder({ bucket: 'tapes', prefix: 'a' }, server.options, times);
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let writes = 0;
  server.onWrite = async () => {
    arrived.resolve();
    if (++writes === 1) await released.promise;
  };
  const older = folder.write('gaps.parquet', bytes('older'));
  await arrived.promise;
  for (const text of ['newer', 'newest']) await folder.write('gaps.parquet', bytes(text));
  expect([writes, textOf(await folder.read('gaps.parquet'))]).toEqual([3, 'newest']);
  released.resolve();
  await older;
});

test('after a write that a bucket refused, the file can be written', async () => {
  using server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: 'a' }, server.options);
  server.refusesWrites = true;
  await expect(folder.write('gaps.parquet', bytes('refused'))).rejects.toThrow();
  server.refusesWrites = false;
  await folder.write('gaps.parquet', bytes('written'));
  expect(textOf(await folder.read('gaps.parquet'))).toBe('written');
});

/** The answer of a bucket to a read. Null stands for the usual answer. */
const FAULTS: readonly ((object: Uint8Array | null) => Response | null)[] = [
  () => null,
  () => null,
  () => new Response('<Error><Code>SlowDown</Code><Message>slow</Message></Error>', { status: 503 }),
  () => new Response('<html>Bad gateway</html>', { status: 502 }),
  (object) => (object === null ? null : new Response(object.slice(0, object.length / 2))),
  (object) => (object === null ? null : new Response(object.slice(0, 7), { status: 206 })),
  (object) => (object === null ? null : new Response(null, { status: 206 })),
];

test('while a bucket fails in any way, an answer about an instant is right or the tape reports a failure, and no file is moved', async () => {
  let failed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(FAULTS.length - 1), { minLength: 1, maxLength: 40 }), async (faults) => {
      using server = new S3Server();
      const folder = new S3Folder({ bucket: 'tapes', prefix: 'a' }, server.options);
      for (const day of [1, 2, 3]) {
        const atMs = Date.UTC(2026, 5, day, 12);
        const file = encodeTickFile([tickAt(atMs)], new Map());
        await folder.write(`${dayPrefix(dayOf(atMs))}${dayStartMs(dayOf(atMs))}-1.parquet`, file);
      }
      const health = new FolderHealth(folder, SILENT, () => undefined);
      const moves: Promise<boolean>[] = [];
      let nowMs = 0;
      const tape = new TapeReader({
        ...{ folder, source: null, monotonicMs: () => nowMs },
        onBroken: (path, error) => void moves.push(health.moveAside(path, error, async () => undefined)),
      });
      const ask = async (day: number): Promise<string> => {
        const slate = await tape.slateAt(Date.UTC(2026, 5, day, 13), 'all');
        return JSON.stringify([...slate.fixtures()].flatMap(({ standing }) => standing));
      };
      const objects = new Map(server.objects);
      server.fault = (object) => FAULTS[faults.shift() ?? 0]!(object);
      for (let turn = 0; turn < 12; turn++) {
        nowMs += 1_500;
        const atMs = Date.UTC(2026, 5, 1 + (turn % 3), 13);
        try {
          const answer = await ask(1 + (turn % 3));
          const isKnown = await tape.time.isKnownAt(atMs, 'all');
          if (tape.isFailing) failed++;
          else expect([answer, isKnown]).toEqual([JSON.stringify([tickAt(atMs - 3_600_000)]), true]);
        } catch (error) {
          if (!isSystemError(error)) throw error; // the list of files failed
          failed++;
        }
      }
      await Promise.all(moves);
      expect(server.objects).toEqual(objects);
      expect(health.setAside).toEqual([]);
    }),
    { numRuns: 30, endOnFailure: true },
  );
  expect(failed).toBeGreaterThan(0);
});

const SILENT = createLog({ clock: systemClock, json: false, level: 'error', write: () => {} });

function tickAt(receivedAtMs: number): Tick {
  return {
    ...{ eventId: 'evt_aaaaaaaa', sport: 'football', league: 'League', home: 'One', away: 'Two' },
    ...{ kickoffMs: null, bookmaker: 'crown', marketType: '1x2', period: 'full_time', line: null },
    ...{ status: 'open', pricesE4: { ...NO_PRICES, home: 20_000 + (receivedAtMs % 1_000) } },
    ...{ atMs: receivedAtMs, receivedAtMs, inPlay: false, scoreHome: null, scoreAway: null, standing: false },
  };
}

test('the error of a text decoder that damaged metadata give a number is no error of the disk', () => {
  let error: unknown = null;
  try {
    new TextDecoder().decode(Object(5));
  } catch (caught) {
    error = caught;
  }
  expect(error).toHaveProperty('code');
  expect(isSystemError(error)).toBe(false);
  expect(isSystemError(Object.assign(new Error('no disk'), { code: 'EIO' }))).toBe(true);
});
