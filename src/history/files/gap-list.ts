// Every gap on record, in memory and in gaps.parquet.

import { HISTORY_GAPS_MAX } from '../../limits.ts';
import type { Gap } from '../tick.ts';
import { GAPS_COPY_PATH, GAPS_PATH, type HistoryFolder, isSystemError } from './folder.ts';
import { decodeGaps, encodeGaps } from './gap-file.ts';

export class GapList {
  readonly #folder: HistoryFolder;
  #gaps: readonly Gap[] = [];
  /** The gaps that were read from the file, without those that `takeRecorded` returned. */
  #loaded: readonly Gap[] = [];
  #isLoaded = false;
  /** The content of the file: the gaps that had ended when it was written, and the gap that still lasted. */
  #saved: { readonly gaps: readonly Gap[]; readonly open: Gap | null } = { gaps: this.#gaps, open: null };

  /** The last call of `save`, which the next one waits for. */
  #lastSave: Promise<void> = Promise.resolve();

  constructor(folder: HistoryFolder) {
    this.#folder = folder;
  }

  /** Gaps that ended, oldest first. */
  get all(): readonly Gap[] {
    return this.#gaps;
  }

  /**
   * Reads the list from its file, or from the copy at `path`. If the copy is missing, the list stays as it
   * is.
   * @returns false when there is no such file
   * @throws when it cannot be read
   */
  async load(path: string = GAPS_PATH): Promise<boolean> {
    const bytes = await this.#folder.read(path);
    if (bytes === null && path !== GAPS_PATH) return false;
    // Only the log shows whether a gap still lasts, and since when.
    this.#gaps = bytes === null ? [] : (await decodeGaps(bytes)).filter(({ toMs }) => toMs !== null);
    this.#loaded = this.#gaps;
    this.#saved = { gaps: path === GAPS_PATH ? this.#gaps : [], open: null };
    this.#isLoaded = true;
    return bytes !== null;
  }

  /**
   * Reads the list again, on a node that does not write it. A damaged file is replaced by its copy or, if the
   * copy cannot be used either, by the list that was read last.
   * @throws when the folder cannot be read, or no list was ever read
   */
  async reload(): Promise<void> {
    try {
      await this.load();
    } catch (error) {
      if (isSystemError(error)) throw error;
      if (!(await this.#loadCopy()) && !this.#isLoaded) throw error;
    }
  }

  async #loadCopy(): Promise<boolean> {
    try {
      return await this.load(GAPS_COPY_PATH);
    } catch (error) {
      if (isSystemError(error)) throw error;
      return false;
    }
  }

  /**
   * Adds gaps. If there are too many, the oldest are forgotten. A gap within another one is left out: a
   * process that was killed before the log said that a gap had ended records it again.
   */
  add(gaps: readonly Gap[]): void {
    if (gaps.length === 0) return;
    let all = this.#gaps;
    for (const gap of gaps) {
      if (all.some((held) => isWithin(gap, held))) continue;
      all = [...all.filter((held) => !isWithin(held, gap)), gap];
    }
    this.#gaps = all.toSorted(byTime).slice(-HISTORY_GAPS_MAX);
  }

  /** Records those parts of a span of time that no recorded gap covers. @returns the gaps that it added */
  cover({ fromMs, toMs, ...kind }: Gap & { readonly toMs: number }): readonly Gap[] {
    let fromHereMs = fromMs;
    const missing: Gap[] = [];
    for (const gap of this.#gaps) {
      if (gap.fromMs >= toMs) break;
      if (gap.fromMs > fromHereMs) missing.push({ fromMs: fromHereMs, toMs: gap.fromMs, ...kind });
      fromHereMs = Math.max(fromHereMs, gap.toMs ?? toMs);
    }
    if (fromHereMs < toMs) missing.push({ fromMs: fromHereMs, toMs, ...kind });
    this.add(missing);
    return missing;
  }

  /**
   * The gaps that an earlier process recorded for a file that it was about to remove. It may have been killed
   * before it removed the file. Each gap is returned only once.
   * @param beginMs when the file begins
   */
  takeRecorded(beginMs: number): readonly Gap[] {
    const isOfFile = ({ removedFromMs }: Gap): boolean => removedFromMs === beginMs;
    const found = this.#loaded.filter(isOfFile);
    this.#loaded = this.#loaded.filter((gap) => !isOfFile(gap));
    return found;
  }

  /** Removes gaps that `cover` or `takeRecorded` returned. */
  takeBack(added: readonly Gap[]): void {
    if (added.length > 0) this.#gaps = this.#gaps.filter((gap) => !added.includes(gap));
  }

  /** Forgets gaps that ended before the oldest data that is kept. */
  forgetBefore(instantMs: number): void {
    const kept = this.#gaps.filter(({ toMs }) => toMs === null || toMs > instantMs);
    if (kept.length === this.#gaps.length) return;
    this.#gaps = kept;
  }

  /**
   * Writes the file if anything changed.
   * @param lasting the gap that has not ended, or null
   * @throws when the folder refuses the write
   */
  async save(lasting: Gap | null): Promise<void> {
    // The writer and a request that finds a damaged file may save at the same time. Two writes of one file
    // would share its draft.
    const write = (): Promise<void> => this.#write(lasting);
    this.#lastSave = this.#lastSave.then(write, write);
    await this.#lastSave;
  }

  async #write(lasting: Gap | null): Promise<void> {
    const gaps = this.#gaps;
    const isOther =
      lasting?.fromMs !== this.#saved.open?.fromMs || lasting?.reason !== this.#saved.open?.reason;
    if (this.#saved.gaps === gaps && !isOther) return;
    const bytes = encodeGaps(lasting === null ? gaps : [...gaps, lasting]);
    await this.#folder.write(GAPS_COPY_PATH, bytes);
    await this.#folder.write(GAPS_PATH, bytes);
    this.#saved = { gaps, open: lasting };
  }
}

function byTime(first: Gap, second: Gap): number {
  return first.fromMs - second.fromMs;
}

/** Whether a gap lies within another one and neither may be taken back without the other. */
function isWithin(gap: Gap, other: Gap): boolean {
  const endOf = ({ toMs }: Gap): number => toMs ?? Number.POSITIVE_INFINITY;
  if (gap.removedFromMs !== other.removedFromMs) return false;
  // A repeated time keeps its own gap, because callers who do not see the sharp bookmaker are answered by it.
  if (gap.reason === 'overrun' && other.reason !== 'overrun') return false;
  return gap.fromMs >= other.fromMs && endOf(gap) <= endOf(other);
}
