// The answer of /platform/operator.

export interface HistoryPoint {
  readonly atMs: number;
  readonly messagesPerS: number;
  readonly requestsPerS: number;
  readonly refusedPerS: number;
  readonly limitedPerS: number;
  readonly loopDelayMs: number;
  readonly streams: number;
}

export interface OperatorReport {
  readonly at: string;
  readonly feed: {
    readonly connected: boolean;
    readonly ageS: number;
    readonly waiting: number;
    readonly sources: readonly { readonly source: string; readonly ok: boolean }[];
    readonly refused: readonly { readonly reason: string; readonly count: number }[];
  };
  readonly slate: { readonly fixtures: number; readonly fixturesMax: number };
  readonly threads: readonly {
    readonly thread: string;
    readonly requests: number;
    readonly inFlight: number;
    readonly loopDelayMs: number;
  }[];
  readonly streams: number;
  readonly limited: number;
  readonly people: { readonly signUps: number; readonly verified: number };
  readonly hour: readonly HistoryPoint[];
}
