// compare_lines: one market of one fixture, book beside book.

import { Type } from '@sinclair/typebox';
import {
  CompareLinesResult,
  MarketTypeParameter,
  PeriodDefaultParameter,
  VerbosityParameter,
} from '../contract/comparison.ts';
import { EventIdParameter, FormatParameter } from '../contract/parameters.ts';
import type { ToolServices } from './kit/services.ts';
import { defineTool, type Tool } from './kit/tool.ts';
import { comparisonAnswer } from './words/comparison-answer.ts';

const Input = Type.Object({
  event_id: EventIdParameter,
  market_type: MarketTypeParameter,
  period: PeriodDefaultParameter,
  format: FormatParameter,
  verbosity: VerbosityParameter,
});

export function compareLinesTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'compare_lines',
    title: 'Compare lines',
    description:
      'Compares the books on one market of one fixture by event_id: consensus line, lines offered, best price per outcome, fair odds of the sharpest book, and each book\'s line with its overround. `market_type` defaults to asian_handicap, `period` to full_time; `verbosity: "terse"` leaves out the per-book list. Use get_sharp_line instead when you have team names and no event_id, get_match_odds for raw prices of every market. Example: {"event_id": "evt_Xk29LmQa", "market_type": "totals"}.',
    input: Input,
    output: CompareLinesResult,
    run: (input, { principal, nowMs }) => {
      const fixture = queries.slate.fixtureById(input.event_id, nowMs);
      return comparisonAnswer(queries.markets, fixture, { request: input, principal });
    },
  });
}
