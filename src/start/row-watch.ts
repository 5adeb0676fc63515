// Whether keys, accounts and sessions on disk are as they were written: all of them at the start, then a few at a time.
// Runs on main, which serves nobody. What it finds is named in the log; the damaged row works for nobody meanwhile.

import type { Log } from '../log.ts';
import type { DamagedRow, RowCheck } from '../row-checksums.ts';

const ROWS_AT_ONCE = 500;
const LOOK_EVERY_MS = 10_000;
/** Damaged rows that the log names one by one; who has more needs no longer list. */
const NAMED_MAX = 100;
const TO_DO = 'restore the database from a backup, or make these keys and accounts anew';

/** @param findings of `indexFindings`. @returns a function that ends it. @throws when a row cannot be read at the start */
export function watchRows(check: RowCheck, findings: readonly string[], log: Log): () => void {
  const named = new Set<string>();
  function name(damaged: readonly DamagedRow[]): void {
    for (const { table, rowNumber, id } of damaged) {
      const row = `${table} ${rowNumber}`;
      if (named.has(row) || named.size >= NAMED_MAX) continue;
      named.add(row);
      log.error('database_row_damaged', { table, row: rowNumber, id, to_do: TO_DO });
    }
  }
  for (const finding of findings) {
    log.error('database_index_damaged', { finding, to_do: 'restore the database from a backup' });
  }
  for (let isEnd = false; !isEnd; ) {
    const looked = check.next(ROWS_AT_ONCE);
    name(looked.damaged);
    isEnd = looked.isEnd;
  }
  let hasFailed = false;
  const timer = setInterval(() => {
    try {
      name(check.next(ROWS_AT_ONCE).damaged);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.error('database_check_failed', { error: String(error) });
      hasFailed = true;
    }
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
