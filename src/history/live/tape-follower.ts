// The live part of the tape on a node that does not write it. It reads the logs in the shared folder, each
// time from where it stopped before. Once a log is a file, the file answers, because the log is being
// removed: a node that begins to read it now finds only a part of it.

import { beginOfLog, type HistoryFolder, isSystemError, PRICES_PREFIX } from '../files/folder.ts';
import { GapList } from '../files/gap-list.ts';
import { openTickFile } from '../files/parquet-file.ts';
import type { TapeSource } from '../tape-source.ts';
import type { Gap } from '../tick.ts';
import { type LivePart, LiveParts } from './live-parts.ts';
import { LiveSegment } from './live-segment.ts';
import { addChunk, decodeChunks } from './log-chunk.ts';
import { fileNameOf, filesByName, inOrderOfWriting } from './recover-logs.ts';
import type { OpenGap } from './tape-state.ts';

interface FollowedLog {
  readonly path: string;
  readonly beginMs: number;
  /** Path of the log before this one; null when unknown. */
  after: string | null;
  /** Null until the log's first chunk is there. */
  segment: LiveSegment | null;
  byteCount: number;
  settledAtMs: number;
  gap: OpenGap | null;
  /** Whether the folder was searched for a file of this log since the log was first read. */
  isSearched: boolean;
  /** Whether a file has its rows. The log is then not read again, and is not in the live part. */
  isInFile: boolean;
}

export class TapeFollower implements TapeSource {
  readonly #folder: HistoryFolder;
  readonly #gaps: GapList;
  readonly #logs = new Map<string, FollowedLog>();
  readonly live = new LiveParts(() => this.#parts());
  readonly #filesChanged = new Set<() => void>();
  #reading: Promise<void> | null = null;

  constructor(folder: HistoryFolder) {
    this.#folder = folder;
    this.#gaps = new GapList(folder);
  }

  /** A call while another one runs shares its result. @throws when the folder cannot be read */
  async catchUp(): Promise<number> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
    return this.#inOrder().at(-1)?.settledAtMs ?? 0;
  }

  size(): { ticks: number; bytes: number } {
    const logs = [...this.#logs.values()].filter(({ isInFile }) => !isInFile);
    const bytes = logs.reduce((sum, { byteCount }) => sum + byteCount, 0);
    return { ticks: this.live.tickCount, bytes };
  }

  gaps(): readonly Gap[] {
    const gap = this.#inOrder().at(-1)?.gap ?? null;
    return gap === null ? this.#gaps.all : [...this.#gaps.all, { ...gap, toMs: null }];
  }

  onFilesChanged(listener: () => void): () => void {
    this.#filesChanged.add(listener);
    return () => void this.#filesChanged.delete(listener);
  }

  async #read(): Promise<void> {
    const paths = await this.#folder.logs();
    const present = new Set(paths);
    const gone = new Set([...this.#logs.keys()].filter((path) => !present.has(path)));
    const passedOver = await this.#passOver(paths.slice(0, -1));
    for (const path of paths) await this.#follow(path);
    const inFiles = await this.#inFiles(gone);
    await this.#gaps.reload();
    for (const path of gone) this.#logs.delete(path);
    for (const log of inFiles) {
      log.isInFile = true;
      log.segment = new LiveSegment(); // frees its rows; a bucket may refuse for ever to remove the log
    }
    if (gone.size + inFiles.length + passedOver === 0) return;
    for (const listener of this.#filesChanged) listener(); // their ticks are in files now
  }

  /** Notes which logs are in files among those that were never read. @returns how many */
  async #passOver(paths: readonly string[]): Promise<number> {
    const unread = paths.filter((path) => !this.#logs.has(path));
    if (unread.length === 0) return 0;
    const files = await this.#files();
    const found = unread.filter((path) => files.has(fileNameOf(path)));
    for (const path of found) {
      this.#logs.set(path, { ...newLog(path), segment: new LiveSegment(), isInFile: true });
    }
    return found.length;
  }

  /** Paths of the files of prices by their names. */
  async #files(): Promise<ReadonlyMap<string, string>> {
    return filesByName((await this.#folder.list(PRICES_PREFIX)).map(({ path }) => path));
  }

  /**
   * The logs that are files by now. Call it after the logs were read. The file is written before the removal
   * of its log begins, so a log of which only a part was read is found here.
   */
  async #inFiles(gone: ReadonlySet<string>): Promise<FollowedLog[]> {
    const logs = [...this.#logs.values()].filter(({ path, isInFile }) => !isInFile && !gone.has(path));
    // The newest log becomes a file only once it has a successor, so most calls need no list.
    if (logs.length < 2 && logs.every(({ isSearched }) => isSearched)) return [];
    const files = await this.#files();
    const found: FollowedLog[] = [];
    for (const log of logs) {
      const file = files.get(fileNameOf(log.path));
      if (file !== undefined && (await this.#hasRowsOf(file, log))) found.push(log);
      log.isSearched = true;
    }
    return found;
  }

  /**
   * Whether a file has at least as many rows as were read of a log. If it has fewer, it is not the whole log.
   */
  async #hasRowsOf(file: string, { segment }: FollowedLog): Promise<boolean> {
    try {
      const { rowCount } = await openTickFile(await this.#folder.open(file));
      return rowCount >= (segment?.rowCount ?? 0);
    } catch (error) {
      if (isSystemError(error)) throw error;
      return false;
    }
  }

  async #follow(path: string): Promise<void> {
    const log = this.#logs.get(path) ?? newLog(path);
    if (log.isInFile) return;
    const bytes = await this.#folder.readLog(path, log.byteCount);
    if (bytes === null || bytes.length === 0) return;
    const { chunks, byteCount } = decodeChunks(bytes); // a chunk that is being written is read the next time
    for (const chunk of chunks) {
      log.segment ??= new LiveSegment(chunk.facts.begin?.bookmakers);
      log.after ??= chunk.facts.begin?.after ?? null;
      addChunk(log.segment, chunk, log.beginMs);
      if (chunk.facts.gap !== undefined) log.gap = chunk.facts.gap;
      log.settledAtMs = chunk.settledAtMs;
    }
    log.byteCount += byteCount;
    this.#logs.set(path, log);
  }

  #parts(): LivePart[] {
    return this.#inOrder()
      .filter(({ isInFile }) => !isInFile)
      .map(({ segment, beginMs }) => ({ segment: segment!, beginMs }));
  }

  /** The logs that have a chunk, in the order in which they were written. */
  #inOrder(): FollowedLog[] {
    const logs = [...this.#logs.values()].filter(({ segment }) => segment !== null);
    return inOrderOfWriting(logs.sort((first, second) => (first.path < second.path ? -1 : 1)));
  }
}

function newLog(path: string): FollowedLog {
  return {
    path,
    beginMs: beginOfLog(path),
    after: null,
    segment: null,
    byteCount: 0,
    settledAtMs: 0,
    gap: null,
    isSearched: false,
    isInFile: false,
  };
}
