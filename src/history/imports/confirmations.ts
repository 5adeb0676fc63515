// Source times that no row has. If the first answer of an import shows prices that the tape already shows,
// they add no row. But a later import may fill the time before that answer with other prices. Then the prices
// are changes, and their rows need the source times. So a day's file notes these times until the answer
// before that one is imported too.

import type { FileNotes, PackedConfirmations } from '../files/file-notes.ts';
import { rowKeyOf, type Tick } from '../tick.ts';

/**
 * Writes confirmations for the notes of a day's file.
 * @param confirmed the rows that the confirmed prices would have if they were changes
 * @param rows the rows of the file, in its order
 */
export function packedConfirmations(
  confirmed: readonly Tick[],
  rows: readonly Tick[],
  fromMs: number,
): PackedConfirmations[] {
  const rowsOfLine = Map.groupBy(rows.keys(), (row) => rowKeyOf(rows[row]!));
  const byAnswer = Map.groupBy(confirmed, ({ receivedAtMs }) => receivedAtMs);
  return Array.from(byAnswer, ([receivedAtMs, ticks]): PackedConfirmations => {
    const shown = ticks.flatMap((tick) => {
      const row = rowsOfLine.get(rowKeyOf(tick))?.findLast((each) => rows[each]!.receivedAtMs < receivedAtMs);
      return row === undefined ? [] : [[row, receivedAtMs - tick.atMs] as const];
    });
    shown.sort(([left], [right]) => left - right);
    const steps = shown.map(([row], index) => row - (shown[index - 1]?.[0] ?? 0));
    return [receivedAtMs - fromMs, steps, shown.map(([, ageMs]) => ageMs)];
  });
}

/** Reads back what `packedConfirmations` wrote. @param rows the rows of the file, in its order */
export function confirmedIn(notes: FileNotes, rows: readonly Tick[], fromMs: number): Tick[] {
  return (notes.confirmed ?? []).flatMap(([afterMs, steps, agesMs]) => {
    const receivedAtMs = fromMs + afterMs;
    let row = 0;
    return steps.map((step, index): Tick => {
      row += step;
      return shownAgain(rows[row]!, { atMs: receivedAtMs - agesMs[index]!, receivedAtMs });
    });
  });
}

/** The row of a later or earlier answer, received at these times, that shows the line of `row` unchanged. */
export function shownAgain(row: Tick, times: Pick<Tick, 'atMs' | 'receivedAtMs'>): Tick {
  const inPlay = row.inPlay || (row.kickoffMs !== null && times.receivedAtMs >= row.kickoffMs);
  return { ...row, ...times, inPlay, standing: false };
}
