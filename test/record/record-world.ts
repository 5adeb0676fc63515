// Plays a day of a recording with a live record and, at the same time, with a backtest. Both see the same
// slate at the same instants. The live record has its own database.

import { Database } from 'bun:sqlite';
import { CLOSING_PRICES_SCHEMA, ClosingPrices } from '../../src/archive/closing-prices.ts';
import { SIGNAL_RECORD_SCHEMA, SignalRecord, type SignalRow } from '../../src/archive/signal-record.ts';
import { ARCHIVE_SCHEMA, RESULT_COLUMNS, RESULT_EXISTS, resultParameters } from '../../src/archive/tables.ts';
import { BOOKMAKER_KEYS } from '../../src/domain/catalogue.ts';
import { backtest, recordedBatches } from '../../src/record/backtest.ts';
import { gradeDue } from '../../src/record/grade-record.ts';
import { HalfTimeWatch } from '../../src/record/half-time-watch.ts';
import { LiveRecord } from '../../src/record/live-record.ts';
import type { PastMoment } from '../../src/record/past-play.ts';
import { recordAnswers } from '../../src/record/record-answers.ts';
import { recordViews } from '../../src/record/record-views.ts';
import type { GradedSignal } from '../../src/record/recorded-signal.ts';
import { gradedOf } from '../../src/record/signal-row.ts';
import type { SqlDatabase } from '../../src/storage/sql.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../../src/store/quote-key.ts';
import { untimedTurns } from '../history/tape-folder.ts';

const WINDOWS = { liveMs: Number.POSITIVE_INFINITY, prematchMs: Number.POSITIVE_INFINITY };
const MAX_EDGE_PCT = 25;

export function emptyDatabase(): SqlDatabase {
  const database = new Database(':memory:', { strict: true });
  for (const schema of [ARCHIVE_SCHEMA, CLOSING_PRICES_SCHEMA, SIGNAL_RECORD_SCHEMA]) database.run(schema);
  return sqliteSql(database);
}

/** The signals of a recording. */
export async function backtested(
  path: string,
  reference: string,
  onMoment: (moment: PastMoment) => Promise<void> = async () => {},
): Promise<readonly GradedSignal[]> {
  const { signals } = await backtest(recordedBatches(path), {
    ...{ windows: WINDOWS, kinds: ['value'], reference, minEdgePct: 1, maxEdgePct: MAX_EDGE_PCT },
    ...{ groupBy: null, onMoment },
  });
  return signals;
}

/** What happens to the process after an instant. */
export type Fate = 'lives' | 'restarts' | 'dies';

export class RecordWorld {
  readonly store: SignalRecord;
  readonly #sql: SqlDatabase;
  readonly #fateAt: (instant: number) => Fate;
  #live: LiveRecord | null = null;
  #moment: PastMoment | null = null;
  #instants = 0;
  readonly #frozen = new Set<number>();

  constructor(sql: SqlDatabase, fateAt: (instant: number) => Fate = () => 'lives') {
    this.#sql = sql;
    this.store = new SignalRecord(sql);
    this.#fateAt = fateAt;
  }

  /** Plays the recording to its end, and grades what was recorded. @returns the backtest's signals */
  async play(path: string, reference: string): Promise<readonly GradedSignal[]> {
    const signals = await backtested(path, reference, (moment) => this.#step(moment));
    await this.#live!.write();
    await this.#keepResults();
    const closeOf = async (event: number) => this.#moment!.closings.get(event)?.frozen ?? null;
    // A server grades some matches every few seconds.
    do await gradeDue(this.store, closeOf);
    while ((await this.store.ungraded(1)).length > 0);
    return signals;
  }

  /** All rows, with or without the sharp bookmaker. */
  async rows(seesSharp: boolean): Promise<SignalRow[]> {
    return await this.#sql.rows<SignalRow>(
      'SELECT * FROM signal_record WHERE sees_sharp = $1 ORDER BY opened_at_ms, id',
      [Number(seesSharp)],
    );
  }

  async graded(seesSharp: boolean): Promise<GradedSignal[]> {
    return (await this.rows(seesSharp)).map(gradedOf);
  }

  /** Answers from the record to a caller, as text with their tags. */
  async answers(seesSharp: boolean): Promise<string[]> {
    const principal = { tier: seesSharp ? 'standard' : 'free', seesSharp, keyId: 'key' } as const;
    const turns = untimedTurns();
    const { record } = recordAnswers({ store: this.store, turns });
    const texts: string[] = [];
    for (const kind of ['value', 'arbitrage'] as const) {
      for (const group_by of [undefined, 'league', 'market_type', 'edge', 'day'] as const) {
        const words = { kind, min_edge_pct: 0, group_by, series: kind === 'value' };
        const { bytes, etag } = await record({ words, principal, nowMs: 0 });
        texts.push(`${etag} ${new TextDecoder().decode(bytes)}`);
      }
    }
    return texts;
  }

  async #step(moment: PastMoment): Promise<void> {
    this.#moment = moment;
    const fate = this.#fateAt(this.#instants++);
    if (fate !== 'lives' && this.#live !== null) {
      if (fate === 'restarts') await this.#live.write();
      this.#live = null;
    }
    this.#live ??= await this.#begin(moment);
    await this.#live.step(moment.nowMs);
    if (this.#instants % 7 === 0) await this.#live.write();
    await this.#freeze(moment);
  }

  async #begin({ reader, nowMs }: PastMoment): Promise<LiveRecord> {
    const halfTimes = new HalfTimeWatch(reader);
    const limits = { maxEdge: MAX_EDGE_PCT / 100, maxMargin: MAX_EDGE_PCT / 100 };
    return await LiveRecord.begin(
      {
        views: recordViews({ reader, windows: WINDOWS, limits, clock: { monotonicMs: () => nowMs } }),
        store: this.store,
        writer: `writer ${this.#instants}`,
        halfTimes: () => halfTimes.take(),
      },
      nowMs,
    );
  }

  async #freeze({ closings, nowMs }: PastMoment): Promise<void> {
    for (const [eventNumber, { frozen }] of closings) {
      if (frozen === null || this.#frozen.has(eventNumber)) continue;
      this.#frozen.add(eventNumber);
      const prices = frozen.map(({ key, ...price }) => ({
        ...{ ...price, bookmaker: BOOKMAKER_KEYS[bookmakerOfKey(key)]!, market: marketOfKey(key) },
        ...{ period: periodOfKey(key), lineQuarters: lineQuartersOfKey(key), confirmedAtMs: nowMs },
      }));
      const close = { eventNumber, sport: 0, kickoffMs: nowMs, prices };
      await new ClosingPrices(this.#sql).freeze(close, nowMs);
    }
  }

  async #keepResults(): Promise<void> {
    const rows = [...this.#moment!.results.values()].map(resultParameters);
    await this.#sql.insertAll('results', { columns: RESULT_COLUMNS, rows }, RESULT_EXISTS);
  }
}
