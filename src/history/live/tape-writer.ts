// Keeps the tape: takes records from the ring, appends ticks to the log, turns ended segments into Parquet
// files and removes old ones. It never makes anyone wait: while the folder refuses a write, records stay in
// the ring, and the ring drops what it has no room for.

import type { Clock } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { decodeId } from '../../domain/ids.ts';
import { HISTORY_LIVE_TICKS_MAX, HISTORY_SEALING_MAX } from '../../limits.ts';
import type { Log } from '../../log.ts';
import {
  RECORD_WORDS,
  TAPE_FLOAT,
  TAPE_KIND,
  TAPE_WORD,
  type TapeRingReader,
} from '../../store/tape-ring.ts';
import {
  dayOfPath,
  dayPrefix,
  GAPS_PATH,
  type HistoryFolder,
  LOG_PREFIX,
  PRICES_PREFIX,
  SET_ASIDE_PREFIX,
} from '../files/folder.ts';
import { GapList } from '../files/gap-list.ts';
import { openTickFile } from '../files/parquet-file.ts';
import { applyRetention, type RetentionLimits } from '../files/retention.ts';
import type { TapeSource } from '../tape-source.ts';
import { dayOf, dayStartMs, type FixtureIds, type Gap, type GapReason, type Tick } from '../tick.ts';
import type { LiveSegment } from './live-segment.ts';
import { encodeChunk } from './log-chunk.ts';
import { type RecoveredLog, recoverLogs } from './recover-logs.ts';
import { sealSegment } from './seal.ts';
import { type TapeListener, TapeState, type TapeStateOptions } from './tape-state.ts';

/** Records of one pass: about a megabyte of log. */
const PASS_RECORDS = 16_384;
/** A chunk without ticks is written this often, so that a gap after a kill begins no earlier. */
const ALIVE_EVERY_MS = 1_000;
const RETRY_EVERY_MS = 1_000;
const RETENTION_EVERY_MS = 60_000;
const REPORT_EVERY_MS = 1_000;
const DAY_MS = 86_400_000;

export interface TapeWriterOptions {
  readonly ring: TapeRingReader;
  /** A number that no other process uses; the same for every thread that reads this ring. */
  readonly ringId: number;
  readonly describe: TapeStateOptions['describe'];
  readonly folder: HistoryFolder;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: RetentionLimits;
  /** Keeps file names of several nodes apart: a few letters or digits. */
  readonly tag: string;
  /** Called when what `standing` returns may have changed. */
  readonly onStanding?: (standing: TapeStanding) => void;
  readonly listener?: TapeListener;
  /**
   * On a node that takes over: whether the ring has every change since an instant, and when that is so.
   * Absent: the process was not there before.
   */
  readonly hasAllSince?: (instantMs: number) => boolean;
  /** Whether other nodes may have written the logs: then none of them is continued, only read. */
  readonly isShared?: boolean;
  /** After how many ticks a segment becomes a file; tests set it low. */
  readonly liveTicksMax?: number;
}

/** How the tape is doing, for /ready and /metrics. */
export interface TapeStanding {
  /** Null while it is written; otherwise why not, one word. */
  readonly stopped: 'disk_full' | 'read_only' | 'storage_failed' | null;
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

/** A segment with its log. */
interface Part {
  readonly segment: LiveSegment;
  readonly logPath: string;
  /** The part answers alone for instants from here on. */
  readonly beginMs: number;
}

export class TapeWriter implements TapeSource {
  readonly #options: TapeWriterOptions;
  readonly #state: TapeState;
  readonly #gaps: GapList;
  readonly #sealing: Part[] = [];
  readonly #filesChanged = new Set<() => void>();
  readonly #setAside: string[] = [];
  #logPath = '';
  #beginMs = 0;
  #logBytes = 0;
  /** Rows and fixtures of the segment that are in the log. */
  #loggedRows = 0;
  #loggedTicks = 0;
  #loggedFixtures = 0;
  #loggedSettledMs = 0;
  #loggedGap: unknown = null;
  /** The end of the ring when this node took over. */
  #takenOverAt = 0;
  /** What was published before this instant, the former leader has put into files. */
  #writtenBeforeMs = Number.NEGATIVE_INFINITY;
  /** How far the ring is turned into rows; what lies behind the log is not released yet. */
  #applied: number;
  #appliedSettledMs = 0;
  #tickCount = 0;
  #fileBytes = 0;
  #stopped: TapeStanding['stopped'] = null;
  /** Whether a write failed since the last overrun. */
  #hasFailed = false;
  #retryAtMs = 0;
  #retainAtMs = 0;
  #reportAtMs = 0;
  #seal: Promise<void> | null = null;
  #pass: Promise<void> = Promise.resolve();

