// The live part of the tape on a node that does not write it. It reads the logs in the shared folder, each
// time from where it stopped before.

import { beginOfLog, type HistoryFolder } from '../files/folder.ts';
import { GapList } from '../files/gap-list.ts';
import type { TapeSource } from '../tape-source.ts';
import type { Gap } from '../tick.ts';
import { type LivePart, LiveParts } from './live-parts.ts';
import { LiveSegment } from './live-segment.ts';
import { addChunk, decodeChunks } from './log-chunk.ts';
import { inOrderOfWriting } from './recover-logs.ts';
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
    const bytes = [...this.#logs.values()].reduce((sum, { byteCount }) => sum + byteCount, 0);
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
    const gone = [...this.#logs.keys()].filter((path) => !paths.includes(path));
    for (const path of paths) await this.#follow(path);
    await this.#gaps.reload();
    for (const path of gone) this.#logs.delete(path);
    if (gone.length > 0) for (const listener of this.#filesChanged) listener(); // its ticks are in a file now
  }

  async #follow(path: string): Promise<void> {
    const log = this.#logs.get(path) ?? newLog(path);
    const bytes = await this.#folder.readLog(path, log.byteCount);
    if (bytes === null || bytes.length === 0) return;
    const { chunks, byteCount } = decodeChunks(bytes); // a chunk that is being written is read the next time
    for (const chunk of chunks) {
      log.segment ??= new LiveSegment(chunk.facts.begin?.bookmakers);
      log.after ??= chunk.facts.begin?.after ?? null;
      addChunk(log.segment, chunk);
      if (chunk.facts.gap !== undefined) log.gap = chunk.facts.gap;
      log.settledAtMs = chunk.settledAtMs;
    }
    log.byteCount += byteCount;
    this.#logs.set(path, log);
  }

  #parts(): LivePart[] {
    return this.#inOrder().map(({ segment, beginMs }) => ({ segment: segment!, beginMs }));
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
  };
}
