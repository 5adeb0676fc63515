// What a caller follows: which fixtures of the slate, which of their quotes, and in which format. Two callers whose views
// have the same id are shown the same, on every node, so a cursor of one is good for the other.

import { createHash } from 'node:crypto';
import { EVENT_STATUSES, type EventStatus, indexIn, SPORT_KEYS } from '../domain/catalogue.ts';
import type { Principal } from '../domain/tiers.ts';
import { dayRange, requireTimezone, type TimeRange } from './day.ts';
import type { EventFilter } from './events.ts';
import type { LeagueIds } from './league-filter.ts';
import { type OddsFilter, type OddsFilterWords, oddsFilter } from './odds-filter.ts';
import type { Slate } from './slate.ts';

/** Filters as the schema lets them through: those of /v1/events and those of odds. */
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
  /** Whether quotes of the sharp bookmaker are in it. If not, nothing that it does shows in answers, versions included. */
  readonly showsSharp: boolean;
  /** Hash of all above, 12 hexadecimal characters. */
  readonly id: string;
}

/** What of a fixture decides whether it is in a view. */
export interface ViewedFixture {
  readonly sport: number;
  readonly status: number;
  readonly leagueId: string;
  readonly scheduledAtMs: number;
}

/**
 * The view that a request asks for, as its caller may see it. A league name is resolved once, here.
 * @throws ServiceError `invalid_request` for an unknown zone or league, `forbidden` for the sharp bookmaker on a tier
 *   without it, `upstream_unavailable` while there is no slate to find a league on
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
    status: words.status === undefined ? null : statusIndex(words.status),
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

function statusIndex(status: EventStatus): number {
  return indexIn(EVENT_STATUSES, status);
}