  private constructor(options: TapeWriterOptions) {
    this.#options = options;
    this.#gaps = new GapList(options.folder);
    this.#applied = options.ring.position();
    this.#state = new TapeState({
      describe: options.describe,
      overrunReason: () => (this.#hasFailed ? 'disk_full' : 'overrun'),
      ...(options.listener === undefined ? {} : { listener: options.listener }),
    });
  }

  /** Goes on where the logs in the folder end. @throws when the folder cannot be read */
  static async open(options: TapeWriterOptions): Promise<TapeWriter> {
    const tape = new TapeWriter(options);
    await tape.#loadGaps();
    const logs = await recoverLogs(options.folder, (path, error) => tape.#noteSetAside(path, error));
    tape.#resume(logs);
    if (logs.length === 0) await tape.#noteLostLog();
    return tape;
  }

  /** Does what is due. Call it several times a second; calls while one runs join it. */
  tick(): Promise<void> {
    this.#pass = this.#pass.then(() => this.#work());
    return this.#pass;
  }

  async catchUp(): Promise<number> {
    await this.tick();
    return this.#loggedSettledMs;
  }

  liveFromMs(): number {
    return this.#parts()[0]?.beginMs ?? Number.POSITIVE_INFINITY;
  }

  *eventIds(): Iterable<string> {
    const seen = new Set<string>();
    for (const { segment } of this.#parts()) {
      for (const { fixture } of segment.fixtures) seen.add(fixture.eventId);
    }
    yield* seen;
  }

  rowsOf(eventId: string): readonly Tick[] {
    const eventNumber = decodeId('event', eventId);
    return this.#parts().flatMap(({ segment }, index) =>
      segment
        .rowsOf(eventNumber)
        .map((at) => segment.tick(at))
        .filter(({ standing }) => index === 0 || !standing),
    );
  }

  idsOf(eventId: string): FixtureIds | undefined {
    for (const { segment } of this.#parts().reverse()) {
      const found = segment.fixtures.findLast(({ fixture }) => fixture.eventId === eventId);
      if (found !== undefined) return found.ids;
    }
    return undefined;
  }

