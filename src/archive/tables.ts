// The archive's tables (first-seen openings, which never change, and results of finished matches), the values
// they hold, and the conversions between values and rows.

import type { GivenRows, RowOf } from '../storage/sql.ts';
import type { EntityName, OpeningRow } from '../store/records.ts';
import { foldText } from './fold-text.ts';

/** Columns named `folded` hold names without case and accents, for substring search. */
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

export type ResultSource = 'final' | 'inferred';

/** One finished match. */
export interface ArchivedResult {
  readonly eventNumber: number;
  /** Index into SPORTS; null when unknown, like every nullable field here. */
  readonly sport: number | null;
  readonly league: EntityName | null;
  readonly home: EntityName | null;
  readonly away: EntityName | null;
  /** Unix ms, NaN when unknown. */
  readonly scheduledAtMs: number;
  readonly score: readonly [number, number] | null;
  readonly redCards: readonly [number, number] | null;
  readonly finishedAtMs: number;
  /** `final`: the feed sent this result. `inferred`: the feed sent none, and the last known score is used. */
  readonly source: ResultSource;
}

/**
 * Openings of an event in first-seen order. Bookmakers that left the roster are excluded
 * (roster-alignment.ts).
 */
export const SELECT_OPENINGS =
  'SELECT * FROM openings WHERE event_number = ? AND quote_key < 2147483648 ORDER BY sequence';

/** Columns of `openings` other than `sequence`. */
export const OPENING_COLUMNS = {
  event_number: 'bigint',
  quote_key: 'bigint',
  price_a_e4: 'bigint',
  price_b_e4: 'bigint',
  price_c_e4: 'bigint',
  opened_at_ms: 'bigint',
  upstream: 'bigint',
} as const satisfies GivenRows['columns'];
/** A stored opening stays, whichever node wrote it. */
export const OPENING_EXISTS = '(event_number, quote_key) DO NOTHING';

export const EVENT_COLUMNS = { event_number: 'bigint', last_recorded_at_ms: 'bigint' } as const;
export const EVENT_EXISTS = '(event_number) DO UPDATE SET last_recorded_at_ms = excluded.last_recorded_at_ms';

/** Columns of `results`. */
export const RESULT_COLUMNS = {
  event_number: 'bigint',
  sport: 'bigint',
  league_number: 'bigint',
  league_name: 'text',
  league_folded: 'text',
  home_number: 'bigint',
  home_name: 'text',
  home_folded: 'text',
  away_number: 'bigint',
  away_name: 'text',
  away_folded: 'text',
  scheduled_at_ms: 'bigint',
  score_home: 'bigint',
  score_away: 'bigint',
  red_cards_home: 'bigint',
  red_cards_away: 'bigint',
  finished_at_ms: 'bigint',
  source: 'text',
} as const satisfies GivenRows['columns'];

/** A final result replaces a stored one; an inferred result only replaces an inferred one. */
export const RESULT_EXISTS = `(event_number) DO UPDATE SET
  ${Object.keys(RESULT_COLUMNS)
    .slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}
  WHERE excluded.source = 'final' OR results.source = 'inferred'`;

/** A row of `openings`. */
export type OpeningRecord = RowOf<typeof OPENING_COLUMNS, 'opened_at_ms'>;

type ResultColumn = keyof typeof RESULT_COLUMNS;
type RequiredColumn =
  | 'event_number'
  | 'league_folded'
  | 'home_folded'
  | 'away_folded'
  | 'finished_at_ms'
  | 'source';

/** A row of `results`. */
export type ResultRecord = RowOf<typeof RESULT_COLUMNS, Exclude<ResultColumn, RequiredColumn>> & {
  readonly source: ResultSource;
};

/** The values of a row of `openings`, in the order of OPENING_COLUMNS. */
export function openingParameters(eventNumber: number, opening: OpeningRow): (number | null)[] {
  const { key, a, b, c, openedAtMs, upstream } = opening;
  return [eventNumber, key, a, b, c, toTime(openedAtMs), upstream ? 1 : 0];
}

/** Converts a row to an opening. */
export function toOpening(row: OpeningRecord): OpeningRow {
  return {
    key: row.quote_key,
    a: row.price_a_e4,
    b: row.price_b_e4,
    c: row.price_c_e4,
    openedAtMs: row.opened_at_ms ?? Number.NaN,
    upstream: row.upstream === 1,
  };
}

/** The values of a row of `results`, in the order of RESULT_COLUMNS. */
export function resultParameters(result: ArchivedResult): (number | string | null)[] {
  return [
    result.eventNumber,
    result.sport,
    ...entityParameters(result.league),
    ...entityParameters(result.home),
    ...entityParameters(result.away),
    toTime(result.scheduledAtMs),
    result.score?.[0] ?? null,
    result.score?.[1] ?? null,
    result.redCards?.[0] ?? null,
    result.redCards?.[1] ?? null,
    Math.trunc(result.finishedAtMs),
    result.source,
  ];
}

/** Converts a row to a result. */
export function toResult(row: ResultRecord): ArchivedResult {
  return {
    eventNumber: row.event_number,
    sport: row.sport,
    league: toEntity(row.league_number, row.league_name),
    home: toEntity(row.home_number, row.home_name),
    away: toEntity(row.away_number, row.away_name),
    scheduledAtMs: row.scheduled_at_ms ?? Number.NaN,
    score: toPair(row.score_home, row.score_away),
    redCards: toPair(row.red_cards_home, row.red_cards_away),
    finishedAtMs: row.finished_at_ms,
    source: row.source,
  };
}

function entityParameters(entity: EntityName | null): (number | string | null)[] {
  return entity === null ? [null, null, ''] : [entity.number, entity.name, foldText(entity.name)];
}

function toEntity(number: number | null, name: string | null): EntityName | null {
  return number === null || name === null ? null : { number, name };
}

function toPair(home: number | null, away: number | null): readonly [number, number] | null {
  return home === null || away === null ? null : [home, away];
}

/** SQLite has no NaN: an unknown time is null. */
function toTime(ms: number): number | null {
  return Number.isFinite(ms) ? Math.trunc(ms) : null;
}
