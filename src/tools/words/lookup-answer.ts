// The header that every natural-language tool answers with, made from a lookup: it decides what the model
// should do next. For a fixture that was found it suggests get_match_odds, for a match that has left the
// slate get_result. If several fit, it has a question for the user; if no fixture fits, it suggests
// list_today_matches.

import { toIsoText } from '../../clock.ts';
import type { Result } from '../../contract/results.ts';
import type { Decision, LookupHeader, MatchAlternative, MatchSummary } from '../../contract/tool-parts.ts';
import type { SIGNAL_KINDS } from '../../domain/signal-gate.ts';
import { ALTERNATIVES_MAX } from '../../names/resolution.ts';
import {
  type FixtureLookup,
  type FixtureQuestion,
  type ListAsked,
  type LookupCandidate,
  scriptNote,
} from '../../query/lookup/fixture-lookup.ts';
import type { ResultCandidate, ResultLookup } from '../../query/lookup/result-lookup.ts';
import { roundedConfidence, roundedPct } from '../../query/rounding.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { kickoffText, labelOf, toMatchSummary } from './match-summary.ts';

type SweptSignal = (typeof SIGNAL_KINDS)[number];
/** The argument of scan_slate for the least size of each kind of signal. */
const MIN_PCT = { value: 'min_edge_pct', arbitrage: 'min_margin_pct' } as const;

/** What a tool adds about the fixture that was meant: its sentence and its own fields. */
interface FixtureAnswer<Fields> {
  readonly summary: string;
  /** A question to the user when the answer should not be used as it is; otherwise absent. */
  readonly doubt?: string | null;
  readonly fields: Fields;
}

/**
 * The whole answer about one fixture: the header with the tool's own fields, which are `none` unless exactly
 * one fixture is meant.
 */
export function answerLookup<Fields extends object>(
  question: FixtureQuestion,
  lookup: FixtureLookup,
  {
    none,
    found,
    signal,
  }: {
    readonly none: Fields;
    found(fixture: FixtureNow): FixtureAnswer<Fields>;
    /** What the tool finds in one match; scan_slate finds it in all matches of a league or a day. */
    readonly signal?: SweptSignal;
  },
): LookupHeader & Fields {
  const fixture = lookup.best?.fixture;
  if (fixture === undefined) {
    const header =
      signal !== undefined && lookup.status !== 'ambiguous' && lookup.list !== null
        ? sweepHeader(question, lookup, signal)
        : lookupHeader(question, lookup, '');
    return { ...header, ...none };
  }
  const { summary, fields, doubt = null } = found(fixture);
  const header = lookupHeader(question, lookup, summary);
  if (doubt === null) return { ...header, ...fields };
  return { ...header, decision: { ...header.decision, safe_to_proceed: false, ask_user: doubt }, ...fields };
}

/**
 * The header of an answer about the slate. `summary` is the tool's own sentence, used when there is a match.
 */
export function lookupHeader(
  question: FixtureQuestion,
  { status, best, candidates, dateText, dateChoices, list }: FixtureLookup,
  summary: string,
): LookupHeader {
  const named = candidates.map(namedFixture);
  if (status === 'ambiguous') {
    // At most ALTERNATIVES_MAX + 1 fixtures are named. If so many are named, there may be more.
    const isCut = named.length > ALTERNATIVES_MAX;
    const count = `${isCut ? 'At least ' : ''}${named.length} ${named.length === 1 ? 'fixture' : 'fixtures'}`;
    return ambiguousHeader(question, named, count, dateChoices);
  }
  if (list !== null) return listHeader(question, list);
  if (best === null) return notFoundHeader(question, named, dateText);
  const { fixture, confidence } = best;
  return matchedHeader(question, {
    summary,
    match: toMatchSummary(fixture),
    alternatives: named.map(({ alternative }) => alternative),
    as_of: toIsoText(fixture.asOfMs),
    stale: fixture.stale,
    confidence,
    next_action: {
      tool: 'get_match_odds',
      args: { event_id: fixture.view.id },
      reason: `See every price of ${labelOf(fixture)}.`,
    },
  });
}

