// The preview of a rule: what it would have reported on the last day of the price history, and how much of
// that day the history covers.

import type { AlertPreview } from '../../contract/alerts/alert-preview.ts';
import type { AlertWhen } from '../../contract/alerts/alert-rules.ts';
import type { PastAlerts, PastAlertsQuestion } from '../../query/lists/history-calls.ts';

/** If the history begins and ends within this distance of the requested range, it counts as complete. */
const NEAR_MS = 600_000;

/** @param played null when there is no history, or nothing in it that the rule watches */
export function previewOf(
  sentence: string,
  when: AlertWhen,
  played: PastAlerts | null,
  { fromMs, toMs }: Pick<PastAlertsQuestion, 'fromMs' | 'toMs'>,
): AlertPreview {
  if (played === null || played.from === null || played.to === null) {
    const why = when.kind === 'source' ? 'does not hold sources' : 'has nothing of the last day';
    return { sentence, count: null, from: null, to: null, latest: [], note: `The price history ${why}.` };
  }
  const notes = [
    ...(Date.parse(played.from) > fromMs + NEAR_MS ? ['The price history begins later than a day ago.'] : []),
    ...(Date.parse(played.to) < toMs - NEAR_MS
      ? ['The day holds too much to count all of it: the count ends early.']
      : []),
    ...(when.kind === 'match'
      ? ['Final whistles are not in the price history, so they are not counted.']
      : []),
  ];
  return { sentence, ...played, note: notes.length === 0 ? null : notes.join(' ') };
}
