// Asian handicap and total lines, as integers in quarters of a goal (-0.75 is -3): how a quarter line splits,
// and what a line means, in words and as conditions. A handicap line is the home side's: negative means that
// home gives goals.

import { ValidationError } from '../errors.ts';
import type { MarketType, SportKey } from './catalogue.ts';

export const HANDICAP_LINE_MAX = 100;
/** The lines that callers may ask for, by sport and market: wider than any result of that sport. */
export const LINE_BOUNDS: Readonly<
  Record<
    SportKey,
    Readonly<Record<Exclude<MarketType, '1x2'>, { readonly min: number; readonly max: number }>>
  >
> = {
  football: {
    asian_handicap: { min: -HANDICAP_LINE_MAX, max: HANDICAP_LINE_MAX },
    totals: { min: 0, max: 100 },
  },
  basketball: {
    asian_handicap: { min: -HANDICAP_LINE_MAX, max: HANDICAP_LINE_MAX },
    totals: { min: 0, max: 500 },
  },
};
const ALL_BOUNDS = Object.values(LINE_BOUNDS).flatMap((markets) => Object.values(markets));
/** Widest bounds over all sports and markets, to check an argument before its fixture is known. */
export const LINE_MIN = Math.min(...ALL_BOUNDS.map(({ min }) => min));
export const LINE_MAX = Math.max(...ALL_BOUNDS.map(({ max }) => max));
const QUARTERS_PER_GOAL = 4;

/** A line from its quarters; never -0. */
export function lineFromQuarters(quarters: number): number {
  return quarters === 0 ? 0 : quarters / QUARTERS_PER_GOAL;
}

/** The quarters of a line; null when it is not a multiple of 0.25 or |line| exceeds `lineMax`. */
export function quartersFromLine(line: number, lineMax: number = HANDICAP_LINE_MAX): number | null {
  const quarters = line * QUARTERS_PER_GOAL;
  if (!Number.isInteger(quarters) || Math.abs(line) > lineMax) return null;
  return quarters === 0 ? 0 : quarters;
}

/** Whether the stake of a line is split over two half-goal lines (.25 and .75). */
function isSplitLine(quarters: number): boolean {
  return quarters % 2 !== 0;
}

/** The two lines that the stake is split over, the one nearer zero first; null when the line is not split. */
export function splitLine(quarters: number): [number, number] | null {
  if (!isSplitLine(quarters)) return null;
  const outward = quarters < 0 ? -1 : 1;
  return [lineFromQuarters(quarters - outward), lineFromQuarters(quarters + outward)];
}

/**
 * Conditions on `a` = (home goals - away goals) + line for a stake on home; null where the result cannot
 * occur.
 */
export interface WinConditions {
  readonly full_win: string;
  readonly half_win: string | null;
  readonly push: string | null;
  readonly half_loss: string | null;
  readonly full_loss: string;
}

interface HandicapExplanation {
  readonly handicap_raw: string;
  readonly handicap_decimal: number;
  readonly handicap_components: number[];
  readonly explanation: string;
  readonly win_conditions: WinConditions;
}

/**
 * What a home handicap means: its component lines, a sentence, and how each result is settled.
 * @throws ValidationError (422) when the line is not a multiple of 0.25 within 100 of zero
 */
export function explainHandicap(line: number): HandicapExplanation {
  const quarters = quartersFromLine(line);
  if (quarters === null) {
    const msg = `Must be a multiple of 0.25 from -${HANDICAP_LINE_MAX} to ${HANDICAP_LINE_MAX}`;
    const input = Number.isFinite(line) ? line : null;
    throw new ValidationError([{ type: 'handicap_line', loc: ['body', 'line'], msg, input }]);
  }
  const decimal = lineFromQuarters(quarters);
  return {
    handicap_raw: String(decimal),
    handicap_decimal: decimal,
    handicap_components: splitLine(quarters) ?? [decimal],
    explanation: explanationOf(quarters),
    win_conditions: winConditionsOf(quarters),
  };
}

/**
 * The margin closest to zero that a bet on this line can end at, in quarters: 0, 1 or -1. Null for a half
 * line, where the closest margin is half a goal and the bet wins or loses in full.
 */
function closeMarginOf(quarters: number): -1 | 0 | 1 | null {
  const above = ((quarters % QUARTERS_PER_GOAL) + QUARTERS_PER_GOAL) % QUARTERS_PER_GOAL;
  if (above === 2) return null;
  return above === 3 ? -1 : (above as 0 | 1);
}

function winConditionsOf(quarters: number): WinConditions {
  const close = closeMarginOf(quarters);
  const conditions: WinConditions = {
    full_win: `a > ${lineFromQuarters(Math.max(close ?? 0, 0))}`,
    half_win: null,
    push: null,
    half_loss: null,
    full_loss: `a < ${lineFromQuarters(Math.min(close ?? 0, 0))}`,
  };
  return close === null
    ? conditions
    : { ...conditions, [settledAtMargin(close)]: `a == ${lineFromQuarters(close)}` };
}

/** One sentence that spells out the goal differences. */
function explanationOf(quarters: number): string {
  const parts = splitLine(quarters);
  const name = `Home ${signed(lineFromQuarters(quarters))}`;
  const lead =
    parts === null
      ? name
      : `${name} is half the stake on ${signed(parts[0])} and half on ${signed(parts[1])}`;
  const close = closeMarginOf(quarters);
  if (close === null)
    return `${lead}: wins if home ${atLeast(Math.ceil(-quarters / QUARTERS_PER_GOAL))}, otherwise loses.`;
  // The one goal difference, home minus away, at which the bet neither wins nor loses its whole stake.
  const between = (close - quarters) / QUARTERS_PER_GOAL;
  const then = CLOSE_RESULT_WORDS[settledAtMargin(close)];
  return `${lead}: wins if home ${atLeast(between + 1)}, ${then} on ${exactly(between)}, otherwise loses.`;
}

/**
 * The words for each result at the goal difference closest to the line. That result is never `win` or `loss`.
 */
const CLOSE_RESULT_WORDS: Readonly<Record<SettledResult, string>> = {
  win: 'wins',
  half_win: 'wins half',
  push: 'gives the stake back',
  half_loss: 'loses half',
  loss: 'loses',
};

function signed(line: number): string {
  return line > 0 ? `+${line}` : String(line);
}

/** The words for a goal difference of `difference` or more. */
function atLeast(difference: number): string {
  if (difference > 1) return `wins by ${difference} or more`;
  if (difference === 1) return 'wins';
  if (difference === 0) return 'wins or draws';
  return `wins, draws or loses by no more than ${-difference}`;
}

function exactly(difference: number): string {
  if (difference === 0) return 'a draw';
  return difference > 0 ? `a home win by exactly ${difference}` : `a home defeat by exactly ${-difference}`;
}

export const SETTLED_RESULTS = ['win', 'half_win', 'push', 'half_loss', 'loss'] as const;
export type SettledResult = (typeof SETTLED_RESULTS)[number];

/**
 * The result of a bet that beat its line by a margin. A stake on a quarter line is half on each neighbouring
 * half-goal line, so a margin of one quarter wins one half and pushes the other.
 * @param marginQuarters by how much the bet's side beat the line, in quarters of a goal
 */
export function settledAtMargin(marginQuarters: number): SettledResult {
  if (marginQuarters > 1) return 'win';
  if (marginQuarters < -1) return 'loss';
  if (marginQuarters === 0) return 'push';
  return marginQuarters === 1 ? 'half_win' : 'half_loss';
}
