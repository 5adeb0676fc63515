// A view: which fixtures of the slate a caller follows, which of their quotes, and in which format. Two views
// with the same id give the same answers on every node, so a cursor of one is valid for the other.

import { createHash } from 'node:crypto';
import { EVENT_STATUSES, indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import type { Principal } from '../../domain/tiers.ts';
import { dayRange, requireTimezone, type TimeRange } from '../lists/day.ts';
import type { EventFilter } from '../lists/events.ts';
import type { LeagueIds } from '../lookup/league-filter.ts';
import type { Slate } from '../slate/slate.ts';
import { type OddsFilter, type OddsFilterWords, oddsFilter } from './odds-filter.ts';

/** Filters as the schema accepts them, of /v1/events and of odds. */
export interface OddsViewWords extends EventFilter, OddsFilterWords {}

export interface OddsView {
  /** Index into SPORTS, null for all. */
  readonly sport: number | null;
  /** Index into EVENT_STATUSES, null for all. */
  readonly status: number | null;
  readonly leagueId: string | null;
  /** The kickoff day, null for any. */
  readonly range: TimeRange | null;
  readonly odds: OddsFilter;
  /**
   * Whether the view includes quotes of the sharp bookmaker. If not, answers show nothing about that
   * bookmaker, and its changes do not show in versions.
   */
  readonly showsSharp: boolean;
  /** Hash of all above, 12 hexadecimal characters. */
  readonly id: string;
}

/** The fields of a fixture that decide whether it is in a view. */
export interface ViewedFixture {
  readonly sport: number;
  readonly status: number;
  readonly leagueId: string;
  readonly scheduledAtMs: number;
}

/** For words that name no league, so that none is looked up. */
export const NO_LEAGUES: LeagueIds = {
  idOf: () => {
    throw new Error('Assertion failed: this view names no league');
  },
};

/**
 * The view that a request asks for, limited to what its caller may see. A league name is resolved once, here.
 * @throws ServiceError `invalid_request` for an unknown zone or league, `forbidden` for the sharp bookmaker
 * on a tier without it, `upstream_unavailable` while there is no slate to find a league on
 */
export function oddsView(
  { slate, leagues }: { readonly slate: Slate; readonly leagues: LeagueIds },
  words: OddsViewWords,
  { principal, nowMs }: { readonly principal: Principal; readonly nowMs: number },
): OddsView {
  const odds = oddsFilter(words, principal);
  const timezone = requireTimezone(words.timezone);
  const { league } = words;
  if (league !== undefined) slate.requireReady(nowMs);
  const view = {
    sport: words.sport === undefined ? null : indexIn(SPORT_KEYS, words.sport),
    status: words.status === undefined ? null : indexIn(EVENT_STATUSES, words.status),
    leagueId: league === undefined ? null : leagues.idOf(league, nowMs, words.sport),
    range: words.date === undefined ? null : dayRange(words.date, timezone),
    odds,
    showsSharp: odds.showsSharp,
  };
  return { ...view, id: idOf(view) };
}

/** Whether a fixture passes the filters. */
export function isInView(view: OddsView, fixture: ViewedFixture): boolean {
  return (
    (view.sport === null || view.sport === fixture.sport) &&
    (view.status === null || view.status === fixture.status) &&
    (view.leagueId === null || view.leagueId === fixture.leagueId) &&
    (view.range === null ||
      (fixture.scheduledAtMs >= view.range.fromMs && fixture.scheduledAtMs < view.range.toMs))
  );
}

function idOf({ sport, status, leagueId, range, odds }: Omit<OddsView, 'id'>): string {
  const parts = [sport, status, leagueId, range?.fromMs, range?.toMs, odds.key];
  return createHash('sha256')
    .update(`odds view 1 ${JSON.stringify(parts)}`)
    .digest('hex')
    .slice(0, 12);
}
