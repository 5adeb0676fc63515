// The live record: every signal that opens while this process runs is written down once, and its row is
// brought up to date until it closes. Rows wait in memory until the next write, so a slow or unreachable
// database delays nothing. A signal that was open when an earlier process stopped, and is found again soon
// after the start, is the same signal; the time between is its gap.

import type {
  FormerRecord,
  HalfTimeRow,
  RecordBatch,
  SignalRow,
  WrittenSignal,
} from '../archive/signal-record.ts';
import { HOUR_MS } from '../clock.ts';
import { RECORD_WAITING_MAX } from '../limits.ts';
import type { RecordView } from './record-views.ts';
import type { RecordChange } from './signal-recorder.ts';
import { rowOf } from './signal-row.ts';

/**
 * If two steps are this far apart or further, each signal that was open after the first step gets a gap,
 * because it may have closed and opened again in between.
 */
const GAP_FROM_MS = 5_000;
/** After a longer stop, a signal that is found again is a new one. */
const RESUMED_GAP_MAX_MS = HOUR_MS;
/**
 * Sources connect one after the other, so a signal may be found again until this long after the start. If a
 * signal is not found again, the time at which the record was last kept becomes its end.
 */
const RESUMED_WITHIN_MS = 120_000;

/** What the live record needs of the database. */
export interface RecordStore {
  begin(writer: string): Promise<FormerRecord>;
  write(writer: string, batch: RecordBatch): Promise<boolean>;
}

export interface LiveRecordOptions {
  readonly views: readonly RecordView[];
  readonly store: RecordStore;
  /** A name that no other process uses. */
  readonly writer: string;
  /** Scores at half time that became known since the last call. */
  readonly halfTimes: () => readonly HalfTimeRow[];
}

interface Tracked {
  row: WrittenSignal;
}

export class LiveRecord {
  readonly #options: LiveRecordOptions;
  /** Signals that are open and on record, by their id and by whether they may use the sharp bookmaker. */
  readonly #open = new Map<string, Tracked>();
  /**
   * Rows that changed since they were written, by id: first the map of rows without the sharp bookmaker. Each
   * map has its own bound, so changes of the sharp bookmaker never push out rows of the other map.
   */
  readonly #waiting = [new Map<string, WrittenSignal>(), new Map<string, WrittenSignal>()] as const;
  readonly #halfTimes = new Map<number, HalfTimeRow>();
  /**
   * Signals that an earlier process left open. The key has no opening time, because this process gives the
   * same signal another opening time.
   */
  readonly #former = new Map<string, SignalRow>();
  #formerSeenAtMs: number | null = null;
  #formerUntilMs = Number.NEGATIVE_INFINITY;
  #steppedAtMs = Number.NaN;
  #droppedCount = 0;
  #recordedCount = 0;

  private constructor(options: LiveRecordOptions) {
    this.#options = options;
  }

  /** Takes over the record from its last writer. @throws StorageError */
  static async begin(options: LiveRecordOptions, nowMs: number): Promise<LiveRecord> {
    const record = new LiveRecord(options);
    const { seenAtMs, open } = await options.store.begin(options.writer);
    record.#formerSeenAtMs = seenAtMs;
    if (seenAtMs !== null && nowMs - seenAtMs <= RESUMED_GAP_MAX_MS)
      record.#formerUntilMs = nowMs + RESUMED_WITHIN_MS;
    for (const row of open) record.#former.set(`${row.sees_sharp} ${streamNameOf(row.id)}`, row);
    return record;
  }

  get openCount(): number {
    return this.#open.size;
  }

  get waitingCount(): number {
    return this.#waiting[0].size + this.#waiting[1].size;
  }

  /** Signals that were left out because too many rows waited. */
  get droppedCount(): number {
    return this.#droppedCount;
  }

  get recordedCount(): number {
    return this.#recordedCount;
  }

