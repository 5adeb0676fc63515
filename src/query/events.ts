// Fixtures as lists and alone: filter, sort, page.

import { toIsoText } from '../clock.ts';
import type { Event, EventState } from '../contract/event.ts';
import type { EventStatus, SportKey } from '../domain/catalogue.ts';
import { SWEPT_FIXTURES_MAX } from '../limits.ts';
import { type PageOf, type PageRequest, type Position, pageOfSorted } from './cursor.ts';
import { type DaysRequest, dayRange, daysOf, requireTimezone, type TimeRange } from './day.ts';
import { type FixtureNow, fixtureAt } from './fixture-view.ts';
import { compareKickoff, isKickoffIn, kickoffPosition } from './kickoff-order.ts';
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
    const walk = this.#chosen(request, nowMs);
    const scope = scopeOf(request);
    return pageOfSorted(walk, { scope, request, position: eventPosition, render: toEvent });
  }

  /** Every fixture that passes the filter, by kickoff then id. */
  select(filter: EventFilter, nowMs: number): FixtureNow[] {
    return [...this.#chosen(filter, nowMs)(null)];
  }

  /** A walk over the fixtures that pass the filter, by kickoff then id, which looks at few others. */
  #chosen(
    filter: EventFilter,
    nowMs: number,
  ): (after: Position | null) => Generator<FixtureNow, void, undefined> {
    const timezone = requireTimezone(filter.timezone);
    const range = filter.range ?? (filter.date === undefined ? null : dayRange(filter.date, timezone));
    this.#slate.requireReady(nowMs);
    const { league, sport, status } = filter;
    const leagueId = league === undefined ? null : this.#leagues.idOf(league, nowMs, sport);
    const moment = this.#slate.momentAt(nowMs);
    const lists = this.#slate.lists();
    const narrowed = status === 'live' ? lists.perhapsLive : lists.all;
    const order = leagueId === null ? narrowed : lists.ofLeague(leagueId);
    return function* walk(after) {
      for (const view of order.walk(range, after)) {
        if (sport !== undefined && view.sport !== sport) continue;
        const fixture = fixtureAt(view, moment);
        if (status === undefined || fixture.status === status) yield fixture;
      }
    };
  }

  /**
   * The fixtures that one question over many looks at: live ones first, then the soonest kickoffs, finished ones last.
   * @returns at most SWEPT_FIXTURES_MAX of them, and how many pass the filter beyond those
   */
  sweep(filter: EventFilter & DaysRequest, nowMs: number): Sweep {
    const { range } = daysOf(filter, nowMs);
    const { sport, status, league } = filter;
    const chosen = this.select({ sport, status, league, range }, nowMs);
    const fixtures = chosen.sort(byUrgency).slice(0, SWEPT_FIXTURES_MAX);
    return { fixtures, leftOutCount: chosen.length - fixtures.length };
  }

  /** Fixtures being played now, by kickoff then id. */
  live(nowMs: number): Event[] {
    return this.select({ status: 'live' }, nowMs).map(toEvent);
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
  return isKickoffIn(fixture.view.scheduledAtMs, range);
}

/** Kickoff then id; fixtures without kickoff come last. */
export function byKickoff(left: FixtureNow, right: FixtureNow): number {
  return compareKickoff(left.view, right.view);
}

function eventPosition(fixture: FixtureNow): Position {
  return kickoffPosition(fixture.view);
}

function scopeOf(filter: EventFilter): string {
  return JSON.stringify(['events', filter.sport, filter.league, filter.date, filter.status, filter.timezone]);
}
