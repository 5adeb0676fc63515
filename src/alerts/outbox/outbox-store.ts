// The outbox in the database, for the node that sends. Its methods are atomic.

import { toTierKey } from '../../accounts/rows.ts';
import { DAY_MS } from '../../clock.ts';
import type { TierKey } from '../../domain/tiers.ts';
import {
  ACCOUNT_DELIVERIES_KEPT,
  ALERT_DELIVERIES_KEPT,
  ALERT_DELIVERIES_KEPT_DAYS,
  FREE_ACCOUNT_DELIVERIES_KEPT,
  FREE_ALERT_DELIVERIES_KEPT,
} from '../../limits.ts';
import type { GivenRows, SqlDatabase } from '../../storage/sql.ts';
import { type AlertRule, type AlertRuleRow, toAlertRule } from '../rules/alert-rule.ts';
import { raiseEpoch } from '../schema.ts';
import type { ShareHolder } from './account-shares.ts';
import type { DeliveryRow, DeliveryState } from './delivery.ts';

/**
 * Maximum number of waiting deliveries of all rules; `account-shares.ts` divides them. A further alert is
 * dropped, counted and logged.
 */
export const OUTBOX_MAX = 50_000;
/** Maximum number of waiting deliveries of one rule. A further alert is dropped, counted and logged. */
export const OUTBOX_PER_RULE_MAX = 1_000;

/**
 * How long a delivery may wait while its rule is stopped because of the endpoint. Then it has failed.
 * Deliveries of other rules are not limited by time, so none of them fails if the clock is set forward.
 */
const WAITS_AT_MOST_MS = DAY_MS;

/** Maximum number of old deliveries that one call deletes. The next call deletes the others. */
const OLD_DELETED_MAX = 1_000;

/** A rule with its account's plan and mail address. */
export interface OwnedRule {
  readonly rule: AlertRule;
  readonly plan: TierKey;
  readonly email: string;
  readonly isVerified: boolean;
}

/** Where one account sends. Another account's failures at the same URL do not count. */
export interface Endpoint {
  readonly accountId: string;
  readonly url: string;
}

export interface NewDelivery {
  readonly messageId: string;
  readonly ruleId: string;
  readonly life: string;
  readonly body: string;
  readonly atMs: number;
}

/** The result of an attempt at a delivery. */
export interface DeliveryOutcome {
  readonly messageId: string;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly dueAtMs: number;
  readonly sentAtMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

const NEW_COLUMNS = {
  message_id: 'text',
  rule_id: 'text',
  life: 'text',
  body: 'text',
  at_ms: 'bigint',
} as const satisfies GivenRows['columns'];

const OUTCOME_COLUMNS = {
  message_id: 'text',
  state: 'text',
  tries: 'bigint',
  due_at_ms: 'bigint',
  sent_at_ms: 'bigint',
  status: 'bigint',
  error: 'text',
  answer: 'text',
} as const satisfies GivenRows['columns'];

type OwnedRuleRow = AlertRuleRow & {
  readonly plan: string;
  readonly email: string;
  readonly verified_at_ms: number | null;
};

const OWNED_COLUMNS = 'alert_rules.*, accounts.plan, accounts.email, accounts.verified_at_ms';
const IS_SENDABLE = `(life LIKE 'test:%'
  OR rule_id NOT IN (SELECT id FROM alert_rules WHERE status IN ('failing', 'ended')))`;

export class OutboxStore {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /**
   * The epoch and the number of rules. Deleting an account deletes its rules without raising the epoch, so
   * the caller compares the number too.
   */
  async epoch(): Promise<{ readonly epoch: number; readonly ruleCount: number }> {
    const [row] = await this.#sql.rows<{ value: number | null; rules: number }>(
      `SELECT (SELECT value FROM alert_state WHERE name = 'epoch') AS value,
         (SELECT count(*) FROM alert_rules) AS rules`,
    );
    return { epoch: row?.value ?? 0, ruleCount: row?.rules ?? 0 };
  }

