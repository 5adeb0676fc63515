// The tables of alerts. A delivery is written before it is sent; `id` gives the order of deliveries, and
// `life` identifies the subject, such as one signal. alert_state has two rows: the epoch, which rises when
// another thread changes rules or deliveries, and the lease of the node that sends.

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

CREATE TABLE IF NOT EXISTS alert_state (
  name TEXT PRIMARY KEY,
  holder TEXT,
  value INTEGER NOT NULL
) STRICT;
`;

/**
 * Raises the epoch, so that the thread that evaluates rules reads them again. Part of the transaction of the
 * change.
 */
export const RAISE_EPOCH = `INSERT INTO alert_state (name, holder, value) VALUES ('epoch', NULL, 1)
  ON CONFLICT (name) DO UPDATE SET value = alert_state.value + 1`;
