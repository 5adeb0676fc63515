// What the SQLite repositories share: transactions, and a busy database told as an expected failure.

import type { Database } from 'bun:sqlite';
import { ServiceError } from '../errors.ts';

/**
 * Runs `work` in one transaction that takes the write lock first, so that what it reads is what it changes.
 * @throws ServiceError upstream_unavailable when another connection keeps the lock longer than the busy timeout
 */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  try {
    return database.transaction(work).immediate();
  } catch (error) {
    if (isBusy(error)) {
      throw new ServiceError('upstream_unavailable', 'Cannot write: the database is busy', {
        retryAfterSeconds: 1,
      });
    }
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('SQLITE_BUSY')
  );
}
