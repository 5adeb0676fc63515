// `overround value` and `overround arbs`: prices above the fair price, and prices that together cost less
// than they return; for one fixture or the whole slate.

import type { ArbOpportunity, ValueBet } from '../../contract/signals/found.ts';
import type { LookupHeader } from '../../contract/tool-parts.ts';
import { requireOne } from '../../terminal/find-fixture.ts';
import { ageText, marketText, priceText, titleOf, whenText } from '../../terminal/fixture-text.ts';
import { Server } from '../../terminal/server.ts';
import { type Cell, type Column, displayOf, plainText, tableLines } from '../../terminal/text.ts';
import { type Command, type CommandInput, type Flag, UsageError } from '../command.ts';
import { choiceOf, JSON_FLAG, listOf, numberOf, PRICE_FLAGS, SLATE_FLAGS } from '../server-flags.ts';
import { type Entry, type ScanArguments, scanOnce, scanSlate } from '../slate-scan.ts';

type OfOne = LookupHeader & {
  readonly value_bets?: readonly ValueBet[];
  readonly opportunities?: readonly ArbOpportunity[];
  readonly note: string | null;
};

interface Hits {
  readonly entry: Entry;
  readonly value_bets: readonly ValueBet[];
  readonly opportunities: readonly ArbOpportunity[];
}

/** What each of the two commands requests and shows. */
interface Kind {
  readonly signal: 'value' | 'arbitrage';
  readonly tool: string;
  /** The flag of the lowest edge or margin, and the field that it sets. */
  readonly least: readonly [string, string];
  readonly columns: readonly Column[];
  readonly rowsOf: (hits: Hits) => Cell[][];
}

const FIXTURE_COLUMNS: readonly Column[] = [
  { title: 'fixture', isFlexible: true },
  { title: 'when, UTC' },
  { title: 'market' },
];
const SHARED_FLAGS = {
  ...SLATE_FLAGS,
  ...PRICE_FLAGS,
  'max-age': { value: 'seconds', help: 'only prices that moved at most this long ago' },
  limit: { value: '1-100', help: 'most fixtures to list; default 20' },
  all: {
    help: 'scans the whole slate, in calls that cost one unit each; default: one call, which scores 100 fixtures',
  },
  json: JSON_FLAG,
} as const satisfies Record<string, Flag>;
/** Flags that are refused when a fixture is named. */
const SLATE_ONLY = ['league', 'status', 'bookmakers', 'limit', 'all'] as const;

const VALUE: Kind = {
  signal: 'value',
  tool: 'find_value',
  least: ['min-edge', 'min_edge_pct'],
  columns: [
    { title: 'edge', align: 'right' },
    { title: 'price', align: 'right' },
    { title: 'fair', align: 'right' },
    { title: 'outcome' },
    { title: 'bookmaker' },
    ...FIXTURE_COLUMNS,
    { title: 'age', align: 'right' },
  ],
  rowsOf: ({ entry, value_bets }) =>
    value_bets.map((bet) => [
      { text: `${bet.edge_pct.toFixed(2)}%`, style: 'green' },
      { text: priceText(bet.price, bet.format), style: 'bold' },
      { text: String(bet.fair_price) },
      { text: bet.outcome },
      { text: bet.bookmaker },
      ...fixtureCells(entry, bet),
      { text: ageText(bet.age_s), style: bet.lagging ? 'yellow' : undefined },
    ]),
};
const ARBITRAGE: Kind = {
  signal: 'arbitrage',
  tool: 'find_arbitrage',
  least: ['min-margin', 'min_margin_pct'],
  columns: [
    { title: 'margin', align: 'right' },
    { title: 'prices' },
    ...FIXTURE_COLUMNS,
    { title: 'age', align: 'right' },
  ],
  rowsOf: ({ entry, opportunities }) =>
    opportunities.map((found) => [
      { text: `${found.margin_pct.toFixed(2)}%`, style: 'green' },
      {
        text: found.legs.map((leg) => `${leg.outcome} ${leg.price} ${leg.bookmaker}`).join(', '),
        style: 'bold',
      },
      ...fixtureCells(entry, found),
      { text: ageText(Math.max(...found.legs.map(({ age_s }) => age_s))) },
    ]),
};

