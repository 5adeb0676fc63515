// The record of signals in both databases. There is one writer; each signal is stored once. Closing prices
// grade it, and results settle it, from their own tables. The number of signals with and without the sharp
// bookmaker is bounded separately.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { CLOSING_PRICES_SCHEMA, ClosingPrices } from '../../src/archive/closing-prices.ts';
import {
  SIGNAL_RECORD_SCHEMA,
  type SignalFilter,
  SignalRecord,
  type SignalRow,
  type WrittenSignal,
} from '../../src/archive/signal-record.ts';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import type { SqlDatabase } from '../../src/storage/sql.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';

const AT_MS = Date.UTC(2026, 5, 19, 18);
const EVENT = 2 ** 51 + 1;

function signal(number: number, changed: Partial<WrittenSignal> = {}): WrittenSignal {
  const digits = String(number).padStart(4, '0');
  return {
    id: `value:evt_${digits}@${digits}`,
    ...{ sees_sharp: 1, kind: 'value', event_number: EVENT, league: 'Süper Lig', sport: 0 },
    ...{ market_type: 'totals', period: 'full_time', line_quarters: 10, outcome: 'over', bookmaker: 'crown' },
    ...{ price_e4: 20_800, fair_price_e4: 20_000, reference: 'sharp', edge_e2: 400, ev_e2: null, in_play: 0 },
    ...{ from_home: 0, from_away: 0, opened_at_ms: AT_MS + number, closed_at_ms: null, longest_gap_ms: 0 },
    ...changed,
  };
}

const ALL: SignalFilter = {
  ...{ seesSharp: true, kind: 'value', reference: null, sport: null, inPlay: null, minEdgePct: 0 },
  ...{ fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY },
};
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

async function put(
  record: SignalRecord,
  signals: readonly WrittenSignal[],
  seenAtMs = AT_MS,
): Promise<boolean> {
  return await record.write('one', { signals, halfTimes: [], seenAtMs });
}

