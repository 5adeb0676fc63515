// `overround query`: one market of one fixture, asked for in words.

import type { CompareLinesResult } from '../contract/comparison.ts';
import type { ResolvedTeam } from '../contract/resolve.ts';
import type { LookupHeader } from '../contract/tool-parts.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { demandOne, type FoundFixture, findFixture } from '../terminal/find-fixture.ts';
import {
  ageText,
  lineText,
  marketText,
  priceText,
  titleOf,
  whenTextWithZone,
} from '../terminal/fixture-text.ts';
import { type Question, readQuestion } from '../terminal/question.ts';
import { Server } from '../terminal/server.ts';
import { type Cell, type Look, lookOf, plainText, styled, tableLines } from '../terminal/text.ts';
import type { Command, CommandInput } from './command.ts';
import { choiceOf, JSON_FLAG, numberOf, PRICE_FLAGS } from './server-flags.ts';

type SharpLine = LookupHeader & { readonly comparison: CompareLinesResult | null };

const DAY_WORDS =
  /\b(?:today|tonight|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}-\d\d-\d\d)\b/gi;
const TWO_TEAMS = /\s(?:vs?\.?|versus|against|@|-|–)\s/i;

export const queryCommand: Command = {
  name: 'query',
  summary: 'Answers a question in words: a fixture, and perhaps a market, a period and a line',
  arguments: ['words...'],
  flags: {
    market: PRICE_FLAGS.market,
    line: { value: 'number', help: "the total, or the home side's handicap; the consensus line without it" },
    period: PRICE_FLAGS.period,
    format: PRICE_FLAGS.format,
    json: JSON_FLAG,
  },
  examples: [
    'query "arsenal -0.75"          Arsenal gives three quarters of a goal, home or away',
    'query "inter napoli over 2.5"  the total; so do "o2.5" and "total 2.5"',
    'query "lakers celtics 1x2 ht" --format american',
  ],
  run: query,
};

async function query(input: CommandInput): Promise<number> {
  const text = input.arguments.words!.replaceAll('\n', ' ');
  const question = readQuestion(text);
  const server = new Server(input);
  const market = choiceOf(input, 'market') ?? question.market ?? null;
  const ownLine = numberOf(input, 'line');
  let line = ownLine ?? question.line;
  if (ownLine === null && line !== null && market === 'asian_handicap') {
    line = await homeLine(server, question, line);
  }
  const answer = await server.post<SharpLine>('/v1/mcp/get_sharp_line', {
    query: question.words,
    market_type: market,
    period: choiceOf(input, 'period') ?? question.period,
    line,
    format: choiceOf(input, 'format'),
  });
  if (input.flags.json !== undefined) input.writeOutput(JSON.stringify(answer));
  demandOne(answer, question.words);
  if (input.flags.json === undefined) {
    for (const shown of linesOf(answer, lookOf(input.environment))) input.writeOutput(shown);
  }
  return 0;
}

/**
 * A handicap after one team's name is that team's; after two it is the home side's, as everywhere in the API.
 * @throws CommandFailure where the words do not say whose it is
 */
async function homeLine(server: Server, { words }: Question, line: number): Promise<number> {
  if (line === 0) return 0;
  const fixture = await findFixture(server, words);
  if (fixture.eventId === words || TWO_TEAMS.test(words)) return line;
  const team = words.replace(DAY_WORDS, ' ').trim();
  const { best_match } = await server.post<ResolvedTeam>('/v1/resolve/team', { query: team || words });
  const { home_team, away_team } = fixture.event;
  if (best_match?.team_id === home_team.id) return line;
  if (best_match?.team_id === away_team.id) return -line;
  throw new CommandFailure(
    'unclear',
    `Cannot tell whose handicap ${lineText(line, 'asian_handicap')} is`,
    whoseFix(fixture, line),
  );
}

function whoseFix({ event }: FoundFixture, line: number): string {
  const own = lineText(line, 'asian_handicap');
  const ofHome = `--line ${line} for ${event.home_team.name} ${own}`;
  return plainText(`Write ${ofHome}, or --line ${-line} for ${event.away_team.name} ${own}`);
}

function linesOf({ comparison, match, stale }: SharpLine, look: Look): string[] {
  if (comparison === null || match === null) return [];
  const head = [
    styled(plainText(titleOf(match)), 'bold', look),
    plainText(`${match.league}, ${whenTextWithZone(match)}, ${match.event_id}`),
    plainText(comparison.summary),
  ];
  if (stale === true)
    head.push(styled('These prices are stale: the feed has not confirmed them lately.', 'yellow', look));
  const books = comparison.books.filter(({ line }) => line === comparison.line);
  if (books.length === 0) return head;
  const others = comparison.lines_offered.filter((line) => line !== comparison.line);
  const outcomes = Object.keys(books[0]!.prices);
  const best = new Map(
    comparison.best_prices.map(({ outcome, bookmaker }) => [outcome as string, bookmaker]),
  );
  const rows = books.map((book): Cell[] => {
    const isOpen = book.status === 'open';
    return [
      { text: book.bookmaker },
      { text: lineText(book.line, comparison.market_type) },
      ...outcomes.map((outcome): Cell => {
        const text = priceText((book.prices as Record<string, number>)[outcome] ?? 0, comparison.format);
        const isBest = best.get(outcome) === book.bookmaker;
        if (!isOpen) return { text: `(${text})`, style: 'dim' };
        return { text: `${text}${isBest ? '*' : ' '}`, style: isBest ? 'bold' : undefined };
      }),
      { text: book.overround === null ? '' : `${(book.overround * 100).toFixed(1)}%` },
      { text: ageText(book.age_s), style: book.lagging ? 'yellow' : undefined },
    ];
  });
  if (comparison.fair_odds !== null) {
    const fair = comparison.fair_odds;
    rows.push([
      { text: `fair, of ${comparison.fair_from} (decimal)`, style: 'dim' },
      { text: lineText(comparison.line, comparison.market_type), style: 'dim' },
      ...outcomes.map((outcome): Cell => ({ text: `${fair[outcome] ?? ''} `, style: 'dim' })),
    ]);
  }
  const columns = [
    { title: marketText({ ...comparison, line: null }), isFlexible: true },
    { title: 'line', align: 'right' as const },
    ...outcomes.map((outcome) => ({ title: `${outcome} `, align: 'right' as const })),
    { title: 'overround', align: 'right' as const },
    { title: 'age', align: 'right' as const },
  ];
  const also = others.map((line) => lineText(line, comparison.market_type)).join(', ');
  return [
    ...head,
    '',
    ...tableLines(columns, rows, look),
    ...(also === '' ? [] : ['', `Also offered: ${also}`]),
  ];
}
