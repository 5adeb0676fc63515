// The rows of the signal record as a table, for the backtest and for the record of a running server.

import type { RecordRow } from '../contract/record/signal-record.ts';
import { type Cell, type Display, tableLines } from '../terminal/text.ts';

const COLUMNS = [
  { title: '' },
  { title: 'signals', align: 'right' as const },
  { title: 'edge', align: 'right' as const },
  { title: 'with close', align: 'right' as const },
  { title: 'CLV', align: 'right' as const },
  { title: 'beat close', align: 'right' as const },
  { title: 'settled', align: 'right' as const },
  { title: 'yield', align: 'right' as const },
  { title: '95 %', align: 'right' as const },
  { title: 'median life', align: 'right' as const },
];

/** The lines of a table with a row for each group. */
export function recordTable(rows: readonly RecordRow[], display: Display): string[] {
  return tableLines(COLUMNS, rows.map(cellsOf), display);
}

function cellsOf(row: RecordRow): Cell[] {
  const { yield_low_pct: low, yield_high_pct: high, median_life_s: lifeS } = row;
  return [
    row.key,
    String(row.signals),
    `${row.mean_edge_pct}%`,
    String(row.closed_with_clv),
    percentText(row.mean_clv_pct),
    percentText(row.beat_close_pct),
    String(row.settled),
    percentText(row.yield_pct),
    low === null || high === null ? '' : `${low} to ${high}`,
    lifeS === null ? '' : `${Math.round(lifeS)} s`,
  ].map((text) => ({ text }));
}

function percentText(percent: number | null): string {
  return percent === null ? '' : `${percent}%`;
}
