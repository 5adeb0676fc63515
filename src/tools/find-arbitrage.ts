// find_arbitrage: prices of two books or more that together cost less than they return, on one fixture.

import { Type } from '@sinclair/typebox';
import { FormatParameter } from '../contract/parameters.ts';
import { exact } from '../contract/schema.ts';
import { ArbOpportunity, MinMarginParameter } from '../contract/signals.ts';
import {
  BothPeriodsField,
  DateHint,
  LOOKUP_HEADER,
  MarketsField,
  QueryField,
  SportHint,
} from '../contract/tool-parts.ts';
import { lookUpFixture } from '../query/fixture-lookup.ts';
import { criteriaOf, type FixtureSignals, fixtureSignals, signalText } from '../query/signals.ts';
import { droppedText } from './dropped-text.ts';
import { lookupHeader } from './lookup-answer.ts';
import { labelOf } from './match-summary.ts';
import type { ToolServices } from './services.ts';
import { defineTool, type Tool } from './tool.ts';

const Input = Type.Object({
  query: QueryField,
  markets: MarketsField,
  period: BothPeriodsField,
  min_margin_pct: MinMarginParameter,
  format: FormatParameter,
  sport: SportHint,
  date: DateHint,
});

const Output = exact(
  {
    ...LOOKUP_HEADER,
    opportunities: Type.Array(ArbOpportunity, { description: 'Highest margin first.' }),
  },
  { title: 'FindArbitrageResult' },
);

export function findArbitrageTool(services: ToolServices): Tool {
  const { queries } = services;
  return defineTool({
    name: 'find_arbitrage',
    title: 'Find arbitrage',
    description:
      'Reports combinations of open prices of one fixture, one per outcome at the same line and from at least two books, whose inverse prices add up to less than 1, with the margin in per cent. Finds the fixture from words. Reports only: it sizes no stake. Rare by nature; use scan_slate to search every fixture. Example: {"query": "Lakers vs Celtics", "markets": ["totals"]}.',
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      const lookup = lookUpFixture(queries, input, nowMs);
      const fixture = lookup.best?.fixture;
      if (fixture === undefined) return { ...lookupHeader(input, lookup, ''), opportunities: [] };
      const request = {
        markets: input.markets,
        period: input.period,
        minEdgePct: 0,
        minMarginPct: input.min_margin_pct,
      };
      const criteria = criteriaOf(request, principal, services);
      const signals = fixtureSignals(queries.slate, fixture, { criteria, format: input.format });
      const summary = summaryOf(labelOf(fixture), signals);
      return { ...lookupHeader(input, lookup, summary), opportunities: [...signals.opportunities] };
    },
  });
}

function summaryOf(label: string, { opportunities, droppedArbCount }: FixtureSignals): string {
  const dropped = droppedText(droppedArbCount, 'margin');
  const left = dropped === null ? '' : ` ${dropped}`;
  const best = opportunities[0];
  if (best === undefined) return `${label}: no arbitrage right now.${left}`;
  const legs = best.legs.map((leg) => `${leg.outcome} ${leg.price} at ${leg.bookmaker}`).join(', ');
  const count = opportunities.length === 1 ? '1 arbitrage' : `${opportunities.length} arbitrages`;
  return `${label}: ${count}; best is ${signalText(best)} with a margin of ${best.margin_pct} % (${legs}).${left}`;
}
