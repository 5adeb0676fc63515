// compare_books: which bookmaker is tightest, most present and quickest, over a league or the slate.

import { Type } from '@sinclair/typebox';
import { PeriodDefaultParameter } from '../../contract/comparison.ts';
import { LeagueParameter, TimezoneField } from '../../contract/parameters.ts';
import { exact, nullable, withDefault } from '../../contract/schema.ts';
import { DateHint, DateToHint, SportHint, StatusHint, Summary } from '../../contract/tool-parts.ts';
import { BookmakerKeySchema, MarketTypeSchema, PeriodSchema } from '../../contract/values.ts';
import { SWEPT_FIXTURES_MAX } from '../../limits.ts';
import { type BookStanding, compareBooks, SAME_MOVE_MS } from '../../query/markets/book-comparison.ts';
import { rounded4, roundedPct } from '../../query/rounding.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { bookName, marketText, sentences, unseenSharpText } from '../words/phrases.ts';

const Input = Type.Object({
  league: LeagueParameter,
  sport: SportHint,
  status: StatusHint,
  date: DateHint,
  date_to: DateToHint,
  timezone: TimezoneField,
  market_type: withDefault(MarketTypeSchema, '1x2'),
  period: PeriodDefaultParameter,
});

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

const Standing = exact(
  {
    bookmaker: BookmakerKeySchema,
    availability_pct: Share(
      'Per cent of the compared fixtures for which the book has an open price in this market.',
    ),
    suspended_pct: Share("Per cent of the book's quotes in this market that are suspended."),
    overround: nullable(Type.Number(), {
      description: 'Median over the consensus lines, as a fraction; null when the book quotes none of them.',
    }),
    tightest_count: Type.Integer({
      minimum: 0,
      description: "Number of fixtures for which the book's overround is the lowest.",
    }),
    best_price_count: Type.Integer({
      minimum: 0,
      description: 'Number of outcomes of consensus lines for which the book has the best price.',
    }),
    hidden_moves: Type.Integer({
      minimum: 0,
      description:
        'Number of further lines that several books repriced, not in `shared_moves`: the book was behind the first one by less than the polling interval of a source, so their order is unknown.',
    }),
    lag_s: nullable(Type.Number({ minimum: 0 }), {
      description:
        'Median seconds behind the first book, over the lines counted in `shared_moves`; null without such a line.',
    }),
    first_pct: nullable(
      Share(
        'Per cent of the lines counted in `shared_moves` on which the book moved first; null without such a line.',
      ),
    ),
    shared_moves: Type.Integer({
      minimum: 0,
      description: `Number of lines that this book and another one repriced within ${SAME_MOVE_MS / 60_000} minutes, without those of \`hidden_moves\`. With fewer than about twenty, \`lag_s\` and \`first_pct\` mean little.`,
    }),
  },
  { title: 'BookStanding' },
);

const Output = exact(
  {
    market_type: MarketTypeSchema,
    period: PeriodSchema,
    count: Type.Integer({ minimum: 0, description: 'Number of fixtures compared.' }),
    not_compared: Type.Integer({
      minimum: 0,
      description: `Number of fixtures left out because at most ${SWEPT_FIXTURES_MAX} are compared; narrow the filters to include them.`,
    }),
    books: Type.Array(Standing, { description: 'Lowest overround first.' }),
    summary: Summary,
  },
  { title: 'CompareBooksResult' },
);

export function compareBooksTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'compare_books',
    title: 'Compare bookmakers',
    description:
      'Compares the bookmakers over a league or the whole slate on one market: margin (overround), availability, how often each is tightest or has the best price, and who moves first. `market_type` defaults to 1x2; `league`, `sport`, `status`, `date` and `date_to` narrow the fixtures. Use compare_lines for one fixture, list_bookmakers for the catalogue. Example: {"league": "England Premier League", "market_type": "1x2"}.',
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      const { market_type: marketType, period } = input;
      const { fixtures, leftOutCount } = queries.events.sweep(input, nowMs);
      const standings = compareBooks(queries.markets, fixtures, {
        marketType,
        period,
        seesSharp: principal.seesSharp,
      });
      const books = standings
        .toSorted((left, right) => marginOf(left) - marginOf(right))
        .map((standing) => shown(standing, fixtures.length));
      return {
        market_type: marketType,
        period,
        count: fixtures.length,
        not_compared: leftOutCount,
        books,
        summary: sentences(
          summaryOf(standings, fixtures.length, marketText(marketType, period)),
          unseenSharpText(principal, ', so it is not among them.'),
        ),
      };
    },
  });
}

function marginOf({ medianOverround }: BookStanding): number {
  return medianOverround ?? Number.POSITIVE_INFINITY;
}

function shown(standing: BookStanding, fixtureCount: number) {
  const { bookmaker, medianOverround, medianLagMs, sharedMoveCount, hiddenMoveCount } = standing;
  return {
    bookmaker,
    availability_pct: roundedPct((100 * standing.fixtureCount) / fixtureCount),
    suspended_pct: roundedPct((100 * standing.suspendedCount) / standing.quoteCount),
    overround: medianOverround === null ? null : rounded4(medianOverround),
    tightest_count: standing.tightestCount,
    best_price_count: standing.bestPriceCount,
    hidden_moves: hiddenMoveCount,
    lag_s: medianLagMs === null ? null : roundedPct(medianLagMs / 1_000),
    first_pct: sharedMoveCount === 0 ? null : roundedPct((100 * standing.firstCount) / sharedMoveCount),
    shared_moves: sharedMoveCount,
  };
}

function summaryOf(standings: readonly BookStanding[], fixtureCount: number, market: string): string {
  const fixtures = fixtureCount === 1 ? '1 fixture' : `${fixtureCount} fixtures`;
  const [tightest] = standings.toSorted((left, right) => marginOf(left) - marginOf(right));
  if (tightest === undefined || tightest.medianOverround === null) {
    return `No book has an open price in the ${market} of ${fixtures}.`;
  }
  const margin = roundedPct(tightest.medianOverround * 100);
  const quickest = standings
    .filter(({ sharedMoveCount }) => sharedMoveCount > 0)
    .toSorted((left, right) => firstShare(right) - firstShare(left))[0];
  const speed =
    quickest === undefined
      ? standings.some(({ hiddenMoveCount }) => hiddenMoveCount > 0)
        ? '; which book moves first is not known, because sources are polled more rarely than books follow each other'
        : ''
      : `; ${bookName(quickest.bookmaker)} moves first most often, at ${roundedPct(100 * firstShare(quickest))}% of ${quickest.sharedMoveCount} shared moves`;
  return `Over the ${market} of ${fixtures}, ${bookName(tightest.bookmaker)} is tightest with a median overround of ${margin}%${speed}.`;
}

function firstShare({ firstCount, sharedMoveCount }: BookStanding): number {
  return firstCount / sharedMoveCount;
}
