// find_value: prices above the fair prices of a reference, on one fixture.

import { type Static, Type } from '@sinclair/typebox';
import { FormatParameter, PeriodParameter } from '../../contract/parameters.ts';
import { nullable } from '../../contract/schema.ts';
import {
  ExcludedCounts,
  MaxAgeParameter,
  MinEdgeParameter,
  MinEvParameter,
  Reference,
  ReferenceParameter,
  SignalNote,
  ValueBet,
} from '../../contract/signals/found.ts';
import { type LookupHeader, lookupInput, lookupOutput, MarketsField } from '../../contract/tool-parts.ts';
import { BookmakerKeySchema } from '../../contract/values.ts';
import { BOOKMAKER_KEYS, SHARP_BOOKMAKERS } from '../../domain/catalogue.ts';
import { REFERENCE_DEFAULT } from '../../domain/reference.ts';
import type { Excluded } from '../../domain/signal-gate.ts';
import type { Principal } from '../../domain/tiers.ts';
import { type AskedMarket, askedMarket, type Reads } from '../../query/lookup/asked-market.ts';
import { lookUpFixture } from '../../query/lookup/fixture-lookup.ts';
import { criteriaOf, excludedOf, type FixtureSignals } from '../../query/signals/signals.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { answerLookup } from '../words/lookup-answer.ts';
import { labelOf } from '../words/match-summary.ts';
import {
  bookName,
  droppedText,
  excludedText,
  gridText,
  leftOverText,
  sentences,
  staleText,
  unseenSharpText,
  valueText,
} from '../words/phrases.ts';

/** The source of fair prices in two grammatical forms: "Pinnacle has" and "Pinnacle's". */
const SHARP =
  SHARP_BOOKMAKERS.length === 1
    ? { has: `${SHARP_BOOKMAKERS[0]!.name} has`, owns: `${SHARP_BOOKMAKERS[0]!.name}'s` }
    : { has: 'None of the sharp books has', owns: "the sharp book's" };

const Input = lookupInput({
  markets: MarketsField,
  period: PeriodParameter,
  min_edge_pct: MinEdgeParameter,
  min_ev_pct: MinEvParameter,
  max_age_s: MaxAgeParameter,
  reference: ReferenceParameter,
  format: FormatParameter,
});

const Output = lookupOutput(
  {
    value_bets: Type.Array(ValueBet, { description: 'Highest edge first.' }),
    fair_source: nullable(BookmakerKeySchema, {
      description: `Book whose prices, without their margin, were the reference${SHARP_BOOKMAKERS.length === 1 ? '' : ', of the first of `value_bets` where lines differ'}; null without a reference, and for the consensus.`,
    }),
    reference: Reference,
    excluded: ExcludedCounts,
    note: SignalNote,
  },
  'FindValueResult',
);

type ValueFields = Omit<Static<typeof Output>, keyof LookupHeader>;

export function findValueTool(services: ToolServices): Tool {
  const { queries } = services;
  return defineTool({
    name: 'find_value',
    title: 'Find value',
    description:
      'Reports prices of one fixture above the fair price of a reference at the same market, period and line, with the edge in per cent. `reference` is the sharp book (default), `consensus` (all other books) or a bookmaker. Finds the fixture from words. `min_edge_pct` (default 1) is the least edge reported, `min_ev_pct` the least expected return, `max_age_s` the most age of a price; `markets` and `period` narrow the search; `excluded` counts what was left out. The sharp book needs the standard tier or above. Reports only: it sizes no stake. Use scan_slate to search every fixture, compare_prob to test a probability of your own, find_arbitrage for sure margins. Example: {"query": "Arsenal vs Chelsea", "min_edge_pct": 2}.',
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      const lookup = lookUpFixture(queries, input, nowMs);
      return answerLookup<ValueFields>(input, lookup, {
        none: {
          value_bets: [],
          fair_source: null,
          reference: input.reference ?? REFERENCE_DEFAULT,
          excluded: excludedOf([], 'value'),
          note: null,
        },
        signal: 'value',
        found: (fixture) => {
          const asked = askedMarket(lookup.words, input, { fixture, reads: READS });
          const searched = { ...input, markets: asked.markets, period: asked.period ?? undefined };
          const criteria = criteriaOf(searched, principal, services);
          const { format, min_ev_pct: minEvPct } = input;
          const all = queries.signals.ofFixture(fixture, { criteria, format, minEvPct });
          const signals = { ...all, valueBets: all.valueBets.filter((bet) => isAsked(bet, asked)) };
          const excluded = excludedOf([signals.score], 'value');
          const reference = input.reference ?? REFERENCE_DEFAULT;
          const note = noteOf({ signals, excluded, reference }, fixture, principal);
          const summary = summaryOf(signals, fixture, { minEdgePct: input.min_edge_pct, reference, note });
          const fairSource = signals.reference === null ? null : BOOKMAKER_KEYS[signals.reference]!;
          const fields = {
            value_bets: signals.valueBets,
            fair_source: fairSource,
            reference,
            excluded,
            note,
          };
          // The list depends on the goal grid only if `min_ev_pct` filters it.
          const rough = minEvPct === undefined || signals.grid === null ? null : gridText(signals.grid);
          const doubt = rough === null ? null : `${rough} Use the list anyway?`;
          return { summary, fields, doubt };
        },
      });
    },
  });
}

