// get_closing_line: each book's closing prices, to compare a bet with where the market ended.

import { type Static, Type } from '@sinclair/typebox';
import { ClosingQuote, EventClosing } from '../../contract/history.ts';
import { type LookupHeader, lookupInput, lookupOutput, QUOTE_FIELDS } from '../../contract/tool-parts.ts';
import { idKindOf } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import type { Asked, HistoryCalls } from '../../query/lists/history-calls.ts';
import { type Reads, requireRead } from '../../query/lookup/asked-market.ts';
import { oddsFilter } from '../../query/odds/odds-filter.ts';
import type { Queries } from '../../query/queries.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { matchedHeader } from '../words/lookup-answer.ts';
import { bookName, marketText } from '../words/phrases.ts';
import { isFound, lookUpPast } from '../words/tape-lookup.ts';

const Input = lookupInput(QUOTE_FIELDS);

const Output = lookupOutput(
  {
    kickoff_at: EventClosing.properties.kickoff_at,
    closing: Type.Array(ClosingQuote, {
      description: 'Sorted by market, period, line, then catalogue order of books.',
    }),
  },
  'ClosingLineResult',
);

type Fields = Omit<Static<typeof Output>, keyof LookupHeader>;

const READS: Reads = {
  answer: 'get_closing_line shows the lines at which each book closed, whichever they were',
  instead: 'Leave the line out: every closing price shows its own',
  line: false,
  outcome: true,
};
const DECODER = new TextDecoder();

export function getClosingLineTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'get_closing_line',
    title: 'Get the closing line',
    description:
      'Closing prices of one fixture: per book and line the last open price before the kickoff, for closing line value. Finished matches too, if a day is named. `markets`, `bookmakers` and `period` narrow it. Before the kickoff there are none. Use get_opening_line for the other end, line_history for what happened in between. Example: {"query": "Arsenal vs Chelsea", "date": "2026-03-01", "markets": ["1x2"]}.',
    input: Input,
    output: Output,
    run: async (input, { principal, nowMs }) => {
      oddsFilter(input, principal); // Refuses what the tier may not see, whichever fixture is meant
      const caller = { principal, nowMs };
      const found = await lookUpPast(queries, input, { ...caller, next: 'line_history' });
      if (!isFound(found)) return (await closingOfId(queries, input, caller)) ?? { ...found, ...NONE };
      requireRead(found.words, READS);
      const { market, period } = found.words;
      const words = {
        ...quoteWords(input),
        markets: market === null ? input.markets : [market],
        period: period ?? input.period,
      };
      const fields = await closingOf(queries, { eventId: found.eventId, words, ...caller });
      return { ...found.header(summaryOf(found.label, fields)), ...fields };
    },
  });
}

const NONE: Fields = { kickoff_at: null, closing: [] };

function quoteWords({ bookmakers, markets, period, format }: Static<typeof Input>) {
  return { bookmakers, markets, period, format };
}

async function closingOf(
  { history }: Queries,
  asked: Parameters<HistoryCalls['closing']>[0],
): Promise<Fields> {
  const { bytes } = await history.closing(asked);
  const { kickoff_at, closing } = JSON.parse(DECODER.decode(bytes)) as Static<typeof EventClosing>;
  return { kickoff_at, closing };
}

/**
 * The answer for a fixture of which only closing prices are left, because they are kept for longer than
 * ticks. It is found by its id alone. Null if the words are not the id of such a fixture.
 */
async function closingOfId(
  queries: Queries,
  input: Static<typeof Input>,
  caller: Pick<Asked<unknown>, 'principal' | 'nowMs'>,
): Promise<Static<typeof Output> | null> {
  const eventId = input.query.trim();
  if (idKindOf(eventId) !== 'event') return null;
  try {
    const fields = await closingOf(queries, { eventId, words: quoteWords(input), ...caller });
    const header = matchedHeader(input, {
      ...{ summary: summaryOf(eventId, fields), match: null, alternatives: [], as_of: null, stale: null },
      ...{ confidence: 1, next_action: null },
    });
    return { ...header, ...fields };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}

function summaryOf(label: string, { closing }: Fields): string {
  const [first] = closing;
  if (first === undefined) return `${label}: no closing price is on record, or the match has not begun.`;
  const count = `${closing.length} closing ${closing.length === 1 ? 'price' : 'prices'} on record`;
  const line = first.line === null ? '' : ` ${first.line}`;
  const prices = Object.entries(first.prices)
    .map(([outcome, price]) => `${outcome} ${price}`)
    .join(', ');
  const market = marketText(first.market_type, first.period);
  return `${label}: ${count}; ${bookName(first.bookmaker)} closed its ${market}${line} at ${prices}.`;
}
