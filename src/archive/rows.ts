// Between records and table rows: both directions of openings and results, one conversion each.

import { foldText } from './fold-text.ts';
import type { ArchivedEntity, ArchivedOpening, ArchivedResult, ResultSource } from './records.ts';

/** Openings of an event in first-seen order. */
export const SELECT_OPENINGS = 'SELECT * FROM openings WHERE event_number = ? ORDER BY sequence';

/** A row of `openings`. */
export interface OpeningRecord {
  readonly quote_key: number;
  readonly price_a_e4: number;
  readonly price_b_e4: number;
  readonly price_c_e4: number;
  readonly opened_at_ms: number | null;
  readonly upstream: number;
}

/** A row of `results`. */
export interface ResultRecord {
  readonly event_number: number;
  readonly sport: number | null;
  readonly league_number: number | null;
  readonly league_name: string | null;
  readonly home_number: number | null;
  readonly home_name: string | null;
  readonly away_number: number | null;
  readonly away_name: string | null;
  readonly scheduled_at_ms: number | null;
  readonly score_home: number | null;
  readonly score_away: number | null;
  readonly red_cards_home: number | null;
  readonly red_cards_away: number | null;
  readonly finished_at_ms: number;
  readonly source: ResultSource;
}

/** In the order of the INSERT's columns. */
export function openingParameters(eventNumber: number, opening: ArchivedOpening): (number | null)[] {
  const { key, a, b, c, openedAtMs, upstream } = opening;
  return [eventNumber, key, a, b, c, toTime(openedAtMs), upstream ? 1 : 0];
}

/** A row of `openings` as a record. */
export function toOpening(row: OpeningRecord): ArchivedOpening {
  return {
    key: row.quote_key,
    a: row.price_a_e4,
    b: row.price_b_e4,
    c: row.price_c_e4,
    openedAtMs: row.opened_at_ms ?? Number.NaN,
    upstream: row.upstream === 1,
  };
}

/** In the order of the table's columns. */
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

/** A row of `results` as a record. */
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

function entityParameters(entity: ArchivedEntity | null): (number | string | null)[] {
  return entity === null ? [null, null, ''] : [entity.number, entity.name, foldText(entity.name)];
}

function toEntity(number: number | null, name: string | null): ArchivedEntity | null {
  return number === null || name === null ? null : { number, name };
}

function toPair(home: number | null, away: number | null): readonly [number, number] | null {
  return home === null || away === null ? null : [home, away];
}

/** SQLite has no NaN: unknown times are null. */
function toTime(ms: number): number | null {
  return Number.isFinite(ms) ? Math.trunc(ms) : null;
}
