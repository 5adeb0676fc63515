// What iSports sends about a match besides its prices, in the protocol's words. Pure.

import { MINUTE_MS } from '../../clock.ts';
import type { SportKey } from '../../domain/catalogue.ts';
import type { FixtureFields, ResultFields, StateFields } from '../poll/drafts.ts';
import type { IsportsMatch, MatchChange } from './messages.ts';

export interface MatchInfo {
  readonly fixture: FixtureFields;
  readonly status: number;
  readonly state: StateFields;
  readonly result: ResultFields | null;
  readonly halfStartMs: number | null;
  readonly quarterLeft: string;
  readonly finishedAtMs: number | null;
}

/** `second`: half-time or later. `gone`: cancelled, postponed or abandoned. */
export type MatchPhase = 'before' | 'first' | 'second' | 'finished' | 'gone';

/**
 * The phase of a match by iSports' status number. Football: 4 is extra time, 5 penalties. Basketball: 1 to 4
 * are the quarters, 5 to 7 overtime, 50 half-time.
 */
const PHASES: Readonly<Record<SportKey, ReadonlyMap<number, MatchPhase>>> = {
  football: new Map<number, MatchPhase>([
    [0, 'before'],
    [1, 'first'],
    [2, 'second'],
    [3, 'second'],
    [4, 'second'],
    [5, 'second'],
    [-1, 'finished'],
    [-11, 'before'], // to be decided
    [-13, 'second'], // interrupted, may continue
  ]),
  basketball: new Map<number, MatchPhase>([
    [0, 'before'],
    [-1, 'finished'],
    [-2, 'before'],
    [-3, 'second'],
    ...[1, 2].map((status): [number, MatchPhase] => [status, 'first']),
    ...[3, 4, 5, 6, 7, 50].map((status): [number, MatchPhase] => [status, 'second']),
  ]),
};
const HALF_MINUTES = 45;

/** The phase of a match. An unknown status counts as cancelled, so that no price is shown. */
export function phaseOf({ fixture, status }: Pick<MatchInfo, 'fixture' | 'status'>): MatchPhase {
  return PHASES[fixture.sport].get(status) ?? 'gone';
}

/** A match from livescores or the schedule. @param before what was known about it */
export function infoOf(
  sport: SportKey,
  match: IsportsMatch,
  before: MatchInfo | undefined,
  nowMs: number,
): MatchInfo {
  const fixture: FixtureFields = {
    sport,
    league: { key: match.leagueId, name: match.leagueName },
    home: { key: match.homeId, name: match.homeName },
    away: { key: match.awayId, name: match.awayName },
    scheduledAtMs: match.matchTime * 1_000,
  };
  return withState(fixture, { ...match, startTime: match.halfStartTime }, { before, nowMs });
}

/** A match after a change of livescores. */
export function changedInfo(
  before: MatchInfo,
  change: Omit<MatchChange, 'matchId'>,
  nowMs: number,
): MatchInfo {
  const scheduledAtMs =
    change.matchTime === undefined ? before.fixture.scheduledAtMs : change.matchTime * 1_000;
  return withState({ ...before.fixture, scheduledAtMs }, change, { before, nowMs });
}

type Facts = Omit<MatchChange, 'matchId' | 'startTime'> & {
  readonly startTime?: number | undefined;
  readonly updateTime?: number | undefined;
};

function withState(
  fixture: FixtureFields,
  facts: Facts,
  { before, nowMs }: { readonly before: MatchInfo | undefined; readonly nowMs: number },
): MatchInfo {
  const { status } = facts;
  const phase = phaseOf({ fixture, status });
  const isSameStatus = before?.status === status;
  const halfStartMs =
    facts.startTime !== undefined && facts.startTime > 0
      ? facts.startTime * 1_000
      : isSameStatus
        ? before.halfStartMs
        : null;
  const quarterLeft = facts.quarterRemainTime ?? before?.quarterLeft ?? '';
  const hasStarted = phase === 'first' || phase === 'second' || phase === 'finished';
  const score = hasStarted ? (pair(facts.homeScore, facts.awayScore) ?? before?.state.score ?? null) : null;
  const cards = hasStarted ? (pair(facts.homeRed, facts.awayRed) ?? before?.state.cards ?? null) : null;
  const isFinished = phase === 'finished';
  const updatedMs = facts.updateTime === undefined ? nowMs : Math.min(nowMs, facts.updateTime * 1_000);
  const finishedAtMs = isFinished ? (before?.finishedAtMs ?? updatedMs) : null;
  return {
    fixture,
    status,
    state: {
      status: isFinished ? 'finished' : hasStarted ? 'live' : 'scheduled',
      clock: clockOf(fixture.sport, status, { halfStartMs, quarterLeft, nowMs }),
      score,
      cards,
    },
    result: finishedAtMs !== null && score !== null ? { score, redCards: cards, finishedAtMs } : null,
    halfStartMs,
    quarterLeft,
    finishedAtMs,
  };
}

/**
 * The match clock in the protocol's form: "1h 12", "ht", "2h 67", "q3 6:55", "ot 4:05". Null when the clock
 * does not run.
 */
function clockOf(
  sport: SportKey,
  status: number,
  {
    halfStartMs,
    quarterLeft,
    nowMs,
  }: { readonly halfStartMs: number | null; readonly quarterLeft: string; readonly nowMs: number },
): string | null {
  if (sport === 'basketball') {
    const left = /^(\d{1,2}):(\d\d)$/.exec(quarterLeft);
    const text = left === null ? '' : ` ${Number(left[1])}:${left[2]}`;
    if (status === 50) return 'ht';
    if (status >= 1 && status <= 4) return `q${status}${text}`;
    return status >= 5 && status <= 7 ? `ot${text}` : null;
  }
  const minute = halfStartMs === null ? null : Math.max(0, Math.floor((nowMs - halfStartMs) / MINUTE_MS));
  // The clock is not sent, so it is computed from the start of the half, and stays at 45 in the first half's
  // added time.
  if (status === 1) return minute === null ? '1h' : `1h ${Math.min(HALF_MINUTES, minute)}`;
  if (status === 2) return 'ht';
  if (status === 3) return minute === null ? '2h' : `2h ${HALF_MINUTES + minute}`;
  if (status === 4) return 'et';
  return status === 5 ? 'pen' : null;
}

function pair(home: number | undefined, away: number | undefined): readonly [number, number] | null {
  return home === undefined || away === undefined ? null : [home, away];
}
