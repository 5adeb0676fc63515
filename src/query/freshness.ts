// How old an answer is and what that means: pure functions of stamps, windows and the time.

/** Freshness windows by match state, in milliseconds. */
export interface FreshnessWindows {
  readonly liveMs: number;
  readonly prematchMs: number;
}

/** A heartbeat confirms a fixture in steps of this length, so that an unchanged answer keeps its bytes and its ETag. */
const HEARTBEAT_STEP_MS = 10_000;
/** The feed is live when it is connected and was heard this recently. */
export const FEED_LIVE_MS = 30_000;

/** The instant a heartbeat stands for: the start of its step. */
export function heartbeatStepMs(heartbeatAtMs: number): number {
  return Math.floor(heartbeatAtMs / HEARTBEAT_STEP_MS) * HEARTBEAT_STEP_MS;
}

/** `as_of` of a fixture: its own last message or, if later, the last heartbeat's step. Unix ms. */
export function fixtureAsOfMs(lastMessageAtMs: number, heartbeatAtMs: number): number {
  return Math.max(lastMessageAtMs, heartbeatStepMs(heartbeatAtMs));
}

/** The first instant at which an answer of this `as_of` is stale. */
export function staleFromMs(asOfMs: number, isLive: boolean, windows: FreshnessWindows): number {
  return asOfMs + (isLive ? windows.liveMs : windows.prematchMs) + 1;
}
