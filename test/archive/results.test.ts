import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
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
  test('filters and orders like a plain list', async () => {
    const names = fc.constantFrom('Atlético', 'GRÊMIO', 'Malmö FF', '50%_a', 'Brøndby', 'Łódź');
    const entity = fc.option(fc.record({ number: fc.nat(), name: names }));
    const pair = fc.option(fc.tuple(fc.nat(99), fc.nat(99)));
    const result = fc.record({
      eventNumber: fc.nat(2 ** 40),
      sport: fc.option(fc.nat(1)),
      league: entity,
      home: entity,
      away: entity,
      scheduledAtMs: fc.oneof(fc.constant(Number.NaN), fc.nat(50)),
      score: pair,
      redCards: pair,
      finishedAtMs: fc.nat(50),
      source: fc.constantFrom('final' as const, 'inferred' as const),
    });
    const results = fc.uniqueArray(result, {
      selector: (each) => each.eventNumber,
      maxLength: 30,
      size: 'max',
    });
    const text = fc.option(fc.constantFrom('', 'a', 'gremio', 'MALMO', '%', '_', 'brond', 'lodz', 'nowhere'));
    const filter = fc.record({
      fromMs: fc.nat(50),
      toMs: fc.nat(50),
      teamText: text,
      leagueText: text,
      limit: fc.nat(10),
    });
    await withFolder((path) => {
      const { writer, database, reader } = fileOf(path, []);
      fc.assert(
        fc.property(results, filter, (rows, wanted) => {
          database.run('DELETE FROM results');
          for (const row of rows) writer.recordResult(row);
          expect(writer.flush()).toBe(true);
          const team = foldText(wanted.teamText ?? '');
          const league = foldText(wanted.leagueText ?? '');
          function has(entityOrNull: { name: string } | null, part: string): boolean {
            return foldText(entityOrNull?.name ?? '').includes(part);
          }
          const expected = rows
            .filter((row) => {
              const dayMs = Number.isNaN(row.scheduledAtMs) ? row.finishedAtMs : row.scheduledAtMs;
              return dayMs >= wanted.fromMs && dayMs < wanted.toMs;
            })
            .filter((row) => (has(row.home, team) || has(row.away, team)) && has(row.league, league))
            .sort(
              (left, right) => right.finishedAtMs - left.finishedAtMs || left.eventNumber - right.eventNumber,
            )
            .slice(0, wanted.limit);
          expect(reader.results(wanted)).toEqual(expected);
          for (const row of rows) expect(reader.result(row.eventNumber)).toEqual(row);
        }),
        { numRuns: 150 },
      );
      expect(reader.result(2 ** 41)).toBeNull();
    });
  });

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
