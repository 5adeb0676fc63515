// get_opening_line: each book's opening line and prices, and its present ones.

import { type Static, Type } from '@sinclair/typebox';
import { isoTextOrNull } from '../../clock.ts';
import { exact, nullable } from '../../contract/schema.ts';
import { type LookupHeader, lookupInput, lookupOutput, QUOTE_FIELDS } from '../../contract/tool-parts.ts';
import {
  BookmakerKeySchema,
  HandicapComponents,
  Line,
  MarketTypeSchema,
  OddsFormatSchema,
  PeriodSchema,
  Prices,
} from '../../contract/values.ts';
import type { OddsFormat } from '../../domain/catalogue.ts';
import { askedMarket, type Reads } from '../../query/lookup/asked-market.ts';
import { lookUpFixture } from '../../query/lookup/fixture-lookup.ts';
import { nameOfKey, pricesInFormat } from '../../query/odds/odds.ts';
import { oddsFilter } from '../../query/odds/odds-filter.ts';
import { type MarketOpening, openingSource } from '../../query/odds/openings.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { answerLookup } from '../words/lookup-answer.ts';
import { labelOf } from '../words/match-summary.ts';
import { bookName, marketText } from '../words/phrases.ts';

const Input = lookupInput(QUOTE_FIELDS);

const OpeningLine = exact(
  {
    bookmaker: BookmakerKeySchema,
    market_type: MarketTypeSchema,
    period: PeriodSchema,
    line: { ...Line, description: 'The opening line; null for `1x2`.' },
    handicap_components: HandicapComponents,
    opening: Prices,
    current: nullable(Prices, {
      description: 'Prices of the current main line; null when the book has none.',
    }),
    current_line: {
      ...Line,
      description: 'Line of the current quote. Null for `1x2`, and when there is no current quote.',
    },
    current_handicap_components: HandicapComponents,
    opened_at: nullable(Type.String({ format: 'date-time' }), {
      description: 'When the opening was first recorded.',
    }),
    format: OddsFormatSchema,
  },
  { title: 'OpeningLine' },
);

const Output = lookupOutput(
  {
    lines: Type.Array(OpeningLine, {
      description: 'Sorted by market, period, then catalogue order of books.',
    }),
    source: Type.String({
      description: '`first_seen`: recorded by this service. `upstream`: sent by the feed.',
      examples: ['first_seen'],
    }),
  },
  'OpeningLineResult',
);

type OpeningFields = Omit<Static<typeof Output>, keyof LookupHeader>;

export function getOpeningLineTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'get_opening_line',
    title: 'Get the opening line',
    description:
      'Line movement of one fixture: per book, market and period the first line and prices ever seen beside the current ones. For handicap and totals, `line` differing from `current_line` is the line movement; for 1x2 compare the prices. `markets`, `bookmakers` and `period` narrow it. Use get_sharp_line for where the market stands now. Example: {"query": "Arsenal vs Chelsea", "markets": ["asian_handicap"], "period": "full_time"}.',
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      oddsFilter(input, principal); // Refuses what the tier may not see, whichever fixture is meant
      const lookup = lookUpFixture(queries, input, nowMs);
      return answerLookup<OpeningFields>(input, lookup, {
        none: { lines: [], source: openingSource([]) },
        found: (fixture) => {
          const { markets, period } = askedMarket(lookup.words, input, { fixture, reads: READS });
          const filter = oddsFilter({ ...input, markets, period: period ?? undefined }, principal);
          const openings = queries.openings.ofMarkets(fixture, filter);
          const lines = openings.map((each) => toOpeningLine(each, filter.format));
          const fields = { lines, source: openingSource(openings.map(({ opening }) => opening)) };
          return { summary: summaryOf(labelOf(fixture), lines), fields };
        },
      });
    },
  });
}

const READS: Reads = {
  answer: 'get_opening_line shows the line at which each book opened, whichever it was',
  instead: 'Leave the line out: every opening shows its own',
  line: false,
  // Words that name an outcome are accepted: every opening has all outcomes.
  outcome: true,
};

function toOpeningLine({ opening, current }: MarketOpening, format: OddsFormat) {
  const now = current === null ? null : nameOfKey(current.key);
  return {
    ...nameOfKey(opening.key),
    opening: pricesInFormat({ ...opening, format }),
    current: current === null ? null : pricesInFormat({ ...current, format }),
    current_line: now?.line ?? null,
    current_handicap_components: now?.handicap_components ?? null,
    opened_at: isoTextOrNull(opening.openedAtMs),
    format,
  };
}

function summaryOf(label: string, lines: readonly ReturnType<typeof toOpeningLine>[]): string {
  if (lines.length === 0) return `${label}: no opening is on file.`;
  const moved = lines.filter(({ line, current, current_line }) => current !== null && line !== current_line);
  const first = moved[0];
  const count = `${lines.length} ${lines.length === 1 ? 'opening' : 'openings'} on file`;
  if (first === undefined) return `${label}: ${count}, no line has moved.`;
  const market = marketText(first.market_type, first.period);
  return `${label}: ${count}, ${moved.length} ${moved.length === 1 ? 'line has' : 'lines have'} moved; ${bookName(first.bookmaker)}'s ${market} opened at ${first.line} and is now ${first.current_line}.`;
}
