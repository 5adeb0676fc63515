// The archive in SQLite: the suite of all archives, and tests of what only a file has.

import { describe, expect, test } from 'bun:test';
import { ArchiveReader } from '../../src/archive/archive-reader.ts';
import { DAY_MS } from '../../src/clock.ts';
import { ARCHIVE_FLUSH_ROWS, ARCHIVE_ROWS_MAX, RESULTS_KEPT_DAYS } from '../../src/limits.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { NOW_MS, newFile, open, openingOf, openingsIn, writerOf } from './archive-fixture.ts';
import { defineArchiveSuite } from './archive-suite.ts';

defineArchiveSuite(
  'SQLite',
  async () => {
    const folder = temporaryFolder();
    const database = open(`${folder.path}/archive.sqlite`);
    return {
      openWriter: async () => writerOf(database).writer,
      reader: new ArchiveReader(sqliteSql(open(`${folder.path}/archive.sqlite`))),
      [Symbol.asyncDispose]: async () => {
        database.close();
        folder[Symbol.dispose]();
      },
    };
  },
  { openings: 20, results: 150 },
);

describe('ArchiveWriter.recordOpening', () => {
  test('recordOpening starts a write as soon as ARCHIVE_FLUSH_ROWS rows wait', async () => {
    using file = newFile();
    const { path } = file;
    const database = open(path);
    const { writer } = writerOf(database);
    for (let key = 0; key < ARCHIVE_FLUSH_ROWS - 1; key++) writer.recordOpening(1, openingOf(key));
    expect(writer.pendingCount).toBe(ARCHIVE_FLUSH_ROWS - 1);
    writer.recordOpening(2, openingOf(0));
    await until('they are written', () => writer.pendingCount === 0);
    expect(openingsIn(open(path), 2)).toEqual([openingOf(0)]);
    database.close();
  });
});

describe('ArchiveWriter on a file that another connection holds', () => {
  test('a writer whose file is locked keeps its rows, reports the error, and writes the rows when the file is free', async () => {
    using file = newFile();
    const { path } = file;
    const database = open(path);
    const other = open(path);
    const { writer, errors } = writerOf(database);
    database.run('PRAGMA busy_timeout = 0');
    other.run('BEGIN IMMEDIATE');
    writer.recordOpening(1, openingOf(1));
    expect(await writer.flush()).toBe(false);
    expect(await writer.purge(NOW_MS)).toBe(false);
    expect(errors.length).toBe(2);
    expect(writer.openingsOf(1)).toEqual([openingOf(1)]);
    // With a full buffer, a new row does not start another write; only flush does.
    for (let key = 2; key < ARCHIVE_FLUSH_ROWS + 10; key++) writer.recordOpening(1, openingOf(key));
    expect(errors.length).toBe(2);
    other.run('ROLLBACK');
    expect(await writer.flush()).toBe(true);
    expect(openingsIn(other, 1).length).toBe(ARCHIVE_FLUSH_ROWS + 9);
    database.close();
    other.close();
  });

  test('rows beyond ARCHIVE_ROWS_MAX are refused, and each is reported as an error', async () => {
    using file = newFile();
    const { path } = file;
    const database = open(path);
    const { writer, errors } = writerOf(database);
    database.close(); // from here on every write fails
    for (let key = 0; key < ARCHIVE_ROWS_MAX + 3; key++) writer.recordOpening(1, openingOf(key));
    expect(writer.pendingCount).toBe(ARCHIVE_ROWS_MAX);
    expect(await writer.flush()).toBe(false);
    expect(errors.length).toBe(1 + 3);
  });
});

describe('ArchiveWriter.purge', () => {
  test('purge deletes the openings of an event RESULTS_KEPT_DAYS after its latest one, and all of them together', async () => {
    using file = newFile();
    const { path } = file;
    const database = open(path);
    const laterMs = NOW_MS + 20 * DAY_MS;
    const early = writerOf(database, NOW_MS).writer;
    early.recordOpening(1, openingOf(1));
    early.recordOpening(2, openingOf(1));
    await early.flush();
    const late = writerOf(database, laterMs).writer;
    late.recordOpening(2, openingOf(2));
    await late.flush();
    expect(await late.purge(NOW_MS + RESULTS_KEPT_DAYS * DAY_MS)).toBe(true);
    expect(late.openingsOf(1).length).toBe(1);
    expect(await late.purge(NOW_MS + RESULTS_KEPT_DAYS * DAY_MS + 1)).toBe(true);
    expect(late.openingsOf(1)).toEqual([]);
    expect(late.openingsOf(2).map((opening) => opening.key)).toEqual([1, 2]);
    expect(await late.purge(laterMs + RESULTS_KEPT_DAYS * DAY_MS + 1)).toBe(true);
    expect(late.openingsOf(2)).toEqual([]);
    database.close();
  });

  test('purge deletes a large backlog in several calls, and returns true once nothing is left', async () => {
    using file = newFile();
    const { path } = file;
    const database = open(path);
    const { writer } = writerOf(database);
    for (let event = 0; event < 120; event++) writer.recordOpening(event, openingOf(1));
    await writer.flush();
    const calls: boolean[] = [];
    do calls.push(await writer.purge(NOW_MS + 31 * DAY_MS));
    while (!calls.at(-1));
    expect(calls).toEqual([false, false, true]);
    expect(database.query('SELECT count(*) AS count FROM openings').get()).toEqual({ count: 0 });
    database.close();
  });
});
