// The iSports API as its documentation and samples describe it, on loopback. Every answer has status 200,
// `code` and `data`. Rows of odds are texts with as many columns as the endpoint has, and changes are those
// of the last 20 or 30 seconds.

import { StandInServer } from '../stand-in-server.ts';

export interface StandInMatch {
  id: string;
  sport: 'football' | 'basketball';
  leagueId: string;
  leagueName: string;
  home: string;
  away: string;
  /** All times are in seconds. */
  kickoff: number;
  halfStart: number;
  status: number;
  score: [number, number];
  reds: [number, number];
  quarterLeft: string;
  changedAt: number;
}

/** One line of one company. Lines and prices in the upstream's form. */
export interface StandInPlace {
  match: string;
  /** The company's id on this endpoint and in this array. */
  company: number;
  array: string;
  /** 1 is the main line. */
  index: number;
  init: readonly (number | string)[];
  now: readonly (number | string)[];
  maintenance: boolean;
  close: boolean;
  type: number;
  changedAt: number;
}

export class IsportsStandIn extends StandInServer {
  static readonly KEY = 'stand-in-key-of-isports';
  readonly matches: StandInMatch[] = [];
  readonly places: StandInPlace[] = [];
  /** More rows, which are sent as they are, by `<endpoint> <array>`. */
  readonly extraRows = new Map<string, unknown[]>();
  fault: (path: string) => Response | Promise<Response> | null = () => null;
  readonly asked: { readonly path: string; readonly atMs: number }[] = [];

  /** Adds a Premier League match that is scheduled an hour from now, with these changes. */
  addMatch(id: string, changes: Partial<StandInMatch> = {}): StandInMatch {
    const made: StandInMatch = {
      ...{ id, sport: 'football', leagueId: '1639', leagueName: 'English Premier League' },
      ...{ home: `Home ${id}`, away: `Away ${id}`, kickoff: this.#nowS() + 3_600, halfStart: 0, status: 0 },
      ...{ score: [0, 0], reds: [0, 0], quarterLeft: '', changedAt: this.#nowS() - 100 },
      ...changes,
    };
    this.matches.push(made);
    return made;
  }

  /** Adds Crown's main line from before the match to an array, with these changes. */
  addPlace(
    match: string,
    array: string,
    now: readonly (number | string)[],
    changes: Partial<StandInPlace> = {},
  ): StandInPlace {
    const made: StandInPlace = {
      ...{ match, company: 3, array, index: 1, init: now, now, maintenance: false, close: false, type: 2 },
      ...{ changedAt: this.#nowS() - 50, ...changes },
    };
    this.places.push(made);
    return made;
  }

  #nowS(): number {
    return Math.floor(this.nowMs() / 1_000);
  }

  protected override answer(request: Request): Response | Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace('/sport/', '');
    this.asked.push({ path, atMs: this.nowMs() });
    const fault = this.fault(path);
    if (fault !== null) return fault;
    const headers = { date: new Date(this.nowMs()).toUTCString() };
    if (url.searchParams.get('api_key') !== IsportsStandIn.KEY) {
      return Response.json({ code: 2, message: 'Invalid [api_key], illegal access.' });
    }
    const data = this.#data(path);
    return Response.json(
      data === null
        ? { code: 2, message: 'Invalid [api_key], illegal access.' }
        : { code: 0, message: 'success', data },
      { headers },
    );
  }

  #data(path: string): unknown {
    const now = this.nowMs() / 1_000;
    const sport = path.startsWith('football') ? 'football' : 'basketball';
    const matches = this.matches.filter((match) => match.sport === sport);
    switch (path) {
      case 'football/livescores':
      case 'basketball/livescores':
        return matches.map(matchOf);
      case 'football/schedule/basic':
        return matches.map(({ id, ...match }) => ({
          ...matchOf({ id, ...match }),
          status: 0,
          homeScore: 0,
          awayScore: 0,
        }));
      case 'football/schedule/modify':
        return [];
      case 'football/livescores/changes':
        return matches.filter(({ changedAt }) => now - changedAt <= 20).map(changeOf);
      case 'basketball/livescores/changes':
        return matches.filter(({ changedAt }) => now - changedAt <= 15).map(matchOf);
      case 'football/odds/main':
        return this.#rows(path, ({ index }) => index === 1);
      case 'football/odds/all':
        return this.#rows(path, () => true);
      case 'football/odds/main/changes':
        return this.#rows(path, ({ index, changedAt }) => index === 1 && now - changedAt <= 20);
      case 'football/odds/all/changes':
        return this.#rows(path, ({ changedAt }) => now - changedAt <= 20);
      case 'basketball/odds/fulltime':
        return this.#rows(path, () => true);
      case 'basketball/odds/fulltime/changes':
        return this.#rows(path, ({ changedAt }) => now - changedAt <= 30);
      case 'basketball/odds/half':
        return { spread: [], total: [] };
      default:
        return null;
    }
  }

