// Keeps the record of signals on the node that writes the history. It checks the slate again and again. After
// each check it pauses for three times as long as the check took, but at least 250 ms and at most 2 s.

import { type Clock, HOUR_MS } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { BoundedLog, type Log } from '../../log.ts';
import { gradeDue } from '../../record/grade-record.ts';
import { HalfTimeWatch } from '../../record/half-time-watch.ts';
import { LiveRecord } from '../../record/live-record.ts';
import { recordViews } from '../../record/record-views.ts';
import type { Config } from '../../settings/config.ts';
import { StorageError } from '../../storage/storage-errors.ts';
import { SlateReader } from '../../store/reader.ts';
import type { NodeNumbers } from '../../telemetry/node-numbers.ts';
import type { Closings } from '../threads/closings.ts';
import type { HistoryDatabase } from './history-database.ts';
import { plausibleLimitsOf, windowsOf } from './signal-bounds.ts';

/** The shortest pause between two checks: a signal that is open for less time may be missed. */
const CHECK_EVERY_MS = 250;
/** The pause after a check is at least this multiple of the time that the check took, up to PAUSE_MAX_MS. */
const PAUSE_SHARE = 3;
const PAUSE_MAX_MS = 2_000;
const WRITE_EVERY_MS = 1_000;
const GRADE_EVERY_MS = 5_000;
const PURGE_EVERY_MS = HOUR_MS;
const RETRY_MS = 2_000;

export interface RecordParts {
  readonly config: Pick<
    Config,
    'liveFreshnessMs' | 'prematchFreshnessMs' | 'valueEdgeMaxPct' | 'arbitrageMarginMaxPct'
  >;
  readonly storeBuffer: SharedArrayBuffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly numbers: NodeNumbers;
  readonly database: HistoryDatabase;
  readonly closings: Pick<Closings, 'frozen'>;
  /** Whether this node writes; another one may have taken over. */
  readonly isWriting: () => boolean;
}

/** Begins to keep the record. @returns a function that ends it and writes what waits */
export function keepRecord(parts: RecordParts): () => Promise<void> {
  const keeper = new RecordKeeper(parts);
  const { monotonicMs } = parts.clock;
  let isStopped = false;
  const end = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const beganMs = monotonicMs();
      await keeper.check();
      const pauseMs = Math.min((monotonicMs() - beganMs) * PAUSE_SHARE, PAUSE_MAX_MS);
      await Promise.race([Bun.sleep(Math.max(CHECK_EVERY_MS, pauseMs)), end.promise]);
    }
  };
  const running = run();
  return async () => {
    isStopped = true;
    end.resolve();
    await running;
    await keeper.close();
  };
}

class RecordKeeper {
  readonly #parts: RecordParts;
  readonly #reader: SlateReader;
  readonly #log: BoundedLog;
  #record: LiveRecord | null = null;
  /** When each job is due, on the monotonic clock, because the wall clock may be set back. */
  #writeAtMs = Number.NEGATIVE_INFINITY;
  #gradeAtMs = Number.NEGATIVE_INFINITY;
  #purgeAtMs = Number.NEGATIVE_INFINITY;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  /** What the earlier records (LiveRecord) of this process had recorded and dropped when they ended. */
  #recordedBefore = 0;
  #droppedBefore = 0;

  constructor(parts: RecordParts) {
    const { storeBuffer, log, clock, numbers } = parts;
    this.#parts = parts;
    this.#reader = new SlateReader(storeBuffer);
    this.#log = new BoundedLog(log, clock);
    numbers.begin('record_failures');
  }

  /** Checks once, and writes and grades what is due. Failures are logged and tried again. */
  async check(): Promise<void> {
    if (this.#parts.clock.monotonicMs() < this.#retryAtMs) return;
    if (!this.#parts.isWriting()) {
      this.#drop();
      return;
    }
    try {
      await this.#step();
    } catch (error) {
      this.#failed(error);
    }
    this.#report();
  }

  async close(): Promise<void> {
    if (this.#record === null || !this.#parts.isWriting()) return;
    try {
      await this.#record.write();
    } catch (error) {
      this.#failed(error);
    }
  }

  async #step(): Promise<void> {
    const { database, closings, clock } = this.#parts;
    // Wait until the slate is whole: until then, a signal may be missing only because its prices have not
    // arrived yet.
    if (!this.#reader.feed().snapshotComplete) return;
    const nowMs = clock.wallMs();
    this.#record ??= await this.#begin(nowMs);
    await this.#record.step(nowMs);
    const monotonicMs = clock.monotonicMs();
    if (monotonicMs < this.#writeAtMs) return;
    this.#writeAtMs = monotonicMs + WRITE_EVERY_MS;
    if (!(await this.#record.write())) {
      this.#log.warn('signal_record_taken_over', {});
      this.#drop();
      this.#retryAtMs = monotonicMs + RETRY_MS;
      return;
    }
    if (monotonicMs >= this.#gradeAtMs) {
      this.#gradeAtMs = monotonicMs + GRADE_EVERY_MS;
      await gradeDue(database.record, async (event) => (await closings.frozen(event))?.prices ?? null);
    }
    if (monotonicMs >= this.#purgeAtMs) {
      this.#purgeAtMs = monotonicMs + PURGE_EVERY_MS;
      await database.record.purge(nowMs);
    }
  }

  #begin(nowMs: number): Promise<LiveRecord> {
    const { config, database } = this.#parts;
    const halfTimes = new HalfTimeWatch(this.#reader);
    const options = {
      views: recordViews({
        reader: this.#reader,
        windows: windowsOf(config),
        limits: plausibleLimitsOf(config),
        clock: this.#parts.clock,
      }),
      store: database.record,
      writer: crypto.randomUUID(),
      halfTimes: () => halfTimes.take(),
    };
    return LiveRecord.begin(options, nowMs);
  }

  /**
   * Logs a failure. If the database failed, waiting rows are kept. After any other failure the record begins
   * again.
   */
  #failed(error: unknown): void {
    // Nothing could be scored. The next step may succeed.
    if (error instanceof ServiceError && !(error instanceof StorageError)) return;
    this.#parts.numbers.add('record_failures', 1);
    this.#log.warn('signal_record_failed', { error: String(error) });
    this.#retryAtMs = this.#parts.clock.monotonicMs() + RETRY_MS;
    if (!(error instanceof StorageError)) this.#drop();
  }

  #drop(): void {
    this.#recordedBefore += this.#record?.recordedCount ?? 0;
    this.#droppedBefore += this.#record?.droppedCount ?? 0;
    this.#record = null;
  }

  #report(): void {
    const { numbers } = this.#parts;
    const record = this.#record;
    numbers.set('record_recorded', this.#recordedBefore + (record?.recordedCount ?? 0));
    numbers.set('record_dropped', this.#droppedBefore + (record?.droppedCount ?? 0));
    numbers.set('record_waiting', record?.waitingCount ?? 0);
    numbers.set('record_open', record?.openCount ?? 0);
  }
}
