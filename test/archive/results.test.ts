// Results in SQLite, beside what every archive does (archive-suite.ts).

import { describe, expect, test } from 'bun:test';
import { ArchiveReader } from '../../src/archive/archive-reader.ts';
import { foldText } from '../../src/archive/fold-text.ts';
import type { ArchivedResult } from '../../src/archive/tables.ts';
import { RESULTS_KEPT_DAYS } from '../../src/limits.ts';
import { DAY_MS, NOW_MS, open, resultOf, withFolder, writerOf } from './archive-fixture.ts';

/** A file with `results` in it, and a reader of it. */
function fileOf(path: string, results: readonly ArchivedResult[]) {
  const database = open(path);
  const { writer, errors } = writerOf(database);
  for (const result of results) writer.recordResult(result);
  writer.flush();
  expect(errors).toEqual([]);
  return { writer, database, reader: new ArchiveReader(open(path)) };
}

describe('ArchiveReader.results', () => {
  test('takes case and accents off both sides', async () => {
    await withFolder((path) => {
      const { reader } = fileOf(path, [resultOf(1)]);
      for (const teamText of ['atletico', 'ATLÉTICO', 'mineiro', 'gremio', null]) {
        expect(reader.results({ teamText, limit: 5 }).length).toBe(1);
      }
      expect(reader.results({ leagueText: 'brasileirao', limit: 5 }).length).toBe(1);
      expect(reader.results({ teamText: 'brasileirao', limit: 5 })).toEqual([]);
    });
  });
});

describe('foldText', () => {
  test('takes apart what Unicode does not', () => {
    expect(foldText('Brøndby Łódź Æble Đurđevac Straße')).toBe('brondby lodz aeble durdevac strasse');
  });
});

describe('ArchiveWriter.recordResult', () => {
  test('lets a result of the feed replace an inferred one, never the other way, waiting or on file', async () => {
    const inferred = resultOf(1, { source: 'inferred', score: [1, 1] });
    const final = resultOf(1, { source: 'final', score: [2, 1] });
    const corrected = resultOf(1, { source: 'final', score: [2, 2] });
    for (const flushes of [false, true]) {
      await withFolder((path) => {
        const { writer, reader } = fileOf(path, []);
        const expected = [inferred, final, final, corrected];
        for (const [index, result] of [inferred, final, inferred, corrected].entries()) {
          writer.recordResult(result);
          if (flushes) {
            writer.flush();
            expect(reader.result(1)).toEqual(expected[index]!);
          }
        }
        writer.flush();
        expect(reader.result(1)).toEqual(corrected);
      });
    }
  });

  test('is kept RESULTS_KEPT_DAYS after the match finished', async () => {
    await withFolder((path) => {
      const { writer, reader } = fileOf(path, [resultOf(0), resultOf(1)]);
      writer.purge(NOW_MS - 1 + RESULTS_KEPT_DAYS * DAY_MS);
      expect(reader.results({ limit: 5 }).map((result) => result.eventNumber)).toEqual([0, 1]);
      writer.purge(NOW_MS + RESULTS_KEPT_DAYS * DAY_MS);
      expect(reader.results({ limit: 5 }).map((result) => result.eventNumber)).toEqual([0]);
    });
  });
});

describe('ArchiveReader', () => {
  test('cannot write through its connection', async () => {
    await withFolder((path) => {
      const database = open(path);
      new ArchiveReader(database);
      expect(() => database.run('DELETE FROM results')).toThrow('readonly');
    });
  });
});
