// A tick as one row of an export: the columns of the Parquet files, with times as ISO-8601 text.

import { toIsoText } from '../../clock.ts';
import type { Tick } from '../tick.ts';
import { TICK_COLUMNS } from './tick-columns.ts';

/** The columns in their order; `standing` is left out, because an export contains only changes. */
export const HISTORY_EXPORT_COLUMNS: readonly string[] = TICK_COLUMNS.map(({ name }) => name).filter(
  (name) => name !== 'standing',
);

type Cell = string | number | boolean | null;

const COLUMNS = TICK_COLUMNS.filter(({ name }) => name !== 'standing');

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
