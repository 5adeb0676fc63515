// `overround query`: one market of one fixture, in words. The server interprets the words as it does for
// every tool.

import type { CompareLinesResult } from '../../contract/comparison.ts';
import type { LookupHeader } from '../../contract/tool-parts.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { requireOne } from '../../terminal/find-fixture.ts';
import {
  ageText,
  lineText,
  marketText,
  priceText,
  titleOf,
  whenTextWithZone,
} from '../../terminal/fixture-text.ts';
import { Server } from '../../terminal/server.ts';
import { type Cell, type Display, displayOf, plainText, styled, tableLines } from '../../terminal/text.ts';
import type { Command, CommandInput } from '../command.ts';
import { choiceOf, JSON_FLAG, numberOf, PRICE_FLAGS } from '../server-flags.ts';

type SharpLine = LookupHeader & { readonly comparison: CompareLinesResult | null };

export const queryCommand: Command = {
  name: 'query',
  summary: 'Answers a question in words: a fixture, and perhaps a market, a period and a line',
  arguments: ['words...'],
  flags: {
    market: PRICE_FLAGS.market,
    line: { value: 'number', help: "the total, or the home side's handicap; default: the consensus line" },
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
  const words = input.arguments.words!.replaceAll('\n', ' ');
  const answer = await new Server(input)
    .post<SharpLine>('/v1/mcp/get_sharp_line', {
      query: words,
      market_type: choiceOf(input, 'market'),
      period: choiceOf(input, 'period'),
      line: numberOf(input, 'line'),
      format: choiceOf(input, 'format'),
    })
    .catch((failure: unknown) => {
      throw withFlag(failure);
    });
  if (input.flags.json !== undefined) input.writeOutput(JSON.stringify(answer));
  requireOne(answer, words);
  if (input.flags.json === undefined) {
    for (const shown of linesOf(answer, displayOf(input.environment))) input.writeOutput(shown);
  }
  return 0;
}

/**
 * The failure as this command shows it. If a handicap may be that of either team, the server advises to send
 * the argument `line`; this command advises to write the flag `--line`.
 */
function withFlag(failure: unknown): unknown {
  if (!(failure instanceof CommandFailure) || !failure.fix?.startsWith('Send line ')) return failure;
  const message = failure.message.replace('Send line', 'Write --line').replace(', or line', ', or --line');
  return new CommandFailure('unclear', message);
}

function linesOf({ comparison, match, stale }: SharpLine, display: Display): string[] {
  if (comparison === null || match === null) return [];
  const head = [
    styled(plainText(titleOf(match)), 'bold', display),
    plainText(`${match.league}, ${whenTextWithZone(match)}, ${match.event_id}`),
    plainText(comparison.summary),
  ];
  if (stale === true)
    head.push(styled('These prices are stale: the feed has not confirmed them lately.', 'yellow', display));
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
    ...tableLines(columns, rows, display),
    ...(also === '' ? [] : ['', `Also offered: ${also}`]),
  ];
}
