// Results in SQLite, in addition to archive-suite.ts.

import { describe, expect, test } from 'bun:test';
import { ArchiveReader } from '../../src/archive/archive-reader.ts';
import { foldText } from '../../src/archive/fold-text.ts';
import type { ArchivedResult } from '../../src/archive/tables.ts';
import { RESULTS_KEPT_DAYS } from '../../src/limits.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { DAY_MS, NOW_MS, open, resultOf, withFolder, writerOf } from './archive-fixture.ts';

/** A file with `results` in it, and a reader of it. */
function fileOf(path: string, results: readonly ArchivedResult[]) {
  const database = open(path);
  const { writer, errors } = writerOf(database);
  for (const result of results) writer.recordResult(result);
  writer.flush();
  expect(errors).toEqual([]);
  return { writer, database, reader: new ArchiveReader(sqliteSql(open(path))) };
}

describe('ArchiveReader.results', () => {
  test('ignores case and accents on both sides', async () => {
    await withFolder(async (path) => {
      const { reader } = fileOf(path, [resultOf(1)]);
      for (const teamText of ['atletico', 'ATLÉTICO', 'mineiro', 'gremio', null]) {
        expect(await reader.results({ teamText, limit: 5 })).toHaveLength(1);
      }
      expect(await reader.results({ leagueText: 'brasileirao', limit: 5 })).toHaveLength(1);
      expect(await reader.results({ teamText: 'brasileirao', limit: 5 })).toEqual([]);
    });
  });
});

describe('foldText', () => {
  test('decomposes letters that Unicode does not', () => {
    expect(foldText('Brøndby Łódź Æble Đurđevac Straße')).toBe('brondby lodz aeble durdevac strasse');
  });
});

describe('ArchiveWriter.recordResult', () => {
  test('replaces an inferred result by one of the feed, never the reverse, waiting or stored', async () => {
    const inferred = resultOf(1, { source: 'inferred', score: [1, 1] });
    const final = resultOf(1, { source: 'final', score: [2, 1] });
    const corrected = resultOf(1, { source: 'final', score: [2, 2] });
    for (const flushes of [false, true]) {
      await withFolder(async (path) => {
        const { writer, reader } = fileOf(path, []);
        const expected = [inferred, final, final, corrected];
        for (const [index, result] of [inferred, final, inferred, corrected].entries()) {
          writer.recordResult(result);
          if (flushes) {
            writer.flush();
            expect(await reader.result(1)).toEqual(expected[index]!);
          }
        }
        writer.flush();
        expect(await reader.result(1)).toEqual(corrected);
      });
    }
  });

  test('keeps a result for RESULTS_KEPT_DAYS after the match finished', async () => {
    await withFolder(async (path) => {
      const { writer, reader } = fileOf(path, [resultOf(0), resultOf(1)]);
      writer.purge(NOW_MS - 1 + RESULTS_KEPT_DAYS * DAY_MS);
      expect((await reader.results({ limit: 5 })).map((result) => result.eventNumber)).toEqual([0, 1]);
      writer.purge(NOW_MS + RESULTS_KEPT_DAYS * DAY_MS);
      expect((await reader.results({ limit: 5 })).map((result) => result.eventNumber)).toEqual([0]);
    });
  });
});
