// The suite that every archive must pass, for any storage: what ingest writes, and what queries read.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ArchiveReader, ResultsFilter } from '../../src/archive/archive-reader.ts';
import { foldText } from '../../src/archive/fold-text.ts';
import type { ArchivedResult } from '../../src/archive/tables.ts';
import { RESULTS_KEPT_MS } from '../../src/limits.ts';
import type { OpeningRow } from '../../src/store/records.ts';
import { NOW_MS, openingOf, resultOf } from './archive-fixture.ts';

/** The archive as ingest sees it. */
interface SuiteWriter {
  recordOpening(eventNumber: number, opening: OpeningRow): void;
  recordResult(result: ArchivedResult): void;
  openingsOf(eventNumber: number): OpeningRow[];
  flush(): Promise<boolean>;
  purge(nowMs: number): Promise<boolean>;
}

interface ArchiveStorage extends AsyncDisposable {
  /** A new writer, which knows only what is stored, as after a restart of the worker. */
  openWriter(): Promise<SuiteWriter>;
  readonly reader: ArchiveReader;
}

const UNKNOWN_TIME = { openedAtMs: Number.NaN };

/** Registers the suite. `open` creates an empty storage; `runs` is the number of cases of each property. */
export function defineArchiveSuite(
  name: string,
  open: () => Promise<ArchiveStorage>,
  runs: { readonly openings: number; readonly results: number },
): void {
  test(`${name}: the first opening of each key stays, in first-seen order, through flushes and restarts, like a Map`, async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ event: fc.nat(3), key: fc.nat(9), a: fc.nat(2_000_000_000) }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('flush' as const, 'begin to flush' as const, 'restart' as const),
      },
    );
    await using storage = await open();
    let event = 2 ** 51;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }), async (steps) => {
        const model = new Map<number, Map<number, OpeningRow>>();
        event += 10; // other events each time, in the same storage
        let writer = await storage.openWriter();
        for (const action of steps) {
          if (action === 'flush') await writer.flush();
          // The next openings arrive while rows are being written.
          else if (action === 'begin to flush') void writer.flush();
          else if (action === 'restart') {
            await writer.flush();
            writer = await storage.openWriter();
          } else {
            const opening = { ...openingOf(action.key, action.a), ...(action.key === 0 && UNKNOWN_TIME) };
            writer.recordOpening(event + action.event, opening);
            const openings = model.get(event + action.event) ?? new Map();
            model.set(event + action.event, openings);
            if (!openings.has(action.key)) openings.set(action.key, opening);
          }
          for (const [eventNumber, openings] of model)
            expect(writer.openingsOf(eventNumber)).toEqual([...openings.values()]);
        }
        await writer.flush();
        const later = await storage.openWriter();
        for (const [eventNumber, openings] of model)
          expect(later.openingsOf(eventNumber)).toEqual([...openings.values()]);
      }),
      { numRuns: runs.openings },
    );
  });

  test(`${name}: results are filtered and ordered like a plain list`, async () => {
    const names = fc.constantFrom('Atlético', 'GRÊMIO', 'Malmö FF', '50%_a', 'Brøndby', 'Łódź');
    const entity = fc.option(fc.record({ number: fc.nat(), name: names }));
    const pair = fc.option(fc.tuple(fc.nat(99), fc.nat(99)));
    const result = fc.record({
      // Half of the numbers come from a small range, so that results replace waiting and stored ones.
      eventNumber: fc.oneof(fc.nat(5), fc.nat(2 ** 40)),
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
    const text = fc.option(fc.constantFrom('', 'a', 'gremio', 'MALMO', '%', '_', 'brond', 'lodz', 'nowhere'));
    const filter = fc.record({
      fromMs: fc.nat(50),
      toMs: fc.nat(50),
      teamText: text,
      leagueText: text,
      limit: fc.nat(10),
    });
    await using storage = await open();
    const writer = await storage.openWriter();
    const held = new Map<number, ArchivedResult>();
    await fc.assert(
      fc.asyncProperty(fc.array(result, { maxLength: 8 }), filter, async (rows, wanted) => {
        for (const row of rows) {
          writer.recordResult(row);
          const before = held.get(row.eventNumber);
          if (before?.source !== 'final' || row.source === 'final') held.set(row.eventNumber, row);
        }
        await writer.flush();
        expect(await storage.reader.results(wanted)).toEqual(expectedOf([...held.values()], wanted));
        for (const row of rows)
          expect(await storage.reader.result(row.eventNumber)).toEqual(held.get(row.eventNumber)!);
        expect(await storage.reader.result(2 ** 41)).toBeNull();
      }),
      { numRuns: runs.results },
    );
  });

  test(`${name}: rows older than the retention are deleted; the openings of an event are deleted together`, async () => {
    await using storage = await open();
    const writer = await storage.openWriter();
    writer.recordOpening(1, openingOf(1));
    writer.recordResult(resultOf(5));
    writer.recordResult(resultOf(6, { finishedAtMs: NOW_MS + 1_000 }));
    await writer.flush();
    await writer.purge(NOW_MS + RESULTS_KEPT_MS);
    expect(await storage.reader.result(5)).toBeNull();
    expect(await storage.reader.result(6)).not.toBeNull();
    expect((await storage.openWriter()).openingsOf(1)).toHaveLength(1);
    await writer.purge(NOW_MS + RESULTS_KEPT_MS + 1);
    expect((await storage.openWriter()).openingsOf(1)).toEqual([]);
  });
}

function expectedOf(rows: readonly ArchivedResult[], wanted: ResultsFilter): ArchivedResult[] {
  const [team, league] = [foldText(wanted.teamText ?? ''), foldText(wanted.leagueText ?? '')];
  const has = (entity: { readonly name: string } | null, part: string) =>
    foldText(entity?.name ?? '').includes(part);
  return rows
    .filter((row) => {
      const atMs = Number.isNaN(row.scheduledAtMs) ? row.finishedAtMs : row.scheduledAtMs;
      const isInTime = atMs >= wanted.fromMs! && atMs < wanted.toMs!;
      return isInTime && (has(row.home, team) || has(row.away, team)) && has(row.league, league);
    })
    .toSorted((one, other) => other.finishedAtMs - one.finishedAtMs || one.eventNumber - other.eventNumber)
    .slice(0, wanted.limit);
}