  /** Records what changed. @throws ServiceError `upstream_unavailable` when nothing could be scored */
  async step(nowMs: number): Promise<void> {
    const gapMs = nowMs - this.#steppedAtMs;
    if (gapMs >= GAP_FROM_MS) for (const tracked of this.#open.values()) this.#noteGap(tracked, gapMs);
    for (const { recorder, seesSharp } of this.#options.views) {
      for (const change of await recorder.step(nowMs)) this.#take(change, { seesSharp, nowMs });
    }
    for (const half of this.#options.halfTimes()) this.#halfTimes.set(half.event_number, half);
    this.#steppedAtMs = nowMs;
    if (nowMs >= this.#formerUntilMs) this.#endFormer();
  }

  /**
   * Writes the waiting rows.
   * @returns false when another process has begun to write, so that this record has ended
   * @throws StorageError: the rows go on waiting
   */
  async write(): Promise<boolean> {
    if (Number.isNaN(this.#steppedAtMs)) return true;
    const rows = [...this.#waiting[0].values(), ...this.#waiting[1].values()];
    const halfTimes = [...this.#halfTimes.values()];
    const { store, writer } = this.#options;
    const isOurs = await store.write(writer, { signals: rows, halfTimes, seenAtMs: this.#steppedAtMs });
    // A row that changed during the write waits for the next one.
    for (const row of rows) {
      const waiting = this.#waiting[row.sees_sharp]!;
      if (waiting.get(row.id) === row) waiting.delete(row.id);
    }
    for (const half of halfTimes) {
      if (this.#halfTimes.get(half.event_number) === half) this.#halfTimes.delete(half.event_number);
    }
    return isOurs;
  }

  #take(
    change: RecordChange,
    { seesSharp, nowMs }: { readonly seesSharp: boolean; readonly nowMs: number },
  ): void {
    const sight = Number(seesSharp);
    if (change.change === 'closed') {
      const key = `${sight} ${change.id}`;
      const tracked = this.#open.get(key);
      if (tracked === undefined) return;
      this.#open.delete(key);
      this.#put({ ...tracked.row, closed_at_ms: Date.parse(change.closedAt) });
      return;
    }
    const { signal, eventNumber } = change;
    const key = `${sight} ${signal.id}`;
    const name = `${sight} ${streamNameOf(signal.id)}`;
    const former = this.#former.get(name);
    if (former !== undefined && nowMs <= this.#formerUntilMs) {
      this.#former.delete(name);
      const tracked = { row: writtenOf(former) };
      this.#open.set(key, tracked);
      this.#noteGap(tracked, nowMs - this.#formerSeenAtMs!);
    } else if (this.#waiting[sight]!.size < RECORD_WAITING_MAX) {
      const row = rowOf(signal, { eventNumber, seesSharp });
      this.#open.set(key, { row });
      this.#put(row);
      this.#recordedCount++;
    } else {
      this.#droppedCount++;
    }
  }

  /**
   * Ends the signals of an earlier process that were not found again, at the time at which that process last
   * kept the record.
   */
  #endFormer(): void {
    for (const row of this.#former.values()) {
      const closedAtMs = Math.max(row.opened_at_ms, this.#formerSeenAtMs ?? row.opened_at_ms);
      this.#put({ ...writtenOf(row), closed_at_ms: closedAtMs });
    }
    this.#former.clear();
  }

  #noteGap(tracked: Tracked, gapMs: number): void {
    if (gapMs <= tracked.row.longest_gap_ms) return;
    tracked.row = { ...tracked.row, longest_gap_ms: Math.trunc(gapMs) };
    this.#put(tracked.row);
  }

  #put(row: WrittenSignal): void {
    this.#waiting[row.sees_sharp]!.set(row.id, row);
  }
}

/** The signal's id without its opening time, which follows the last `@`. */
function streamNameOf(id: string): string {
  return id.slice(0, id.lastIndexOf('@'));
}

/** A row without the columns that grading writes. */
function writtenOf({
  score_home: _home,
  score_away: _away,
  clv_pct: _clv,
  ...row
}: SignalRow): WrittenSignal {
  return row;
}
