// A rule as it is stored: what it watches, where it sends, and its state.

import type { AlertStatus, AlertTo, AlertWhen, AlertWhere } from '../../contract/alerts/alert-rules.ts';
import { ALERT_FORMATS, ALERT_STATUSES } from '../../domain/signal-gate.ts';
import { assert } from '../../errors.ts';

/**
 * The names of the league, team and event whose ids are in `where`, for sentences about the rule. If a name
 * is missing, the sentence shows the id.
 */
export interface AlertNames {
  readonly league?: string;
  readonly team?: string;
  readonly event?: string;
}

export interface AlertRule {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly when: AlertWhen;
  readonly where: AlertWhere;
  readonly names: AlertNames;
  readonly to: AlertTo;
  readonly status: AlertStatus;
  /** Why the rule is stopped, is not watched, or may leave alerts out; null when none of these holds. */
  readonly note: string | null;
  /** Part of what the signing secret is made from (signature.ts). Rises with each rotation. */
  readonly secretVersion: number;
  /** When the secret was last rotated; null when never. Unix ms. */
  readonly rotatedAtMs: number | null;
  readonly createdAtMs: number;
}

export interface AlertRuleRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly definition: string;
  readonly url: string;
  readonly format: string;
  readonly status: string;
  readonly note: string | null;
  readonly secret_version: number;
  readonly rotated_at_ms: number | null;
  readonly created_at_ms: number;
}

export function toAlertRule(row: AlertRuleRow): AlertRule {
  const { when, where, names } = JSON.parse(row.definition) as Pick<AlertRule, 'when' | 'where' | 'names'>;
  const format = ALERT_FORMATS.find((known) => known === row.format);
  const status = ALERT_STATUSES.find((known) => known === row.status);
  assert(format !== undefined && status !== undefined, 'a rule has a known format and status');
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    when,
    where,
    names,
    to: { url: row.url, format },
    status,
    note: row.note,
    secretVersion: row.secret_version,
    rotatedAtMs: row.rotated_at_ms,
    createdAtMs: row.created_at_ms,
  };
}

/** What a rule watches, as it is stored. */
export function definitionOf({ when, where, names }: Pick<AlertRule, 'when' | 'where' | 'names'>): string {
  return JSON.stringify({ when, where, names });
}
