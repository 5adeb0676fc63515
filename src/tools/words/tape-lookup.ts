// The fixture that a question about the past means: one of the slate or, when a day is named, one of the
// tape.

import type { Event } from '../../contract/event.ts';
import type { LookupHeader, MatchSummary } from '../../contract/tool-parts.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { TapeCandidate, TapeLookup } from '../../query/lists/history-calls.ts';
import {
  type FixtureLookup,
  type FixtureQuestion,
  lookUpFixture,
} from '../../query/lookup/fixture-lookup.ts';
import type { Queries } from '../../query/queries.ts';
import { roundedConfidence } from '../../query/rounding.ts';
import { lookupHeader } from './lookup-answer.ts';
import { labelOf } from './match-summary.ts';

/** A fixture that was found, and the header of the answer once the tool has its sentence. */
export interface TapedFixture {
  readonly eventId: string;
  readonly label: string;
  /** Whether the fixture is on the slate, so that its last price is the current one. */
  readonly isOnSlate: boolean;
  readonly words: FixtureLookup['words'];
  header(summary: string): LookupHeader;
}

interface Caller {
  readonly principal: Principal;
  readonly nowMs: number;
}

/**
 * @returns only the header when no fixture, or more than one, is meant
 * @throws ServiceError as lookUpFixture
 */
export async function lookUpPast(
  queries: Queries,
  question: FixtureQuestion,
  caller: Caller,
): Promise<TapedFixture | LookupHeader> {
  const lookup = lookUpFixture(queries, question, caller.nowMs);
  const fixture = lookup.best?.fixture;
  if (fixture !== undefined) {
    return {
      eventId: fixture.view.id,
      label: labelOf(fixture),
      isOnSlate: true,
      words: lookup.words,
      header: (summary) => lookupHeader(question, lookup, summary),
    };
  }
  const isOfSlate = lookup.isContested || lookup.list !== null || lookup.status === 'ambiguous';
  const onTape = isOfSlate ? null : await queries.history.find({ question, ...caller });
  if (onTape === null || onTape.status === 'not_found') return lookupHeader(question, lookup, '');
  const { best } = onTape;
  if (best === null) return ambiguousHeader(question, onTape);
  return {
    eventId: best.event.id,
    label: eventLabel(best.event),
    isOnSlate: false,
    words: lookup.words,
    header: (summary) => matchedHeader(question, best, summary),
  };
}

/** Whether a fixture was found. */
export function isFound(found: TapedFixture | LookupHeader): found is TapedFixture {
  return 'eventId' in found;
}

function matchedHeader(
  { query }: FixtureQuestion,
  { event, confidence }: TapeCandidate,
  summary: string,
): LookupHeader {
  return {
    ...{ status: 'ok', query, summary, match: matchOf(event), alternatives: [] },
    ...{ ask_user: null, as_of: null, stale: null },
    decision: {
      safe_to_proceed: true,
      confidence: roundedConfidence(confidence),
      ask_user: null,
      next_action: {
        tool: 'get_closing_line',
        args: { query: event.id },
        reason: `See the closing prices of ${eventLabel(event)}.`,
      },
    },
  };
}

function ambiguousHeader(question: FixtureQuestion, { candidates, dateChoices }: TapeLookup): LookupHeader {
  const texts = candidates.map(({ event }) => `${eventLabel(event)} (${dayText(event)})`);
  const ask =
    dateChoices === null
      ? `Which match do you mean: ${texts.join(', or ')}?`
      : `Which date do you mean by ${dateChoices.written}: ${dateChoices.dates.join(' or ')}?`;
  const confidence = roundedConfidence(candidates[0]?.confidence ?? 0);
  return {
    status: 'ambiguous',
    query: question.query,
    summary: `${candidates.length} fixtures of the price history fit "${question.query}": ${texts.join('; ')}.`,
    match: null,
    alternatives: candidates.map(({ event, confidence: own }) => ({
      event_id: event.id,
      label: eventLabel(event),
      confidence: roundedConfidence(own),
    })),
    ...{ ask_user: ask, as_of: null, stale: null },
    decision: { safe_to_proceed: false, confidence, ask_user: ask, next_action: null },
  };
}

function matchOf(event: Event): MatchSummary {
  const { id, sport, league, home_team, away_team, scheduled_at, status } = event;
  return {
    ...{ event_id: id, sport, league: league.name, home_team: home_team.name, away_team: away_team.name },
    ...{ scheduled_at, scheduled_at_local: null, status, score: null, clock: null, confidence: null },
    summary: `${eventLabel(event)}, ${league.name}: ${dayText(event)}.`,
  };
}

function eventLabel({ home_team, away_team }: Event): string {
  return `${home_team.name} vs ${away_team.name}`;
}

function dayText({ scheduled_at }: Event): string {
  return scheduled_at?.slice(0, 10) ?? 'no kickoff known';
}
