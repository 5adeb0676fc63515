// The likeliest scores of one football fixture, from the goal rates that its open prices imply.

import { BOOKMAKER_KEYS, type BookmakerKey } from '../../domain/catalogue.ts';
import { FAIR_METHOD_BY_MARKET, type FairMethod } from '../../domain/devig.ts';
import { type Scoreline, topScorelines } from '../../domain/goal-model.ts';
import { isLopsided, type ScorelineFit } from '../../domain/scoreline.ts';
import type { FinalScore } from '../../domain/settlement.ts';
import { assert } from '../../errors.ts';
import { fitFixture, type NoRates } from '../../scoring/fixture-rates.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import { leftOutOf } from './market-comparison.ts';

export interface ScorelineQuestion {
  readonly seesSharp: boolean;
  /** How many scores to return, at least 1. */
  readonly count: number;
}

export type NoScoreline = NoRates;

export interface FixtureScoreline {
  readonly ok: true;
  readonly fit: ScorelineFit;
  /** The score that the rates start from: 0-0 before kickoff. */
  readonly score: FinalScore;
  /** Full-time scores, likeliest first. */
  readonly scorelines: readonly Scoreline[];
  /** Total probability of these scores. */
  readonly covered: number;
  /** The book whose 1x2, or handicap where the 1x2 is not used, gave the supremacy. */
  readonly fromBookmaker: BookmakerKey;
  /** How the margin was removed from that book's prices. */
  readonly fairMethod: FairMethod;
  /** Books that were skipped on one of the lines, because their own inverse prices sum below 1. */
  readonly leftOut: readonly BookmakerKey[];
}

/** Fits one football fixture's prices, or returns the reason why that is not possible. */
export function scorelineOf(
  reader: SlateReader,
  { view, moment }: FixtureNow,
  { seesSharp, count }: ScorelineQuestion,
): FixtureScoreline | { readonly ok: false; readonly reason: NoScoreline } {
  assert(view.sport === 'football', 'scorelines are of football');
  const fitted = fitFixture(reader, view.eventNumber, { moment, seesSharp });
  if (!fitted.ok) return fitted;
  const { fit, score, source, used } = fitted;
  const { marketType, line } = source;
  const { scorelines, covered } = topScorelines(fit.rates, score, count);
  return {
    ok: true,
    fit,
    score,
    scorelines,
    covered,
    fromBookmaker: BOOKMAKER_KEYS[line.sharpest!.bookmaker]!,
    fairMethod: marketType === '1x2' && isLopsided(score) ? 'shin' : FAIR_METHOD_BY_MARKET[marketType],
    leftOut: [...new Set(used.flatMap((fair) => leftOutOf(fair.line)))],
  };
}
