// The tables of accounts, sessions and keys. A key belongs to an account, or to the operator when account_id
// is null. allowed_addresses is a comma-separated list of addresses and ranges; null allows all. A session's
// last use and the program that started it are in session_uses, outside its checksummed row, because they
// change with use. A session started by an older release gets a row there at its next use or check.

export const ACCOUNTS_SCHEMA = `

CREATE TABLE IF NOT EXISTS verification_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS verification_codes_by_account ON verification_codes (account_id);
CREATE INDEX IF NOT EXISTS verification_codes_by_expiry ON verification_codes (expires_at_ms);

CREATE TABLE IF NOT EXISTS confirmations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('password', 'email')),
  code_hash TEXT NOT NULL UNIQUE,
  email TEXT,
  expires_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS confirmations_by_account ON confirmations (account_id, purpose, id);
CREATE INDEX IF NOT EXISTS confirmations_by_expiry ON confirmations (expires_at_ms);

CREATE TABLE IF NOT EXISTS known_clients (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (account_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS known_clients_by_expiry ON known_clients (expires_at_ms);

CREATE TABLE IF NOT EXISTS session_uses (
  token_hash TEXT PRIMARY KEY REFERENCES sessions (token_hash) ON DELETE CASCADE,
  client TEXT,
  used_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS session_uses_by_time ON session_uses (used_at_ms);

CREATE TABLE IF NOT EXISTS attempts (
  subject TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS attempts_by_subject ON attempts (subject, at_ms);
CREATE INDEX IF NOT EXISTS attempts_by_expiry ON attempts (expires_at_ms);

CREATE TABLE IF NOT EXISTS saved_views (
  view_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON UPDATE CASCADE ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  saved_at_ms INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE TABLE IF NOT EXISTS account_secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`;

/**
 * The tables that decide access: keys, and sessions, which count as keys with their account's plan. Every
 * change that can end a key or session, or alter its rights, raises key_epoch, whichever process makes it.
 * Rows are written through row-checksums.ts.
 */
export const KEY_TABLES = `
CREATE TABLE IF NOT EXISTS accounts (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  plan TEXT NOT NULL,
  verified_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS accounts_unverified ON accounts (created_at_ms) WHERE verified_at_ms IS NULL;

CREATE TABLE IF NOT EXISTS sessions (
  token_hash TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS sessions_by_account ON sessions (account_id, created_at_ms);
CREATE INDEX IF NOT EXISTS sessions_by_expiry ON sessions (expires_at_ms);

CREATE TABLE IF NOT EXISTS api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id TEXT NOT NULL UNIQUE,
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  tier TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  last4 TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
  created_at_ms INTEGER NOT NULL,
  last_used_at_ms INTEGER,
  expires_at_ms INTEGER,
  allowed_addresses TEXT,
  checksum INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS api_keys_by_account ON api_keys (account_id, id);

CREATE TABLE IF NOT EXISTS key_usage_days (
  key_number INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (key_number, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS key_usage_days_by_day ON key_usage_days (day);

CREATE TABLE IF NOT EXISTS key_epoch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  value INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO key_epoch (id, value) VALUES (1, 1);
`;

/** KEY_TABLES with the triggers that raise key_epoch in SQLite. */
export const KEYS_SCHEMA = `${KEY_TABLES}
CREATE TRIGGER IF NOT EXISTS api_keys_changed AFTER UPDATE OF hash, tier, status ON api_keys
BEGIN UPDATE key_epoch SET value = value + 1 WHERE id = 1; END;
CREATE TRIGGER IF NOT EXISTS sessions_deleted AFTER DELETE ON sessions
BEGIN UPDATE key_epoch SET value = value + 1 WHERE id = 1; END;
CREATE TRIGGER IF NOT EXISTS accounts_changed AFTER UPDATE OF plan ON accounts
BEGIN UPDATE key_epoch SET value = value + 1 WHERE id = 1; END;
CREATE TRIGGER IF NOT EXISTS accounts_moved AFTER UPDATE OF id ON accounts
BEGIN UPDATE key_epoch SET value = value + 1 WHERE id = 1; END;
CREATE TRIGGER IF NOT EXISTS api_keys_deleted AFTER DELETE ON api_keys
BEGIN UPDATE key_epoch SET value = value + 1 WHERE id = 1; END;
`;

/**
 * The Postgres triggers. They also record which keys and sessions changed, so that nodes drop only those from
 * their caches. They run at commit, so key_epoch is the last row that a transaction locks: transactions
 * cannot deadlock on it, and epochs follow the order of commits.
 */
export const KEY_CHANGES_POSTGRES = `
CREATE TABLE key_changes (
  epoch BIGINT NOT NULL,
  hash TEXT NOT NULL
);
CREATE INDEX key_changes_by_epoch ON key_changes (epoch);

CREATE FUNCTION note_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  next BIGINT;
BEGIN
  UPDATE key_epoch SET value = value + 1 WHERE id = 1 RETURNING value INTO next;
  IF TG_TABLE_NAME = 'accounts' THEN
    INSERT INTO key_changes SELECT next, token_hash FROM sessions WHERE account_id = OLD.id OR account_id = NEW.id;
  ELSIF TG_TABLE_NAME = 'sessions' THEN
    INSERT INTO key_changes VALUES (next, OLD.token_hash);
  ELSE
    INSERT INTO key_changes VALUES (next, OLD.hash);
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER api_keys_changed AFTER UPDATE OF hash, tier, status ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_key_change();
CREATE CONSTRAINT TRIGGER api_keys_deleted AFTER DELETE ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_key_change();
CREATE CONSTRAINT TRIGGER sessions_deleted AFTER DELETE ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_key_change();
CREATE CONSTRAINT TRIGGER accounts_changed AFTER UPDATE OF plan, id ON accounts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_key_change();
`;
