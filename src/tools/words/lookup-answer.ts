// The header that every natural-language tool answers with, made from a lookup: decision routing in one place. Matched
// leads to get_match_odds, ambiguous asks the user, not found leads to list_today_matches.

import { toIsoText } from '../../clock.ts';
import type { Decision, MatchAlternative, MatchSummary } from '../../contract/tool-parts.ts';
import { ALTERNATIVES_MAX } from '../../names/resolution.ts';
import type { FixtureLookup, FixtureQuestion, LookupCandidate } from '../../query/fixture-lookup.ts';
import type { FixtureNow } from '../../query/fixture-view.ts';
import { roundedConfidence } from '../../query/rounding.ts';
import { kickoffText, labelOf, toAlternative, toMatchSummary } from './match-summary.ts';

export interface LookupHeader {
  readonly status: 'ok' | 'ambiguous' | 'not_found';
  readonly query: string;
  readonly summary: string;
  readonly match: MatchSummary | null;
  readonly alternatives: MatchAlternative[];
  readonly ask_user: string | null;
  readonly as_of: string | null;
  readonly stale: boolean | null;
  readonly decision: Decision;
}

/** What a tool says of the fixture that was meant: its sentence, and the fields that are its own. */
export interface FixtureAnswer<Fields> {
  readonly summary: string;
  readonly fields: Fields;
}

/** The whole answer about one fixture: the header, with the tool's own fields, which are `none` unless one is meant. */
export function answerLookup<Fields extends object>(
  question: FixtureQuestion,
  lookup: FixtureLookup,
  { none, found }: { readonly none: Fields; found(fixture: FixtureNow): FixtureAnswer<Fields> },
): LookupHeader & Fields {
  const fixture = lookup.best?.fixture;
  if (fixture === undefined) return { ...lookupHeader(question, lookup, ''), ...none };
  const { summary, fields } = found(fixture);
  return { ...lookupHeader(question, lookup, summary), ...fields };
}

/** The header of an answer. `summary` is the tool's own sentence, used when there is a match. */
export function lookupHeader(
  question: FixtureQuestion,
  lookup: FixtureLookup,
  summary: string,
): LookupHeader {
  const decision = decisionOf(question, lookup);
  const fixture = lookup.best?.fixture ?? null;
  return {
    status: lookup.status === 'matched' ? 'ok' : lookup.status,
    query: question.query,
    summary: lookup.status === 'matched' ? summary : unmatchedSummary(question, lookup),
    match: fixture === null ? null : toMatchSummary(fixture),
    alternatives: lookup.candidates.map(toAlternative),
    ask_user: decision.ask_user,
    as_of: fixture === null ? null : toIsoText(fixture.asOfMs),
    stale: fixture === null ? null : fixture.stale,
    decision,
  };
}

/** What the caller should do next. */
export function decisionOf(question: FixtureQuestion, lookup: FixtureLookup): Decision {
  const { best, candidates } = lookup;
  if (lookup.status === 'matched' && best !== null) {
    return {
      safe_to_proceed: true,
      confidence: roundedConfidence(best.confidence),
      ask_user: null,
      next_action: {
        tool: 'get_match_odds',
        args: { event_id: best.fixture.view.id },
        reason: `See every price of ${labelOf(best.fixture)}.`,
      },
    };
  }
  if (lookup.status === 'ambiguous') {
    return {
      safe_to_proceed: false,
      confidence: roundedConfidence(candidates[0]!.confidence),
      ask_user: questionFor(candidates),
      next_action: null,
    };
  }
  return {
    safe_to_proceed: false,
    confidence: null,
    ask_user: 'Which match do you mean? Please give both team names, or the date.',
    next_action: {
      tool: 'list_today_matches',
      args: question.sport === undefined ? {} : { sport: question.sport },
      reason: 'See which fixtures are on the slate today.',
    },
  };
}

/** What is said when there is no match to speak of. */
function unmatchedSummary(question: FixtureQuestion, lookup: FixtureLookup): string {
  if (lookup.status === 'ambiguous') {
    return `${countText(lookup.candidates)} fixtures fit "${question.query}": ${candidateTexts(lookup.candidates).join('; ')}.`;
  }
  const day = question.date ?? lookup.dateText;
  const missing = `No fixture on the slate${day === null || day === undefined ? '' : ` on ${day}`} fits "${question.query}".`;
  const near = candidateTexts(lookup.candidates);
  return near.length === 0 ? missing : `${missing} The nearest: ${near.join('; ')}.`;
}

function questionFor(candidates: readonly LookupCandidate[]): string {
  return `Which match do you mean: ${candidateTexts(candidates).join(', or ')}?`;
}

/** The best and its alternatives are named; beyond those there may be more. */
function countText(candidates: readonly LookupCandidate[]): string {
  const isCut = candidates.length > ALTERNATIVES_MAX;
  return isCut ? `At least ${candidates.length}` : String(candidates.length);
}

function candidateTexts(candidates: readonly LookupCandidate[]): string[] {
  return candidates.map(
    ({ fixture }) => `${labelOf(fixture)} (${fixture.view.league.name}, ${kickoffText(fixture)})`,
  );
}
