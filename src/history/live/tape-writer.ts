// Keeps the tape: takes records from the ring, appends ticks to the log, turns ended segments into Parquet
// files and removes old ones. It never makes anyone wait: while the folder refuses a write, records stay in
// the ring, and the ring drops what it has no room for.

import type { Clock } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { HISTORY_LIVE_TICKS_MAX, HISTORY_SEALING_MAX } from '../../limits.ts';
import type { Log } from '../../log.ts';
import type { TapeRingReader } from '../../store/tape-ring.ts';
import {
  beginOfFile,
  beginOfLog,
  dayOfPath,
  GAPS_COPY_PATH,
  GAPS_PATH,
  type HistoryFolder,
  isSystemError,
  PRICES_PREFIX,
} from '../files/folder.ts';
import { GapList } from '../files/gap-list.ts';
import { holeOf } from '../files/holes.ts';
import { openTickFile } from '../files/parquet-file.ts';
import { applyRetention, type RetentionLimits } from '../files/retention.ts';
import type { TapeSource } from '../tape-source.ts';
import { dayStartMs, type Gap, type GapReason } from '../tick.ts';
import { FolderHealth, type StopReason } from './folder-health.ts';
import { LiveParts } from './live-parts.ts';
import { type DamagedLog, type RecoveredLog, recoverLogs } from './recover-logs.ts';
import { RingIntake, type SetBack } from './ring-intake.ts';
import { SealQueue } from './seal-queue.ts';
import { TapeLog } from './tape-log.ts';
import { type TapeListener, TapeState, type TapeStateOptions } from './tape-state.ts';

const RETENTION_EVERY_MS = 60_000;
const REPORT_EVERY_MS = 1_000;

export interface TapeWriterOptions {
  readonly ring: TapeRingReader;
  /** A number that no other process uses; the same for every thread that reads this ring. */
  readonly ringId: number;
  readonly describe: TapeStateOptions['describe'];
  readonly folder: HistoryFolder;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: RetentionLimits;
  /** A few letters or digits by which the file names of several nodes differ. */
  readonly tag: string;
  /** Called when what `standing` returns may have changed. */
  readonly onStanding?: (standing: TapeStanding) => void;
  readonly listener?: TapeListener;
  /**
   * On a node that takes over: whether the ring has every change since an instant (StandbyRing). Absent when
   * this process was not running before.
   */
  readonly hasAllSince?: (instantMs: number) => boolean;
  /** Whether other nodes may have written the logs: then they are only read and never continued. */
  readonly isShared?: boolean;
  /** After how many ticks a segment becomes a file; tests set it low. */
  readonly liveTicksMax?: number;
}

/** How the tape is doing, for /ready and /metrics. */
export interface TapeStanding {
  /** Null while it is written; otherwise why not, one word. */
  readonly stopped: StopReason | null;
  readonly ticks: number;
  readonly dropped: number;
  readonly lines: number;
  readonly logBytes: number;
  readonly fileBytes: number;
  readonly gaps: number;
  /** The reason of the gap that lasts; null without one. */
  readonly gap: GapReason | null;
  readonly setAside: readonly string[];
}

export class TapeWriter implements TapeSource {
  readonly #options: TapeWriterOptions;
  readonly #state: TapeState;
  readonly #intake: RingIntake;
  readonly #gaps: GapList;
  readonly #log: TapeLog;
  readonly #sealing: SealQueue;
  readonly #health: FolderHealth;
  readonly live: LiveParts;
  readonly #filesChanged = new Set<() => void>();
  #tickCount = 0;
  #fileBytes = 0;
  /** When old files are removed next, on the monotonic clock. */
  #retainAtMs = Number.NEGATIVE_INFINITY;
  #reportAtMs = Number.NEGATIVE_INFINITY;
  #pass: Promise<void> = Promise.resolve();

