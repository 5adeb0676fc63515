// Checks a line and a score that a caller sent, and settles the line by the score.

import { ServiceError, ValidationError } from '../errors.ts';
import {
  MARKET_TYPES,
  type MarketType,
  type Outcome,
  outcomesOf,
  type Period,
  SPORT_KEYS,
  type SportKey,
} from './catalogue.ts';
import type { SettledResult } from './handicap.ts';
import { LINE_BOUNDS, quartersFromLine } from './handicap.ts';
import { type FinalScore, type SettledLine, type SettledShares, settle, sharesOf } from './settlement.ts';

interface SettlementQuestion {
  readonly sport: SportKey;
  readonly market_type: MarketType;
  /** The period that the score is of. Settlement does not depend on it. */
  readonly period?: Period | undefined;
  readonly line?: number | undefined;
  readonly score: FinalScore;
  readonly from_score?: FinalScore | undefined;
}

export interface SettledOutcome extends SettledShares {
  readonly outcome: Outcome;
  readonly result: SettledResult;
}

export interface Settlement {
  readonly market_type: MarketType;
  readonly line: number | null;
  readonly outcomes: readonly SettledOutcome[];
}

const LEVEL: FinalScore = { home: 0, away: 0 };

/**
 * Settles every outcome of a line.
 * @throws ServiceError `invalid_request` when a 1x2 has a line
 * @throws ValidationError when another market has no line, when the line is out of bounds or no multiple of
 * 0.25, and when `from_score` is ahead of `score`
 */
export function settlementOf(question: SettlementQuestion): Settlement {
  const { market_type, score } = question;
  const sport = SPORT_KEYS.indexOf(question.sport);
  const market = MARKET_TYPES.indexOf(market_type);
  const lineQuarters = lineQuartersOf(question);
  const fromScore = question.from_score ?? LEVEL;
  if (fromScore.home > score.home || fromScore.away > score.away)
    throw invalid('less_than_equal', 'from_score', 'Must be at most score, because a score never goes down');
  const outcomes = settledOutcomes({ sport, market, lineQuarters, score, fromScore });
  return { market_type, line: question.line ?? null, outcomes };
}

/** How a stake on each outcome is settled, in the market's order. */
export function settledOutcomes(line: SettledLine): SettledOutcome[] {
  return outcomesOf(line.sport, line.market).map((outcome) => {
    const result = settle(line, outcome);
    return { outcome, result, ...sharesOf(result) };
  });
}

function lineQuartersOf({ sport, market_type, line }: SettlementQuestion): number {
  if (market_type === '1x2') {
    if (line === undefined) return 0;
    throw new ServiceError('invalid_request', 'Cannot use line: a 1x2 has none', {
      fix: 'Leave line out, or set market_type to totals or asian_handicap',
    });
  }
  if (line === undefined) throw invalid('missing', 'line', `Field required for ${market_type}`);
  const { min, max } = LINE_BOUNDS[sport][market_type];
  const quarters = line < min ? null : quartersFromLine(line, max);
  if (quarters !== null) return quarters;
  throw invalid('line', 'line', `Must be a multiple of 0.25 from ${min} to ${max}`, line);
}

function invalid(type: string, field: string, msg: string, input: number | null = null): ValidationError {
  return new ValidationError([{ type, loc: ['body', field], msg, input }]);
}
