// The state of a polled source as plain values: for /ready, /health, /metrics, the log and the operator's
// page.

import type { PollFailureReason } from './failure.ts';
import type { AnswerCount } from './source.ts';

/**
 * `starting`: no snapshot yet. `ok`. `failing`: the last answer to some request was a failure; it is retried.
 * `stopped`: trying again cannot help (bad key, product not bought, no credits left), and the source retries
 * rarely.
 */
const SOURCE_STATES = ['starting', 'ok', 'failing', 'stopped'] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

export interface RequestStatus {
  readonly key: string;
  readonly cost: number;
  /** The present interval in ms; Infinity when the quota allows no request. */
  readonly everyMs: number;
  readonly askedAtMs: number | null;
  readonly answeredAtMs: number | null;
  readonly reason: PollFailureReason | null;
}

export interface SourceStatus {
  readonly name: string;
  readonly state: SourceState;
  readonly reason: PollFailureReason | null;
  /** When the source tries again after a failure, Unix ms; null while nothing has failed. */
  readonly nextTryAtMs: number | null;
  /** Counts since the source was opened. */
  readonly requestsAsked: number;
  readonly requestsAnswered: number;
  readonly creditsSpent: number;
  /** Remaining credits; null when the upstream does not report them. */
  readonly creditsLeft: number | null;
  readonly periodEndMs: number | null;
  readonly epochs: number;
  readonly failures: ReadonlyMap<PollFailureReason, number>;
  readonly counts: ReadonlyMap<AnswerCount, number>;
  /** Bookmakers that the upstream named and the roster does not map, by the upstream's name. */
  readonly unmapped: ReadonlyMap<string, number>;
  readonly requests: readonly RequestStatus[];
}

/** Maximum number of words of one tally, such as names of unmapped bookmakers. Further words are left out. */
const WORDS_MAX = 256;

/** Counts by word. */
export class Tally<Word extends string> extends Map<Word, number> {
  add(word: Word): void {
    const count = this.get(word);
    if (count !== undefined) this.set(word, count + 1);
    else if (this.size < WORDS_MAX) this.set(word, 1);
  }
}
