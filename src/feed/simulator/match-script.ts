// The events of one match, written before it starts and always the same. They are a list of steps, each
// with the whole state after it, and the spans of play, which give the share that is still to come. Both
// sports write this shape.

/** The clock moved. */
export const STEP_PLAY = 0;
/** A goal or a red card: every bookmaker suspends. */
export const STEP_STOP = 1;
/** End of the first half: half-time markets are suspended. */
export const STEP_HALF = 2;
/** Start of the second half: half-time lines leave. */
export const STEP_SECOND_HALF = 3;
/** The match is over. */
export const STEP_END = 4;
/**
 * Play has moved every price, but no bookmaker suspends; all re-price immediately. Used for the clock and the
 * baskets of basketball.
 */
export const STEP_MOVE = 5;

export interface Step {
  readonly atMs: number;
  readonly kind: number;
  readonly clock: string;
  readonly home: number;
  readonly away: number;
  readonly homeReds: number;
  readonly awayReds: number;
}

/** A span of play. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
  /** Share of the match's scoring in this span; all except overtime add up to 1. */
  readonly share: number;
  readonly firstHalf: boolean;
  /**
   * Before this time the span's share does not count as scoring to come, because nobody expects overtime
   * earlier.
   */
  readonly knownMs: number;
}

export interface MatchScript {
  readonly steps: readonly Step[];
  readonly spans: readonly Span[];
}

/** Share of the match's scoring still to come at an instant. */
export function shareLeft(spans: readonly Span[], atMs: number, firstHalfOnly: boolean): number {
  let left = 0;
  for (const span of spans) {
    if ((firstHalfOnly && !span.firstHalf) || atMs < span.knownMs || atMs >= span.endMs) continue;
    const part = atMs <= span.startMs ? 1 : (span.endMs - atMs) / (span.endMs - span.startMs);
    left += span.share * part;
  }
  return left;
}

/** Index of the last step at or before an instant, -1 before the first. */
export function stepIndexAt(steps: readonly Step[], atMs: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] as Step).atMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