export const signalCommands: readonly Command[] = [
  {
    name: 'value',
    summary: 'Lists prices above the fair price of a reference, on the slate or for one fixture',
    arguments: ['[event|words...]'],
    flags: {
      'min-edge': { value: 'per cent', help: 'lowest edge; default 1' },
      reference: { value: 'name', help: 'sharp (default), consensus, or a bookmaker' },
      ...SHARED_FLAGS,
    },
    examples: ['value --min-edge 3 --sport football', 'value arsenal chelsea --json'],
    run: (input) => list(input, VALUE),
  },
  {
    name: 'arbs',
    summary: 'Lists prices of several bookmakers that together cost less than they return',
    arguments: ['[event|words...]'],
    flags: { 'min-margin': { value: 'per cent', help: 'lowest margin; default 0' }, ...SHARED_FLAGS },
    examples: ['arbs', 'arbs --max-age 60 --min-margin 0.5', 'arbs --all'],
    run: (input) => list(input, ARBITRAGE),
  },
];

async function list(input: CommandInput, kind: Kind): Promise<number> {
  const words = input.arguments['event|words']?.replaceAll('\n', ' ');
  const markets = choiceOf(input, 'market');
  const filters = {
    markets: markets === null ? null : [markets],
    period: choiceOf(input, 'period'),
    sport: choiceOf(input, 'sport'),
    date: input.flags.date ?? null,
    format: choiceOf(input, 'format'),
    max_age_s: numberOf(input, 'max-age', 0),
    [kind.least[1]]: numberOf(input, kind.least[0], 0),
    ...(input.flags.reference === undefined ? {} : { reference: input.flags.reference }),
  };
  const server = new Server(input);
  const answer =
    words === undefined
      ? await scan(server, input, kind, filters)
      : await scanFixture(server, input, kind, words, filters);
  if (input.flags.json !== undefined) {
    input.writeOutput(JSON.stringify(answer.whole));
    return 0;
  }
  const rows = answer.hits.flatMap(kind.rowsOf);
  if (rows.length > 0)
    for (const line of tableLines(kind.columns, rows, displayOf(input.environment))) input.writeOutput(line);
  input.writeOutput(`${rows.length === 0 ? '' : '\n'}${plainText(answer.summary)}`);
  // Print only the sentences of the note that the summary does not contain.
  const notes = (answer.note ?? '')
    .split(/(?<=\.) /)
    .filter((sentence) => !answer.summary.includes(sentence));
  if (notes.length > 0) input.writeOutput(plainText(notes.join(' ')));
  return 0;
}

type Filters = Pick<ScanArguments, 'sport' | 'date'>;

interface Listed {
  readonly whole: unknown;
  readonly hits: readonly Hits[];
  readonly summary: string;
  readonly note: string | null;
}

async function scan(server: Server, input: CommandInput, kind: Kind, filters: Filters): Promise<Listed> {
  const scanned = input.flags.all === undefined ? scanOnce : scanSlate;
  const whole = await scanned(server, {
    ...filters,
    league: input.flags.league ?? null,
    status: choiceOf(input, 'status'),
    bookmakers: listOf(input, 'bookmakers'),
    limit: numberOf(input, 'limit', 1),
    signal: kind.signal,
  });
  const hits = whole.entries.map((entry) => ({ entry, value_bets: [], opportunities: [], ...entry.hits }));
  return { whole, hits, summary: whole.summary, note: whole.note };
}

async function scanFixture(
  server: Server,
  input: CommandInput,
  kind: Kind,
  words: string,
  filters: Filters,
): Promise<Listed> {
  for (const flag of SLATE_ONLY) {
    if (input.flags[flag] !== undefined) {
      throw new UsageError(`Cannot use --${flag}: it is for the whole slate, and one fixture is named`);
    }
  }
  const whole = await server.post<OfOne>(`/v1/mcp/${kind.tool}`, { query: words, ...filters });
  if (input.flags.json !== undefined && whole.match === null) input.writeOutput(JSON.stringify(whole));
  requireOne(whole, words);
  const hits = {
    entry: whole.match!,
    value_bets: whole.value_bets ?? [],
    opportunities: whole.opportunities ?? [],
  };
  return { whole, hits: [hits], summary: whole.summary, note: whole.note };
}

function fixtureCells(
  entry: Entry,
  hit: { readonly market_type: string; readonly period: string; readonly line: number | null },
): Cell[] {
  return [{ text: titleOf(entry) }, { text: whenText(entry) }, { text: marketText(hit) }];
}
