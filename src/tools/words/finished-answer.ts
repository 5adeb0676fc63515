// The header of match_info when the match has left the slate: what the results cache knows of it, or which of several
// finished matches is meant.

import type { Result } from '../../contract/results.ts';
import type { MatchSummary } from '../../contract/tool-parts.ts';
import type { FixtureQuestion } from '../../query/fixture-lookup.ts';
import type { ResultCandidate, ResultLookup } from '../../query/result-lookup.ts';
import { roundedConfidence } from '../../query/rounding.ts';
import type { LookupHeader } from './lookup-answer.ts';

/** @param found matched or ambiguous */
export function finishedHeader(question: FixtureQuestion, found: ResultLookup): LookupHeader {
  return found.best === null ? severalHeader(question, found.candidates) : oneHeader(question, found.best);
}

/** Who won, as a sentence; empty when the score is not known. */
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

function oneHeader(question: FixtureQuestion, { result, confidence }: ResultCandidate): LookupHeader {
  const match = toMatchSummary(result);
  return {
    status: 'ok',
    query: question.query,
    summary: match.summary ?? '',
    match,
    alternatives: [],
    ask_user: null,
    as_of: result.finished_at,
    stale: false,
    decision: {
      safe_to_proceed: true,
      confidence: roundedConfidence(confidence),
      ask_user: null,
      next_action: {
        tool: 'get_result',
        args: { event_id: result.event_id },
        reason: 'See the full result.',
      },
    },
  };
}

function severalHeader(question: FixtureQuestion, candidates: readonly ResultCandidate[]): LookupHeader {
  const texts = candidates.map(
    ({ result }) => `${labelOf(result)} (${(result.scheduled_at ?? result.finished_at).slice(0, 10)})`,
  );
  const askUser = `Which match do you mean: ${texts.join(', or ')}?`;
  return {
    status: 'ambiguous',
    query: question.query,
    summary: `${candidates.length} finished matches fit "${question.query}": ${texts.join('; ')}.`,
    match: null,
    alternatives: candidates.map(({ result, confidence }) => ({
      event_id: result.event_id,
      label: labelOf(result),
      confidence: roundedConfidence(confidence),
    })),
    ask_user: askUser,
    as_of: null,
    stale: null,
    decision: {
      safe_to_proceed: false,
      confidence: roundedConfidence(candidates[0]?.confidence ?? 0),
      ask_user: askUser,
      next_action: null,
    },
  };
}

function toMatchSummary(result: Result): MatchSummary {
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
    status: 'finished',
    score,
    clock: null,
    confidence: null,
    summary: `${labelOf(result)}${where}: finished${counts}. ${winner}`.trim(),
  };
}

function labelOf({ home_team, away_team }: Result): string {
  return `${home_team ?? ''} vs ${away_team ?? ''}`;
}