  size(): { ticks: number; bytes: number } {
    const ticks = this.#parts().reduce((sum, { segment }) => sum + segment.tickCount, 0);
    return { ticks, bytes: this.#logBytes };
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

  /**
   * Moves a file away that cannot be read, so that it is named once and the rest answers. When the system
   * failed and not the file, it stays.
   */
  async setAside(path: string, error: unknown): Promise<void> {
    const { folder, log } = this.#options;
    if (this.#setAside.includes(path)) return;
    if (error instanceof Error && 'code' in error) {
      log.warn('history_file_unreadable', { file: path, error: String(error) });
      return;
    }
    this.#noteSetAside(path, error);
    try {
      const bytes = await folder.read(path);
      if (bytes !== null) await folder.write(SET_ASIDE_PREFIX + path, bytes);
      await folder.remove(path);
      for (const listener of this.#filesChanged) listener();
    } catch (failure) {
      log.warn('history_file_unreadable', { file: path, error: String(failure) });
    }
  }

  #noteSetAside(path: string, error: unknown): void {
    this.#options.log.warn('history_file_set_aside', { file: path, error: String(error) });
    this.#setAside.push(path);
    this.#report();
  }

  standing(): TapeStanding {
    return {
      stopped: this.#stopped,
      ticks: this.#tickCount,
      dropped: this.#options.ring.droppedCount(),
      lines: this.#state.lineCount,
      logBytes: this.#logBytes,
      fileBytes: this.#fileBytes,
      gaps: this.#gaps.all.length,
      gap: this.#state.gap?.reason ?? null,
      setAside: this.#setAside,
    };
  }

  /** Another node leads: nothing more is written. What this node has not written, the other one has. */
  async abandon(): Promise<void> {
    this.#retryAtMs = Number.POSITIVE_INFINITY;
    await this.#pass;
    await this.#seal;
  }

  /** Waits until every segment that ended is a file, or the folder refuses. */
  async sealed(): Promise<void> {
    do {
      await this.tick();
      await this.#seal;
    } while (this.#sealing.length > 0 && this.#stopped === null);
  }

  /** Writes what is in the ring, as far as the folder takes it, and closes the folder. */
  async close(): Promise<void> {
    await this.tick();
    await this.#seal;
    await this.#options.folder.close();
  }

  #parts(): Part[] {
    const { segment } = this.#state;
    return [...this.#sealing, { segment, logPath: this.#logPath, beginMs: this.#beginMs }];
  }

  async #loadGaps(): Promise<void> {
    try {
      await this.#gaps.load();
    } catch (error) {
      await this.setAside(GAPS_PATH, error);
    }
  }

  /** Goes on with the newest log if its roster is ours; every other log becomes a file. */
  #resume(logs: readonly RecoveredLog[]): void {
    const nowMs = this.#options.clock.wallMs();
    const newest = logs.at(-1);
    if (newest === undefined) {
      this.#newLog(nowMs);
      return;
    }
    for (const { segment, path, beginMs } of logs.slice(0, -1)) {
      this.#sealing.push({ segment, logPath: path, beginMs });
    }
    const { ring, ringId } = this.#options;
    this.#continueLog(newest);
    if (newest.segment.bookmakers !== BOOKMAKER_KEYS) this.#rotate();
    if (newest.ring.ringId === ringId) {
      // Another thread of this process died. What it had logged is not taken again.
      ring.release(newest.ring.position);
      this.#applied = newest.ring.position;
    } else if (this.#options.hasAllSince?.(newest.settledAtMs) === true) {
      // Nothing is missing: the ring has what the former leader did not write down.
      this.#state.isTakingOver = true;
      this.#takenOverAt = ring.written();
      this.#writtenBeforeMs = newest.beginMs;
    } else {
      this.#state.closeGap(newest.settledAtMs);
      this.#state.openGap({ fromMs: newest.settledAtMs, reason: 'stopped' });
    }
    if (this.#options.isShared === true && newest.ring.ringId !== ringId) this.#rotate();
    ring.want();
  }

  /** There are files and no log: what followed the newest file is not known. */
  async #noteLostLog(): Promise<void> {
    const { folder } = this.#options;
    const path = (await folder.list(PRICES_PREFIX)).findLast((file) => dayOfPath(file.path) !== null)?.path;
    if (path === undefined) return;
    const { rowGroups } = await openTickFile(await folder.open(path));
    const fromMs = rowGroups.reduce((latest, { receivedToMs }) => Math.max(latest, receivedToMs), 0);
    this.#state.openGap({ fromMs, reason: 'stopped' });
  }

  #continueLog({ path, beginMs, byteCount, segment, settledAtMs, gap }: RecoveredLog): void {
    this.#logPath = path;
    this.#beginMs = beginMs;
    this.#logBytes = byteCount;
    this.#loggedRows = segment.rowCount;
    this.#loggedTicks = segment.tickCount;
    this.#loggedFixtures = segment.fixtures.length;
    this.#loggedSettledMs = settledAtMs;
    this.#loggedGap = gap;
    this.#state.restore(segment, gap);
  }

  #newLog(beginMs: number): void {
    this.#logPath = `${LOG_PREFIX}${String(Math.trunc(beginMs)).padStart(13, '0')}-${this.#options.tag}.log`;
    this.#beginMs = beginMs;
    this.#logBytes = 0;
    this.#loggedRows = 0;
    this.#loggedTicks = 0;
    this.#loggedFixtures = 0;
  }

