// What accounts show about the use of keys. Access control counts it and implements the reader.

/** The usage object of the API. Errors are answers with a status of 400 or more; latencies are milliseconds. */
export interface KeyUsage {
  readonly requests: number;
  readonly errors: number;
  /** Errors per request, 0 to 1, four decimals. */
  readonly error_rate: number;
  readonly avg_latency_ms: number;
  readonly max_latency_ms: number;
}

export interface UsageReader {
  /** Usage of one key since counting began; zeros for a key that was not used. */
  usageOfKey(keyNumber: number): KeyUsage;
  /** Usage of several keys as if they were one. */
  usageOfKeys(keyNumbers: readonly number[]): KeyUsage;
}
