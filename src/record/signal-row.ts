// A signal between its two forms: as it is recorded and graded, and as a row of the database.

import type { SignalRow, WrittenSignal } from '../archive/signal-record.ts';
import { isoTextOrNull, toIsoText } from '../clock.ts';
import type { MarketType, Outcome, Period } from '../domain/catalogue.ts';
import { quartersFromLine } from '../domain/handicap.ts';
import { encodeId } from '../domain/ids.ts';
import type { SIGNAL_KINDS } from '../domain/signal-gate.ts';
import { type GradedSignal, type RecordedSignal, settled } from './recorded-signal.ts';

/** The row of a signal that has just opened. */
export function rowOf(
  signal: RecordedSignal,
  { eventNumber, seesSharp }: { readonly eventNumber: number; readonly seesSharp: boolean },
): WrittenSignal {
  const { id, kind, league, sport, market_type, period, outcome, bookmaker, reference } = signal;
  return {
    ...{ id, kind, league, sport, market_type, period, outcome, bookmaker, reference },
    sees_sharp: Number(seesSharp),
    event_number: eventNumber,
    line_quarters: signal.line === null ? null : quartersFromLine(signal.line, Number.POSITIVE_INFINITY)!,
    price_e4: scaled(signal.price, 10_000),
    fair_price_e4: scaled(signal.fair_price, 10_000),
    edge_e2: scaled(signal.edge_pct, 100)!,
    ev_e2: scaled(signal.ev_pct, 100),
    in_play: Number(signal.in_play),
    from_home: signal.from_score.home,
    from_away: signal.from_score.away,
    opened_at_ms: Date.parse(signal.opened_at),
    closed_at_ms: signal.closed_at === null ? null : Date.parse(signal.closed_at),
    longest_gap_ms: 0,
  };
}

/** Converts to the unit of the database's column. Prices and edges never have more decimals than it keeps. */
function scaled(value: number | null, by: number): number | null {
  return value === null ? null : Math.round(value * by);
}

export function recordedOf(row: SignalRow): RecordedSignal {
  const { id, league, sport, bookmaker, reference } = row;
  return {
    ...{ id, league, sport, bookmaker, reference },
    kind: row.kind as (typeof SIGNAL_KINDS)[number],
    event_id: encodeId('event', row.event_number),
    market_type: row.market_type as MarketType,
    period: row.period as Period,
    line: row.line_quarters === null ? null : row.line_quarters / 4,
    outcome: row.outcome as Outcome | null,
    price: row.price_e4 === null ? null : row.price_e4 / 10_000,
    fair_price: row.fair_price_e4 === null ? null : row.fair_price_e4 / 10_000,
    edge_pct: row.edge_e2 / 100,
    ev_pct: row.ev_e2 === null ? null : row.ev_e2 / 100,
    in_play: row.in_play === 1,
    from_score: { home: row.from_home, away: row.from_away },
    opened_at: toIsoText(row.opened_at_ms),
    closed_at: isoTextOrNull(row.closed_at_ms ?? Number.NaN),
  };
}

/** A row as a signal, graded by its close and its result if they are known. */
export function gradedOf(row: SignalRow): GradedSignal {
  const { score_home: home, score_away: away, clv_pct: clvPct } = row;
  const score = home === null || away === null ? null : { home, away };
  return settled(recordedOf(row), clvPct === null ? null : Number(clvPct), score);
}
