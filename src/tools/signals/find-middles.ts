// find_middles: pairs of bets on two lines that can both win, and lines whose best prices are close to fair.

import { type Static, Type } from '@sinclair/typebox';
import { FormatParameter, PeriodParameter } from '../../contract/parameters.ts';
import { ExcludedCounts, MaxAgeParameter, SignalNote } from '../../contract/signals/found.ts';
import { LowHold, MaxHoldParameter, Middle, MinMiddleEvParameter } from '../../contract/signals/kinds.ts';
import { type LookupHeader, lookupInput, lookupOutput, MarketsField } from '../../contract/tool-parts.ts';
import { askedMarket, type Reads } from '../../query/lookup/asked-market.ts';
import { lookUpFixture } from '../../query/lookup/fixture-lookup.ts';
import type { FixtureMiddles } from '../../query/signals/kind-queries.ts';
import { criteriaOf, excludedOf } from '../../query/signals/signals.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { holdText, middleText } from '../words/kind-phrases.ts';
import { answerLookup } from '../words/lookup-answer.ts';
import { labelOf } from '../words/match-summary.ts';
import { droppedText, excludedText, leftOverText, sentences, staleText } from '../words/phrases.ts';

const Input = lookupInput({
  markets: MarketsField,
  period: PeriodParameter,
  min_ev_pct: MinMiddleEvParameter,
  max_hold_pct: MaxHoldParameter,
  max_age_s: MaxAgeParameter,
  format: FormatParameter,
});

const Output = lookupOutput(
  {
    middles: Type.Array(Middle, { description: 'Highest expected return first.' }),
    low_holds: Type.Array(LowHold, { description: 'Lowest hold first.' }),
    excluded: ExcludedCounts,
    note: SignalNote,
  },
  'FindMiddlesResult',
);

type MiddleFields = Omit<Static<typeof Output>, keyof LookupHeader>;

export function findMiddlesTool(services: ToolServices): Tool {
  const { queries } = services;
  return defineTool({
    name: 'find_middles',
    title: 'Find middles',
    description:
      'Reports pairs of open prices of two owners at two lines of one handicap or total of a fixture that can both win (over 2.5 and under 3.5), with the probability of that and the expected return of the pair; and lines whose best prices together are close to fair (low hold). `min_ev_pct` (default 0) is the least expected return, `max_hold_pct` (1) the highest hold; `markets`, `period` and `max_age_s` narrow the search. Reports only: it sizes no stake. Use find_arbitrage for pairs at one line, find_value for single prices above fair. Example: {"query": "Lakers vs Celtics", "markets": ["totals"]}.',
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      const lookup = lookUpFixture(queries, input, nowMs);
      return answerLookup<MiddleFields>(input, lookup, {
        none: { middles: [], low_holds: [], excluded: excludedOf([], 'arbitrage'), note: null },
        found: (fixture) => {
          const asked = askedMarket(lookup.words, input, { fixture, reads: READS });
          const searched = { ...input, markets: asked.markets, period: asked.period ?? undefined };
          const found = queries.kinds.middlesOf(fixture, {
            criteria: criteriaOf(searched, principal, services),
            format: input.format,
            minEvPct: input.min_ev_pct,
            maxHoldPct: input.max_hold_pct,
          });
          const excluded = {
            ...excludedOf([found.score], 'arbitrage'),
            implausible: found.implausibleCount,
          };
          const note = sentences(
            leftOverText(fixture),
            droppedText(found.implausibleCount, 'return'),
            found.leftOutCount === 0 ? null : `${found.leftOutCount} further middles are not listed.`,
            excludedText(excluded, principal),
            staleText(fixture),
          );
          return {
            summary: sentences(summaryOf(found, fixture), note),
            fields: {
              middles: [...found.middles],
              low_holds: [...found.lowHolds],
              excluded,
              note: note === '' ? null : note,
            },
          };
        },
      });
    },
  });
}

const READS: Reads = {
  answer: 'a middle has a price at each of two lines, and find_middles searches all lines of a market',
  instead: 'Leave the line or the outcome out, or ask POST /v1/mcp/get_sharp_line about it',
  line: false,
  outcome: false,
};

function summaryOf({ middles, lowHolds }: FixtureMiddles, fixture: FixtureNow): string {
  const [middle] = middles;
  const [hold] = lowHolds;
  const count = middles.length === 1 ? '1 middle' : `${middles.length} middles`;
  const lines = lowHolds.length === 1 ? '1 line' : `${lowHolds.length} lines`;
  return sentences(
    middle === undefined
      ? `${labelOf(fixture)}: no middle right now.`
      : `${labelOf(fixture)}: ${count}; the best is ${middleText(middle, fixture)}.`,
    hold === undefined ? null : `${lines} with a low hold; the lowest is ${holdText(hold, fixture)}.`,
  );
}
