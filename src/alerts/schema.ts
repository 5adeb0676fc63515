// The tables of alerts. A delivery is written before it is sent; `id` gives the order of deliveries, and
// `life` identifies the subject, such as one signal. alert_state has the lease of the node that sends, and
// the epoch, which rises with each change of rules or deliveries by their owners. The rows `rule:<id>` and
// `delivery:<id>` have the epoch of the last change. They are deleted once that node has read the change.

import type { Sql } from '../storage/sql.ts';

export const ALERTS_SCHEMA = `
CREATE TABLE IF NOT EXISTS alert_rules (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON UPDATE CASCADE ON DELETE CASCADE,
  name TEXT NOT NULL,
  definition TEXT NOT NULL,
  url TEXT NOT NULL,
  format TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'failing', 'ended')),
  note TEXT,
  secret_version INTEGER NOT NULL,
  rotated_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS alert_rules_by_account ON alert_rules (account_id, created_at_ms);

CREATE TABLE IF NOT EXISTS alert_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL UNIQUE,
  rule_id TEXT NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  life TEXT NOT NULL,
  body TEXT NOT NULL,
  merged INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'taken', 'failed')),
  tries INTEGER NOT NULL,
  due_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  sent_at_ms INTEGER,
  status INTEGER,
  error TEXT,
  answer TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS alert_deliveries_by_rule ON alert_deliveries (rule_id, id);
CREATE INDEX IF NOT EXISTS alert_deliveries_by_state ON alert_deliveries (state, id);
CREATE INDEX IF NOT EXISTS alert_deliveries_finished ON alert_deliveries (rule_id, id) WHERE state <> 'waiting';
CREATE INDEX IF NOT EXISTS alert_deliveries_finished_by_time ON alert_deliveries (created_at_ms)
  WHERE state <> 'waiting';

CREATE TABLE IF NOT EXISTS alert_state (
  name TEXT PRIMARY KEY,
  holder TEXT,
  value INTEGER NOT NULL
) STRICT;
`;

/**
 * Raises the epoch and notes which rule or delivery was changed, so that the thread that evaluates rules
 * reads only that one again. Call it in the transaction that makes the change. The row of the epoch makes
 * such transactions wait for each other, so a higher epoch is never committed before a lower one.
 */
export async function raiseEpoch(sql: Sql, changed: 'rule' | 'delivery', id: string): Promise<void> {
  await sql.run(
    `INSERT INTO alert_state (name, holder, value) VALUES ('epoch', NULL, 1)
     ON CONFLICT (name) DO UPDATE SET value = alert_state.value + 1`,
  );
  await sql.run(
    `INSERT INTO alert_state (name, holder, value)
     SELECT $1, $2, value FROM alert_state WHERE name = 'epoch'
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [`${changed}:${id}`, id],
  );
}