  private constructor(options: TapeWriterOptions) {
    const { folder, clock, log, listener } = options;
    this.#options = options;
    this.#gaps = new GapList(folder);
    this.#log = new TapeLog(folder, options.tag);
    this.#health = new FolderHealth(folder, log, () => this.#report());
    this.#sealing = new SealQueue({
      folder,
      onFile: () => {
        this.#retainAtMs = Number.NEGATIVE_INFINITY;
        this.#noteFilesChanged();
      },
      onFailure: (error) => this.#health.fail(error, clock.monotonicMs()),
    });
    this.live = new LiveParts(() => [
      ...this.#sealing.parts,
      { segment: this.#state.segment, beginMs: this.#log.beginMs },
    ]);
    this.#state = new TapeState({
      describe: options.describe,
      overrunReason: () => (this.#health.takeFailed() ? 'disk_full' : 'overrun'),
      ...(listener === undefined ? {} : { listener }),
    });
    this.#intake = new RingIntake(options.ring, this.#state);
  }

  /** Continues where the logs in the folder end. @throws when the folder cannot be read */
  static async open(options: TapeWriterOptions): Promise<TapeWriter> {
    const tape = new TapeWriter(options);
    const hasGaps = await tape.#loadGaps();
    const { recovered, damaged } = await recoverLogs(options.folder);
    tape.#resume(recovered);
    tape.#coverEnds(recovered);
    if (!hasGaps) await tape.#coverEverything(recovered);
    if (recovered.length === 0) await tape.#noteLostLog(damaged);
    for (const { path, isEmpty, error } of damaged) {
      if (!isEmpty) await tape.setAside(path, error);
      else {
        await tape.#coverHole(path);
        await options.folder.removeLog(path);
      }
    }
    return tape;
  }

  /** Does what is due. Call it several times a second; a call while another one runs shares its result. */
  tick(): Promise<void> {
    this.#pass = this.#pass.then(() => this.#work());
    return this.#pass;
  }

  async catchUp(): Promise<number> {
    await this.tick();
    return this.#log.settledAtMs;
  }

  size(): { ticks: number; bytes: number } {
    return { ticks: this.live.tickCount, bytes: this.#log.byteCount };
  }

  gaps(): readonly Gap[] {
    const { gap } = this.#state;
    return gap === null ? this.#gaps.all : [...this.#gaps.all, { ...gap, toMs: null }];
  }

  /** Whether a gap lasts. */
  get hasGap(): boolean {
    return this.#state.gap !== null;
  }

  onFilesChanged(listener: () => void): () => void {
    this.#filesChanged.add(listener);
    return () => void this.#filesChanged.delete(listener);
  }

  /** Moves a file away that cannot be read, unless the system failed and not the file. */
  async setAside(path: string, error: unknown): Promise<void> {
    if (await this.#health.moveAside(path, error, () => this.#coverHole(path))) this.#noteFilesChanged();
  }

  standing(): TapeStanding {
    return {
      stopped: this.#health.stopped,
      ticks: this.#tickCount,
      dropped: this.#options.ring.droppedCount(),
      lines: this.#state.lineCount,
      logBytes: this.#log.byteCount,
      fileBytes: this.#fileBytes,
      gaps: this.#gaps.all.length,
      gap: this.#state.gap?.reason ?? null,
      setAside: this.#health.setAside,
    };
  }

  /**
   * Call it when another node leads: nothing more is written here. The other node has everything that this
   * one has not written.
   */
  async abandon(): Promise<void> {
    this.#health.stopForGood();
    await this.#pass;
    await this.#sealing.idle();
  }

  /** Waits until every segment that ended is a file, or the folder refuses a write. */
  async sealed(): Promise<void> {
    do {
      await this.tick();
      await this.#sealing.idle();
    } while (this.#sealing.parts.length > 0 && this.#health.stopped === null);
  }

  /** Writes what is in the ring, as far as the folder accepts it, and closes the folder. */
  async close(): Promise<void> {
    await this.tick();
    await this.#sealing.idle();
    await this.#options.folder.close();
  }

  /** @returns false when the list of gaps is lost */
  async #loadGaps(): Promise<boolean> {
    let isDamaged = false;
    for (const path of [GAPS_PATH, GAPS_COPY_PATH]) {
      try {
        if (await this.#gaps.load(path)) return true;
      } catch (error) {
        if (isSystemError(error)) throw error;
        await this.setAside(path, error);
        isDamaged = true;
      }
    }
    return !isDamaged;
  }

  /** Makes all the time that is kept a gap, because it is no longer known where the gaps were. */
  async #coverEverything(logs: readonly RecoveredLog[]): Promise<void> {
    const paths = (await this.#options.folder.list(PRICES_PREFIX)).map(({ path }) => path);
    const days = paths.flatMap((path) => dayOfPath(path) ?? []).map(dayStartMs);
    const fromMs = Math.min(...days, ...logs.map(({ beginMs }) => beginMs));
    const toMs = this.#options.clock.wallMs();
    if (Number.isFinite(fromMs)) this.#gaps.cover({ fromMs, toMs, reason: 'stopped' });
  }

  /** Continues the newest log if its roster is ours; every other log becomes a file. */
  #resume(logs: readonly RecoveredLog[]): void {
    const newest = logs.at(-1);
    if (newest === undefined) {
      this.#log.begin(this.#options.clock.wallMs());
      return;
    }
    for (const { segment, path, beginMs } of logs.slice(0, -1)) {
      this.#sealing.add({ segment, logPath: path, beginMs });
    }
    const { ring, ringId } = this.#options;
    this.#log.resume(newest);
    this.#state.restore(newest.segment, newest.gap);
    this.#intake.goOnAfter(Math.max(newest.settledAtMs, newest.segment.lastTickMs));
    if (newest.segment.bookmakers !== BOOKMAKER_KEYS) this.#rotate();
    if (newest.ring.ringId === ringId) {
      // Another thread of this process died. What it had logged is not taken again.
      this.#intake.skipTo(newest.ring.position);
    } else if (this.#options.hasAllSince?.(newest.settledAtMs) === true) {
      // Nothing is missing: the ring has what the former leader did not write down.
      this.#intake.takeOver(newest.beginMs);
    } else {
      this.#state.closeGap(newest.settledAtMs);
      this.#state.openGap({ fromMs: newest.settledAtMs, reason: 'stopped' });
    }
    if (this.#options.isShared === true && newest.ring.ringId !== ringId) this.#rotate();
    ring.want();
  }

  /** The time that only a lost file covered becomes a gap. */
  async #coverHole(path: string): Promise<void> {
    const parts = [...this.#sealing.parts.map(({ beginMs }) => beginMs), this.#log.beginMs];
    const hole = await holeOf(this.#options.folder, path, parts);
    const { gap } = this.#state;
    if (hole === null || hole.toMs === null || (gap?.fromMs ?? Infinity) <= hole.fromMs) return;
    const toMs = Math.min(hole.toMs, this.#options.clock.wallMs());
    this.#gaps.cover({ fromMs: hole.fromMs, toMs, reason: 'stopped' });
    await this.#saveGaps();
  }

  /** Records the gap that a log leaves whose end was lost after the next log was begun. */
  #coverEnds(logs: readonly RecoveredLog[]): void {
    for (const [index, { settledAtMs, segment }] of logs.slice(0, -1).entries()) {
      const fromMs = Math.trunc(Math.max(settledAtMs, segment.lastTickMs));
      this.#gaps.cover({ fromMs, toMs: logs[index + 1]!.beginMs, reason: 'stopped' });
    }
  }

  /**
   * Records a gap when no log can be read: what followed the newest file, or was in a damaged log, is not
   * known.
   */
  async #noteLostLog(damaged: readonly DamagedLog[]): Promise<void> {
    const { folder } = this.#options;
    const logsFromMs = damaged.map(({ path }) => beginOfLog(path));
    const paths = (await folder.list(PRICES_PREFIX)).map(({ path }) => path);
    const path = paths.findLast((one) => dayOfPath(one) !== null);
    const fromMs = Math.min(...logsFromMs, path === undefined ? Infinity : await this.#endOfFile(path));
    if (Number.isFinite(fromMs)) this.#state.openGap({ fromMs, reason: 'stopped' });
  }

  /** When the last tick of a file was published, or when it begins if that cannot be read. */
  async #endOfFile(path: string): Promise<number> {
    const beginMs = beginOfFile(path) ?? dayStartMs(dayOfPath(path)!);
    try {
      const { rowGroups } = await openTickFile(await this.#options.folder.open(path));
      return rowGroups.reduce((latest, { receivedToMs }) => Math.max(latest, receivedToMs), beginMs);
    } catch (error) {
      await this.setAside(path, error);
      return beginMs;
    }
  }

  async #work(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs < this.#health.retryAtMs) return;
    try {
      // This comes first, because it may free the room that the log lacks.
      if (nowMs >= this.#retainAtMs) await this.#retain(nowMs);
      await this.#takeRecords();
      if (this.#state.segment.isDayOver(this.#log.settledAtMs)) this.#rotate();
      await this.#saveGaps();
      if (!this.#sealing.isRunning) {
        if (this.#sealing.parts.length > 0) this.#sealing.start();
        else this.#health.succeed();
      }
    } catch (error) {
      this.#health.fail(error, nowMs);
    }
    if (nowMs >= this.#reportAtMs) this.#report();
  }

  /** Turns all records of the ring into ticks and logs them, a pass at a time. */
  async #takeRecords(): Promise<void> {
    const { liveTicksMax = HISTORY_LIVE_TICKS_MAX } = this.#options;
    for (;;) {
      await this.#logRest(); // what an earlier pass could not write
      if (this.#sealing.parts.length >= HISTORY_SEALING_MAX) return;
      const applied = this.#intake.apply();
      await this.#logRest();
      if (applied === 'set_back') this.#setBack(this.#intake.takeSetBack());
      else if (applied === 'day_over' || this.#state.segment.isFull(liveTicksMax)) this.#rotate();
      else if (applied === 'drained') return;
    }
  }

  /** Appends what is not in the log yet, and then frees its room in the ring. */
  async #logRest(): Promise<void> {
    const { segment, gap } = this.#state;
    const content = { segment, gap, settledAtMs: this.#intake.settledAtMs };
    if (this.#log.lacks(content)) {
      await this.#saveGaps(); // before the log says that they are over
      const { ringId } = this.#options;
      this.#tickCount += await this.#log.append(content, { ringId, position: this.#intake.position });
    }
    this.#intake.release();
  }

  /**
   * Call it when the clock was set back. A new segment begins at the new time, and from then on it alone can
   * answer. The times that the tape then has twice become a gap.
   */
  #setBack({ fromMs, toMs }: SetBack): void {
    this.#state.noteGap({ fromMs, toMs, reason: 'overrun' });
    this.#log.setBackTo(fromMs);
    this.#rotate(fromMs);
  }

  /** Ends the segment; it becomes a file in the background. @param setBackMs the clock's new time */
  #rotate(setBackMs?: number): void {
    const { segment } = this.#state;
    const beginMs = setBackMs ?? Math.max(this.#log.settledAtMs, segment.lastTickMs);
    this.#state.beginSegment(setBackMs);
    this.#sealing.add({ segment, logPath: this.#log.path, beginMs: this.#log.beginMs });
    this.#log.begin(beginMs);
  }

  async #saveGaps(): Promise<void> {
    this.#gaps.add(this.#state.takeClosedGaps());
    const { gap } = this.#state;
    await this.#gaps.save(gap === null ? null : { ...gap, toMs: null });
  }

  async #retain(nowMs: number): Promise<void> {
    const { folder, limits, log, clock } = this.#options;
    const { fileBytes, removed, oldestDay } = await applyRetention(folder, limits, clock.wallMs());
    this.#fileBytes = fileBytes;
    this.#retainAtMs = nowMs + RETENTION_EVERY_MS;
    if (oldestDay !== null) this.#gaps.forgetBefore(dayStartMs(oldestDay));
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