const READS: Reads = {
  answer: 'find_value searches for prices and not for scores',
  instead: 'Ask POST /v1/mcp/score_prob for scores',
  line: true,
  outcome: true,
};

/** Whether the words ask for a bet: its line and outcome must be those that the words name, if any. */
function isAsked(bet: ValueBet, { line, outcome }: AskedMarket): boolean {
  return (line === null || bet.line === line) && (outcome === null || bet.outcome === outcome);
}

function noteOf(
  {
    signals,
    excluded,
    reference,
  }: { readonly signals: FixtureSignals; readonly excluded: Excluded; readonly reference: string },
  fixture: FixtureNow,
  principal: Principal,
): string | null {
  const hasSharp = principal.seesSharp && SHARP_BOOKMAKERS.length > 0;
  const note = sentences(
    leftOverText(fixture) ?? referenceText(signals, reference, principal),
    sharpLeftOutText(signals, reference),
    droppedText(signals.droppedValueCount, 'edge'),
    // If the sharp book is not visible, the sentence about the reference says so already. Do not say it
    // twice.
    excludedText(hasSharp ? excluded : { ...excluded, no_sharp: 0 }, principal),
    signals.grid === null ? null : gridText(signals.grid),
    staleText(fixture),
  );
  return note === '' ? null : note;
}

/** Why there is no fair price; null when there is. */
function referenceText(
  { fairLineCount, sharpLeftOutCount }: FixtureSignals,
  reference: string,
  principal: Principal,
): string | null {
  const nothing = 'so there is no fair price to compare with.';
  const unseen = reference === 'sharp' ? unseenSharpText(principal, `, ${nothing}`) : null;
  if (unseen !== null || fairLineCount > 0 || sharpLeftOutCount > 0) return unseen;
  if (reference === 'consensus')
    return `At every line fewer than three other owners have an open price, ${nothing}`;
  if (reference !== 'sharp') return `${bookName(reference)} has no open quote in these markets, ${nothing}`;
  return `${SHARP.has} ${SHARP_BOOKMAKERS.length === 1 ? 'no' : 'an'} open quote in these markets, ${nothing}`;
}

/**
 * How many lines were left out because the prices of the reference give no fair price there. No other book
 * replaces the reference.
 */
function sharpLeftOutText({ sharpLeftOutCount }: FixtureSignals, reference: string): string | null {
  if (sharpLeftOutCount === 0) return null;
  const lines = sharpLeftOutCount === 1 ? '1 line was' : `${sharpLeftOutCount} lines were`;
  return `${lines} left out: the inverse of ${ownerText(reference)} own prices sums below 1 there, which gives no fair price.`;
}

/** The reference as an owner: "Pinnacle's", "the other books'". */
function ownerText(reference: string): string {
  if (reference === 'sharp') return SHARP.owns;
  return reference === 'consensus' ? "the other books'" : `${bookName(reference)}'s`;
}

function summaryOf(
  { valueBets, fairLineCount }: FixtureSignals,
  fixture: FixtureNow,
  {
    minEdgePct,
    reference,
    note,
  }: { readonly minEdgePct: number; readonly reference: string; readonly note: string | null },
): string {
  const label = labelOf(fixture);
  const best = valueBets[0];
  if (fairLineCount === 0) return sentences(`${label}: value cannot be judged.`, note);
  const least = minEdgePct === 0 ? 'at or above' : `${minEdgePct}% or more above`;
  if (best === undefined) {
    return sentences(`${label}: no price is ${least} ${ownerText(reference)} fair one.`, note);
  }
  const count = valueBets.length === 1 ? '1 price is' : `${valueBets.length} prices are`;
  const found = `${label}: ${count} ${least} ${ownerText(reference)} fair one; the best is ${valueText(best, fixture)}.`;
  return sentences(found, note);
}
