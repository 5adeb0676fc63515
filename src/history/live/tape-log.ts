// Writes the live segment to the log, and keeps track of how much of it is written.

import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { type HistoryFolder, LOG_PREFIX, ShortLogError } from '../files/folder.ts';
import { SETTLED_STEP_MS } from '../tape-source.ts';
import type { LiveSegment } from './live-segment.ts';
import { encodeChunk, type LogBegin, type RingPosition } from './log-chunk.ts';
import type { RecoveredLog } from './recover-logs.ts';
import type { OpenGap } from './tape-state.ts';

/** What the log will contain once everything is written. */
export interface LogContent {
  readonly segment: LiveSegment;
  readonly gap: OpenGap | null;
  /** Everything published before this instant is in the segment, Unix ms. */
  readonly settledAtMs: number;
}

/** Letters of an instant in a tag: enough for 3,000 years. */
const TAG_TIME_LENGTH = 9;

/**
 * The end of the names of the logs that one opening of the tape writes. After a write that was applied late,
 * two openings may have a log that begins in the same millisecond. The time comes first, so that their names
 * sort by when the tape was opened.
 */
export function openingTag({
  ringId,
  openedAtMs,
}: {
  readonly ringId: number;
  readonly openedAtMs: number;
}): string {
  const time = Math.trunc(openedAtMs).toString(36).padStart(TAG_TIME_LENGTH, '0');
  return `${time}-${ringId.toString(36)}`;
}

export class TapeLog {
  readonly #folder: HistoryFolder;
  readonly #tag: string;
  #path = '';
  #beginMs = 0;
  #byteCount = 0;
  /** Length of the log before this one. */
  #bytesBefore = 0;
  /** Path of the log before this one; empty without one. */
  #after = '';
  /** Rows, fixtures and marks of the segment that are in the log. */
  #rows = 0;
  #ticks = 0;
  #fixtures = 0;
  #marks = 0;
  #settledAtMs = 0;
  #gap: OpenGap | null = null;
  /** The position in the ring after the last chunk. */
  #ringPosition = 0;

  /** @param tag makes the file names of several nodes and openings differ */
  constructor(folder: HistoryFolder, tag: string) {
    this.#folder = folder;
    this.#tag = tag;
  }

  get path(): string {
    return this.#path;
  }
  /** The instant from which the log alone can answer. */
  get beginMs(): number {
    return this.#beginMs;
  }
  get byteCount(): number {
    return this.#byteCount;
  }
  /** Everything published before this instant is in a log, Unix ms. */
  get settledAtMs(): number {
    return this.#settledAtMs;
  }

  /** Call it when the clock was set back, because what is published from now on is not in a log. */
  setBackTo(instantMs: number): void {
    this.#settledAtMs = instantMs;
  }

  /** Begins a new log, for a new segment. */
  begin(beginMs: number): void {
    this.#after = this.#path;
    this.#path = `${LOG_PREFIX}${String(Math.trunc(beginMs)).padStart(13, '0')}-${this.#tag}.log`;
    this.#beginMs = beginMs;
    this.#bytesBefore = this.#byteCount;
    this.#ticks = 0;
    this.#forget();
  }

  /** Notes that the log has nothing of the segment. */
  #forget(): void {
    this.#byteCount = 0;
    this.#rows = 0;
    this.#fixtures = 0;
    this.#marks = 0;
  }

  /** Continues a log that an earlier process left. */
  resume(log: RecoveredLog): void {
    const { path, beginMs, byteCount, bytesBefore, after, segment, settledAtMs, gap, ring } = log;
    this.#path = path;
    this.#beginMs = beginMs;
    this.#byteCount = byteCount;
    this.#bytesBefore = bytesBefore;
    this.#after = after ?? '';
    this.#rows = segment.rowCount;
    this.#ticks = segment.tickCount;
    this.#fixtures = segment.fixtures.length;
    this.#marks = segment.marks.length;
    this.#settledAtMs = settledAtMs;
    this.#gap = gap;
    this.#ringPosition = ring.position;
  }

  /**
   * Whether there is something to append.
   * @param ringPosition where the reader of the ring is. Another thread that continues the log must not read
   * the records before it again, even if they brought nothing new
   */
  lacks({ segment, gap, settledAtMs }: LogContent, ringPosition: number): boolean {
    return (
      ringPosition !== this.#ringPosition ||
      segment.rowCount > this.#rows ||
      segment.fixtures.length > this.#fixtures ||
      segment.marks.length > this.#marks ||
      gap !== this.#gap ||
      // After a kill the gap begins at the last chunk, so a chunk is due in each period even without ticks.
      Math.floor(settledAtMs / SETTLED_STEP_MS) > Math.floor(this.#settledAtMs / SETTLED_STEP_MS) ||
      (this.#byteCount === 0 && settledAtMs !== 0)
    );
  }

  /**
   * Appends what the log lacks, as one chunk. After a failure, call it again before anything is added. Then
   * it appends the same bytes, so it does not matter if the folder still applies the first attempt.
   * @returns how many ticks were appended
   * @throws when the folder refuses; nothing counts as written then
   */
  async append(content: LogContent, ring: RingPosition): Promise<number> {
    try {
      return await this.#append(content, ring);
    } catch (error) {
      if (!(error instanceof ShortLogError)) throw error;
      this.#forget(); // all of it is still in the segment
      return await this.#append(content, ring);
    }
  }

  async #append({ segment, gap, settledAtMs }: LogContent, ring: RingPosition): Promise<number> {
    const { rowCount, tickCount } = segment;
    const fixtureCount = segment.fixtures.length;
    const markCount = segment.marks.length;
    const settled = Math.max(settledAtMs, this.#settledAtMs);
    const bytes = encodeChunk({
      ...{ segment, rowFrom: this.#rows, fixtureFrom: this.#fixtures, markFrom: this.#marks },
      ...{ facts: { gap }, ring },
      settledAtMs: settled,
      ...(this.#byteCount === 0 ? { begin: this.#begin(segment) } : {}),
    });
    await this.#folder.append(this.#path, this.#byteCount, bytes);
    const added = tickCount - this.#ticks;
    this.#byteCount += bytes.length;
    this.#rows = rowCount;
    this.#ticks = tickCount;
    this.#fixtures = fixtureCount;
    this.#marks = markCount;
    this.#settledAtMs = settled;
    this.#gap = gap;
    this.#ringPosition = ring.position;
    return added;
  }

  #begin({ setBackToMs, repeatedMarks }: LiveSegment): LogBegin {
    return {
      ...{ bookmakers: BOOKMAKER_KEYS, bytesBefore: this.#bytesBefore, repeatedMarks },
      ...(this.#after === '' ? {} : { after: this.#after }),
      ...(Number.isFinite(setBackToMs) ? { setBackToMs } : {}),
    };
  }
}
