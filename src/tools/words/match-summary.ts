// A fixture as tools show it, with one line a person could read out.

import type { MatchSummary } from '../../contract/tool-parts.ts';
import { localIsoText } from '../../query/lists/day.ts';
import { roundedConfidence } from '../../query/rounding.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';

interface SummaryOptions {
  /** From find_match only. */
  readonly confidence?: number;
  /** Zone of the local kickoff time; without a zone there is no local time, and the line gives it in UTC. */
  readonly timezone?: string | undefined;
}

/** The summary of a fixture. A fixture that has not begun shows no score. */
export function toMatchSummary(fixture: FixtureNow, options: SummaryOptions = {}): MatchSummary {
  const { timezone } = options;
  const { scheduledAtMs } = fixture.view;
  const isLocal = timezone !== undefined && !Number.isNaN(scheduledAtMs);
  return {
    ...toMatchFacts(fixture),
    scheduled_at_local: isLocal ? localIsoText(scheduledAtMs, timezone) : null,
    confidence: options.confidence === undefined ? null : roundedConfidence(options.confidence),
    summary: summaryLine(fixture, timezone),
  };
}

/** A MatchSummary without the fields that only some tools show. */
export function toMatchFacts(
  fixture: FixtureNow,
): Omit<MatchSummary, 'scheduled_at_local' | 'confidence' | 'summary'> {
  const { view, status } = fixture;
  const isScheduled = status === 'scheduled';
  return {
    event_id: view.id,
    sport: view.sport,
    league: view.league.name,
    home_team: view.homeTeam.name,
    away_team: view.awayTeam.name,
    scheduled_at: view.scheduledAt,
    status,
    score: isScheduled ? null : view.score,
    clock: status === 'live' ? view.facts.clock : null,
  };
}

/** 'Home vs Away'. */
export function labelOf({ view }: FixtureNow): string {
  return `${view.homeTeam.name} vs ${view.awayTeam.name}`;
}

/**
 * When a fixture kicks off, for sentences: "2026-03-01 18:45 UTC", or in a zone "2026-03-01 19:45
 * (Europe/Madrid)".
 */
export function kickoffText({ view }: FixtureNow, timezone?: string): string {
  if (view.scheduledAt === null) return 'at a time not yet known';
  const zone = timezone ?? 'UTC';
  // The stamp is already UTC; converting it for each fixture of a list would take most of the list's time.
  const local = zone === 'UTC' ? view.scheduledAt : localIsoText(view.scheduledAtMs, zone);
  const text = `${local.slice(0, 10)} ${local.slice(11, 16)}`;
  return zone === 'UTC' ? `${text} UTC` : `${text} (${zone})`;
}

function summaryLine(fixture: FixtureNow, timezone: string | undefined): string {
  const { view, status } = fixture;
  const { score } = view;
  const { clock } = view.facts;
  const head = `${labelOf(fixture)}, ${view.league.name}`;
  const scoreText = score === null ? '' : ` ${score.home}-${score.away}`;
  if (status === 'live') return `${head}: live${scoreText}${clock === null ? '' : ` (${clock})`}.`;
  if (status === 'finished') return `${head}: finished${scoreText}.`;
  return `${head}: kicks off ${kickoffText(fixture, timezone)}.`;
}
