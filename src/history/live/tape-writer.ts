// Keeps the tape: reads records from the ring, appends ticks to the log, turns ended segments into Parquet
// files and removes old ones. It never delays another thread: while the folder refuses a write, records stay
// in the ring, and the ring drops what it has no room for.

import { HISTORY_LIVE_TICKS_MAX, HISTORY_SEALING_MAX } from '../../limits.ts';
import { applyRetention, type RetentionLimits } from '../files/retention.ts';
import type { TapeSource } from '../tape-source.ts';
import { dayStartMs, type Gap, type GapReason } from '../tick.ts';
import { beginTape } from './begin-tape.ts';
import type { StopReason } from './folder-health.ts';
import { LiveParts } from './live-parts.ts';
import type { SetBack } from './ring-intake.ts';
import { TapeParts, type TapePartsOptions } from './tape-parts.ts';

const RETENTION_EVERY_MS = 60_000;
const REPORT_EVERY_MS = 1_000;

export interface TapeWriterOptions extends TapePartsOptions {
  readonly limits: RetentionLimits;
  /** Called when what `standing` returns may have changed. */
  readonly onStanding?: (standing: TapeStanding) => void;
  /**
   * Called between two passes over records of the whole slate, to collect the garbage of the first. Other
   * records leave little garbage.
   */
  readonly onPass?: () => void;
  /** After how many ticks a segment becomes a file; tests set it low. */
  readonly liveTicksMax?: number;
}

/** The state of the tape, for /ready and /metrics. */
export interface TapeStanding {
  /** Null while the tape is written; otherwise one word that says why it is not. */
  readonly stopped: StopReason | null;
  readonly ticks: number;
  readonly dropped: number;
  readonly lines: number;
  readonly logBytes: number;
  readonly fileBytes: number;
  readonly gaps: number;
  /** The reason of the present gap; null without a gap. */
  readonly gap: GapReason | null;
  readonly setAside: readonly string[];
}

export class TapeWriter implements TapeSource {
  readonly #options: TapeWriterOptions;
  readonly #parts: TapeParts;
  readonly live: LiveParts;
  readonly #filesChanged = new Set<() => void>();
  #tickCount = 0;
  #fileBytes = 0;
  /** When old files are removed next, on the monotonic clock. */
  #retainAtMs = Number.NEGATIVE_INFINITY;
  #reportAtMs = Number.NEGATIVE_INFINITY;
  #pass: Promise<void> = Promise.resolve();

