// Fixtures as lists and alone: filter, sort, page.

import { toIsoText } from '../clock.ts';
import type { Event, EventState } from '../contract/event.ts';
import type { EventStatus, SportKey } from '../domain/catalogue.ts';
import { SWEPT_FIXTURES_MAX } from '../limits.ts';
import { type PageOf, type PageRequest, type Position, pageOf } from './cursor.ts';
import { type DaysRequest, dayRange, daysOf, requireTimezone, type TimeRange } from './day.ts';
import type { FixtureNow } from './fixture-view.ts';
import type { LeagueFilter } from './league-filter.ts';
import type { Slate } from './slate.ts';

export interface EventFilter {
  readonly sport?: SportKey | undefined;
  /** League id or name. */
  readonly league?: string | undefined;
  readonly date?: string | undefined;
  readonly status?: EventStatus | undefined;
  readonly timezone?: string | undefined;
  /** Kickoff within this, in place of `date`; null is any time. */
  readonly range?: TimeRange | null | undefined;
}

export class EventQueries {
  readonly #slate: Slate;
  readonly #leagues: LeagueFilter;

  constructor(slate: Slate, leagues: LeagueFilter) {
    this.#slate = slate;
    this.#leagues = leagues;
  }

  /** One page of the fixtures that pass the filter, by kickoff then id. */
  list(request: EventFilter & PageRequest, nowMs: number): PageOf<Event> {
    const fixtures = this.select(request, nowMs);
    const scope = scopeOf(request);
    return pageOf(fixtures, { scope, request, position: eventPosition, render: toEvent });
  }

  /** Every fixture that passes the filter, in no order. */
  select(filter: EventFilter, nowMs: number): FixtureNow[] {
    const timezone = requireTimezone(filter.timezone);
    const range = filter.range ?? (filter.date === undefined ? null : dayRange(filter.date, timezone));
    const fixtures = this.#slate.fixtures(nowMs);
    const { league, sport } = filter;
    const leagueIds = league === undefined ? null : this.#leagues.idsOf(league, fixtures, sport);
    return fixtures.filter((fixture) => matches(fixture, filter, leagueIds) && isWithin(fixture, range));
  }

  /**
   * The fixtures that one question over many looks at: live ones first, then the soonest kickoffs, finished ones last.
   * @returns at most SWEPT_FIXTURES_MAX of them, and how many pass the filter beyond those
   */
  sweep(filter: EventFilter & DaysRequest, nowMs: number): Sweep {
    const { range } = daysOf(filter, nowMs);
    const { sport, status, league } = filter;
    const chosen = this.select({ sport, status, league }, nowMs).filter((fixture) =>
      isWithin(fixture, range),
    );
    const fixtures = chosen.sort(byUrgency).slice(0, SWEPT_FIXTURES_MAX);
    return { fixtures, leftOutCount: chosen.length - fixtures.length };
  }

  /** Fixtures being played now, by kickoff then id. */
  live(nowMs: number): Event[] {
    return this.#slate
      .fixtures(nowMs)
      .filter((fixture) => fixture.isLive)
      .sort(byKickoff)
      .map(toEvent);
  }

  /** @throws ServiceError `invalid_request`, `not_found` */
  one(eventId: string, nowMs: number): Event {
    return toEvent(this.#slate.fixtureById(eventId, nowMs));
  }

  /** @throws ServiceError `invalid_request`, `not_found` */
  state(eventId: string, nowMs: number): EventState {
    const fixture = this.#slate.fixtureById(eventId, nowMs);
    return {
      event_id: fixture.view.id,
      status: fixture.status,
      score: fixture.view.score,
      cards: fixture.view.cards,
      clock: fixture.view.facts.clock,
      as_of: toIsoText(fixture.asOfMs),
    };
  }
}

interface Sweep {
  readonly fixtures: readonly FixtureNow[];
  readonly leftOutCount: number;
}

/** Live first, then the soonest kickoffs, finished last. */
export function byUrgency(left: FixtureNow, right: FixtureNow): number {
  return urgencyOf(left) - urgencyOf(right) || byKickoff(left, right);
}

function urgencyOf({ status }: FixtureNow): number {
  return status === 'live' ? 0 : status === 'scheduled' ? 1 : 2;
}

/** A fixture as the Event resource. */
export function toEvent({ view, status }: Pick<FixtureNow, 'view' | 'status'>): Event {
  return {
    id: view.id,
    sport: view.sport,
    league: view.league,
    home_team: view.homeTeam,
    away_team: view.awayTeam,
    scheduled_at: view.scheduledAt,
    status,
  };
}

/** Whether a fixture's kickoff lies in a range; null is any time. A fixture without kickoff is on no day. */
export function isWithin(fixture: FixtureNow, range: TimeRange | null): boolean {
  if (range === null) return true;
  const { scheduledAtMs } = fixture.view;
  return scheduledAtMs >= range.fromMs && scheduledAtMs < range.toMs;
}

/** Kickoff then id; fixtures without kickoff come last. */
export function byKickoff(left: FixtureNow, right: FixtureNow): number {
  const difference = kickoffOrder(left) - kickoffOrder(right);
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  return left.view.id < right.view.id ? -1 : 1;
}

function eventPosition(fixture: FixtureNow): Position {
  return [kickoffOrder(fixture), fixture.view.id];
}

function kickoffOrder({ view }: FixtureNow): number {
  return Number.isNaN(view.scheduledAtMs) ? Number.POSITIVE_INFINITY : view.scheduledAtMs;
}

function matches(fixture: FixtureNow, filter: EventFilter, leagueIds: ReadonlySet<string> | null): boolean {
  return (
    (filter.sport === undefined || fixture.view.sport === filter.sport) &&
    (filter.status === undefined || fixture.status === filter.status) &&
    (leagueIds === null || leagueIds.has(fixture.view.league.id))
  );
}

function scopeOf(filter: EventFilter): string {
  return JSON.stringify(['events', filter.sport, filter.league, filter.date, filter.status, filter.timezone]);
}
