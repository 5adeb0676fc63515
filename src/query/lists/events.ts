// Fixtures, as lists and one at a time: filters, sorts and pages.

import { toIsoText } from '../../clock.ts';
import type { Event, EventState } from '../../contract/event.ts';
import type { EventStatus, SportKey } from '../../domain/catalogue.ts';
import type { SignalMoment } from '../../domain/signal-gate.ts';
import { SWEPT_FIXTURES_MAX } from '../../limits.ts';
import type { LeagueFilter } from '../lookup/league-filter.ts';
import { type DaysRequest, daysOf } from '../lookup/named-days.ts';
import {
  type FixtureNow,
  type FixtureView,
  fixtureAt,
  type NamedRef,
  toEvent,
} from '../slate/fixture-view.ts';
import { kickoffPosition } from '../slate/kickoff-order.ts';
import type { Slate } from '../slate/slate.ts';
import { inOrder, NO_FIXTURES, type StatusLists, type StatusRequest } from '../slate/status-lists.ts';
import { type PageOf, type PageRequest, pageOfSorted } from './cursor.ts';
import { dayRange, requireTimezone, type TimeRange } from './day.ts';

export interface EventFilter {
  readonly sport?: SportKey | undefined;
  /** League id or name. */
  readonly league?: string | undefined;
  readonly date?: string | undefined;
  readonly status?: EventStatus | undefined;
  readonly timezone?: string | undefined;
  /** Kickoff within this range, in place of `date`. If it is null or absent, `date` counts. */
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
    const { lists, asked, moment } = this.#chosen(request, nowMs);
    return pageOfSorted((after) => lists.walk(asked, after), {
      scope: scopeOf(request),
      request,
      position: kickoffPosition,
      render: (view) => toEvent(fixtureAt(view, moment)),
    });
  }

  /** The first `countMax` fixtures that pass the filter, by kickoff then id. */
  select(filter: EventFilter, nowMs: number, countMax = Number.POSITIVE_INFINITY): FixtureNow[] {
    const { lists, asked, moment } = this.#chosen(filter, nowMs);
    return firstOf(lists.walk(asked), countMax, moment);
  }

  /**
   * The first `countMax` fixtures that pass the filter and either are live or kick off within a range, by
   * kickoff, then id.
   */
  selectAround(filter: EventFilter, range: TimeRange, nowMs: number, countMax: number): FixtureNow[] {
    const { lists, asked, moment } = this.#chosen(filter, nowMs);
    const walks = [lists.walk({ ...asked, range })];
    if (asked.status === undefined || asked.status === 'live')
      walks.push(lists.walk({ ...asked, status: 'live' }));
    return firstOf(inOrder(walks), countMax, moment);
  }

  /**
   * The most urgent fixtures that pass the filter: live ones first, then the soonest kickoffs, finished ones
   * last.
   * @returns at most `countMax` of them, and how many pass the filter
   */
  urgent(filter: EventFilter, nowMs: number, countMax: number): UrgentFixtures {
    const { lists, asked, moment } = this.#chosen(filter, nowMs);
    return { fixtures: firstOf(lists.byUrgency(asked), countMax, moment), count: lists.count(asked) };
  }

  /**
   * The most urgent fixtures, for a question that goes over many of them.
   * @returns at most SWEPT_FIXTURES_MAX of them, and how many more pass the filter
   */
  sweep(filter: EventFilter & DaysRequest, nowMs: number): Sweep {
    const { range } = daysOf(filter, nowMs);
    const { sport, status, league } = filter;
    const { fixtures, count } = this.urgent({ sport, status, league, range }, nowMs, SWEPT_FIXTURES_MAX);
    return { fixtures, leftOutCount: count - fixtures.length };
  }

  /**
   * The leagues of fixtures that pass the filter, unordered. The cost depends on the number of leagues, not
   * of fixtures.
   */
  leagues(filter: Omit<EventFilter, 'league'>, nowMs: number): LeagueCounts[] {
    const { asked } = this.#chosen(filter, nowMs);
    const { status } = asked;
    const found: LeagueCounts[] = [];
    for (const lists of this.#slate.lists().leagues()) {
      const { league, sport } = lists.any!;
      if (filter.sport !== undefined && sport !== filter.sport) continue;
      const count = lists.count(asked);
      if (count === 0) continue;
      const isIn = (other: EventStatus) => status === undefined || status === other;
      const [next] = isIn('scheduled') ? lists.walk({ ...asked, status: 'scheduled' }) : [];
      found.push({
        league,
        sport,
        count,
        liveCount: isIn('live') ? lists.count({ ...asked, status: 'live' }) : 0,
        nextKickoffMs: next?.scheduledAtMs ?? Number.NaN,
      });
    }
    return found;
  }

  /** The lists that cover the filter, and the request to make of them. */
  #chosen(filter: EventFilter, nowMs: number) {
    const timezone = requireTimezone(filter.timezone);
    const range = filter.range ?? (filter.date === undefined ? null : dayRange(filter.date, timezone));
    this.#slate.requireReady(nowMs);
    const { league, sport, status } = filter;
    const leagueId = league === undefined ? null : this.#leagues.idOf(league, nowMs, sport);
    const asked: StatusRequest = { status, range, nowMs };
    return { lists: this.#listsOf(leagueId, sport), asked, moment: this.#slate.momentAt(nowMs) };
  }

  #listsOf(leagueId: string | null, sport: SportKey | undefined): StatusLists {
    const lists = this.#slate.lists();
    if (leagueId === null) return sport === undefined ? lists.whole : lists.ofSport(sport);
    const ofLeague = lists.ofLeague(leagueId);
    // A league belongs to one sport, which its id implies.
    return sport === undefined || ofLeague.any?.sport === sport ? ofLeague : NO_FIXTURES;
  }

  /** Fixtures being played now, by kickoff then id. */
  live(nowMs: number): Event[] {
    return this.select({ status: 'live' }, nowMs).map(toEvent);
  }

  /** @throws ServiceError `invalid_request`, `not_found`; `upstream_unavailable` while there is no slate */
  one(eventId: string, nowMs: number): Event {
    return toEvent(this.#slate.fixtureById(eventId, nowMs));
  }

  /** @throws ServiceError `invalid_request`, `not_found`; `upstream_unavailable` while there is no slate */
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

/** Fixtures that pass a filter, counted by league. */
export interface LeagueCounts {
  readonly league: NamedRef;
  readonly sport: SportKey;
  readonly count: number;
  readonly liveCount: number;
  /** The next kickoff among fixtures that have not begun; NaN without one. */
  readonly nextKickoffMs: number;
}

interface UrgentFixtures {
  readonly fixtures: readonly FixtureNow[];
  readonly count: number;
}

function firstOf(views: Iterable<FixtureView>, countMax: number, moment: SignalMoment): FixtureNow[] {
  const fixtures: FixtureNow[] = [];
  for (const view of views) {
    if (fixtures.length >= countMax) break;
    fixtures.push(fixtureAt(view, moment));
  }
  return fixtures;
}

function scopeOf(filter: EventFilter): string {
  return JSON.stringify(['events', filter.sport, filter.league, filter.date, filter.status, filter.timezone]);
}
