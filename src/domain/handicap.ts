// Asian handicap and total lines in quarters (-0.75 is -3): the split of a quarter line, and what a line means in words
// and as predicates. A handicap line is the home side's: negative means home gives goals.

import { ValidationError } from '../errors.ts';
import { MARKET_1X2 } from './catalogue.ts';

export const HANDICAP_LINE_MAX = 100;
const QUARTERS_PER_GOAL = 4;

/** A line from its quarters; never -0. */
export function lineFromQuarters(quarters: number): number {
  return quarters === 0 ? 0 : quarters / QUARTERS_PER_GOAL;
}

/** The line of a market as answers show it: null for a 1x2, which has none. @param market index into MARKET_TYPES */
export function shownLine(market: number, quarters: number): number | null {
  return market === MARKET_1X2 ? null : lineFromQuarters(quarters);
}

/** Quarters of a line, or null when it is not a multiple of 0.25 or |line| is above `lineMax`. */
export function quartersFromLine(line: number, lineMax: number = HANDICAP_LINE_MAX): number | null {
  const quarters = line * QUARTERS_PER_GOAL;
  if (!Number.isInteger(quarters) || Math.abs(line) > lineMax) return null;
  return quarters === 0 ? 0 : quarters;
}

/** True for a line whose stake is split over two half steps (.25 and .75). */
function isSplitLine(quarters: number): boolean {
  return quarters % 2 !== 0;
}

/** The two half steps of a quarter line, the one nearer zero first; null when the line is not split. */
export function splitLine(quarters: number): [number, number] | null {
  if (!isSplitLine(quarters)) return null;
  const outward = quarters < 0 ? -1 : 1;
  return [lineFromQuarters(quarters - outward), lineFromQuarters(quarters + outward)];
}

/** Predicates over `a` = (home goals - away goals) + line for a stake on home; null where the outcome cannot happen. */
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
 * What a home handicap means: its components, a sentence and the settlement of each outcome.
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

/** Quarters above the whole goal below: 0 integer, 1 just above a whole goal, 2 half, 3 just below a whole goal. */
function phaseOf(quarters: number): number {
  return ((quarters % QUARTERS_PER_GOAL) + QUARTERS_PER_GOAL) % QUARTERS_PER_GOAL;
}

function winConditionsOf(quarters: number): WinConditions {
  const none = { half_win: null, push: null, half_loss: null };
  switch (phaseOf(quarters)) {
    case 0:
      return { ...none, full_win: 'a > 0', push: 'a == 0', full_loss: 'a < 0' };
    case 1:
      return { ...none, full_win: 'a > 0.25', half_win: 'a == 0.25', full_loss: 'a < 0' };
    case 2:
      return { ...none, full_win: 'a > 0', full_loss: 'a < 0' };
    default:
      return { ...none, full_win: 'a > 0', half_loss: 'a == -0.25', full_loss: 'a < -0.25' };
  }
}

/** One sentence with the goal differences spelled out. */
function explanationOf(quarters: number): string {
  const parts = splitLine(quarters);
  const name = `Home ${signed(lineFromQuarters(quarters))}`;
  const lead =
    parts === null
      ? name
      : `${name} is half the stake on ${signed(parts[0])} and half on ${signed(parts[1])}`;
  // The one goal difference, home minus away, at which the line neither wins nor loses the whole stake.
  const between = -Math.round(quarters / QUARTERS_PER_GOAL);
  switch (phaseOf(quarters)) {
    case 0:
      return `${lead}: wins if home ${atLeast(between + 1)}, gives the stake back on ${exactly(between)}, otherwise loses.`;
    case 1:
      return `${lead}: wins if home ${atLeast(between + 1)}, wins half on ${exactly(between)}, otherwise loses.`;
    case 2:
      return `${lead}: wins if home ${atLeast(Math.ceil(-quarters / QUARTERS_PER_GOAL))}, otherwise loses.`;
    default:
      return `${lead}: wins if home ${atLeast(between + 1)}, loses half on ${exactly(between)}, otherwise loses.`;
  }
}

function signed(line: number): string {
  return line > 0 ? `+${line}` : String(line);
}

/** Home's goal difference is `difference` or more. */
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

/**
 * The part of every stake that comes back when the result lands on a line: all of it on a whole one (a push), half on a
 * quarter one, nothing on a half one, which no result lands on, nor in a 1x2.
 * @param market index into MARKET_TYPES
 */
export function landingShare(market: number, lineQuarters: number): number {
  if (market === MARKET_1X2 || lineQuarters % 4 === 2 || lineQuarters % 4 === -2) return 0;
  return lineQuarters % 4 === 0 ? 1 : 0.5;
}
