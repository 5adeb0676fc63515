// A delivery as it is stored, and as its owner sees it.

import { isoTextOrNull, toIsoText } from '../../clock.ts';
import type { AlertDelivery } from '../../contract/alerts/alert-deliveries.ts';
import { ALERT_ANSWER_CHARS_MAX } from '../../limits.ts';

export type DeliveryState = AlertDelivery['state'];

export interface DeliveryRow {
  readonly id: number;
  readonly message_id: string;
  readonly rule_id: string;
  readonly life: string;
  readonly body: string;
  readonly merged: number;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly due_at_ms: number;
  readonly created_at_ms: number;
  readonly sent_at_ms: number | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

export function toAlertDelivery(row: DeliveryRow): AlertDelivery {
  return {
    id: row.message_id,
    state: row.state,
    tries: row.tries,
    status: row.status,
    error: row.error,
    // Cut the answer here too: a delivery from before 1.0.0, when there was no limit, may have a longer one.
    answer: keptAnswer(row.answer),
    merged: row.merged,
    body: row.body,
    created_at: toIsoText(row.created_at_ms),
    sent_at: isoTextOrNull(row.sent_at_ms ?? Number.NaN),
    next_at: row.state === 'waiting' ? toIsoText(row.due_at_ms) : null,
  };
}

/**
 * The part of an endpoint's answer that is kept. JSON writes a control character as six bytes, and Postgres
 * stores no NUL, so control characters are replaced.
 */
export function keptAnswer(answer: string | null): string | null {
  if (answer === null) return null;
  const start = answer.slice(0, ALERT_ANSWER_CHARS_MAX).toWellFormed();
  return start.replace(/\p{Cc}/gu, (control) => (/[\t\n\r]/.test(control) ? control : '\u{fffd}'));
}
