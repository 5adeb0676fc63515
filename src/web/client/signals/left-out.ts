// The words for what a search of signals left out, and why.

import type { Excluded, Exclusion } from '../../../domain/signal-gate.ts';
import { countText } from '../data/number-words.ts';
import type { SignalKind } from '../data/signal-book.ts';
import { texts } from '../texts.ts';

/** Reasons that leave out value only: signals of other kinds need no reference price. */
const OF_VALUE_ONLY: ReadonlySet<string> = new Set(['no_sharp', 'no_reference'] satisfies Exclusion[]);

/**
 * "Left out: 3 suspended, 1 period over.": quotes, lines or fixtures, depending on the reason; null when
 * nothing was left out. The stream's counts cover all kinds of signals. For kinds other than value, reasons
 * that leave out value only are dropped, as the tools of these kinds do.
 */
export function leftOutText(excluded: Excluded, kind: SignalKind): string | null {
  const parts = (Object.entries(excluded) as [Exclusion, number][])
    .filter(([reason, count]) => count > 0 && (kind === 'value' || !OF_VALUE_ONLY.has(reason)))
    .map(([reason, count]) => `${countText(count)} ${texts.excluded[reason]}`);
  return parts.length === 0 ? null : texts.leftOut(parts.join(', '));
}
