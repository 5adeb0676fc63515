// Grades signals on record: by the close, once it is frozen, and by scores, once they are known. Both are in
// the database, so nothing is lost in a restart, and signals are graded again when a closing price or score
// is corrected.

import type { SignalRecord, SignalRow } from '../archive/signal-record.ts';
import { isSharpBookmaker } from '../domain/catalogue.ts';
import { bookmakerOfKey } from '../store/quote-key.ts';
import type { ClosedQuote } from './closing-lines.ts';
import { closingLineValue } from './recorded-signal.ts';
import { recordedOf } from './signal-row.ts';

/** Matches graded in one call. The next call finds the rest. */
const MATCHES_PER_CALL = 50;

export type GradeStore = Pick<SignalRecord, 'settle' | 'ungraded' | 'ofEvent' | 'grade'>;

/**
 * Copies known scores to the signals, and grades those of MATCHES_PER_CALL matches by their closing prices.
 * @param closeOf the frozen closing prices of a match, null without them
 * @throws StorageError
 */
export async function gradeDue(
  store: GradeStore,
  closeOf: (eventNumber: number) => Promise<readonly ClosedQuote[] | null>,
): Promise<void> {
  await store.settle();
  for (const { eventNumber, frozenAtMs } of await store.ungraded(MATCHES_PER_CALL)) {
    const closing = await closeOf(eventNumber);
    if (closing === null) continue;
    const rows = await store.ofEvent(eventNumber);
    const grades = rows.map((row) => ({ row, clvPct: clvOf(row, closing) }));
    await store.grade(grades, frozenAtMs);
  }
}

/**
 * The closing line value of a signal. If the signal was found without the sharp bookmaker's prices, its value
 * is computed without them, too.
 */
function clvOf(row: SignalRow, closing: readonly ClosedQuote[]): number | null {
  const seen =
    row.sees_sharp === 1 ? closing : closing.filter(({ key }) => !isSharpBookmaker(bookmakerOfKey(key)));
  return closingLineValue(recordedOf(row), seen);
}
