// The fixtures of the tape as a list, and what the tape holds, day by day.

import { toIsoText } from '../../clock.ts';
import type { Event } from '../../contract/event.ts';
import type { HistoryCoverage, HistoryEvent, HistoryEventPage } from '../../contract/history.ts';
import {
  EVENT_STATUSES,
  indexIn,
  SPORT_KEYS,
  STATUS_FINISHED,
  STATUS_LIVE,
  STATUS_SCHEDULED,
} from '../../domain/catalogue.ts';
import { entityId } from '../../domain/ids.ts';
import { statusAt } from '../../domain/match-status.ts';
import { pageOf } from '../../query/lists/cursor.ts';
import type { TapeEventsWords } from '../../query/lists/history-calls.ts';
import { dayOf, type Gap, type TapeRange } from '../tick.ts';
import type { FixtureSummary } from './fixture-summaries.ts';
import { leagueIdOf, leagueIdOnTape } from './league-on-tape.ts';
import type { TapeDay } from './tape-coverage.ts';
import { gapOf } from './tick-series.ts';

/** Bytes of a tick on disk, an estimate for callers that may not know the size of the files. */
const BYTES_PER_TICK = 6;

/**
 * One page of the fixtures that pass the filters, by kickoff then id.
 * @param named the event ids that `words.q` may name; null without `q`
 * @throws ServiceError `invalid_request`
 */
export async function eventsPage(
  summaries: ReadonlyMap<string, FixtureSummary>,
  words: TapeEventsWords,
  { nowMs, named }: { readonly nowMs: number; readonly named: ReadonlySet<string> | null },
): Promise<HistoryEventPage> {
  const { day, sport, league, q } = words;
  const known = [...summaries.values()];
  const leagueId =
    league === undefined
      ? null
      : await leagueIdOnTape(
          league,
          sport,
          known.map((fixture) => ({ fixture, ids: fixture.ids })),
        );
  const chosen = known.filter(
    (summary) =>
      (day === undefined || (summary.kickoffMs !== null && dayOf(summary.kickoffMs) === day)) &&
      (sport === undefined || summary.sport === sport) &&
      (leagueId === null || leagueIdOf(summary, summary.ids) === leagueId) &&
      (named === null || named.has(summary.eventId)),
  );
  return pageOf(chosen, {
    scope: JSON.stringify(['history events', day, sport, league, q]),
    request: words,
    position: ({ kickoffMs, eventId }) => [kickoffMs ?? Number.POSITIVE_INFINITY, eventId],
    render: (summary) => toHistoryEvent(summary, nowMs),
  });
}

/** What a caller sees of the tape. @param range null on an empty tape */
export function coverageOf(
  days: readonly TapeDay[],
  range: TapeRange | null,
  gaps: readonly Gap[],
): HistoryCoverage {
  return {
    from: range === null ? null : toIsoText(range.fromMs),
    to: range === null ? null : toIsoText(range.toMs),
    days: days.map(({ bytes, ...day }) => ({ ...day, bytes: bytes ?? day.ticks * BYTES_PER_TICK })),
    gaps: gaps.map(gapOf),
  };
}

/** A fixture of the tape as the Event resource, with the status that follows from the tape and the time. */
export function toTapeEvent(summary: FixtureSummary, nowMs: number): Event {
  const { eventId, sport, league, home, away, kickoffMs, ids } = summary;
  const index = indexIn(SPORT_KEYS, sport);
  const team = (name: string, id: string | undefined): Event['home_team'] => ({
    id: id ?? entityId('team', index, name),
    name,
  });
  const status = statusAt(
    {
      ...{ sport: index, feedStatus: feedStatusOf(summary), feedStatusAtMs: Number.NaN },
      ...{ scheduledAtMs: kickoffMs ?? Number.NaN, clock: null, clockChangedAtMs: Number.NaN },
      openQuoteCount: 1,
    },
    nowMs,
  );
  return {
    id: eventId,
    sport,
    league: { id: leagueIdOf(summary, ids), name: league },
    home_team: team(home, ids?.homeId),
    away_team: team(away, ids?.awayId),
    scheduled_at: kickoffMs === null ? null : toIsoText(kickoffMs),
    status: EVENT_STATUSES[status]!,
  };
}

/**
 * The status that the feed sent last. It is taken from the marks or, if they have none or a later tick shows
 * another status, from the ticks.
 */
function feedStatusOf({ mark, inPlay, wasInPlay, lastAtMs }: FixtureSummary): number {
  const status = mark?.status ?? null;
  const isOutdated = lastAtMs > (mark?.atMs ?? lastAtMs) && inPlay !== (status === STATUS_LIVE);
  if (status !== null && !isOutdated) return status;
  if (inPlay) return STATUS_LIVE;
  return wasInPlay ? STATUS_FINISHED : STATUS_SCHEDULED;
}

function toHistoryEvent(summary: FixtureSummary, nowMs: number): HistoryEvent {
  return {
    event: toTapeEvent(summary, nowMs),
    first_at: toIsoText(summary.firstAtMs),
    last_at: toIsoText(summary.lastAtMs),
    ticks: summary.ticks,
  };
}
