// Turns segments that have ended into Parquet files, one after the other and in the background. Meanwhile the
// thread serves requests and drains the ring.

import type { Clock } from '../../clock.ts';
import { eventLoopTurn } from '../../pause.ts';
import { packFormerIds } from '../files/file-notes.ts';
import { dayPrefix, type HistoryFolder } from '../files/folder.ts';
import { ROW_GROUP_ROWS, TickFileWriter } from '../files/parquet-file.ts';
import { packMark } from '../mark.ts';
import { dayOf, type FixtureIds } from '../tick.ts';
import type { LivePart } from './live-parts.ts';
import type { LiveSegment } from './live-segment.ts';
import { fileNameOf } from './recover-logs.ts';

/** A segment that has ended, with its log. */
export interface EndedPart extends LivePart {
  readonly logPath: string;
}

/**
 * Maximum number of logs that wait for another attempt to remove them; a day has a few. If there are more,
 * the oldest one is forgotten until the next start, and then removed.
 */
const REMOVALS_MAX = 1_000;
/** After a failed attempt to remove a log, no log is removed for this long, in milliseconds. */
const REMOVAL_PAUSE_MS = 60_000;

export interface SealQueueOptions {
  readonly folder: HistoryFolder;
  readonly clock: Clock;
  /** Called when a segment is a file, before its log is removed. */
  readonly onFile: () => void;
  /** Called when a file could not be written. */
  readonly onFailure: (error: unknown) => void;
  /** Called when a log that is in a file could not be removed. It is tried again after a pause. */
  readonly onLogLeft: (path: string, error: unknown) => void;
}

export class SealQueue {
  readonly #options: SealQueueOptions;
  readonly #parts: EndedPart[] = [];
  /** Paths of the logs that are in files and not removed yet, in the order in which they are tried. */
  readonly #removals: string[] = [];
  /**
   * The earliest time of the next attempt to remove logs, after an attempt has failed; on the monotonic
   * clock.
   */
  #removeAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;

  constructor(options: SealQueueOptions) {
    this.#options = options;
  }

  /** Oldest first. */
  get parts(): readonly EndedPart[] {
    return this.#parts;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Whether a segment is to be written, or a log to be removed now. */
  get hasWork(): boolean {
    return this.#parts.length > 0 || (this.#removals.length > 0 && this.#mayRemove);
  }

  get #mayRemove(): boolean {
    return this.#options.clock.monotonicMs() >= this.#removeAtMs;
  }

  /** Whether the file at this path is still to be written. */
  writes(path: string): boolean {
    return this.#parts.some((part) => hasNews(part) && pathOf(part) === path);
  }

  add(part: EndedPart): void {
    this.#parts.push(part);
  }

  /** Removes a log that is in a file, once no segment waits. */
  remove(logPath: string): void {
    if (this.#removals.push(logPath) > REMOVALS_MAX) this.#removals.shift();
  }

  /** Begins to write the oldest segment, then removes logs that are in files. Call it while not running. */
  start(): void {
    this.#running = this.#work().finally(() => {
      this.#running = null;
    });
  }

  /** Waits for the segment that is being written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #work(): Promise<void> {
    try {
      await this.#sealFirst();
    } catch (error) {
      this.#options.onFailure(error);
      return;
    }
    await this.#removeLogs();
  }

  /** Writes the file of the first segment. Its log may be removed once the file has its final name. */
  async #sealFirst(): Promise<void> {
    const [part] = this.#parts;
    if (part === undefined) return;
    if (hasNews(part)) {
      const bytes = await sealSegment(part.segment, eventLoopTurn);
      await this.#options.folder.write(pathOf(part), bytes);
    }
    this.#parts.shift();
    this.remove(part.logPath);
    this.#options.onFile();
  }

  /**
   * Removes logs until one cannot be removed, or a segment waits. The tape goes on, and after a pause the
   * other logs are tried first. What is left of a log still looks like a log, but its file answers in its
   * place (tape-follower.ts).
   */
  async #removeLogs(): Promise<void> {
    while (this.#parts.length === 0 && this.#mayRemove) {
      const [path] = this.#removals;
      if (path === undefined) return;
      try {
        await this.#options.folder.removeLog(path);
        this.#removals.shift();
      } catch (error) {
        this.#removeAtMs = this.#options.clock.monotonicMs() + REMOVAL_PAUSE_MS;
        this.#removals.push(this.#removals.shift()!);
        this.#options.onLogLeft(path, error);
      }
    }
  }
}

/** Whether a part has anything that the parts before it lack. */
function hasNews({ segment }: EndedPart): boolean {
  return Number.isFinite(segment.firstChangeMs);
}

/**
 * The path of the file of a part that has news. Its name, like that of the log, has the instant from which
 * the part answers. In logs of earlier versions, the first tick may be of a later day than the first mark.
 */
function pathOf({ segment, logPath }: EndedPart): string {
  const { tickCount, firstTickMs, firstChangeMs } = segment;
  return dayPrefix(dayOf(tickCount > 0 ? firstTickMs : firstChangeMs)) + fileNameOf(logPath);
}

/** The bytes of the file. @param pause called between two row groups */
async function sealSegment(segment: LiveSegment, pause: () => Promise<void>): Promise<Uint8Array> {
  const order = segment.inFileOrder();
  const writer = new TickFileWriter();
  for (let start = 0; start < order.length; start += ROW_GROUP_ROWS) {
    writer.addGroup(Array.from(order.subarray(start, start + ROW_GROUP_ROWS), (at) => segment.tick(at)));
    await pause();
  }
  const ids = new Map<string, FixtureIds>(segment.fixtures.map(({ fixture, ids }) => [fixture.eventId, ids]));
  const fixtures = segment.fixtures.map(({ fixture }) => fixture);
  return writer.finish(ids, {
    fixtures,
    ...packFormerIds(segment.fixtures, ids),
    marks: segment.marks.map(packMark),
  });
}
