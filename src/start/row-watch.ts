// Whether keys, accounts and sessions on disk are as they were written: all of them at the start, then a few at a time.
// Runs on main, which serves nobody. What it finds is named in the log and counted for /health and /metrics; the damaged
// row works for nobody meanwhile.

import type { Log } from '../log.ts';
import type { RowCheck } from '../row-checksums.ts';

const ROWS_AT_ONCE = 500;
const LOOK_EVERY_MS = 10_000;
/** Damaged rows that the log names one by one; who has more needs no longer list. */
const NAMED_MAX = 100;
const TO_DO = 'restore the database from a backup, or make these keys and accounts anew';
const GONE_TO_DO =
  'put the file and its -wal back; until then nothing is written. After another file was put in its place, start again';

/** What is damaged, as far as the database was looked at. */
export interface Damage {
  /** Rows, and one more for a file that is gone. */
  readonly rows: number;
  /** Findings about indexes, which are looked at when the database is opened. */
  readonly indexes: number;
}

export interface RowWatchOptions {
  readonly check: RowCheck;
  /** Whether the file that is open is no longer the one of its path: it was moved, deleted or replaced. */
  readonly isGone: () => boolean;
  /** Of `indexFindings`. */
  readonly findings: readonly string[];
  readonly log: Log;
  /** Told after each look. A row that is whole again counts until the look that began after it ends. */
  readonly onLook: (damage: Damage) => void;
}

/** @returns a function that looks at the next rows, and says whether these were the last of all */
export function rowLooks({ check, isGone, findings, log, onLook }: RowWatchOptions): () => boolean {
  const named = new Set<string>();
  let wasGone = false;
  /** Damaged rows that the last look at all of them found, and that the one under way has found so far. */
  let lastCount = 0;
  let count = 0;
  return () => {
    const { damaged, isEnd } = check.next(ROWS_AT_ONCE);
    count += damaged.length;
    if (isEnd) lastCount = count;
    const gone = isGone();
    if (gone && !wasGone) log.error('database_file_gone', { to_do: GONE_TO_DO });
    wasGone = gone;
    onLook({ rows: Math.max(lastCount, count) + Number(gone), indexes: findings.length });
    if (isEnd) count = 0;
    for (const { table, rowNumber, id } of damaged) {
      const row = `${table} ${rowNumber}`;
      if (named.has(row) || named.size >= NAMED_MAX) continue;
      named.add(row);
      log.error('database_row_damaged', { table, row: rowNumber, id, to_do: TO_DO });
    }
    return isEnd;
  };
}

/** @returns a function that ends it. @throws when a row cannot be read at the start */
export function watchRows(options: RowWatchOptions): () => void {
  const { findings, log } = options;
  for (const finding of findings) {
    log.error('database_index_damaged', { finding, to_do: 'restore the database from a backup' });
  }
  const look = rowLooks(options);
  while (!look());
  let hasFailed = false;
  const timer = setInterval(() => {
    try {
      look();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.error('database_check_failed', { error: String(error) });
      hasFailed = true;
    }
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
