import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ARCHIVE_FLUSH_ROWS, ARCHIVE_ROWS_MAX, RESULTS_KEPT_DAYS } from '../../src/limits.ts';
import type { OpeningRow } from '../../src/store/records.ts';
import { DAY_MS, NOW_MS, open, openingOf, openingsIn, withFolder, writerOf } from './archive-fixture.ts';

describe('ArchiveWriter.recordOpening', () => {
  test('keeps the first of each key in first-seen order, through flushes and restarts, like a plain Map', async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ event: fc.nat(3), key: fc.nat(9), a: fc.nat(2_000_000_000) }) },
      { weight: 1, arbitrary: fc.constantFrom('flush' as const, 'restart' as const) },
    );
    await withFolder((path) => {
      let event = 2 ** 51;
      fc.assert(
        fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (steps) => {
          const model = new Map<number, Map<number, OpeningRow>>();
          event += 10; // other events each time, in the same file
          let database = open(path);
          let { writer, errors } = writerOf(database);
          for (const action of steps) {
            if (action === 'flush') {
              expect(writer.flush()).toBe(true);
            } else if (action === 'restart') {
              writer.flush();
              database.close();
              database = open(path);
              ({ writer, errors } = writerOf(database));
            } else {
              const eventNumber = event + action.event;
              const opening = openingOf(action.key, action.a);
              writer.recordOpening(eventNumber, opening);
              const openings = model.get(eventNumber) ?? new Map();
              model.set(eventNumber, openings);
              if (!openings.has(action.key)) openings.set(action.key, opening);
            }
            for (const [eventNumber, openings] of model) {
              expect(writer.openingsOf(eventNumber)).toEqual([...openings.values()]);
            }
          }
          writer.flush();
          for (const [eventNumber, openings] of model) {
            expect(openingsIn(database, eventNumber)).toEqual([...openings.values()]);
          }
          expect(errors).toEqual([]);
          database.close();
        }),
        { numRuns: 60 },
      );
    });
  });

  test('keeps an unknown opening time unknown', async () => {
    await withFolder((path) => {
      const database = open(path);
      const { writer, errors } = writerOf(database);
      writer.recordOpening(1, { ...openingOf(1), openedAtMs: Number.NaN });
      expect(writer.flush()).toBe(true);
      expect(writer.openingsOf(1)).toEqual([{ ...openingOf(1), openedAtMs: Number.NaN }]);
      expect(errors).toEqual([]);
      database.close();
    });
  });

  test('writes at once when ARCHIVE_FLUSH_ROWS wait', async () => {
    await withFolder((path) => {
      const database = open(path);
      const { writer } = writerOf(database);
      for (let key = 0; key < ARCHIVE_FLUSH_ROWS - 1; key++) writer.recordOpening(1, openingOf(key));
      expect(writer.pendingCount).toBe(ARCHIVE_FLUSH_ROWS - 1);
      writer.recordOpening(2, openingOf(0));
      expect(writer.pendingCount).toBe(0);
      expect(openingsIn(open(path), 2)).toEqual([openingOf(0)]);
      database.close();
    });
  });
});

describe('ArchiveWriter on a file that another connection holds', () => {
  test('keeps its rows, reports the error, never throws, and writes the rows when the file is free', async () => {
    await withFolder((path) => {
      const database = open(path);
      const other = open(path);
      const { writer, errors } = writerOf(database);
      database.run('PRAGMA busy_timeout = 0');
      other.run('BEGIN IMMEDIATE');
      writer.recordOpening(1, openingOf(1));
      expect(writer.flush()).toBe(false);
      expect(writer.purge(NOW_MS)).toBe(false);
      expect(errors.length).toBe(2);
      expect(writer.openingsOf(1)).toEqual([openingOf(1)]);
      // With a full buffer, a new row does not start another write; only flush does.
      for (let key = 2; key < ARCHIVE_FLUSH_ROWS + 10; key++) writer.recordOpening(1, openingOf(key));
      expect(errors.length).toBe(2);
      other.run('ROLLBACK');
      expect(writer.flush()).toBe(true);
      expect(openingsIn(other, 1).length).toBe(ARCHIVE_FLUSH_ROWS + 9);
      database.close();
      other.close();
    });
  });

  test('refuses and counts rows beyond ARCHIVE_ROWS_MAX', async () => {
    await withFolder((path) => {
      const database = open(path);
      const { writer, errors } = writerOf(database);
      database.close(); // the file is gone for good
      for (let key = 0; key < ARCHIVE_ROWS_MAX + 3; key++) writer.recordOpening(1, openingOf(key));
      expect(writer.pendingCount).toBe(ARCHIVE_ROWS_MAX);
      expect(errors.length).toBe(1 + 3);
      expect(writer.flush()).toBe(false);
    });
  });
});

describe('ArchiveWriter.purge', () => {
  test('deletes openings of events that had none for RESULTS_KEPT_DAYS, but no opening of an event that still gets some', async () => {
    await withFolder((path) => {
      const database = open(path);
      const laterMs = NOW_MS + 20 * DAY_MS;
      const early = writerOf(database, NOW_MS).writer;
      early.recordOpening(1, openingOf(1));
      early.recordOpening(2, openingOf(1));
      early.flush();
      const late = writerOf(database, laterMs).writer;
      late.recordOpening(2, openingOf(2));
      late.flush();
      expect(late.purge(NOW_MS + RESULTS_KEPT_DAYS * DAY_MS)).toBe(true);
      expect(late.openingsOf(1).length).toBe(1);
      expect(late.purge(NOW_MS + RESULTS_KEPT_DAYS * DAY_MS + 1)).toBe(true);
      expect(late.openingsOf(1)).toEqual([]);
      expect(late.openingsOf(2).map((opening) => opening.key)).toEqual([1, 2]);
      expect(late.purge(laterMs + RESULTS_KEPT_DAYS * DAY_MS + 1)).toBe(true);
      expect(late.openingsOf(2)).toEqual([]);
      database.close();
    });
  });

  test('deletes a backlog in bounded calls', async () => {
    await withFolder((path) => {
      const database = open(path);
      const { writer } = writerOf(database);
      for (let event = 0; event < 120; event++) writer.recordOpening(event, openingOf(1));
      writer.flush();
      const calls: boolean[] = [];
      do calls.push(writer.purge(NOW_MS + 31 * DAY_MS));
      while (!calls.at(-1));
      expect(calls).toEqual([false, false, true]);
      expect(database.query('SELECT count(*) AS count FROM openings').get()).toEqual({ count: 0 });
      database.close();
    });
  });
});
