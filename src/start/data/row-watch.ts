// Checks that keys, accounts and sessions on disk are as they were written: all of them at the start, then a
// few at a time. Runs on the main thread, which serves no requests. Damaged rows are named in the log and
// counted for /health and /metrics; until they are repaired, they are not used.

import type { Log } from '../../log.ts';
import type { RowCheck } from '../../storage/row-checksums.ts';

const ROWS_AT_ONCE = 500;
const CHECK_EVERY_MS = 10_000;
/** How many damaged rows are named in the log one by one; more names would not help the operator. */
const NAMED_MAX = 100;
const TO_DO = 'restore the database from a backup, or make these keys and accounts again';
const GONE_TO_DO =
  'put the file and its -wal back; until then nothing is written. If another file is in its place, restart the server';

/** The damage found in the part of the database checked so far. */
export interface Damage {
  /** Damaged rows, plus one if the file is gone. */
  readonly rows: number;
  /** Findings about indexes, which are checked when the database is opened. */
  readonly indexes: number;
}

export interface RowWatchOptions {
  readonly check: RowCheck;
  /** Whether the open file is no longer the one at its path: it was moved, deleted or replaced. */
  readonly isGone: () => boolean;
  /** The result of `indexFindings`. */
  readonly findings: readonly string[];
  readonly log: Log;
  /** Called after each check. A repaired row counts as damaged until the next full pass is complete. */
  readonly onCheck: (damage: Damage) => void;
}

/** @returns a function that checks the next rows, and returns whether they were the last of a full pass */
export function rowChecks({ check, isGone, findings, log, onCheck }: RowWatchOptions): () => boolean {
  const named = new Set<string>();
  let wasGone = false;
  /**
   * The damaged rows that the last full pass found. `count`: those that the present pass has found so far.
   */
  let lastCount = 0;
  let count = 0;
  return () => {
    const { damaged, isEnd } = check.next(ROWS_AT_ONCE);
    count += damaged.length;
    if (isEnd) lastCount = count;
    const gone = isGone();
    if (gone && !wasGone) log.error('database_file_gone', { to_do: GONE_TO_DO });
    wasGone = gone;
    onCheck({ rows: Math.max(lastCount, count) + Number(gone), indexes: findings.length });
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

/**
 * Checks all rows once, then some every CHECK_EVERY_MS, and logs the damage.
 * @returns a function that stops the checks
 * @throws Error if a row cannot be read in the first pass
 */
export function watchRows(options: RowWatchOptions): () => void {
  const { findings, log } = options;
  for (const finding of findings) {
    log.error('database_index_damaged', { finding, to_do: 'restore the database from a backup' });
  }
  const check = rowChecks(options);
  while (!check());
  let hasFailed = false;
  const timer = setInterval(() => {
    try {
      check();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.error('database_check_failed', { error: String(error) });
      hasFailed = true;
    }
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}
