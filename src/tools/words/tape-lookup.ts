// The fixture that a question about the past means: one of the slate or, when a day is named, one of the
// tape.

import type { Event } from '../../contract/event.ts';
import type { LookupHeader, MatchSummary } from '../../contract/tool-parts.ts';
import { idKindOf } from '../../domain/ids.ts';
import type { TapeCandidate } from '../../query/lists/history-calls.ts';
import {
  type FixtureLookup,
  type FixtureQuestion,
  lookUpFixture,
} from '../../query/lookup/fixture-lookup.ts';
import type { Queries } from '../../query/queries.ts';
import type { ToolContext } from '../kit/tool.ts';
import {
  ambiguousHeader,
  lookupHeader,
  matchedHeader,
  type NamedCandidate,
  namedCandidate,
} from './lookup-answer.ts';
import { labelOf } from './match-summary.ts';

/** A fixture that was found, and the header of the answer once the tool has its sentence. */
export interface TapedFixture {
  readonly eventId: string;
  readonly label: string;
  /**
   * Whether the fixture is on the slate and its match is not over, so that its last price is the current one.
   */
  readonly isCurrent: boolean;
  /** Whether the fixture's kickoff has passed, so that there may be closing prices. */
  readonly hasBegun: boolean;
  readonly words: FixtureLookup['words'];
  /** The IANA zone that the words name, or null. */
  readonly timezone: string | null;
  header(summary: string): LookupHeader;
}

/** Why to call one of the tools about the past next. */
const REASONS = {
  get_closing_line: (label: string) => `See the closing prices of ${label}.`,
  line_history: (label: string) => `See how the lines of ${label} moved.`,
} as const;
type PastTool = keyof typeof REASONS;

/**
 * @param next what to suggest about a fixture of the price history
 * @returns only the header when no fixture, or more than one, is meant
 * @throws ServiceError as lookUpFixture
 */
export async function lookUpPast(
  queries: Queries,
  question: FixtureQuestion,
  { next, ...caller }: Pick<ToolContext, 'principal' | 'nowMs'> & { readonly next: PastTool },
): Promise<TapedFixture | LookupHeader> {
  const lookup = lookUpFixture(queries, question, caller.nowMs);
  const fixture = lookup.best?.fixture;
  if (fixture !== undefined) {
    return {
      eventId: fixture.view.id,
      label: labelOf(fixture),
      isCurrent: fixture.status !== 'finished',
      hasBegun: fixture.status !== 'scheduled' || fixture.view.scheduledAtMs <= caller.nowMs,
      ...{ words: lookup.words, timezone: lookup.timezone },
      header: (summary) => lookupHeader(question, lookup, summary),
    };
  }
  const isOfSlate = lookup.isContested || lookup.list !== null || lookup.status === 'ambiguous';
  const onTape = isOfSlate ? null : await queries.history.find({ question, ...caller });
  if (onTape === null) return lookupHeader(question, lookup, '');
  if (onTape.status === 'not_found') return notOnTape(lookupHeader(question, lookup, ''), lookup.dateText);
  const { best, candidates, dateChoices } = onTape;
  if (best === null) {
    const count = `${candidates.length} ${candidates.length === 1 ? 'fixture' : 'fixtures'} of the price history`;
    return ambiguousHeader(question, candidates.map(namedEvent), count, dateChoices);
  }
  return {
    eventId: best.event.id,
    label: eventLabel(best.event),
    ...{ isCurrent: false, hasBegun: true },
    ...{ words: lookup.words, timezone: lookup.timezone },
    header: (summary) => tapedHeader(question, best, { summary, next }),
  };
}

/** Whether a fixture was found. */
export function isFound(found: TapedFixture | LookupHeader): found is TapedFixture {
  return 'eventId' in found;
}

/** Adds to the header of a question that no fixture fits whether the price history was searched. */
function notOnTape(header: LookupHeader, dateText: string | null): LookupHeader {
  const isSearched = dateText !== null || idKindOf(header.query.trim()) === 'event';
  const searched = isSearched
    ? 'Nor does one of the price history that your plan may see.'
    : 'A match that has left the slate is found if you name its day, such as 2026-03-01.';
  return { ...header, summary: `${header.summary} ${searched}` };
}

function tapedHeader(
  question: FixtureQuestion,
  { event, confidence }: TapeCandidate,
  { summary, next }: { readonly summary: string; readonly next: PastTool },
): LookupHeader {
  return matchedHeader(question, {
    ...{ summary, match: matchOf(event), alternatives: [], as_of: null, stale: null },
    confidence,
    next_action: {
      tool: next,
      args: { query: event.id },
      reason: REASONS[next](eventLabel(event)),
    },
  });
}

function namedEvent({ event, confidence }: TapeCandidate): NamedCandidate {
  return namedCandidate(event.id, eventLabel(event), confidence, dayText(event));
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
