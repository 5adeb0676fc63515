// The answer of /platform/operator. It is not part of the API document, because it describes one deployment.

export interface HistoryPoint {
  readonly atMs: number;
  readonly messagesPerS: number;
  readonly requestsPerS: number;
  readonly refusedPerS: number;
  readonly limitedPerS: number;
  /** The mean over all threads. */
  readonly loopDelayMs: number;
  readonly streams: number;
}

export interface ServiceState {
  readonly feed: {
    readonly connected: boolean;
    readonly ageS: number;
    /** Messages refused since the start; reasons with a count of 0 are left out. */
    readonly refused: readonly { readonly reason: string; readonly count: number }[];
  };
  readonly threads: readonly {
    readonly thread: string;
    readonly requests: number;
    readonly loopDelayMs: number;
  }[];
  readonly streams: number;
  /** Requests refused by a limit since the start. */
  readonly limited: number;
  readonly hour: readonly HistoryPoint[];
}

/** The whole answer. */
export interface OperatorReport extends ServiceState {
  readonly slate: { readonly fixtures: number; readonly fixturesMax: number };
  /** How many accounts there are, and how many of them are verified. */
  readonly people: { readonly signUps: number; readonly verified: number };
}
