// Bounds of streams, once, with what happens at each.

/** Milliseconds between two heartbeats of every stream. */
export const HEARTBEAT_MS = 5_000;
/** How often the hub looks for readers that are stuck or whose key has died, in milliseconds. */
export const WATCH_EVERY_MS = 500;
/** Bytes that a reader has not taken yet. More: it is sent nothing new until it has; then it gets the last state, once. */
export const HOLD_BYTES = 64 * 1024;
/** Bytes unsent to one reader. More: its stream ends with `bye`, `slow_reader`. */
export const UNSENT_BYTES_MAX = 1024 * 1024;
/** How long a reader may take nothing while something is unsent. Longer: its stream ends with `bye`, `slow_reader`. */
export const UNSENT_MS_MAX = 10_000;
/** How long a snapshot is sent again to further readers of its view, who then catch up. Older: another one is made. */
export const SNAPSHOT_SHARED_MS = 1_000;

/** Bytes of one message of a WebSocket client. Larger: the connection is closed with 1009. */
export const SOCKET_MESSAGE_BYTES_MAX = 8 * 1024;
/** Subscriptions of one connection. Full: one more is answered with an `error`, 429. */
export const SUBSCRIPTIONS_MAX = 100;
/** Messages that a client may send in any SOCKET_OPS_EVERY_MS. More: each is answered with an `error`, 429. */
export const SOCKET_OPS_MAX = 100;
/** The same that end the connection with `bye`, `limit`. */
export const SOCKET_OPS_ENDING = 1_000;
/** The window of both, in milliseconds. */
export const SOCKET_OPS_EVERY_MS = 10_000;
/** How long a connection may be open without a subscription. Longer: `bye`, `limit`. */
export const SOCKET_IDLE_MS = 60_000;
/** Bytes sent after which a WebSocket client is asked for a sign that it has read them. */
export const SIGN_EVERY_BYTES = 64 * 1024;
/** How long a connection that was sent its `bye` may take to read it. Longer: it is cut. */
export const ENDING_MS_MAX = 5_000;
/**
 * Different choices of filters, thresholds and pace of signals that one HTTP thread follows at once, half of them at most for
 * tiers without the sharp book. Full: a stream that asks for one more is refused, 503.
 */
export const SIGNAL_CHANNELS_MAX = 256;
