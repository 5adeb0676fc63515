// The parts of tool answers that pages show. The tools' own schemas stand beside the tools; their parts are the contract's.

import type { Static } from '@sinclair/typebox';
import type { CompareLinesResult, ValueBet } from '../../../contract/comparison.ts';
import type { Excluded } from '../../../domain/signal-gate.ts';

/** Of find_value. */
export interface ValueAnswer {
  readonly summary: string;
  readonly value_bets: readonly Static<typeof ValueBet>[];
  readonly fair_source: string | null;
  readonly excluded: Excluded;
}

/** Of get_sharp_line. */
export interface SharpLineAnswer {
  readonly summary: string;
  readonly comparison: Static<typeof CompareLinesResult> | null;
}