/** The header of match_info when the match has left the slate. @param found matched or ambiguous */
export function finishedHeader(question: FixtureQuestion, found: ResultLookup): LookupHeader {
  if (found.best === null) {
    const named = found.candidates.map(namedResult);
    const count = `${named.length} finished ${named.length === 1 ? 'match' : 'matches'}`;
    return ambiguousHeader(question, named, count, found.dateChoices);
  }
  const { result, confidence } = found.best;
  const match = finishedSummary(result);
  return matchedHeader(question, {
    summary: match.summary ?? '',
    match,
    alternatives: [],
    as_of: result.finished_at,
    stale: false,
    confidence,
    next_action: { tool: 'get_result', args: { event_id: result.event_id }, reason: 'See the full result.' },
  });
}

/** The winner, as a sentence; empty when the score is not known. */
export function winnerText(match: {
  readonly home: string | null;
  readonly away: string | null;
  readonly score: { readonly home: number; readonly away: number } | null;
}): string {
  const { home, away, score } = match;
  if (score === null) return '';
  if (score.home === score.away) return 'It was a draw.';
  return `${score.home > score.away ? home : away} won.`;
}

/**
 * One of several that may be meant: as answers list it, and with the detail that distinguishes it in
 * sentences.
 */
export interface NamedCandidate {
  readonly alternative: MatchAlternative;
  /** 0 to 1, unrounded. */
  readonly confidence: number;
  readonly text: string;
}

function namedFixture({ fixture, confidence }: LookupCandidate): NamedCandidate {
  const { id, league } = fixture.view;
  return namedCandidate(id, labelOf(fixture), confidence, `${league.name}, ${kickoffText(fixture)}`);
}

function namedResult({ result, confidence }: ResultCandidate): NamedCandidate {
  const day = (result.scheduled_at ?? result.finished_at).slice(0, 10);
  return namedCandidate(result.event_id, finishedLabel(result), confidence, day);
}

/** @param detail distinguishes it from others with the same label */
export function namedCandidate(
  event_id: string,
  label: string,
  confidence: number,
  detail: string,
): NamedCandidate {
  return {
    alternative: { event_id, label, confidence: roundedConfidence(confidence) },
    confidence,
    text: `${label} (${detail})`,
  };
}

export function matchedHeader(
  { query }: FixtureQuestion,
  {
    confidence,
    next_action,
    ...found
  }: Pick<LookupHeader, 'summary' | 'match' | 'alternatives' | 'as_of' | 'stale'> & {
    readonly confidence: number;
    readonly next_action: LookupHeader['decision']['next_action'];
  },
): LookupHeader {
  const decision = {
    ...{ safe_to_proceed: true, confidence: roundedConfidence(confidence) },
    ...{ ask_user: null, next_action },
  };
  return { status: 'ok', query, ask_user: null, ...found, decision };
}

/** @param count number and kind, such as "3 fixtures" */
export function ambiguousHeader(
  question: FixtureQuestion,
  candidates: readonly NamedCandidate[],
  count: string,
  dateChoices: FixtureLookup['dateChoices'],
): LookupHeader {
  const texts = candidates.map(({ text }) => text);
  return unmatchedHeader(question, candidates, {
    status: 'ambiguous',
    summary: `${count} ${count.startsWith('1 ') ? 'fits' : 'fit'} "${question.query}": ${texts.join('; ')}.`,
    decision: {
      safe_to_proceed: false,
      confidence: roundedConfidence(candidates[0]?.confidence ?? 0),
      ask_user:
        dateChoices === null
          ? `Which match do you mean: ${texts.join(', or ')}?${scriptAdvice(question)}`
          : `Which date do you mean by ${dateChoices.written}: ${dateChoices.dates.join(' or ')}?`,
      next_action: null,
    },
  });
}

