// What a person typed after `overround query`: the words of the fixture, and at the end perhaps a market, a period and a
// line. A bare number is never taken for either kind of line.

import { CommandFailure } from './failure.ts';

export interface Question {
  /** What is left for the resolver. */
  readonly words: string;
  readonly market: 'asian_handicap' | 'totals' | '1x2' | null;
  readonly period: 'half_time' | null;
  /** As typed: of the team named for a handicap. */
  readonly line: number | null;
}

const MARKETS = {
  '1x2': '1x2',
  ah: 'asian_handicap',
  handicap: 'asian_handicap',
  total: 'totals',
  totals: 'totals',
} as const;
const PERIOD_WORD = /^(?:ht|1h|half-?time)$/i;
const SIDE_WORD = /^(?:over|under|o|u|total|totals)$/i;
const GLUED_SIDE = /^[ou]\d+(?:\.\d+)?$/i;
const SIGNED = /^[+-]\d+(?:\.\d+)?$/;
const PLAIN = /^\d+(?:\.\d+)?$/;
/** A number that is no part of a name such as "Schalke 04": it has a quarter behind its point. */
const QUARTERS = /^\d+\.(?:0|00|25|5|50|75)$/;

/** @throws CommandFailure for a line that is none, or that could be a handicap or a total */
export function readQuestion(text: string): Question {
  const words = text.trim().split(/\s+/);
  let period: Question['period'] = null;
  let market: Question['market'] = null;
  let line: number | null = null;
  for (;;) {
    const last = words.at(-1) ?? '';
    const before = words.at(-2) ?? '';
    if (words.length > 1 && PERIOD_WORD.test(last) && period === null) {
      period = 'half_time';
      words.pop();
    } else if (words.length > 2 && SIDE_WORD.test(before) && PLAIN.test(last) && line === null) {
      [line, market] = [lineOf(last), 'totals'];
      words.splice(-2);
    } else if (words.length > 1 && GLUED_SIDE.test(last) && line === null) {
      [line, market] = [lineOf(last.slice(1)), 'totals'];
      words.pop();
    } else if (words.length > 1 && SIGNED.test(last) && line === null) {
      [line, market] = [lineOf(last), 'asian_handicap'];
      words.pop();
    } else if (words.length > 1 && market === null && Object.hasOwn(MARKETS, last.toLowerCase())) {
      market = MARKETS[last.toLowerCase() as keyof typeof MARKETS];
      words.pop();
    } else if (words.length > 1 && QUARTERS.test(last) && line === null) {
      throw new CommandFailure(
        'notUnderstood',
        `Cannot tell what ${last} is: a handicap or a total`,
        `Write +${last} or -${last} for a handicap of the team named, "over ${last}" for a total`,
      );
    } else return { words: words.join(' '), market, period, line };
  }
}

function lineOf(text: string): number {
  const line = Number(text);
  if (Number.isInteger(line * 4)) return line;
  throw new CommandFailure(
    'notUnderstood',
    `Cannot use the line ${text}: lines are in quarters`,
    'Write a number such as -0.75, 0.5 or 2.25',
  );
}
