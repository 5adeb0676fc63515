// The columns of a file of ticks: their order and types, and the conversion of a row to its values.

import type { ParquetType, SchemaElement } from 'hyparquet';
import { OUTCOMES, type Outcome } from '../../domain/catalogue.ts';
import type { Tick } from '../tick.ts';

type ColumnType = 'text' | 'timestamp' | 'double' | 'int32' | 'boolean';
export type ColumnValue = string | bigint | number | boolean | null;

export interface TickColumn {
  readonly name: ColumnName;
  readonly type: ColumnType;
  readonly isNullable?: boolean;
  readonly read: (tick: Tick) => ColumnValue;
}

const PRICE_COLUMNS = OUTCOMES.map(
  (outcome): TickColumn => ({
    name: `${outcome}_price`,
    type: 'double',
    isNullable: true,
    read: ({ pricesE4 }) => decimalOf(pricesE4[outcome]),
  }),
);

export type ColumnName =
  | ('event_id' | 'sport' | 'league' | 'home' | 'away' | 'kickoff')
  | ('bookmaker' | 'market_type' | 'period' | 'line' | 'status' | `${Outcome}_price`)
  | ('at' | 'received_at' | 'in_play' | 'score_home' | 'score_away' | 'standing');

export const TICK_COLUMNS: readonly TickColumn[] = [
  { name: 'event_id', type: 'text', read: ({ eventId }) => eventId },
  { name: 'sport', type: 'text', read: ({ sport }) => sport },
  { name: 'league', type: 'text', read: ({ league }) => league },
  { name: 'home', type: 'text', read: ({ home }) => home },
  { name: 'away', type: 'text', read: ({ away }) => away },
  { name: 'kickoff', type: 'timestamp', isNullable: true, read: ({ kickoffMs }) => instantOf(kickoffMs) },
  { name: 'bookmaker', type: 'text', read: ({ bookmaker }) => bookmaker },
  { name: 'market_type', type: 'text', read: ({ marketType }) => marketType },
  { name: 'period', type: 'text', read: ({ period }) => period },
  { name: 'line', type: 'double', isNullable: true, read: ({ line }) => line },
  { name: 'status', type: 'text', read: ({ status }) => status },
  ...PRICE_COLUMNS,
  { name: 'at', type: 'timestamp', read: ({ atMs }) => BigInt(atMs) },
  { name: 'received_at', type: 'timestamp', read: ({ receivedAtMs }) => BigInt(receivedAtMs) },
  { name: 'in_play', type: 'boolean', read: ({ inPlay }) => inPlay },
  { name: 'score_home', type: 'int32', isNullable: true, read: ({ scoreHome }) => scoreHome },
  { name: 'score_away', type: 'int32', isNullable: true, read: ({ scoreAway }) => scoreAway },
  { name: 'standing', type: 'boolean', read: ({ standing }) => standing },
];

const PARQUET_TYPES: Readonly<
  Record<ColumnType, { readonly type: ParquetType } & Pick<SchemaElement, 'converted_type'>>
> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // Milliseconds in UTC. Without a logical type, tools show a plain timestamp and need no time zone tables.
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  double: { type: 'DOUBLE' },
  int32: { type: 'INT32' },
  boolean: { type: 'BOOLEAN' },
};

export function parquetTypeOf({ type }: TickColumn): ParquetType {
  return PARQUET_TYPES[type].type;
}

/** The schema of a file, for the Parquet writer. */
export function tickSchema(): SchemaElement[] {
  return [
    { name: 'root', num_children: TICK_COLUMNS.length },
    ...TICK_COLUMNS.map(
      ({ name, type, isNullable = false }): SchemaElement => ({
        name,
        ...PARQUET_TYPES[type],
        repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED',
      }),
    ),
  ];
}

/** Decimal odds: the double nearest to the feed's text. */
function decimalOf(priceE4: number | null): number | null {
  return priceE4 === null ? null : priceE4 / 10_000;
}

function instantOf(atMs: number | null): bigint | null {
  return atMs === null ? null : BigInt(atMs);
}
