// What the tape needs of a folder, on a disk and in a bucket: the same promises, held by the same tests.

import { describe, expect, test } from 'bun:test';
import type { HistoryFolder } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { S3Folder, s3PlaceOf } from '../../../src/history/files/s3-folder.ts';
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

  test('a log grows at its end, and what is written again replaces what follows', async () => {
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

test('a bucket that refuses says so, and its address is read', async () => {
  using server = new S3Server();
  const folder = new S3Folder({ bucket: 'tapes', prefix: '' }, server.options);
  server.refusesWrites = true;
  await expect(folder.write('a', bytes('b'))).rejects.toThrow();
  expect(s3PlaceOf('s3://tapes/a/b/')).toEqual({ bucket: 'tapes', prefix: 'a/b' });
  expect(s3PlaceOf('s3://tapes')).toEqual({ bucket: 'tapes', prefix: '' });
  expect(s3PlaceOf('/var/lib/history')).toBeNull();
});
