// get_sharp_line: the comparison of compare_lines, for a question in words.

import { CompareLinesResult } from '../../contract/comparison.ts';
import { nullable } from '../../contract/schema.ts';
import { lookupInput, lookupOutput } from '../../contract/tool-parts.ts';
import { lookUpFixture } from '../../query/lookup/fixture-lookup.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { answerLookup } from '../words/lookup-answer.ts';
import { COMPARISON_FIELDS, comparisonAnswer, comparisonAsked } from './compare-lines.ts';

const Input = lookupInput({
  ...COMPARISON_FIELDS,
});

const Output = lookupOutput(
  {
    comparison: nullable(CompareLinesResult, { description: 'Null when ambiguous or not found.' }),
  },
  'SharpLineResult',
);

export function getSharpLineTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'get_sharp_line',
    title: 'Get the sharp line',
    description:
      'Answers "what is the line on Arsenal?" in one call: finds the fixture from words, then the consensus line, best price per outcome, and fair odds from the sharpest book (lowest overround). Words ("over 2.5", "-1.5", "moneyline", "first half") or `market_type`, `period` and `line` say what, else the full-time asian_handicap at the consensus line; `verbosity: "terse"` leaves out the per-book list. Use compare_lines when you already have an event_id, find_value to look for prices above fair. Example: {"query": "Lakers vs Celtics", "market_type": "totals", "verbosity": "terse"}.',
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      const lookup = lookUpFixture(queries, input, nowMs);
      return answerLookup<{ comparison: CompareLinesResult | null }>(input, lookup, {
        none: { comparison: null },
        found: (fixture) => {
          const request = comparisonAsked(lookup.words, input, fixture);
          const comparison = comparisonAnswer(queries.markets, fixture, { request, principal });
          return { summary: comparison.summary, fields: { comparison } };
        },
      });
    },
  });
}
