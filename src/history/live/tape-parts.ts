// The parts of a tape that is being written: the state of the slate, the log and its segment, the segments
// that become files, the gaps, and the health of the folder. Work that involves several of them is here.

import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { TapeRingReader } from '../../store/tape-ring.ts';
import type { HistoryFolder } from '../files/folder.ts';
import { GapList } from '../files/gap-list.ts';
import { holeOf } from '../files/holes.ts';
import type { Gap } from '../tick.ts';
import { FolderHealth } from './folder-health.ts';
import { RingIntake } from './ring-intake.ts';
import { SealQueue } from './seal-queue.ts';
import { TapeLog } from './tape-log.ts';
import { type TapeListener, TapeState, type TapeStateOptions } from './tape-state.ts';

export interface TapePartsOptions {
  readonly ring: TapeRingReader;
  /** A number that no other process uses; the same for every thread that reads this ring. */
  readonly ringId: number;
  readonly describe: TapeStateOptions['describe'];
  readonly folder: HistoryFolder;
  readonly clock: Clock;
  readonly log: Log;
  /** From `openingTag`: keeps file names apart from those of other nodes and earlier openings. */
  readonly tag: string;
  readonly listener?: TapeListener;
  /**
   * On an ingest node of a cluster: whether the ring has every change since an instant. Absent on a server
   * that runs alone.
   */
  readonly hasAllSince?: (instantMs: number) => boolean;
  /**
   * Whether other nodes may have written the logs. Then only logs of this process are continued, and others
   * are only read.
   */
  readonly isShared?: boolean;
}

export interface TapePartsListener {
  /** Called when the folder's health changed. */
  onHealth(): void;
  /** Called when the set of files that readers find may have changed. */
  onFiles(): void;
}

export class TapeParts {
  readonly options: TapePartsOptions;
  readonly gaps: GapList;
  readonly log: TapeLog;
  readonly health: FolderHealth;
  readonly sealing: SealQueue;
  readonly state: TapeState;
  readonly intake: RingIntake;
  readonly #listener: TapePartsListener;

  constructor(options: TapePartsOptions, listener: TapePartsListener) {
    const { folder, clock, log } = options;
    this.options = options;
    this.#listener = listener;
    this.gaps = new GapList(folder);
    this.log = new TapeLog(folder, options.tag);
    this.health = new FolderHealth(folder, log, () => listener.onHealth());
    this.sealing = new SealQueue({
      ...{ folder, clock },
      onFile: () => listener.onFiles(),
      onFailure: (error) => this.health.fail(error, clock.monotonicMs()),
      onLogLeft: (path, error) => log.warn('history_log_not_removed', { file: path, error: String(error) }),
    });
    this.state = new TapeState({
      describe: options.describe,
      overrunReason: () => (this.health.takeFailed() ? 'disk_full' : 'overrun'),
      ...(options.listener === undefined ? {} : { listener: options.listener }),
    });
    this.intake = new RingIntake(options.ring, this.state);
  }

  /**
   * Ends the segment, which becomes a file in the background.
   * @param fromMs when the next segment begins; given only after the clock was set back
   * @param isInFile whether the segment's file exists already, perhaps with more rows than are left in the
   * log
   */
  rotate(fromMs?: number, isInFile = false): void {
    const { segment } = this.state;
    const beginMs = fromMs ?? Math.max(this.log.settledAtMs, segment.lastChangeMs);
    this.state.beginSegment(fromMs);
    if (isInFile) this.sealing.remove(this.log.path);
    else this.sealing.add({ segment, logPath: this.log.path, beginMs: this.log.beginMs });
    this.log.begin(beginMs);
  }

  async saveGaps(): Promise<void> {
    this.gaps.add(this.state.takeClosedGaps());
    const { gap } = this.state;
    await this.gaps.save(gap === null ? null : { ...gap, toMs: null });
  }

  /**
   * Moves an unreadable file away, unless the disk or bucket failed rather than the file. If the file is
   * about to be written again, it stays, because moving it could remove the new file.
   */
  async setAside(path: string, error: unknown): Promise<void> {
    if (this.sealing.writes(path)) return;
    if (await this.health.moveAside(path, error, () => this.coverHole(path))) this.#listener.onFiles();
  }

  /** Records as a gap the time that only a lost file covered. */
  async coverHole(path: string): Promise<void> {
    const hole = await this.#holeOf(path);
    if (hole === null) return;
    this.gaps.cover(hole);
    await this.saveGaps();
  }

  /**
   * Like `coverHole`, for a file that is about to be removed.
   * @returns a function that takes the gap back, for a file that stays after all; the next `saveGaps` saves
   * that
   * @throws when the folder refuses; then no gap is recorded
   */
  async coverRemoval(path: string): Promise<() => void> {
    const hole = await this.#holeOf(path);
    if (hole === null) return () => {};
    const added = this.gaps.cover({ ...hole, removedFromMs: hole.fromMs });
    // If a process was killed just before it removed the file, gaps of the file are on record already.
    const recorded = this.gaps.takeRecorded(hole.fromMs);
    const takeBack = (): void => this.gaps.takeBack([...added, ...recorded]);
    try {
      await this.saveGaps();
    } catch (error) {
      takeBack();
      throw error;
    }
    return takeBack;
  }

  /** The time that no other file answers for if this file is lost; null if there is none. */
  async #holeOf(path: string): Promise<(Gap & { readonly toMs: number }) | null> {
    const { folder, clock } = this.options;
    const begins = [...this.sealing.parts.map(({ beginMs }) => beginMs), this.log.beginMs];
    const hole = await holeOf(folder, path, begins);
    const { gap } = this.state;
    if (hole === null || hole.toMs === null || (gap?.fromMs ?? Infinity) <= hole.fromMs) return null;
    return { fromMs: hole.fromMs, toMs: Math.min(hole.toMs, clock.wallMs()), reason: 'stopped' };
  }
}
