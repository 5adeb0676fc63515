// What a pull source is to the poller: which questions it wants asked and how often, how to ask one (I/O),
// and what an answer means (pure). Everything else, from the pace to the protocol's numbers, is the poller's.

import type { Quota } from './budget.ts';
import type { FixtureUpdate, ReadonlyPicture } from './picture.ts';

/** What a source can provide, for documentation and for the code that joins several sources. */
export interface SourceGives {
  readonly live: boolean;
  readonly openings: boolean;
  readonly clock: boolean;
  readonly cards: boolean;
  readonly suspension: boolean;
  readonly halfTime: boolean;
  readonly results: boolean;
}

/** One question to the upstream, as the source would like it asked if the quota were endless. */
export interface PlannedRequest {
  /** Identity, also shown: never holds a key. */
  readonly key: string;
  readonly cost: number;
  readonly everyMs: number;
  /**
   * `full` answers together make the snapshot. `changes` are asked once there is one. `extra` are neither:
   * scores.
   */
  readonly part: 'full' | 'changes' | 'extra';
  /**
   * How far back an answer of `changes` reaches. After a longer gap between two answers, changes were lost.
   */
  readonly windowMs?: number;
  /** Whether its answer confirms every open quote it could have changed: heartbeats are stamped by these. */
  readonly confirms: boolean;
}

export interface PolledAnswer {
  readonly body: unknown;
  /** What the answer said about the quota, null when it said nothing. */
  readonly quota: Quota | null;
  /** Least time between two requests that the upstream allows now, milliseconds. */
  readonly gapMs: number;
  /** The upstream's clock, Unix ms, null when unknown. */
  readonly serverAtMs: number | null;
}

/**
 * Things refused or noted inside answers, each counted by its word. The order is fixed: shared memory holds
 * indexes.
 */
const ANSWER_COUNTS = [
  'bad_fixture',
  'bad_row',
  'column_count',
  'bad_price',
  'price_pulled',
  'bad_line',
  'bad_outcomes',
  'bad_time',
  'bad_score',
  'duplicate_bookmaker',
  'duplicate_fixture',
  'unknown_fixture',
  'unmapped_bookmaker',
  'handicap_scope_unknown',
  'changed_teams',
  'quotes_older',
  'clock_skew',
  'duplicate_market',
] as const;
export type AnswerCount = (typeof ANSWER_COUNTS)[number];

export interface ReadContext {
  /** What is known from the answers before. */
  readonly picture: ReadonlyPicture;
  /** When the answer came, Unix ms. */
  readonly nowMs: number;
  readonly count: (what: AnswerCount) => void;
  /** Called with the upstream's name of a bookmaker that the roster does not map. */
  readonly unmapped: (bookmaker: string) => void;
}

export interface PolledSource {
  readonly name: string;
  readonly gives: SourceGives;
  /** A free request that shows whether the key works again, null when the API has no such request. */
  readonly probe: PlannedRequest | null;
  /** What should be asked, given what is known. */
  plan(picture: ReadonlyPicture, nowMs: number): readonly PlannedRequest[];
  /** Asks. @throws PollFailure */
  ask(request: PlannedRequest, signal: AbortSignal): Promise<PolledAnswer>;
  /**
   * What an answer says. @throws PollFailure when its outermost shape is wrong; anything smaller is counted
   */
  read(request: PlannedRequest, body: unknown, context: ReadContext): readonly FixtureUpdate[];
  /** A new epoch begins: what the source remembers beside the picture is void. */
  forget(): void;
}
