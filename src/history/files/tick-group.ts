// One row group of a file of ticks in memory. A column is decoded when it is first used, since most questions
// need few of them.

import type { MarketType, Period, SportKey } from '../../domain/catalogue.ts';
import type { Tick, TickStatus } from '../tick.ts';
import { pickRows, type Rows } from './column-chunk.ts';
import type { ColumnValues } from './plain-values.ts';
import { type ColumnName, TICK_COLUMNS } from './tick-columns.ts';

type Outcomes = Tick['pricesE4'];
/** Reads some rows of a column; it may throw. */
export type ReadColumn = (name: ColumnName, rows: Rows) => ColumnValues;
type Read = (row: number) => string | number | boolean | null;

export class TickGroup {
  readonly rowCount: number;
  readonly #read: ReadColumn;
  readonly #columns = new Map<ColumnName, ColumnValues>();
  #readers: Readonly<Record<ColumnName, Read>> | null = null;

  constructor(rowCount: number, read: ReadColumn) {
    this.rowCount = rowCount;
    this.#read = read;
  }

  /** Some rows as a group of their own. @param rows their numbers, in ascending order */
  pick(rows: Int32Array): TickGroup {
    return new TickGroup(rows.length, (name, some) => {
      const chosen = some === null ? rows : some.map((index) => rows[index]!);
      const known = this.#columns.get(name);
      return known === undefined ? this.#read(name, chosen) : pickRows(known, chosen);
    });
  }

  /** Some rows, decoded now, so that nothing else of the group stays in memory. @param rows as for `pick` */
  extract(rows: Int32Array): TickGroup {
    const columns = TICK_COLUMNS.map(({ name }) => {
      const known = this.#columns.get(name);
      const column = known === undefined ? this.#read(name, rows) : pickRows(known, rows);
      return [name, column.values.length > rows.length ? compacted(column) : column] as const;
    });
    return decodedGroup(rows.length, new Map(columns));
  }

  column(name: ColumnName): ColumnValues {
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = this.#read(name, null);
      if (column.codes.length !== this.rowCount) throw new Error(`Cannot read ${name}: rows are missing`);
      this.#columns.set(name, column);
    }
    return column;
  }

  /** Reads single values of a column; timestamps are Unix ms. */
  reader(name: ColumnName): Read {
    const { codes, values } = this.column(name);
    return (row) => (codes[row]! < 0 ? null : values[codes[row]!]!);
  }

  /** A whole row. */
  tick(row: number): Tick {
    this.#readers ??= Object.fromEntries(TICK_COLUMNS.map(({ name }) => [name, this.reader(name)])) as Record<
      ColumnName,
      Read
    >;
    const read = this.#readers;
    return {
      eventId: read.event_id(row) as string,
      sport: read.sport(row) as SportKey,
      league: read.league(row) as string,
      home: read.home(row) as string,
      away: read.away(row) as string,
      kickoffMs: read.kickoff(row) as number | null,
      bookmaker: read.bookmaker(row) as string,
      marketType: read.market_type(row) as MarketType,
      period: read.period(row) as Period,
      line: read.line(row) as number | null,
      status: read.status(row) as TickStatus,
      pricesE4: pricesOf(read, row),
      atMs: read.at(row) as number,
      receivedAtMs: read.received_at(row) as number,
      inPlay: read.in_play(row) === true,
      scoreHome: read.score_home(row) as number | null,
      scoreAway: read.score_away(row) as number | null,
      standing: read.standing(row) === true,
    };
  }

  /** All rows. */
  ticks(): Tick[] {
    return Array.from({ length: this.rowCount }, (_, row) => this.tick(row));
  }

  /** Rows from `from` to `to`, exclusive. */
  slice(from: number, to: number): TickGroup {
    if (from === 0 && to === this.rowCount) return this;
    return this.pick(Int32Array.from({ length: to - from }, (_, index) => from + index));
  }
}

/**
 * A function outside the class, because a closure made in a group's method would keep that whole group in
 * memory.
 */
function decodedGroup(rowCount: number, columns: ReadonlyMap<ColumnName, ColumnValues>): TickGroup {
  return new TickGroup(rowCount, (name, rows) => pickRows(columns.get(name)!, rows));
}

/** The same column without the values that no row uses. */
function compacted({ codes, values }: ColumnValues): ColumnValues {
  /** For each code: the index of its value in `used` plus one; 0 while it has none. */
  const places = new Int32Array(values.length);
  const used: (string | number | boolean)[] = [];
  const compact = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (code >= 0 && places[code] === 0) places[code] = used.push(values[code]!);
    compact[row] = code < 0 ? code : places[code]! - 1;
  }
  return { codes: compact, values: used };
}

/**
 * The prices of a row. There is no loop over the names of outcomes, because it took a seventh of the time of
 * a past slate.
 */
function pricesOf(read: Readonly<Record<ColumnName, Read>>, row: number): Outcomes {
  return {
    home: priceE4Of(read.home_price(row)),
    draw: priceE4Of(read.draw_price(row)),
    away: priceE4Of(read.away_price(row)),
    over: priceE4Of(read.over_price(row)),
    under: priceE4Of(read.under_price(row)),
  };
}

function priceE4Of(decimal: ReturnType<Read>): number | null {
  return decimal === null ? null : Math.round((decimal as number) * 10_000);
}
