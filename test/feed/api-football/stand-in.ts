// API-Football v3 as its documentation and samples describe it, on loopback: the envelope, errors with status
// 200, the quota in headers, pages of ten.

import { StandInServer } from '../stand-in-server.ts';

export interface StandInFixture {
  id: number;
  league: number;
  leagueName: string;
  /** Seconds. */
  kickoff: number;
  short: string;
  elapsed: number | null;
  home: { id: number; name: string };
  away: { id: number; name: string };
  goals: [number | null, number | null];
  events: { team: { id: number }; type: string; detail: string }[];
}

export interface StandInOdds {
  id: number;
  update: string;
  bookmakers: {
    id: number;
    name: string;
    bets: { id: number; name: string; values: { value: string; odd: unknown }[] }[];
  }[];
}

const LIVE = ['1H', 'HT', '2H', 'ET', 'BT', 'P'];
const PAGE = 10;

export class ApiFootballStandIn extends StandInServer {
  static readonly KEY = 'stand-in-key-of-api-football';
  readonly fixtures: StandInFixture[] = [];
  odds: StandInOdds[] = [];
  liveOdds: unknown[] = [];
  left = 100;
  perMinute = 300;
  fault: (path: string) => Response | null = () => null;
  readonly asked: {
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly atMs: number;
  }[] = [];

  /** An error as the upstream sends it: with status 200. */
  error(errors: Record<string, string>): Response {
    return this.#envelope('', [], { errors });
  }

  protected override answer(request: Request): Response {
    const url = new URL(request.url);
    const path = url.pathname.slice(1);
    const query = Object.fromEntries(url.searchParams);
    this.asked.push({ path, query, atMs: this.nowMs() });
    const fault = this.fault(path);
    if (fault !== null) return fault;
    if (request.headers.get('x-apisports-key') !== ApiFootballStandIn.KEY) {
      return this.error({ token: 'Error/Missing application key.' });
    }
    if (path === 'status') return this.#envelope(path, { requests: { current: 0, limit_day: 100 } }, {});
    if (this.left <= 0) return this.error({ requests: 'You have reached the request limit for the day' });
    this.left--;
    const date = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);
    switch (path) {
      case 'fixtures': {
        const ids = query.ids?.split('-').map(Number);
        const chosen = this.fixtures.filter((fixture) =>
          query.live === 'all'
            ? LIVE.includes(fixture.short)
            : (ids?.includes(fixture.id) ?? date(fixture.kickoff) === query.date),
        );
        return this.#envelope(
          path,
          chosen.map((fixture) => fixtureOf(fixture, query.date === undefined)),
          {},
        );
      }
      case 'odds': {
        if ((query.league === undefined) !== (query.season === undefined)) {
          return this.error({ season: 'The Season field is required.' });
        }
        const ids = this.fixtures
          .filter(
            ({ kickoff, league }) =>
              date(kickoff) === query.date && Number(query.league ?? league) === league,
          )
          .map(({ id }) => id);
        const chosen = this.odds.filter(({ id }) => ids.includes(id));
        const page = Number(query.page ?? 1);
        const items = chosen.slice(PAGE * (page - 1), PAGE * page).map(({ id, update, bookmakers }) => ({
          league: { id: 39, name: 'Premier League' },
          fixture: { id, timezone: 'UTC' },
          update,
          bookmakers,
        }));
        return this.#envelope(path, items, {
          paging: { current: page, total: Math.max(1, Math.ceil(chosen.length / PAGE)) },
        });
      }
      case 'odds/live':
        return this.#envelope(path, this.liveOdds, {});
      default:
        return this.error({ endpoint: 'This endpoint do not exist.' });
    }
  }

  #envelope(
    get: string,
    response: unknown,
    { errors = [], paging = { current: 1, total: 1 } }: { errors?: unknown; paging?: unknown },
  ): Response {
    const results = Array.isArray(response) ? response.length : 1;
    const headers = {
      date: new Date(this.nowMs()).toUTCString(),
      'x-ratelimit-requests-limit': '100',
      'x-ratelimit-requests-remaining': String(this.left),
      'X-RateLimit-Limit': String(this.perMinute),
      'X-RateLimit-Remaining': String(this.perMinute - 1),
    };
    return Response.json({ get, parameters: {}, errors, results, paging, response }, { headers });
  }
}

function fixtureOf(
  { id, league, leagueName, kickoff, short, elapsed, home, away, goals, events }: StandInFixture,
  withEvents: boolean,
): unknown {
  return {
    fixture: {
      id,
      timezone: 'UTC',
      date: new Date(kickoff * 1_000).toISOString(),
      timestamp: kickoff,
      status: { long: short, short, elapsed, extra: null },
    },
    league: { id: league, name: leagueName, season: 2026, round: 'Regular Season - 1' },
    teams: { home, away },
    goals: { home: goals[0], away: goals[1] },
    ...(withEvents ? { events } : {}),
  };
}
