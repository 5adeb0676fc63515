// Replaces the names of a league and team in a rule's `where` by their ids, and finds the names for its ids.

import type { AlertWhere } from '../../contract/alerts/alert-rules.ts';
import { indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import { decodeId, idKindOf } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import type { Queries } from '../../query/queries.ts';
import type { AlertNames } from './alert-rule.ts';

export type WhereQueries = Pick<Queries, 'slate' | 'names' | 'leagues'>;

export interface NamedWhere {
  readonly where: AlertWhere;
  readonly names: AlertNames;
}

/** @throws ServiceError `invalid_request` for an id that does not decode, an unknown or an ambiguous name */
export async function namedWhere(
  queries: WhereQueries,
  where: AlertWhere,
  nowMs: number,
): Promise<NamedWhere> {
  const { slate, names, leagues } = queries;
  const { league, team, event_id: eventId, sport } = where;
  if (league !== undefined || team !== undefined) await names.whenIndexed(nowMs);
  const leagueId = league === undefined ? undefined : leagues.idOf(league, nowMs, sport);
  const teamId = team === undefined ? undefined : teamIdOf(queries, where, nowMs);
  const event = eventId === undefined ? null : slate.fixture(decodeId('event', eventId), nowMs);
  const views = slate.peek(nowMs).map(({ view }) => view);
  const leagueName = views.find((view) => view.league.id === leagueId)?.league.name;
  const teamName = views
    .flatMap(({ homeTeam, awayTeam }) => [homeTeam, awayTeam])
    .find(({ id }) => id === teamId)?.name;
  return {
    where: {
      ...where,
      ...(leagueId === undefined ? {} : { league: leagueId }),
      ...(teamId === undefined ? {} : { team: teamId }),
    },
    names: {
      ...(leagueName === undefined ? {} : { league: leagueName }),
      ...(teamName === undefined ? {} : { team: teamName }),
      ...(event === null ? {} : { event: `${event.view.homeTeam.name} – ${event.view.awayTeam.name}` }),
    },
  };
}

function teamIdOf({ names }: WhereQueries, { team, sport }: AlertWhere, nowMs: number): string {
  if (idKindOf(team!) !== null) {
    decodeId('team', team!);
    return team!;
  }
  const options = sport === undefined ? {} : { sport: indexIn(SPORT_KEYS, sport) };
  const { status, best, alternatives } = names.teamIndex(nowMs).resolve(team!, options);
  if (status === 'matched' && best !== null) return best.entry.id;
  const candidates = best === null ? alternatives : [best, ...alternatives];
  if (candidates.length === 0) {
    throw new ServiceError('invalid_request', 'Cannot find team: no team of the slate has that name', {
      fix: 'List the teams with GET /v1/teams and send an id',
    });
  }
  const list = candidates.map(({ entry }) => `${entry.id} (${entry.name})`).join(', ');
  throw new ServiceError('invalid_request', 'Cannot choose team: more than one team may have that name', {
    fix: `Send one of these ids: ${list}`,
  });
}
