// The interface between a pull source and the poller: which requests it wants and how often, how to send one
// (I/O), and what an answer means (pure). Everything else, from the intervals to the protocol's numbers, is
// done by the poller.

import { HOUR_MS } from '../../clock.ts';
import type { Quota } from './budget.ts';
import type { PolledFixture, ReadonlyPicture } from './picture.ts';

/** One request to the upstream, as the source would send it with an endless quota. */
export interface PlannedRequest {
  /** Identifies the request. Operators see it, so it never contains an API key. */
  readonly key: string;
  readonly cost: number;
  readonly everyMs: number;
  /**
   * `full` answers together make the snapshot. `changes` are requested once there is a snapshot. `extra` are
   * neither, such as scores.
   */
  readonly part: 'full' | 'changes' | 'extra';
  /**
   * How far back an answer of `changes` reaches. After a longer gap between two answers, changes were lost.
   */
  readonly windowMs?: number;
  /**
   * Whether an answer to this request confirms every open quote that it could have changed. Heartbeats carry
   * the time of such answers.
   */
  readonly confirms: boolean;
}

export interface PolledAnswer {
  readonly body: unknown;
  /** The quota that the answer reports, null when it reports none. */
  readonly quota: Quota | null;
  /** The shortest time between two requests that the upstream allows now, in ms. */
  readonly gapMs: number;
  /** The upstream's clock, Unix ms, null when unknown. */
  readonly serverAtMs: number | null;
}

/**
 * What was refused or noticed inside answers, each counted under a word. The order is fixed, because shared
 * memory holds indexes into the list.
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
  'not_a_match',
  'over_and_listed',
  'contract_over',
  'paused_contract',
  'incomplete_market',
  'empty_book',
  'crossed_book',
  'thin_book',
  'book_refused',
  'book_lost',
] as const;
export type AnswerCount = (typeof ANSWER_COUNTS)[number];

/** How long a polled source keeps a finished match on the slate. */
export const FINISHED_KEPT_MS = 3 * HOUR_MS;

export interface ReadContext {
  /** What is known from earlier answers. */
  readonly picture: ReadonlyPicture;
  /** When the answer arrived, Unix ms. */
  readonly nowMs: number;
  readonly count: (what: AnswerCount) => void;
  /** Called with the upstream's name of a bookmaker that the roster does not map. */
  readonly unmapped: (bookmaker: string) => void;
}

/** The push side of a source that also polls, such as a WebSocket beside REST. */
export interface PushSide {
  /**
   * Starts the push side.
   * @param news called with what the push side learns about fixtures that the polled answers have named
   */
  start(news: (updates: readonly PolledFixture[]) => void): void;
  /**
   * Up to when the push side confirms every open quote, Unix ms. Null while it confirms nothing, because it
   * is down or behind.
   */
  confirmedAtMs(): number | null;
  close(): Promise<void>;
}

export interface PolledSource {
  readonly name: string;
  /** A free request that shows whether the key works again, null when the API has none. */
  readonly probe: PlannedRequest | null;
  /** The wanted requests, given what is known. */
  plan(picture: ReadonlyPicture, nowMs: number): readonly PlannedRequest[];
  /** Sends a request. @throws PollFailure */
  ask(request: PlannedRequest, signal: AbortSignal): Promise<PolledAnswer>;
  /** Parses an answer. @throws PollFailure when its outermost shape is wrong; anything smaller is counted */
  read(request: PlannedRequest, body: unknown, context: ReadContext): readonly PolledFixture[];
  /** Called when a new epoch begins, so that the source forgets what it knows from earlier answers. */
  forget(): void;
  /** Receives the score of a match from another source, in this source's order of sides. */
  setScore?(event: string, score: readonly [number, number]): void;
  /** For an upstream that also sends news without a request. */
  readonly push?: PushSide;
}