function defineSuite(openEmpty: () => Promise<SqlDatabase>): void {
  test('a signal is written once, with its end, and the next writer continues the signals that were open', async () => {
    const record = new SignalRecord(await openEmpty());
    expect(await record.begin('one')).toEqual({ seenAtMs: null, open: [] });
    await put(record, [signal(1), signal(2)]);
    await put(record, [signal(2, { closed_at_ms: AT_MS + 9, longest_gap_ms: 3 })], AT_MS + 10);
    expect(await record.page(ALL, null, 10)).toMatchObject([
      signal(1),
      signal(2, { closed_at_ms: AT_MS + 9, longest_gap_ms: 3 }),
    ]);
    expect(await record.begin('two')).toMatchObject({ seenAtMs: AT_MS + 10, open: [signal(1)] });
  });

  test('a writer writes nothing any more once another one has begun', async () => {
    const record = new SignalRecord(await openEmpty());
    await record.begin('one');
    await record.begin('two');
    expect(await put(record, [signal(1)])).toBe(false);
    expect(await record.page(ALL, null, 10)).toEqual([]);
    expect(await record.write('two', { signals: [signal(1)], halfTimes: [], seenAtMs: 1 })).toBe(true);
    expect(await record.page(ALL, null, 10)).toHaveLength(1);
  });

  test('pages together hold each row once, in order, under every filter', async () => {
    const record = new SignalRecord(await openEmpty());
    await record.begin('one');
    const signals = Array.from({ length: 25 }, (_, number) =>
      signal(number, {
        opened_at_ms: AT_MS + Math.floor(number / 4),
        ...{ sees_sharp: number % 5 === 0 ? 0 : 1, sport: number % 3 === 0 ? 1 : 0, in_play: number % 2 },
        ...{ edge_e2: 100 + number * 10, reference: number % 7 === 0 ? 'consensus' : 'sharp' },
      }),
    );
    await put(record, signals);
    const filters: [SignalFilter, (row: WrittenSignal) => boolean][] = [
      [ALL, ({ sees_sharp }) => sees_sharp === 1],
      [{ ...ALL, seesSharp: false }, ({ sees_sharp }) => sees_sharp === 0],
      [{ ...ALL, sport: 1 }, ({ sees_sharp, sport }) => sees_sharp === 1 && sport === 1],
      [{ ...ALL, inPlay: true }, ({ sees_sharp, in_play }) => sees_sharp === 1 && in_play === 1],
      [{ ...ALL, minEdgePct: 2.1 }, ({ sees_sharp, edge_e2 }) => sees_sharp === 1 && edge_e2 >= 210],
      [{ ...ALL, reference: 'consensus' }, (row) => row.sees_sharp === 1 && row.reference === 'consensus'],
      [
        { ...ALL, fromMs: AT_MS + 1, toMs: AT_MS + 4 },
        (row) => row.sees_sharp === 1 && row.opened_at_ms >= AT_MS + 1 && row.opened_at_ms < AT_MS + 4,
      ],
      [{ ...ALL, kind: 'arbitrage' }, () => false],
    ];
    for (const [filter, passes] of filters) {
      const found: SignalRow[] = [];
      for (;;) {
        const last = found.at(-1);
        const after = last === undefined ? null : { openedAtMs: last.opened_at_ms, id: last.id };
        const page = await record.page(filter, after, 3);
        found.push(...page);
        if (page.length < 3) break;
      }
      expect(idsOf(found)).toEqual(idsOf(signals.filter(passes)));
    }
  });

  test('signals are settled by the score of their period, and again when it is corrected', async () => {
    const sql = await openEmpty();
    const record = new SignalRecord(sql);
    await record.begin('one');
    await record.write('one', {
      signals: [signal(1), signal(2, { period: 'half_time' }), signal(3, { event_number: EVENT + 1 })],
      halfTimes: [{ event_number: EVENT, score_home: 1, score_away: 0 }],
      seenAtMs: AT_MS,
    });
    const scores = async () => {
      await record.settle();
      return (await record.page(ALL, null, 9)).map(({ score_home, score_away }) => [score_home, score_away]);
    };
    expect(await scores()).toEqual([
      [null, null],
      [1, 0],
      [null, null],
    ]);
    const result = `INSERT INTO results (event_number, league_folded, home_folded, away_folded, score_home,
      score_away, finished_at_ms, source) VALUES ($1, '', '', '', $2, 2, 1, 'inferred')
      ON CONFLICT (event_number) DO UPDATE SET score_home = excluded.score_home`;
    for (const home of [3, 4]) {
      await sql.run(result, [EVENT, home]);
      expect(await scores()).toEqual([
        [home, 2],
        [1, 0],
        [null, null],
      ]);
    }
    expect(await record.halfTimeOf(EVENT)).toEqual({ event_number: EVENT, score_home: 1, score_away: 0 });
  });

  test('a match is graded once each time its closing prices are frozen, and signals stored later are graded too', async () => {
    const sql = await openEmpty();
    const record = new SignalRecord(sql);
    const closings = new ClosingPrices(sql);
    await record.begin('one');
    await put(record, [signal(1), signal(2), signal(3, { event_number: EVENT + 1 })]);
    expect(await record.ungraded(9)).toEqual([]);
    const close = { eventNumber: EVENT, sport: 0, kickoffMs: AT_MS, prices: [] };
    await closings.freeze(close, AT_MS + 5);
    const grade = async (): Promise<(string | null)[]> => {
      for (const { eventNumber, frozenAtMs } of await record.ungraded(9)) {
        const rows = await record.ofEvent(eventNumber);
        const grades = rows.map((row, index) => ({ row, clvPct: index === 0 ? null : 1 / 3 + index }));
        await record.grade(grades, frozenAtMs);
      }
      return (await record.page(ALL, null, 9)).map(({ clv_pct }) => clv_pct);
    };
    expect(await grade()).toEqual([null, String(1 / 3 + 1), null]);
    expect(await record.ungraded(9)).toEqual([]);
    await put(record, [signal(4)]);
    expect(await record.ungraded(9)).toEqual([{ eventNumber: EVENT, frozenAtMs: AT_MS + 5 }]);
    expect(await grade()).toEqual([null, String(1 / 3 + 1), null, String(1 / 3 + 2)]);
    await closings.freeze({ ...close, kickoffMs: AT_MS + 60_000 }, AT_MS + 70_000);
    expect(await record.ungraded(9)).toEqual([{ eventNumber: EVENT, frozenAtMs: AT_MS + 70_000 }]);
  });

  test('when the record is full, signals with and without the sharp bookmaker each lose only their own oldest rows', async () => {
    const record = new SignalRecord(await openEmpty());
    await record.begin('one');
    const of = (sight: number, count: number) =>
      Array.from({ length: count }, (_, number) => signal(number, { sees_sharp: sight }));
    await put(record, [...of(0, 5), ...of(1, 40)]);
    await record.purge(AT_MS, 5);
    expect(idsOf(await record.page({ ...ALL, seesSharp: false }, null, 99))).toEqual(idsOf(of(0, 5)));
    expect(idsOf(await record.page(ALL, null, 99))).toEqual(idsOf(of(1, 40).slice(-5)));
  });
}

describe('SQLite', () => {
  defineSuite(async () => {
    const database = new Database(':memory:', { strict: true });
    for (const schema of [ARCHIVE_SCHEMA, CLOSING_PRICES_SCHEMA, SIGNAL_RECORD_SCHEMA]) database.run(schema);
    return sqliteSql(database);
  });
});

describePostgres((postgres) => {
  defineSuite(async () => {
    await emptyTables(postgres.pool);
    return postgresSql(postgres.pool);
  });
});
