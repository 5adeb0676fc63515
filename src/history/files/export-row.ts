// A tick as one row of an export: the columns of the Parquet files, with times as ISO-8601 text.

import { toIsoText } from '../../clock.ts';
import type { Tick } from '../tick.ts';
import { TICK_COLUMNS } from './tick-columns.ts';

/** The column `standing` is left out, because an export contains only changes. */
const COLUMNS = TICK_COLUMNS.filter(({ name }) => name !== 'standing');

/** The names of an export's columns, in their order. */
export const HISTORY_EXPORT_COLUMNS: readonly string[] = COLUMNS.map(({ name }) => name);

type Cell = string | number | boolean | null;

export function rowOf(tick: Tick): Record<string, Cell> {
  const row: Record<string, Cell> = {};
  for (const { name, type, read } of COLUMNS) {
    const value = read(tick);
    row[name] =
      type === 'timestamp' && value !== null
        ? toIsoText(Number(value))
        : typeof value === 'bigint'
          ? Number(value)
          : value;
  }
  return row;
}