  async #work(): Promise<void> {
    const nowMs = this.#options.clock.wallMs();
    if (nowMs < this.#retryAtMs) return;
    try {
      // First, because it may free the room that the log lacks.
      if (nowMs >= this.#retainAtMs) await this.#retain(nowMs);
      await this.#takeRecords();
      if (this.#isOtherDay(this.#loggedSettledMs)) this.#rotate();
      await this.#saveGaps();
      if (this.#seal === null && this.#sealing.length > 0) this.#beginSeal();
      else if (this.#seal === null) this.#continues();
    } catch (error) {
      this.#fail(error, nowMs);
    }
    if (nowMs >= this.#reportAtMs) this.#report();
  }

  #continues(): void {
    if (this.#stopped === null) return;
    const { log, folder } = this.#options;
    log.info('history_continues', { folder: folder.name });
    this.#stopped = null;
    this.#report();
  }

  #fail(error: unknown, nowMs: number): void {
    const stopped = reasonOf(error);
    if (this.#stopped !== stopped) {
      const { log, folder } = this.#options;
      log.error('history_stopped', { folder: folder.name, because: stopped, error: String(error) });
    }
    this.#stopped = stopped;
    this.#hasFailed = true;
    this.#retryAtMs = nowMs + RETRY_EVERY_MS;
    this.#report();
  }

  /** Turns all records of the ring into ticks and logs them, a pass at a time. */
  async #takeRecords(): Promise<void> {
    const { ring } = this.#options;
    for (;;) {
      await this.#logRest(); // what an earlier pass could not write
      if (this.#sealing.length >= HISTORY_SEALING_MAX) return;
      const settledAtMs = ring.settledAtMs();
      const written = ring.written();
      const isDayOver = this.#apply(written);
      if (this.#applied === written) this.#appliedSettledMs = settledAtMs;
      await this.#logRest();
      if (
        isDayOver ||
        this.#state.segment.tickCount >= (this.#options.liveTicksMax ?? HISTORY_LIVE_TICKS_MAX)
      ) {
        this.#rotate();
      } else if (this.#applied === written) return;
    }
  }

  /**
   * Applies records up to `written`, but at most one pass of them.
   * @returns true when the next record belongs to another day than the segment
   */
  #apply(written: number): boolean {
    const { ring } = this.#options;
    const { words, floats } = ring;
    for (let count = 0; this.#applied !== written && count < PASS_RECORDS; count++) {
      const place = ring.placeOf(this.#applied);
      const receivedAtMs = floats[(place * RECORD_WORDS) / 2 + TAPE_FLOAT.receivedAtMs]!;
      if (this.#isOtherDay(receivedAtMs)) return true;
      const kind = words[place * RECORD_WORDS + TAPE_WORD.kind];
      if (this.#applied === this.#takenOverAt) this.#state.isTakingOver = false;
      const isWritten = this.#state.isTakingOver && receivedAtMs < this.#writtenBeforeMs;
      if (!isWritten) this.#state.apply(words, floats, place);
      if (kind === TAPE_KIND.overrun) this.#hasFailed = false;
      this.#applied = (this.#applied + 1) | 0;
    }
    return false;
  }

  #isOtherDay(instantMs: number): boolean {
    const { segment } = this.#state;
    return segment.tickCount > 0 && instantMs >= dayStartMs(dayOf(segment.firstTickMs)) + DAY_MS;
  }

  /** Appends what is not in the log yet, and gives the room in the ring back. */
  async #logRest(): Promise<void> {
    const { folder, ring, ringId } = this.#options;
    const { segment, gap } = this.#state;
    const isNew = this.#logBytes === 0;
    const hasRows = segment.rowCount > this.#loggedRows || segment.fixtures.length > this.#loggedFixtures;
    const isAliveDue = this.#appliedSettledMs >= this.#loggedSettledMs + ALIVE_EVERY_MS;
    const { rowCount, tickCount } = segment;
    const fixtureCount = segment.fixtures.length;
    if (!hasRows && !isAliveDue && gap === this.#loggedGap && (this.#appliedSettledMs === 0 || !isNew)) {
      if (ring.position() !== this.#applied) ring.release(this.#applied);
      return;
    }
    await this.#saveGaps(); // before the log says that they are over
    const applied = this.#applied;
    const settledAtMs = Math.max(this.#appliedSettledMs, this.#loggedSettledMs);
    const bytes = encodeChunk({
      segment,
      rowFrom: this.#loggedRows,
      fixtureFrom: this.#loggedFixtures,
      facts: { gap },
      ring: { ringId, position: applied },
      settledAtMs,
      ...(isNew ? { bookmakers: BOOKMAKER_KEYS } : {}),
    });
    await folder.append(this.#logPath, this.#logBytes, bytes);
    this.#logBytes += bytes.length;
    this.#tickCount += tickCount - this.#loggedTicks;
    this.#loggedTicks = tickCount;
    this.#loggedRows = rowCount;
    this.#loggedFixtures = fixtureCount;
    this.#loggedSettledMs = settledAtMs;
    this.#loggedGap = gap;
    ring.release(applied);
  }

  /** Ends the segment; it becomes a file in the background. */
  #rotate(): void {
    const { segment } = this.#state;
    const beginMs = Math.max(this.#loggedSettledMs, segment.lastTickMs);
    this.#state.beginSegment();
    this.#sealing.push({ segment, logPath: this.#logPath, beginMs: this.#beginMs });
    this.#newLog(beginMs);
  }

  async #saveGaps(): Promise<void> {
    this.#gaps.add(this.#state.takeClosedGaps());
    const { gap } = this.#state;
    await this.#gaps.save(gap === null ? null : { ...gap, toMs: null });
  }

  #beginSeal(): void {
    this.#seal = this.#sealFirst().finally(() => {
      this.#seal = null;
    });
  }

  /** Writes the oldest ended segment as a file. After the rename its log is not needed any more. */
  async #sealFirst(): Promise<void> {
    const [part] = this.#sealing;
    const { folder, clock } = this.#options;
    if (part === undefined) return;
    try {
      if (part.segment.tickCount > 0) {
        const bytes = await sealSegment(part.segment, () => new Promise((next) => setImmediate(next)));
        await folder.write(pathOf(part), bytes);
      }
      this.#sealing.shift();
      for (const listener of this.#filesChanged) listener();
      await folder.removeLog(part.logPath);
      this.#retainAtMs = 0;
    } catch (error) {
      this.#fail(error, clock.wallMs());
    }
  }

  async #retain(nowMs: number): Promise<void> {
    const { folder, limits, log } = this.#options;
    const { fileBytes, removed, oldestDay } = await applyRetention(folder, limits, nowMs);
    this.#fileBytes = fileBytes;
    this.#retainAtMs = nowMs + RETENTION_EVERY_MS;
    if (oldestDay !== null) this.#gaps.forgetBefore(dayStartMs(oldestDay));
    if (removed.length === 0) return;
    log.info('history_removed', { files: removed.length, oldest_day: oldestDay });
    for (const listener of this.#filesChanged) listener();
  }

  #report(): void {
    this.#reportAtMs = this.#options.clock.wallMs() + REPORT_EVERY_MS;
    this.#options.onStanding?.(this.standing());
  }
}

/** The file of a part: its name says from when on it answers. */
function pathOf({ segment, logPath }: Part): string {
  const name = logPath.slice(LOG_PREFIX.length).replace(/\.log$/, '.parquet');
  return dayPrefix(dayOf(segment.firstTickMs)) + name;
}

function reasonOf(error: unknown): NonNullable<TapeStanding['stopped']> {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'disk_full';
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM' ? 'read_only' : 'storage_failed';
}
