// find_arbitrage: prices of at least two books that together cost less than they return, on one fixture.

import { type Static, Type } from '@sinclair/typebox';
import { FormatParameter, PeriodParameter } from '../../contract/parameters.ts';
import {
  ArbOpportunity,
  ExcludedCounts,
  MaxAgeParameter,
  MinMarginParameter,
  SignalNote,
} from '../../contract/signals/found.ts';
import { type LookupHeader, lookupInput, lookupOutput, MarketsField } from '../../contract/tool-parts.ts';
import { askedMarket, type Reads } from '../../query/lookup/asked-market.ts';
import { lookUpFixture } from '../../query/lookup/fixture-lookup.ts';
import { criteriaOf, excludedOf, type FixtureSignals } from '../../query/signals/signals.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { answerLookup } from '../words/lookup-answer.ts';
import { labelOf } from '../words/match-summary.ts';
import {
  arbitrageText,
  droppedText,
  excludedText,
  leftOverText,
  sentences,
  staleText,
} from '../words/phrases.ts';

const Input = lookupInput({
  markets: MarketsField,
  period: PeriodParameter,
  min_margin_pct: MinMarginParameter,
  max_age_s: MaxAgeParameter,
  format: FormatParameter,
});

const Output = lookupOutput(
  {
    opportunities: Type.Array(ArbOpportunity, { description: 'Highest margin first.' }),
    excluded: ExcludedCounts,
    note: SignalNote,
  },
  'FindArbitrageResult',
);

type ArbitrageFields = Omit<Static<typeof Output>, keyof LookupHeader>;

export function findArbitrageTool(services: ToolServices): Tool {
  const { queries } = services;
  return defineTool({
    name: 'find_arbitrage',
    title: 'Find arbitrage',
    description:
      'Reports combinations of open prices of one fixture, one per outcome at the same line and from at least two books, whose inverse prices add up to less than 1, with the margin in per cent. Finds the fixture from words. `min_margin_pct` (default 0) is the least margin reported, `max_age_s` the most age of a price; `markets` and `period` narrow the search; `excluded` counts what was left out. Reports only: it sizes no stake. Rare by nature: use scan_slate to search every fixture, find_value for single prices above fair. Example: {"query": "Lakers vs Celtics", "markets": ["totals"]}.',
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      const lookup = lookUpFixture(queries, input, nowMs);
      return answerLookup<ArbitrageFields>(input, lookup, {
        none: { opportunities: [], excluded: excludedOf([], 'arbitrage'), note: null },
        signal: 'arbitrage',
        found: (fixture) => {
          const asked = askedMarket(lookup.words, input, { fixture, reads: READS });
          const searched = { ...input, markets: asked.markets, period: asked.period ?? undefined };
          const criteria = criteriaOf(searched, principal, services);
          const signals = queries.signals.ofFixture(fixture, { criteria, format: input.format });
          const excluded = excludedOf([signals.score], 'arbitrage');
          const note = sentences(
            leftOverText(fixture),
            droppedText(signals.droppedArbCount, 'margin'),
            excludedText(excluded, principal),
            staleText(fixture),
          );
          const fields = { opportunities: signals.opportunities, excluded, note: note === '' ? null : note };
          return {
            summary: summaryOf(signals, fixture, { minMarginPct: input.min_margin_pct, note }),
            fields,
          };
        },
      });
    },
  });
}

const READS: Reads = {
  answer: 'an arbitrage has a price of every outcome, and find_arbitrage searches all lines of a market',
  instead: 'Leave the line or the outcome out, or ask POST /v1/mcp/get_sharp_line about it',
  line: false,
  outcome: false,
};

function summaryOf(
  { opportunities }: FixtureSignals,
  fixture: FixtureNow,
  { minMarginPct, note }: { readonly minMarginPct: number; readonly note: string },
): string {
  const best = opportunities[0];
  const least = minMarginPct === 0 ? '' : ` of ${minMarginPct}% or more`;
  const count = opportunities.length === 1 ? '1 arbitrage' : `${opportunities.length} arbitrages`;
  const found =
    best === undefined
      ? `no arbitrage${least} right now.`
      : `${count}${least}; the best is ${arbitrageText(best, fixture)}.`;
  return sentences(`${labelOf(fixture)}: ${found}`, note);
}
