// The lines of one fixture as `at=` shows them at instants that follow each other. The rows of a part of the
// tape are read once, and each instant continues where the one before it ended.

import type { PartsAt, PartsInTime } from './parts-at.ts';
import { isSeen, type Sight } from './past/past-fixture.ts';
import type { DayFile, TapeFiles } from './past/tape-files.ts';
import type { LiveRows } from './tape-source.ts';
import { lineKeyOf, type Tick } from './tick.ts';

/** A line that may be shown differently from an instant on. */
export interface ChangedLine {
  readonly key: string;
  /** Its row a millisecond before; undefined without one. */
  readonly former: Tick | undefined;
  /** Its row at the instant. */
  readonly tick: Tick;
}

/** What was on the slate of one instant, and how the imports of that day count. */
type Shown = Pick<PartsAt, 'live'> & { readonly hasImports: boolean };

/** The rows of one line. */
interface LineRows {
  readonly own: Tick | undefined;
  readonly imported: Tick | undefined;
}

const NO_LINES: readonly ChangedLine[] = [];

export class LinesInTime {
  readonly #parts: PartsInTime;
  readonly #own: RowsInTime;
  readonly #imported: RowsInTime;
  /** The lines that changed, in order; one may be there often. */
  readonly #changes: string[] = [];
  /**
   * How many of `#changes` were looked at, for each combination of whether imports count at the instant and
   * counted before it.
   */
  readonly #seen = [0, 0, 0, 0];
  /** The former rows of the lines that changed in the last millisecond. */
  readonly #former = new Map<string, LineRows>();
  #isLastMs = false;

  constructor(
    parts: PartsInTime,
    { rowsIn }: { readonly rowsIn: (part: DayFile | LiveRows) => Promise<readonly Tick[]> },
  ) {
    const onChange = (key: string): void => {
      if (this.#isLastMs) this.#former.getOrInsertComputed(key, () => this.#rowsOf(key));
      this.mark(key);
    };
    this.#parts = parts;
    this.#own = new RowsInTime(rowsIn, onChange);
    this.#imported = new RowsInTime(rowsIn, onChange);
  }

  /** Counts a line as changed. */
  mark(key: string): void {
    this.#changes.push(key);
  }

  /**
   * The lines that may be shown differently from an instant on than a millisecond before, or than at the last
   * call.
   * @param atMs later than in the call before
   */
  async changedAt(atMs: number): Promise<readonly ChangedLine[]> {
    this.#isLastMs = false;
    const before = await this.#goTo(atMs - 1);
    if (this.#former.size > 0) this.#former.clear();
    this.#isLastMs = true;
    const now = await this.#goTo(atMs);
    const combination = 2 * Number(before.hasImports) + Number(now.hasImports);
    const seen = this.#seen[combination]!;
    if (seen === this.#changes.length) return NO_LINES;
    const keys = new Set(this.#changes.slice(seen));
    this.#seen[combination] = this.#changes.length;
    const lines: ChangedLine[] = [];
    for (const key of keys) {
      const rows = this.#rowsOf(key);
      const tick = shownRow(rows, now);
      if (tick === undefined) continue;
      lines.push({ key, tick, former: shownRow(this.#former.get(key) ?? rows, before) });
      // A row of this very instant is compared at a later one.
      if (tick.receivedAtMs === atMs) this.mark(key);
    }
    return lines;
  }

  #rowsOf(key: string): LineRows {
    return { own: this.#own.last.get(key), imported: this.#imported.last.get(key) };
  }

  async #goTo(atMs: number): Promise<Shown> {
    const { files, live, ownMs } = this.#parts.at(atMs);
    const imports = this.#parts.importsOf(atMs);
    const file = files.find(({ beginMs }) => beginMs !== null);
    const own = live ?? file;
    const name = live?.beginMs ?? file?.path;
    if (!this.#own.hasRows(name, ownMs)) await this.#own.begin(name, own === undefined ? [] : [own]);
    if (!this.#imported.hasRows(imports, atMs)) await this.#imported.begin(imports, imports);
    this.#own.goTo(ownMs);
    this.#imported.goTo(atMs);
    return { live, hasImports: files.length > (file === undefined ? 0 : 1) };
  }
}

/**
 * The row that counts: the later one. If both are of one instant, the row of the live part counts, or else
 * that of the import.
 */
function shownRow({ own, imported }: LineRows, { live, hasImports }: Shown): Tick | undefined {
  if (own === undefined || imported === undefined || !hasImports)
    return own ?? (hasImports ? imported : undefined);
  if (own.receivedAtMs === imported.receivedAtMs) return live === null ? imported : own;
  return own.receivedAtMs > imported.receivedAtMs ? own : imported;
}

/** The last row of each line in some parts, at instants that follow each other. */
class RowsInTime {
  readonly last = new Map<string, Tick>();
  readonly #rowsIn: (part: DayFile | LiveRows) => Promise<readonly Tick[]>;
  /** Called before a line gets another row. */
  readonly #onChange: (key: string) => void;
  /** What identifies the parts. */
  #name: unknown = null;
  #atMs = Number.NEGATIVE_INFINITY;
  /** In the order of publishing. */
  #rows: readonly Tick[] = [];
  #next = 0;

  constructor(
    rowsIn: (part: DayFile | LiveRows) => Promise<readonly Tick[]>,
    onChange: (key: string) => void,
  ) {
    this.#rowsIn = rowsIn;
    this.#onChange = onChange;
  }

  /** Whether `goTo` may be called for an instant. If not, `begin` comes first. */
  hasRows(name: unknown, atMs: number): boolean {
    return name === this.#name && atMs >= this.#atMs;
  }

  /** Begins with other parts, or at an earlier instant. */
  async begin(name: unknown, parts: readonly (DayFile | LiveRows)[]): Promise<void> {
    const rows = (await Promise.all(parts.map(this.#rowsIn))).flat();
    for (const key of this.last.keys()) this.#onChange(key);
    this.last.clear();
    this.#name = name;
    this.#rows = rows.sort((left, right) => left.receivedAtMs - right.receivedAtMs);
    this.#next = 0;
  }

  goTo(atMs: number): void {
    this.#atMs = atMs;
    for (let row = this.#rows[this.#next]; row !== undefined && row.receivedAtMs <= atMs; ) {
      const key = lineKeyOf(row);
      this.#onChange(key);
      this.last.set(key, row);
      row = this.#rows[++this.#next];
    }
  }
}

/** The rows of a fixture in a file, or in a segment of the live part, that a caller may see. */
export async function rowsOfPart(
  part: DayFile | LiveRows,
  files: TapeFiles,
  { eventId, sight }: { readonly eventId: string; readonly sight: Sight },
): Promise<readonly Tick[]> {
  const rows = 'path' in part ? await files.rowsOf(part, eventId) : part.rowsOf(eventId);
  return rows.filter((row) => isSeen(row, sight));
}
