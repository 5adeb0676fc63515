// The only place that reads time. Everything else takes a Clock, or a `nowMs`, as an argument.

/** Source of time. `wallMs` is Unix time in milliseconds; `monotonicMs` never goes back and is for waits and rates. */
export interface Clock {
  wallMs(): number;
  monotonicMs(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/**
 * The machine's clock, or with `frozenAtMs` a wall clock that stands still there, for one still slate on one known date;
 * deadlines still run.
 */
export function clockOf(frozenAtMs: number | null): Clock {
  if (frozenAtMs === null) return systemClock;
  return { wallMs: () => frozenAtMs, monotonicMs: () => performance.now() };
}

/** ISO-8601 UTC text with milliseconds, the one format of every timestamp the service sends. */
export function toIsoText(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same, and null for a time that is not known, which is NaN. */
export function isoTextOrNull(ms: number): string | null {
  return Number.isNaN(ms) ? null : toIsoText(ms);
}