  #rows(path: string, isWanted: (place: StandInPlace) => boolean): Record<string, unknown[]> {
    const arrays = path.startsWith('football')
      ? ['handicap', 'europeOdds', 'overUnder', 'handicapHalf', 'overUnderHalf']
      : ['spread', 'moneyLine', 'total'];
    return Object.fromEntries(
      arrays.map((array) => [
        array,
        [
          ...this.places
            .filter((place) => place.array === array && isWanted(place))
            .map((place) => rowOf(path, place)),
          ...(this.extraRows.get(`${path} ${array}`) ?? []),
        ],
      ]),
    );
  }
}

/** A row as the endpoint writes it, with as many columns as the provider's samples have. */
function rowOf(path: string, place: StandInPlace): string {
  const { match, company, array, init, now, maintenance, close, type, changedAt, index } = place;
  const isAll = path.includes('/all');
  const inits = path.endsWith('/changes') ? [] : init;
  const indexes = isAll ? [index] : [];
  if (path.startsWith('basketball')) {
    // A basketball row has three lines: the first one, the last one before the match, and the present one.
    const before = path.endsWith('/changes') || array === 'moneyLine' ? [] : now;
    const time = path.endsWith('/changes') ? [changedAt] : [];
    return [match, company, ...inits, ...before, ...now, ...time].join(',');
  }
  const inPlay = type === 3;
  if (array === 'handicap') {
    // The full answer also has a column with the number of the company's lines.
    const head = [match, company, ...inits, ...now, maintenance, inPlay];
    return [...head, ...indexes, ...(path.endsWith('/all') ? [3] : []), changedAt, close, type].join(',');
  }
  if (array === 'handicapHalf') {
    const flag = isAll ? [inPlay] : [];
    return [match, company, ...inits, ...now, ...flag, ...indexes, changedAt, type].join(',');
  }
  if (array === 'overUnderHalf')
    return [match, company, ...inits, ...now, ...indexes, changedAt, type].join(',');
  return [match, company, ...inits, ...now, ...indexes, changedAt, close, type].join(',');
}

function matchOf(match: StandInMatch): Record<string, unknown> {
  const { id, leagueId, leagueName, home, away, kickoff, halfStart, status, score, reds, quarterLeft } =
    match;
  return {
    matchId: id,
    leagueId,
    leagueName,
    matchTime: kickoff,
    ...(match.sport === 'football'
      ? { halfStartTime: halfStart, homeRed: reds[0], awayRed: reds[1], updateTime: match.changedAt }
      : { quarterRemainTime: quarterLeft, quarterCount: 4 }),
    status,
    homeId: `1${id}`,
    homeName: home,
    awayId: `2${id}`,
    awayName: away,
    homeScore: score[0],
    awayScore: score[1],
  };
}

function changeOf({ id, halfStart, kickoff, status, score, reds }: StandInMatch): Record<string, unknown> {
  return {
    matchId: id,
    startTime: halfStart,
    matchTime: kickoff,
    status,
    homeScore: score[0],
    awayScore: score[1],
    homeRed: reds[0],
    awayRed: reds[1],
  };
}
