// Rules and their deliveries in the database, for their owners. All methods are atomic, and each change
// raises the epoch.

import type { AccountRecord } from '../../accounts/records.ts';
import type { AlertStatus } from '../../contract/alerts/alert-rules.ts';
import type { Sql, SqlDatabase } from '../../storage/sql.ts';
import type { DeliveryRow } from '../outbox/delivery.ts';
import type { NewDelivery } from '../outbox/outbox-store.ts';
import { raiseEpoch } from '../schema.ts';
import { type AlertRule, type AlertRuleRow, definitionOf, toAlertRule } from './alert-rule.ts';

export type Resent = 'queued' | 'trying' | 'full';

/**
 * Maximum number of waiting deliveries of one account. When it is reached, a request to send a finished one
 * again is refused.
 */
const WAITING_FOR_RESEND_MAX = 500;

export class RuleRepository {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /** All rules of an account, oldest first. */
  async list(accountId: string): Promise<AlertRule[]> {
    const rows = await this.#sql.rows<AlertRuleRow>(
      'SELECT * FROM alert_rules WHERE account_id = $1 ORDER BY created_at_ms, id',
      [accountId],
    );
    return rows.map(toAlertRule);
  }

  /** A rule by its id; null when the account has no such rule. */
  async find(accountId: string, id: string): Promise<AlertRule | null> {
    return await ruleOf(this.#sql, accountId, id);
  }

  /** How many rules the account has, and how many all accounts with the same plan have. */
  async count({ id, plan }: Pick<AccountRecord, 'id' | 'plan'>): Promise<{ own: number; ofPlan: number }> {
    const [row] = await this.#sql.rows<{ own: number; ofPlan: number }>(
      `SELECT (SELECT count(*) FROM alert_rules WHERE account_id = $1) AS own,
         (SELECT count(*) FROM alert_rules JOIN accounts ON accounts.id = account_id WHERE plan = $2)
           AS "ofPlan"`,
      [id, plan],
    );
    return row ?? { own: 0, ofPlan: 0 };
  }

  /** @returns false, and nothing is stored, when the account is gone or has `max` rules */
  create(rule: AlertRule, max: number): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      // The lock makes requests of one account wait for each other, so that together they cannot exceed the
      // limit.
      const accounts = await sql.rows('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [
        rule.accountId,
      ]);
      const [count] = await sql.rows<{ count: number }>(
        'SELECT count(*) AS count FROM alert_rules WHERE account_id = $1',
        [rule.accountId],
      );
      if (accounts.length === 0 || (count?.count ?? 0) >= max) return false;
      await sql.run(
        `INSERT INTO alert_rules (id, account_id, name, definition, url, format, status, secret_version,
           created_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          ...[rule.id, rule.accountId, rule.name, definitionOf(rule), rule.to.url, rule.to.format],
          ...[rule.status, rule.secretVersion, rule.createdAtMs],
        ],
      );
      await raiseEpoch(sql, 'rule', rule.id);
      return true;
    });
  }

  /**
   * Replaces a rule by the result of `change`. @returns the new rule; null when the account has no such rule
   */
  change(accountId: string, id: string, change: (rule: AlertRule) => AlertRule): Promise<AlertRule | null> {
    return this.#sql.transaction(async (sql) => {
      const former = await ruleOf(sql, accountId, id, true);
      if (former === null) return null;
      const rule = change(former);
      await sql.run(
        `UPDATE alert_rules SET name = $3, definition = $4, url = $5, format = $6, status = $7, note = $8,
           secret_version = $9, rotated_at_ms = $10 WHERE account_id = $1 AND id = $2`,
        [
          ...[accountId, id, rule.name, definitionOf(rule), rule.to.url, rule.to.format],
          ...[rule.status satisfies AlertStatus, rule.note, rule.secretVersion, rule.rotatedAtMs],
        ],
      );
      await raiseEpoch(sql, 'rule', id);
      return rule;
    });
  }

  /** Deletes a rule with its deliveries. @returns whether the rule existed */
  delete(accountId: string, id: string): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const deleted = await sql.run('DELETE FROM alert_rules WHERE account_id = $1 AND id = $2', [
        accountId,
        id,
      ]);
      if (deleted > 0) await raiseEpoch(sql, 'rule', id);
      return deleted > 0;
    });
  }

  /**
   * The deliveries of a rule, newest first.
   * @param before the `id` of a row, which may be gone: returns only older ones; null: from the newest on
   */
  async deliveries(
    ruleId: string,
    { before, max }: { readonly before: number | null; readonly max: number },
  ): Promise<DeliveryRow[]> {
    return await this.#sql.rows<DeliveryRow>(
      'SELECT * FROM alert_deliveries WHERE rule_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3',
      [ruleId, before ?? Number.MAX_SAFE_INTEGER, max],
    );
  }

  async delivery(ruleId: string, messageId: string): Promise<DeliveryRow | null> {
    const [row] = await this.#sql.rows<DeliveryRow>(
      'SELECT * FROM alert_deliveries WHERE rule_id = $1 AND message_id = $2',
      [ruleId, messageId],
    );
    return row ?? null;
  }

  /** @returns false, and nothing is stored, when the rule is gone */
  addTest({ messageId, ruleId, life, body, atMs }: NewDelivery): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const added = await sql.run(
        `INSERT INTO alert_deliveries (message_id, rule_id, life, body, merged, state, tries, due_at_ms,
           created_at_ms)
         SELECT $1, id, $3, $4, 1, 'waiting', 0, $5, $5 FROM alert_rules WHERE id = $2 FOR KEY SHARE`,
        [messageId, ruleId, life, body, atMs],
      );
      if (added > 0) await raiseEpoch(sql, 'delivery', messageId);
      return added > 0;
    });
  }

  /**
   * Queues a finished delivery again.
   * @returns `trying` when the delivery still waits, `full` when too many deliveries of the account wait
   */
  resend({ id: ruleId, accountId }: AlertRule, messageId: string, atMs: number): Promise<Resent> {
    return this.#sql.transaction(async (sql) => {
      const [waiting] = await sql.rows<{ count: number }>(
        `SELECT count(*) AS count FROM alert_deliveries WHERE state || '' = 'waiting'
           AND rule_id IN (SELECT id FROM alert_rules WHERE account_id = $1)`,
        [accountId],
      );
      if ((waiting?.count ?? 0) >= WAITING_FOR_RESEND_MAX) return 'full';
      const changed = await sql.run(
        `UPDATE alert_deliveries SET state = 'waiting', tries = 0, due_at_ms = $3, created_at_ms = $3
         WHERE rule_id = $1 AND message_id = $2 AND state <> 'waiting'`,
        [ruleId, messageId, atMs],
      );
      if (changed === 0) return 'trying';
      await raiseEpoch(sql, 'delivery', messageId);
      return 'queued';
    });
  }
}

async function ruleOf(sql: Sql, accountId: string, id: string, isLocked = false): Promise<AlertRule | null> {
  const [row] = await sql.rows<AlertRuleRow>(
    `SELECT * FROM alert_rules WHERE account_id = $1 AND id = $2${isLocked ? ' FOR NO KEY UPDATE' : ''}`,
    [accountId, id],
  );
  return row === undefined ? null : toAlertRule(row);
}
