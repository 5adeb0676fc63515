// Which files, and which segment of the live part, answer for an instant of the past.

import { DAY_MS } from '../clock.ts';
import { firstIndex } from '../query/first-index.ts';
import { OwnTime, type TapeAndSource } from './own-time.ts';
import { isSeen, type Sight } from './past/past-fixture.ts';
import type { DayFile, TapeFiles } from './past/tape-files.ts';
import { RepeatedTimes } from './past/whole-periods.ts';
import type { LiveRows } from './tape-source.ts';
import { dayStartMs, type Tick } from './tick.ts';

export interface PartsAt {
  readonly files: readonly DayFile[];
  /** Null when only files answer. */
  readonly live: LiveRows | null;
  /** The instant, up to which imports answer. */
  readonly atMs: number;
  /** The instant up to which the tape's own parts answer: earlier in a repeated time (RepeatedTimes). */
  readonly ownMs: number;
}

/** Up to which instant a file answers. */
export function untilMsOf({ beginMs }: DayFile, { atMs, ownMs }: Pick<PartsAt, 'atMs' | 'ownMs'>): number {
  return beginMs === null ? atMs : ownMs;
}

const NO_FILES: readonly DayFile[] = [];

/** For callers of one sight, the parts of the tape that answer for any instant. */
export class PartsInTime {
  /** The tape's own files, by when they begin. */
  readonly #own: readonly (DayFile & { readonly beginMs: number })[];
  /** By the number of the day since 1970: a text for each instant would take long. */
  readonly #importsByDay: ReadonlyMap<number, readonly DayFile[]>;
  readonly #ownTime: OwnTime;
  readonly #live: LiveRows | null;
  readonly #repeated: RepeatedTimes;

  private constructor(
    { source }: TapeAndSource,
    byDay: ReadonlyMap<string, readonly DayFile[]>,
    { sight, ownTime }: { readonly sight: Sight; readonly ownTime: OwnTime },
  ) {
    this.#own = [...byDay.values()]
      .flat()
      .flatMap((file) => (file.beginMs === null ? [] : [{ ...file, beginMs: file.beginMs }]))
      .sort((left, right) => left.beginMs - right.beginMs);
    this.#importsByDay = new Map(
      Array.from(byDay, ([day, files]) => [
        dayStartMs(day) / DAY_MS,
        files.filter(({ beginMs }) => beginMs === null),
      ]),
    );
    this.#ownTime = ownTime;
    this.#live = source?.live ?? null;
    this.#repeated = new RepeatedTimes(sight === 'all' ? [] : (source?.gaps() ?? []));
  }

  /** @param ownTime what the tape itself knows, if the caller has read it already */
  static async read(parts: TapeAndSource, sight: Sight, ownTime?: OwnTime): Promise<PartsInTime> {
    const byDay = await parts.files.byDay();
    return new PartsInTime(parts, byDay, { sight, ownTime: ownTime ?? (await OwnTime.read(parts, sight)) });
  }

  /**
   * The parts that show what was on the slate at an instant. Each file of ours and each segment of the live
   * part begins with the lines on the slate when it was begun. So the last file or segment that begins by
   * that instant is enough. After the clock was set back, that may be a file although the live part has
   * begun. An imported file covers only its own day, and only what the tape itself does not know.
   */
  at(atMs: number): PartsAt {
    const ofDay = this.importsOf(atMs);
    const imports = ofDay.length > 0 && this.#ownTime.has(atMs) ? [] : ofDay;
    const ownMs = this.#repeated.before(atMs);
    const own = this.#own;
    // A file is in the folder of its first change's day, although it may begin on an earlier day.
    const last = own[firstIndex(own.length, (at) => own[at]!.beginMs > ownMs) - 1];
    const live = this.#live?.at(ownMs) ?? null;
    const lastBeginMs = last?.beginMs ?? Number.NEGATIVE_INFINITY;
    const hasLive = live !== null && Number.isFinite(live.beginMs) && Math.trunc(live.beginMs) >= lastBeginMs;
    if (hasLive) return { files: imports, live, atMs, ownMs };
    return { files: last === undefined ? imports : [last, ...imports], live: null, atMs, ownMs };
  }

  /** The imports of the day of an instant, whether or not they count then. */
  importsOf(atMs: number): readonly DayFile[] {
    return this.#importsByDay.get(Math.floor(atMs / DAY_MS)) ?? NO_FILES;
  }
}

/** The parts of the tape that show what was on the slate at an instant. */
export async function partsAt(parts: TapeAndSource, atMs: number, sight: Sight): Promise<PartsAt> {
  return (await PartsInTime.read(parts, sight)).at(atMs);
}

/** The rows of a fixture that show its lines at an instant: of each part, the last row of each line. */
export async function rowsIn(
  parts: PartsAt,
  tape: TapeFiles,
  { eventId, sight }: { readonly eventId: string; readonly sight: Sight },
): Promise<Tick[]> {
  const rows: Tick[] = [];
  const add = (some: readonly Tick[], untilMs: number): void => {
    for (const tick of some) if (tick.receivedAtMs <= untilMs && isSeen(tick, sight)) rows.push(tick);
  };
  for (const file of parts.files) {
    const atMs = untilMsOf(file, parts);
    add(await tape.rowsOf(file, eventId, { key: `at ${atMs}`, atMs }), atMs);
  }
  add(parts.live?.lastRowsAt(eventId, parts.ownMs) ?? [], parts.ownMs);
  return rows;
}
