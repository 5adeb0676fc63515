// The time that the tape itself knows, because the server recorded it: from the first file or log on, without
// gaps and without files that cannot be read. Imports answer only for the rest of the time. Otherwise an
// import would change what the server is known to have published, and answers that clients keep for ever.

import { DAY_MS } from '../clock.ts';
import { firstIndex } from '../query/first-index.ts';
import type { Sight } from './past/past-fixture.ts';
import type { DayFile, TapeFiles } from './past/tape-files.ts';
import { gapsApart, gapsInWholePeriods } from './past/whole-periods.ts';
import type { TapeSource } from './tape-source.ts';
import { dayStartMs, type Gap, type TapeRange } from './tick.ts';

/** The files of the tape, and its part in memory; null for readers of files alone. */
export interface TapeAndSource {
  readonly files: TapeFiles;
  readonly source: TapeSource | null;
  /**
   * When the server stopped recording, for readers of a tape that no server may be writing, Unix ms. The next
   * start of a server records the time since then as a gap. Default: never.
   */
  readonly ownUntilMs?: number;
}

/**
 * Every gap; none overlaps another. A gap may begin or end at a change of the sharp bookmaker. So callers who
 * do not see that bookmaker get such gaps widened to whole periods of the log.
 */
export function gapsSeen(source: TapeSource | null, sight: Sight): readonly Gap[] {
  const gaps = source?.gaps() ?? NO_GAPS;
  return SEEN[sight].getOrInsertComputed(gaps, () =>
    gapsApart(sight === 'all' ? gaps : gapsInWholePeriods(gaps)),
  );
}

const NO_GAPS: readonly Gap[] = [];
/** What was seen of lists of gaps, which are replaced when they change: thousands take a millisecond. */
const SEEN: Readonly<Record<Sight, WeakMap<readonly Gap[], readonly Gap[]>>> = {
  all: new WeakMap(),
  common: new WeakMap(),
};

/** For each kind of caller, the time that the tape itself knows. */
export type OwnTimes = Readonly<Record<Sight, OwnTime>>;

export async function ownTimes(parts: TapeAndSource): Promise<OwnTimes> {
  return { all: await OwnTime.read(parts, 'all'), common: await OwnTime.read(parts, 'common') };
}

export class OwnTime {
  /** When the first file or log of the server begins, Unix ms; Infinity without one. */
  readonly beginMs: number;
  readonly #sight: Sight;
  readonly #fileBeginsMs: readonly number[];
  /** Beginnings of files that cannot be read. */
  readonly #lostMs: readonly number[];
  readonly #source: TapeSource | null;
  readonly #untilMs: number;
  /** Null until they are needed, because there may be thousands of gaps, and most callers need none. */
  #gaps: readonly Gap[] | null = null;

  private constructor(
    sight: Sight,
    { source, ownUntilMs = Number.POSITIVE_INFINITY }: TapeAndSource,
    fileBeginsMs: number[],
    lostMs: number[],
  ) {
    this.#sight = sight;
    this.#fileBeginsMs = fileBeginsMs;
    this.#lostMs = lostMs;
    this.#source = source;
    this.#untilMs = ownUntilMs;
    const liveMs = source?.live.beginMs ?? Number.POSITIVE_INFINITY;
    this.beginMs = [...fileBeginsMs, ...lostMs].reduce((first, each) => Math.min(first, each), liveMs);
  }

  static async read(parts: TapeAndSource, sight: Sight): Promise<OwnTime> {
    const { files } = parts;
    const begins = (some: readonly Pick<DayFile, 'beginMs'>[]) =>
      some.flatMap(({ beginMs }) => beginMs ?? []);
    const fileBeginsMs = begins([...(await files.byDay()).values()].flat());
    return new OwnTime(sight, parts, fileBeginsMs, begins(await files.lost()));
  }

  /** Whether the tape itself knows what was published at an instant. */
  has(atMs: number): boolean {
    if (atMs < this.beginMs || atMs >= this.#untilMs) return false;
    return !this.#isInGap(atMs) && !this.#isLost(atMs);
  }

  /** Every gap, as `gapsSeen` returns them. */
  get gaps(): readonly Gap[] {
    this.#gaps ??= gapsSeen(this.#source, this.#sight);
    return this.#gaps;
  }

  /** Whether a file that cannot be read begins in a range. */
  hasLost({ fromMs, toMs }: TapeRange): boolean {
    return this.#lostMs.some((beginMs) => beginMs >= fromMs && beginMs < toMs);
  }

  /** A cache key for a day: while it stays the same, the tape itself knows the same instants of that day. */
  textOf(day: string): string {
    const [fromMs, toMs] = [dayStartMs(day), dayStartMs(day) + DAY_MS];
    if (this.beginMs >= toMs) return '';
    const gaps = this.gaps.filter((gap) => gap.fromMs < toMs && (gap.toMs === null || gap.toMs > fromMs));
    const times = gaps.map((gap) => `${gap.fromMs}-${gap.toMs}`);
    return [Math.max(fromMs, this.beginMs), ...times, 'lost', ...this.#lostMs].join(' ');
  }

  #isInGap(atMs: number): boolean {
    const { gaps } = this;
    const gap = gaps[firstIndex(gaps.length, (at) => gaps[at]!.fromMs > atMs) - 1];
    return gap !== undefined && (gap.toMs === null || atMs < gap.toMs);
  }

  /** Whether the part of the tape that begins last by an instant cannot be read. */
  #isLost(atMs: number): boolean {
    const lostMs = latestBy(this.#lostMs, atMs);
    if (lostMs === Number.NEGATIVE_INFINITY) return false;
    const lastMs = latestBy(this.#fileBeginsMs, atMs);
    const liveMs = this.#source?.live.at(atMs).beginMs ?? Number.POSITIVE_INFINITY;
    const hasLive = Number.isFinite(liveMs) && Math.trunc(liveMs) >= lastMs;
    return hasLive ? lostMs > liveMs : lostMs >= lastMs;
  }
}

/** The latest of some times that is not after an instant; -Infinity if there is none. */
function latestBy(timesMs: readonly number[], atMs: number): number {
  return timesMs.reduce(
    (latest, each) => (each <= atMs ? Math.max(latest, each) : latest),
    Number.NEGATIVE_INFINITY,
  );
}
