// One row group of a file of ticks in memory. A column is decoded when it is first used, since most questions
// need few of them.

import { type MarketType, OUTCOMES, type Period, type SportKey } from '../../domain/catalogue.ts';
import type { Tick, TickStatus } from '../tick.ts';
import type { ColumnValues } from './column-chunk.ts';
import { type ColumnName, TICK_COLUMNS } from './tick-columns.ts';

type Outcomes = Tick['pricesE4'];
type Read = (row: number) => string | number | boolean | null;

export class TickGroup {
  readonly rowCount: number;
  readonly #decode: (name: ColumnName) => ColumnValues;
  readonly #columns = new Map<ColumnName, ColumnValues>();
  #readers: Readonly<Record<ColumnName, Read>> | null = null;

  /** @param decode reads one column; it may throw */
  constructor(rowCount: number, decode: (name: ColumnName) => ColumnValues) {
    this.rowCount = rowCount;
    this.#decode = decode;
  }

  column(name: ColumnName): ColumnValues {
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = this.#decode(name);
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

  /** Rows from `from` to `to`, exclusive. */
  ticks(from = 0, to = this.rowCount): Tick[] {
    return Array.from({ length: to - from }, (_, index) => this.tick(from + index));
  }
}

function pricesOf(read: Readonly<Record<ColumnName, Read>>, row: number): Outcomes {
  const prices = {} as Record<keyof Outcomes, number | null>;
  for (const outcome of OUTCOMES) {
    const decimal = read[`${outcome}_price`](row) as number | null;
    prices[outcome] = decimal === null ? null : Math.round(decimal * 10_000);
  }
  return prices;
}