  /** Every rule, oldest first. */
  async rules(): Promise<OwnedRule[]> {
    const rows = await this.#sql.rows<OwnedRuleRow>(
      `SELECT ${OWNED_COLUMNS} FROM alert_rules JOIN accounts ON accounts.id = account_id
       ORDER BY alert_rules.created_at_ms`,
    );
    return rows.map(toOwnedRule);
  }

  /** The rules that were changed after an epoch, by id; null for one that was deleted. */
  async changedRules(epoch: number): Promise<ReadonlyMap<string, OwnedRule | null>> {
    const rows = await this.#sql.rows<OwnedRuleRow & { readonly holder: string }>(
      `SELECT alert_state.holder, ${OWNED_COLUMNS} FROM alert_state
       LEFT JOIN alert_rules ON alert_rules.id = alert_state.holder
       LEFT JOIN accounts ON accounts.id = account_id
       WHERE alert_state.name LIKE 'rule:%' AND alert_state.value > $1
       ORDER BY alert_rules.created_at_ms`,
      [epoch],
    );
    return new Map(rows.map((row) => [row.holder, row.id === null ? null : toOwnedRule(row)]));
  }

  /**
   * The waiting deliveries that may be sent, oldest first. For a stopped rule, only tests are returned: its
   * other deliveries wait for the owner and must not use up the LIMIT.
   */
  async waiting(): Promise<DeliveryRow[]> {
    return await this.#sql.rows<DeliveryRow>(
      `SELECT * FROM alert_deliveries WHERE state = 'waiting' AND ${IS_SENDABLE} ORDER BY id LIMIT $1`,
      [OUTBOX_MAX],
    );
  }

  /** Like `waiting`, but only deliveries that were changed after an epoch, or whose rule was. */
  async changedWaiting(epoch: number): Promise<DeliveryRow[]> {
    return await this.#sql.rows<DeliveryRow>(
      `SELECT * FROM alert_deliveries WHERE id IN (
         SELECT id FROM alert_deliveries WHERE message_id IN (
           SELECT holder FROM alert_state WHERE name LIKE 'delivery:%' AND value > $1)
         UNION SELECT id FROM alert_deliveries WHERE rule_id IN (
           SELECT holder FROM alert_state WHERE name LIKE 'rule:%' AND value > $1))
       AND state || '' = 'waiting' AND ${IS_SENDABLE} ORDER BY id LIMIT $2`,
      [epoch, OUTBOX_MAX],
    );
  }

  /**
   * Marks deliveries as failed that have waited too long for their stopped rules. @returns the rule of each
   */
  async failOverdue(nowMs: number): Promise<string[]> {
    const failed = await this.#sql.rows<{ readonly rule_id: string }>(
      `UPDATE alert_deliveries SET state = 'failed', error = 'not sent: it had waited for a day'
       WHERE state = 'waiting' AND created_at_ms < $1
         AND rule_id IN (SELECT id FROM alert_rules WHERE status IN ('failing', 'ended')) RETURNING rule_id`,
      [nowMs - WAITS_AT_MOST_MS],
    );
    return failed.map(({ rule_id }) => rule_id);
  }

  /** Deletes finished deliveries of alerts that are older than ALERT_DELIVERIES_KEPT_DAYS. */
  async deleteOld(nowMs: number): Promise<void> {
    await this.#sql.run(
      `DELETE FROM alert_deliveries WHERE id IN (
         SELECT id FROM alert_deliveries WHERE state <> 'waiting' AND created_at_ms < $1
         ORDER BY created_at_ms LIMIT $2)`,
      [nowMs - ALERT_DELIVERIES_KEPT_DAYS * DAY_MS, OLD_DELETED_MAX],
    );
  }

  /** Forgets which rules and deliveries were changed up to an epoch, because all were read since. */
  async forgetChanges(epoch: number): Promise<void> {
    await this.#sql.run(
      `DELETE FROM alert_state WHERE value <= $1 AND (name LIKE 'rule:%' OR name LIKE 'delivery:%')`,
      [epoch],
    );
  }

  /**
   * Writes new deliveries, in order. Those of rules that were deleted meanwhile are left out. A delivery that
   * is there already stays as it is, so a call whose answer was lost can be repeated.
   */
  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    const rows = deliveries.map(({ messageId, ruleId, life, body, atMs }) => [
      ...[messageId, ruleId, life, body],
      atMs,
    ]);
    // The lock waits for a deletion of the rule that is not committed yet. Without it, the check of the
    // foreign key would wait for that commit, and then fail.
    await this.#sql.runGiven(
      `INSERT INTO alert_deliveries (message_id, rule_id, life, body, merged, state, tries, due_at_ms,
         created_at_ms)
       SELECT message_id, rule_id, life, body, 1, 'waiting', 0, at_ms, at_ms FROM given
       JOIN alert_rules ON alert_rules.id = given.rule_id
       ORDER BY row_order FOR KEY SHARE OF alert_rules ON CONFLICT (message_id) DO NOTHING`,
      { columns: NEW_COLUMNS, rows },
    );
  }

  /** Stores the results of attempts. */
  async settle(outcomes: readonly DeliveryOutcome[]): Promise<void> {
    const rows = outcomes.map((outcome) => [
      ...[outcome.messageId, outcome.state, outcome.tries, outcome.dueAtMs, outcome.sentAtMs],
      ...[outcome.status, outcome.error, outcome.answer],
    ]);
    await this.#sql.runGiven(
      `UPDATE alert_deliveries SET state = given.state, tries = given.tries, due_at_ms = given.due_at_ms,
         sent_at_ms = given.sent_at_ms, status = given.status, error = given.error, answer = given.answer
       FROM given WHERE alert_deliveries.message_id = given.message_id`,
      { columns: OUTCOME_COLUMNS, rows },
    );
  }

  /** Merges deliveries: stores the merged body in the first and deletes the others. */
  async merge(
    first: {
      readonly messageId: string;
      readonly life: string;
      readonly body: string;
      readonly merged: number;
    },
    others: readonly string[],
  ): Promise<void> {
    await this.#sql.transaction(async (sql) => {
      await sql.run('UPDATE alert_deliveries SET life = $2, body = $3, merged = $4 WHERE message_id = $1', [
        first.messageId,
        first.life,
        first.body,
        first.merged,
      ]);
      await sql.runGiven('DELETE FROM alert_deliveries WHERE message_id IN (SELECT message_id FROM given)', {
        columns: { message_id: 'text' },
        rows: others.map((id) => [id]),
      });
    });
  }

  /**
   * Deletes an account's finished deliveries, except the newest ones of each rule. If all rules together have
   * too many, about the same number of each rule is kept.
   */
  async prune({ accountId, isPaid }: ShareHolder): Promise<void> {
    const isFinished = `state <> 'waiting' AND rule_id IN (SELECT id FROM alert_rules WHERE account_id = $1)`;
    await this.#sql.run(
      `DELETE FROM alert_deliveries WHERE ${isFinished} AND id NOT IN (
         SELECT id FROM (
           SELECT id, rank() OVER (PARTITION BY rule_id ORDER BY id DESC) AS of_rule
           FROM alert_deliveries WHERE ${isFinished}) AS finished
         WHERE of_rule <= $2 ORDER BY of_rule, id DESC LIMIT $3)`,
      isPaid
        ? [accountId, ALERT_DELIVERIES_KEPT, ACCOUNT_DELIVERIES_KEPT]
        : [accountId, FREE_ALERT_DELIVERIES_KEPT, FREE_ACCOUNT_DELIVERIES_KEPT],
    );
  }

  /**
   * Ends a rule whose endpoint wants no more deliveries. Its waiting deliveries fail. @returns how many did
   */
  endRule(ruleId: string, note: string): Promise<number> {
    return this.#sql.transaction(async (sql) => {
      await sql.run(`UPDATE alert_rules SET status = 'ended', note = $2 WHERE id = $1`, [ruleId, note]);
      await raiseEpoch(sql, 'rule', ruleId);
      return await sql.run(
        `UPDATE alert_deliveries SET state = 'failed', error = 'not sent: the rule has ended'
         WHERE rule_id = $1 AND state = 'waiting'`,
        [ruleId],
      );
    });
  }

  /**
   * Sets an account's active rules that send to a failing endpoint to `failing`. Their queued deliveries stay
   * queued.
   */
  async stopEndpoint({ accountId, url }: Endpoint, note: string): Promise<void> {
    await this.#sql.transaction(async (sql) => {
      const stopped = await sql.rows<{ readonly id: string }>(
        `UPDATE alert_rules SET status = 'failing', note = $3
         WHERE account_id = $1 AND url = $2 AND status = 'active' RETURNING id`,
        [accountId, url, note],
      );
      for (const { id } of stopped) await raiseEpoch(sql, 'rule', id);
    });
  }

  /**
   * Sets the note of an active rule; null removes it. The note of a rule that is not active stays as it is.
   */
  async note(ruleId: string, note: string | null): Promise<void> {
    await this.#sql.run(`UPDATE alert_rules SET note = $2 WHERE id = $1 AND status = 'active'`, [
      ruleId,
      note,
    ]);
  }
}

function toOwnedRule(row: OwnedRuleRow): OwnedRule {
  return {
    rule: toAlertRule(row),
    plan: toTierKey(row.plan),
    email: row.email,
    isVerified: row.verified_at_ms !== null,
  };
}
