// The parts of tool answers that pages show. The full schemas are next to the tools and use types of the
// contract.

import type { Static } from '@sinclair/typebox';
import type { CompareLinesResult, ValueBet } from '../../../contract/comparison.ts';
import type { Excluded } from '../../../domain/signal-gate.ts';

/** Answer of find_value. */
export interface ValueAnswer {
  readonly summary: string;
  readonly value_bets: readonly Static<typeof ValueBet>[];
  readonly fair_source: string | null;
  readonly excluded: Excluded;
}

/** Answer of get_sharp_line. */
export interface SharpLineAnswer {
  readonly summary: string;
  readonly comparison: Static<typeof CompareLinesResult> | null;
}