  private constructor(options: TapeWriterOptions) {
    this.#options = options;
    this.#parts = new TapeParts(options, {
      onHealth: () => this.#report(),
      onFiles: () => {
        this.#retainAtMs = Number.NEGATIVE_INFINITY;
        this.#noteFilesChanged();
      },
    });
    const { sealing, state, log } = this.#parts;
    this.live = new LiveParts(() => [...sealing.parts, { segment: state.segment, beginMs: log.beginMs }]);
  }

  /** Continues where the logs in the folder end. @throws when the folder cannot be read */
  static async open(options: TapeWriterOptions): Promise<TapeWriter> {
    const tape = new TapeWriter(options);
    await beginTape(tape.#parts);
    return tape;
  }

  /** Does what is due. Call it several times a second. A call while another one runs waits for that one. */
  step(): Promise<void> {
    this.#pass = this.#pass.then(() => this.#work());
    return this.#pass;
  }

  async catchUp(): Promise<number> {
    await this.step();
    return this.#parts.log.settledAtMs;
  }

  size(): { ticks: number; bytes: number } {
    return { ticks: this.live.tickCount, bytes: this.#parts.log.byteCount };
  }

  gaps(): readonly Gap[] {
    const { gap } = this.#parts.state;
    return gap === null ? this.#parts.gaps.all : [...this.#parts.gaps.all, { ...gap, toMs: null }];
  }

  onFilesChanged(listener: () => void): () => void {
    this.#filesChanged.add(listener);
    return () => void this.#filesChanged.delete(listener);
  }

  /** Moves an unreadable file away, unless the disk or bucket failed rather than the file. */
  setAside(path: string, error: unknown): Promise<void> {
    return this.#parts.setAside(path, error);
  }

  standing(): TapeStanding {
    return {
      stopped: this.#parts.health.stopped,
      ticks: this.#tickCount,
      dropped: this.#options.ring.droppedCount(),
      lines: this.#parts.state.lineCount,
      logBytes: this.#parts.log.byteCount,
      fileBytes: this.#fileBytes,
      gaps: this.#parts.gaps.all.length,
      gap: this.#parts.state.gap?.reason ?? null,
      setAside: this.#parts.health.setAside,
    };
  }

  /**
   * Call it when another node leads: from then on this one writes nothing. The other node has every change
   * that this one has not written.
   */
  async abandon(): Promise<void> {
    this.#parts.health.stopForGood();
    await this.#pass;
    await this.#parts.sealing.idle();
  }

  /** Waits until every segment that ended is in a file and its log is removed, or the folder refuses that. */
  async sealed(): Promise<void> {
    do {
      await this.step();
      await this.#parts.sealing.idle();
    } while (this.#parts.sealing.hasWork && this.#parts.health.stopped === null);
  }

  /** Writes the rest of the ring, unless the folder refuses it, and closes the folder. */
  async close(): Promise<void> {
    await this.step();
    await this.#parts.sealing.idle();
    await this.#options.folder.close();
  }

  async #work(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs < this.#parts.health.retryAtMs) return;
    try {
      // Retention runs first, because it may free disk space that the log needs.
      if (nowMs >= this.#retainAtMs) await this.#retain(nowMs);
      await this.#takeRecords();
      if (this.#parts.state.segment.isDayOver(this.#parts.log.settledAtMs)) {
        this.#parts.rotate();
        // The new log must be on disk before the old one is removed. Otherwise a kill would lose the time
        // since the last tick of the file.
        await this.#logRest();
      }
      await this.#parts.saveGaps();
      if (!this.#parts.sealing.isRunning) {
        if (this.#parts.sealing.hasWork) this.#parts.sealing.start();
        else this.#parts.health.succeed();
      }
    } catch (error) {
      this.#parts.health.fail(error, nowMs);
    }
    if (nowMs >= this.#reportAtMs) this.#report();
  }

  /** Turns all records of the ring into ticks and logs them, a pass at a time. */
  async #takeRecords(): Promise<void> {
    const { liveTicksMax = HISTORY_LIVE_TICKS_MAX } = this.#options;
    for (;;) {
      await this.#logRest(); // first writes what an earlier pass could not
      if (this.#parts.sealing.parts.length >= HISTORY_SEALING_MAX) return;
      const applied = this.#parts.intake.apply();
      await this.#logRest();
      if (applied === 'set_back') this.#setBack(this.#parts.intake.takeSetBack());
      // The next file must come after all those of the repeated time, because files are found by the instant
      // at which they begin.
      else if (applied === 'repeat_over') this.#parts.rotate(this.#parts.intake.takeRepeatOver());
      else if (applied === 'day_over' || this.#parts.state.segment.isFull(liveTicksMax)) this.#parts.rotate();
      else if (applied === 'drained') return;
      if (this.#parts.state.isSyncing) this.#options.onPass?.();
    }
  }

  /** Appends to the log what it lacks, and then frees the room of the appended records in the ring. */
  async #logRest(): Promise<void> {
    const { segment, gap } = this.#parts.state;
    const content = { segment, gap, settledAtMs: this.#parts.intake.settledAtMs };
    const { position } = this.#parts.intake;
    if (this.#parts.log.lacks(content, position)) {
      await this.#parts.saveGaps(); // first: a gap whose end is in the log must be in the list
      const { ringId } = this.#options;
      this.#tickCount += await this.#parts.log.append(content, { ringId, position });
    }
    this.#parts.intake.release();
  }

  /**
   * Call it when the clock was set back. A new segment begins at the new time, and from then on it alone can
   * answer. The times that the tape then has twice become a gap.
   */
  #setBack({ fromMs, toMs }: SetBack): void {
    this.#parts.state.noteGap({ fromMs, toMs, reason: 'overrun' });
    this.#parts.log.setBackTo(fromMs);
    this.#parts.rotate(fromMs);
  }

  async #retain(nowMs: number): Promise<void> {
    const { folder, limits, log, clock } = this.#options;
    // A clock that is far ahead must not remove data that should be kept, so the sources' times have to agree
    // with it.
    const agreedMs = Math.min(clock.wallMs(), this.#parts.state.latestSourceMs);
    const time = { nowMs: agreedMs, monotonicMs: () => clock.monotonicMs() };
    const kept = await applyRetention(folder, limits, time, (path) => this.#parts.coverRemoval(path));
    const { fileBytes, removed, refused, oldestDay } = kept;
    this.#fileBytes = fileBytes;
    this.#parts.health.forgetSetAside(removed);
    this.#retainAtMs = nowMs + RETENTION_EVERY_MS;
    if (oldestDay !== null) this.#parts.gaps.forgetBefore(dayStartMs(oldestDay));
    const [first] = refused;
    if (first !== undefined) {
      const { path: file, error } = first;
      log.warn('history_file_not_removed', { files: refused.length, file, error: String(error) });
    }
    if (removed.length === 0) return;
    log.info('history_removed', { files: removed.length, oldest_day: oldestDay });
    this.#noteFilesChanged();
  }

  #noteFilesChanged(): void {
    for (const listener of this.#filesChanged) listener();
  }

  #report(): void {
    this.#reportAtMs = this.#options.clock.monotonicMs() + REPORT_EVERY_MS;
    this.#options.onStanding?.(this.standing());
  }
}
