// What outlives the slate, in the service's SQLite file: first-seen openings, frozen, and finished results, upserted.
// Folded columns hold names without case and accents, for substring search.

export const ARCHIVE_SCHEMA = `
CREATE TABLE IF NOT EXISTS openings (
  sequence INTEGER PRIMARY KEY, -- first-seen order
  event_number INTEGER NOT NULL,
  quote_key INTEGER NOT NULL,
  price_a_e4 INTEGER NOT NULL,
  price_b_e4 INTEGER NOT NULL,
  price_c_e4 INTEGER NOT NULL,
  opened_at_ms INTEGER,
  upstream INTEGER NOT NULL,
  UNIQUE (event_number, quote_key)
) STRICT;

CREATE TABLE IF NOT EXISTS opening_events (
  event_number INTEGER PRIMARY KEY,
  last_recorded_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS opening_events_by_age ON opening_events (last_recorded_at_ms);

CREATE TABLE IF NOT EXISTS results (
  event_number INTEGER PRIMARY KEY,
  sport INTEGER,
  league_number INTEGER,
  league_name TEXT,
  league_folded TEXT NOT NULL,
  home_number INTEGER,
  home_name TEXT,
  home_folded TEXT NOT NULL,
  away_number INTEGER,
  away_name TEXT,
  away_folded TEXT NOT NULL,
  scheduled_at_ms INTEGER,
  score_home INTEGER,
  score_away INTEGER,
  red_cards_home INTEGER,
  red_cards_away INTEGER,
  finished_at_ms INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('final', 'inferred'))
) STRICT;
CREATE INDEX IF NOT EXISTS results_by_time ON results (finished_at_ms DESC, event_number);
`;
