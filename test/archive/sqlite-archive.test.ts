import { ArchiveReader } from '../../src/archive/archive-reader.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { open, writerOf } from './archive-fixture.ts';
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
