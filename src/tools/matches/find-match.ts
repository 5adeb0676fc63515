// find_match: which fixture does this text mean?

import { Type } from '@sinclair/typebox';
import { exact, nullable, oneOf } from '../../contract/schema.ts';
import {
  Alternatives,
  DateHint,
  Decision,
  MatchSummary,
  QueryField,
  SportHint,
} from '../../contract/tool-parts.ts';
import { lookUpFixture } from '../../query/lookup/fixture-lookup.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { lookupHeader } from '../words/lookup-answer.ts';
import { toMatchSummary } from '../words/match-summary.ts';

const Input = Type.Object({ query: QueryField, sport: SportHint, date: DateHint });

const Output = exact(
  {
    status: oneOf(['matched', 'ambiguous', 'not_found'], { description: 'Whether one fixture is meant.' }),
    query: Type.String({ description: 'The query that you sent.' }),
    match: nullable(MatchSummary, {
      description: 'The best match; null if `not_found`. Act on it only when `decision.safe_to_proceed`.',
    }),
    alternatives: Alternatives,
    decision: Decision,
  },
  { title: 'FindMatchResult' },
);

export function findMatchTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'find_match',
    title: 'Find a match',
    description:
      'Turns a person\'s words into one fixture: team names in any order, nicknames, an optional date. Answers its event_id, teams, league, kickoff, status and score. Use it first when you have words and need an event_id; use match_info for who is favourite or who won, list_today_matches to browse. Never guesses: with several plausible fixtures it answers `ambiguous` and a question for the user. Example: {"query": "Man Utd v Spurs 2026-03-01"}.',
    input: Input,
    output: Output,
    run: (input, { nowMs }) => {
      const lookup = lookUpFixture(queries, input, nowMs);
      const { alternatives, decision } = lookupHeader(input, lookup, '');
      const best = lookup.best ?? (lookup.status === 'ambiguous' ? (lookup.candidates[0] ?? null) : null);
      return {
        status: lookup.status,
        query: input.query,
        match: best === null ? null : toMatchSummary(best.fixture, { confidence: best.confidence }),
        alternatives,
        decision,
      };
    },
  });
}
