// Fixtures as list_today_matches and list_events show them: in full, or as short rows under their league's
// name, so that two hundred of them fit into a model's context.

import type { MatchSummary } from '../../contract/tool-parts.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import { localIsoText } from '../../query/lists/day.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { labelOf, toMatchSummary } from './match-summary.ts';

interface ListRequest {
  readonly verbosity: 'full' | 'terse';
  readonly timezone?: string | undefined;
  /** The day of the list; rows leave it out. */
  readonly day: string;
}

interface MatchList {
  readonly matches: MatchSummary[];
  readonly by_league: { readonly league: string; readonly rows: string[] }[] | null;
}

/** @param fixtures in the order they are shown */
export function matchList(
  fixtures: readonly FixtureNow[],
  { verbosity, timezone, day }: ListRequest,
): MatchList {
  if (verbosity === 'full') {
    return { matches: fixtures.map((fixture) => toMatchSummary(fixture, { timezone })), by_league: null };
  }
  const byLeague = Map.groupBy(fixtures, ({ view }) => view.league);
  const rows = [...byLeague].map(([{ name }, each]) => ({
    league: name,
    rows: each.map((fixture) => rowOf(fixture, day, timezone)),
  }));
  return { matches: [], by_league: rows };
}

/** "19:45 Arsenal v Chelsea CbhwpF4pB", "live 1-0 2h 63 Leeds v Wolves 8xQbN1cTz", "2-1 FT ...". */
function rowOf(fixture: FixtureNow, day: string, timezone: string | undefined): string {
  const { view, status } = fixture;
  const id = view.id.slice(ID_PREFIXES.event.length);
  const teams = labelOf(fixture).replace(' vs ', ' v ');
  const score = view.score === null ? [] : [`${view.score.home}-${view.score.away}`];
  if (status === 'finished') return [...score, 'FT', teams, id].join(' ');
  const clock = view.facts.clock === null ? [] : [view.facts.clock];
  if (status === 'live') return ['live', ...score, ...clock, teams, id].join(' ');
  if (view.scheduledAt === null) return ['no kickoff', teams, id].join(' ');
  const kickoff = timezone === undefined ? view.scheduledAt : localIsoText(view.scheduledAtMs, timezone);
  const date = kickoff.startsWith(day) ? [] : [kickoff.slice(5, 10)];
  return [...date, kickoff.slice(11, 16), teams, id].join(' ');
}
