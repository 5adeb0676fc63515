// Every bound of streams, and what happens when it is reached.

/** Milliseconds between two heartbeats of a stream. */
export const HEARTBEAT_MS = 5_000;
/** How often the hub checks for readers that are stuck or whose key is no longer valid, in milliseconds. */
export const WATCH_EVERY_MS = 500;
/**
 * Maximum bytes that may be sent to a reader and not read by its client yet. Beyond it, nothing new is sent
 * until the client reads; then it gets one update to the latest state.
 */
export const HOLD_BYTES = 64 * 1024;
/**
 * Maximum bytes of the one event with all that a reader missed while it read nothing, or since the cursor
 * from which it resumes. If it would be larger, the reader gets a snapshot, in parts that are made as it
 * reads. For a reader that has just read a snapshot, the limit is UNSENT_BYTES_MAX.
 */
export const MISSED_BYTES_MAX = 256 * 1024;
/** Maximum unread bytes of one reader. With more, its stream ends with `bye`, `slow_reader`. */
export const UNSENT_BYTES_MAX = 1024 * 1024;
/**
 * How long a client may read nothing while bytes are waiting for it. Then its stream ends with `bye`,
 * `slow_reader`.
 */
export const UNSENT_MS_MAX = 10_000;

/**
 * Maximum bytes of one message from a WebSocket client. After a larger one, the connection is closed with
 * code 1009.
 */
export const SOCKET_MESSAGE_BYTES_MAX = 8 * 1024;
/** Maximum number of subscriptions of one connection. A further one is answered with an `error`, 429. */
export const SUBSCRIPTIONS_MAX = 100;
/**
 * Maximum number of messages that a client may send within SOCKET_OPS_EVERY_MS. Each further one is answered
 * with an `error`, 429.
 */
export const SOCKET_OPS_MAX = 100;
/**
 * Maximum number of messages, pings, and pongs without a ping within SOCKET_OPS_EVERY_MS. With more, the
 * connection ends. If the last one was a message, the client is sent `bye`, `limit` first; otherwise no
 * `bye`. With more than twice as many, the connection is cut immediately.
 */
export const SOCKET_OPS_ENDING = 1_000;
/**
 * Maximum number of messages that a client without a key may send within SOCKET_OPS_EVERY_MS. Each further
 * one is answered with an `error`, 429.
 */
export const KEYLESS_SOCKET_OPS_MAX = 20;
/**
 * Maximum number of messages and pings of a client without a key within SOCKET_OPS_EVERY_MS. With more, the
 * connection ends, as with SOCKET_OPS_ENDING.
 */
export const KEYLESS_SOCKET_OPS_ENDING = 25;
/**
 * Maximum number of waiting messages of all clients with paid keys, per HTTP thread. A further one gets an
 * `error`, 503.
 */
export const PAID_MESSAGES_WAITING_MAX = 1_536;
/**
 * Maximum number of waiting messages of all clients with free keys, per HTTP thread. A further one gets an
 * `error`, 503.
 */
export const FREE_MESSAGES_WAITING_MAX = 256;
/**
 * Maximum number of waiting messages of all clients without a key, per HTTP thread. A further one gets an
 * `error`, 503.
 */
export const KEYLESS_MESSAGES_WAITING_MAX = 1_920;
/** The window of SOCKET_OPS_MAX and SOCKET_OPS_ENDING, in milliseconds. */
export const SOCKET_OPS_EVERY_MS = 10_000;
/** How long a connection may stay open without a subscription. Then it ends with `bye`, `limit`. */
export const SOCKET_IDLE_MS = 60_000;
/**
 * Bytes sent to a WebSocket client after which the server sends a ping, to learn from the pong that they were
 * read.
 */
export const SIGN_EVERY_BYTES = 64 * 1024;
/**
 * Maximum number of streams of all callers without a key that one HTTP thread has open. One network (an IPv4
 * /24 or an IPv6 /48) may have a quarter of them. A further stream gets 503.
 */
export const KEYLESS_STREAMS_OPEN_MAX = 4_096;
/** Maximum number of streams of all free keys that one HTTP thread has open. A further one gets 503. */
export const FREE_STREAMS_OPEN_MAX = 8_192;
/**
 * Maximum number of streams of all paid keys that one HTTP thread has open. The keys of one account may have
 * a third of them. A further stream gets 503.
 */
export const PAID_STREAMS_OPEN_MAX = 16_384;
/** How long a client may take to read the `bye` that ends its connection. Then the connection is cut. */
export const ENDING_MS_MAX = 5_000;
/**
 * Maximum number of signal channels of one HTTP thread: different combinations of filters, thresholds and
 * tick length. The last quarter is kept for paid accounts that use none yet. While one paid account has more
 * than a quarter of all channels, other paid accounts may use half of that last quarter too. A stream that
 * needs a further channel is refused, 503.
 */
export const SIGNAL_CHANNELS_MAX = 256;
