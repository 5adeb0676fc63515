// The tasks of the workers that send requests as fast as they can, and the numbers that they share with the
// test.

export type HammerMode = 'gate-key' | 'gate-address' | 'bucket' | 'daily' | 'broken' | 'claim' | 'release';

export interface HammerJob {
  readonly memory: SharedArrayBuffer;
  /** Word 0 is 1 once all workers may begin. */
  readonly control: SharedArrayBuffer;
  readonly mode: HammerMode;
  readonly tries: number;
  readonly authorization: string;
  readonly nowMs: number;
}

/** One token per millisecond, a burst of 50,000. */
export const WIDE_PACE = { intervalMs: 1, windowMs: 50_000 };
export const DAILY_SUBJECTS = 500;
export const DAILY_MAX = 2;
/** How many subjects mode `claim` claims in turn. */
export const CHURN_SUBJECTS = 24;
