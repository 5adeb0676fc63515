// Resolves names to ids: fixtures, teams and leagues.

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { queryText, TimezoneField } from './parameters.ts';
import { dateText, exact, nullable, oneOf, optional } from './schema.ts';
import { EventId, LeagueId, SportKeySchema, TeamId } from './values.ts';

export const Confidence = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Match confidence, 3 decimals.',
  examples: [0.94],
});

export const ResolveStatus = oneOf(['matched', 'ambiguous', 'not_found'], {
  description: '`ambiguous`: several candidates are plausible; the service never guesses.',
});

const EventCandidate = exact({ event_id: EventId, confidence: Confidence }, { title: 'EventCandidate' });
const TeamCandidate = exact({ team_id: TeamId, confidence: Confidence }, { title: 'TeamCandidate' });
const LeagueCandidate = exact({ league_id: LeagueId, confidence: Confidence }, { title: 'LeagueCandidate' });

export const ResolvedEvent = resolved(EventCandidate, 'ResolvedEvent');
export const ResolvedTeam = resolved(TeamCandidate, 'ResolvedTeam');
export const ResolvedLeague = resolved(LeagueCandidate, 'ResolvedLeague');
export type ResolvedEvent = Static<typeof ResolvedEvent>;
export type ResolvedTeam = Static<typeof ResolvedTeam>;
export type ResolvedLeague = Static<typeof ResolvedLeague>;

const DateRange = Type.Object(
  {
    from: optional(dateText({ description: 'First kickoff day, UTC.', examples: ['2026-03-01'] })),
    to: optional(dateText({ description: 'Last kickoff day, UTC, inclusive.', examples: ['2026-03-07'] })),
  },
  { description: 'Only fixtures that kick off in this range.' },
);

export const ResolveEventBody = Type.Object(
  {
    query: queryText(
      'One team, two teams with any separator, or an event id. May contain a date.',
      'Arsenal vs Chelsea',
    ),
    context: optional(
      Type.Object(
        { sport: optional(SportKeySchema), date_range: optional(DateRange), timezone: TimezoneField },
        { description: 'Hints that narrow down the candidates.' },
      ),
    ),
  },
  { title: 'ResolveEventRequest' },
);

export const ResolveTeamBody = Type.Object(
  { query: queryText('A team name.', 'Man Utd'), sport: optional(SportKeySchema) },
  { title: 'ResolveTeamRequest' },
);

export const ResolveLeagueBody = Type.Object(
  { query: queryText('A league name.', 'Premier League') },
  { title: 'ResolveLeagueRequest' },
);

function resolved<Candidate extends TSchema>(candidate: Candidate, title: string) {
  return exact(
    {
      status: ResolveStatus,
      best_match: nullable(candidate, { description: 'Null unless `matched`.' }),
      alternatives: Type.Array(candidate, { description: 'Other candidates, best first.' }),
    },
    { title },
  );
}