/** The header for words that name no team but ask for a list: it suggests the tool that has the list. */
function listHeader(
  question: FixtureQuestion,
  { league, date, dateTo, isMissing = false }: ListAsked,
): LookupHeader {
  const sport = question.sport === undefined ? {} : { sport: question.sport };
  const days = date === null ? {} : dateTo === null ? { date } : { date, date_to: dateTo };
  const list = date === null ? 'list_today_matches' : 'list_events';
  const next_action = isMissing
    ? { tool: 'list_leagues', args: sport, reason: 'See which leagues are on the slate.' }
    : {
        tool: list,
        args: { ...days, ...(league === null ? {} : { league }), ...sport },
        reason: 'List the matches that are asked for.',
      };
  const asked = `"${question.query}" names no team: it asks for a list of matches`;
  return unmatchedHeader(question, [], {
    status: 'not_found',
    summary: isMissing
      ? `${asked}, and that league is not on the slate.`
      : `${asked}, which ${list} answers.`,
    decision: { safe_to_proceed: false, confidence: null, ask_user: null, next_action },
  });
}

/** The answer to a question about the signals of a whole league or day: scan_slate finds them in one call. */
function sweepHeader(
  question: FixtureQuestion,
  { list, words }: FixtureLookup,
  signal: SweptSignal,
): LookupHeader {
  const header = listHeader(question, list!);
  if (list!.isMissing === true) return header;
  const least = words.prices.find(({ form }) => form === 'probability')?.value;
  const addition = least === undefined ? '' : ` Add ${MIN_PCT[signal]} ${roundedPct(100 * least)}.`;
  const next_action = {
    tool: 'scan_slate',
    args: { ...header.decision.next_action?.args, signal },
    reason: `Find ${signal} in all matches that are asked for.${addition}`,
  };
  return {
    ...header,
    summary: `"${question.query}" names no team: scan_slate finds ${signal} in all matches of a league or a day in one call.`,
    decision: { ...header.decision, next_action },
  };
}

/** What to add if the question has letters of a script that is not read. */
function scriptAdvice({ query }: FixtureQuestion): string {
  const note = scriptNote(query);
  return note === null ? '' : ` ${note}.`;
}

function notFoundHeader(
  question: FixtureQuestion,
  candidates: readonly NamedCandidate[],
  day: string | null,
): LookupHeader {
  const missing = `No fixture on the slate${day === null ? '' : ` on ${day}`} fits "${question.query}".`;
  const near = candidates.map(({ text }) => text).join('; ');
  return unmatchedHeader(question, candidates, {
    status: 'not_found',
    summary: near === '' ? missing : `${missing} The nearest: ${near}.`,
    decision: {
      safe_to_proceed: false,
      confidence: null,
      ask_user: `Which match do you mean? Please give both team names, or the date.${scriptAdvice(question)}`,
      next_action: {
        tool: 'list_today_matches',
        args: question.sport === undefined ? {} : { sport: question.sport },
        reason: 'See which fixtures are on the slate today.',
      },
    },
  });
}

function unmatchedHeader(
  { query }: FixtureQuestion,
  candidates: readonly NamedCandidate[],
  said: { readonly status: 'ambiguous' | 'not_found'; readonly summary: string; readonly decision: Decision },
): LookupHeader {
  return {
    ...said,
    query,
    match: null,
    alternatives: candidates.map(({ alternative }) => alternative),
    ask_user: said.decision.ask_user,
    as_of: null,
    stale: null,
  };
}

function finishedSummary(result: Result): MatchSummary {
  const { event_id, sport, league, home_team, away_team, scheduled_at, score } = result;
  const where = league === null ? '' : `, ${league}`;
  const counts = score === null ? '' : ` ${score.home}-${score.away}`;
  const winner = winnerText({ home: home_team, away: away_team, score });
  return {
    event_id,
    sport: sport ?? 'football',
    league: league ?? '',
    home_team: home_team ?? '',
    away_team: away_team ?? '',
    scheduled_at,
    scheduled_at_local: null,
    status: 'finished',
    score,
    clock: null,
    confidence: null,
    summary: `${finishedLabel(result)}${where}: finished${counts}. ${winner}`.trim(),
  };
}

function finishedLabel({ home_team, away_team }: Result): string {
  return `${home_team ?? ''} vs ${away_team ?? ''}`;
}
