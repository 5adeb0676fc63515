// The capacities and periods of access control, each with what happens when it is full or reached.

/**
 * Maximum number of keys with a bucket and usage counters. When seven eighths are taken, keys that were not
 * used for an hour are dropped. When all are taken, new keys share the spare bucket of their tier.
 */
export const KEY_SLOTS_MAX = 32_768;
/**
 * Maximum number of client addresses with a bucket and a daily count. When seven eighths are taken, idle
 * addresses with few requests today are dropped. When all are taken, new addresses share one spare bucket,
 * without a daily count.
 */
export const ADDRESS_SLOTS_MAX = 262_144;
/**
 * Number of slots that are probed for one subject. If all are taken, the table counts as full for it. At
 * three quarters full that happens to one new subject in 10^5.
 */
export const PROBE_SLOTS_MAX = 64;
/**
 * While more than seven eighths of the address slots are taken, an idle address with at most this many
 * requests today may be dropped with its count.
 */
export const FORGETTABLE_DAILY_COUNT = 16;
/**
 * While more than seven eighths of the slots of keys are taken, an idle key with at most this many requests
 * today may be dropped with its count. It is a tenth of the free plan's daily quota, so that many free keys
 * with few requests each do not keep all slots for the day.
 */
export const FORGETTABLE_KEY_COUNT = 500;

/**
 * Maximum number of Authorization headers and sessions of paid plans that are cached per thread, and as many
 * again of the free plan. For a new one, the oldest is dropped.
 */
export const KNOWN_KEYS_MAX = 16_384;
/**
 * Maximum number of Authorization headers, known not to be a live key, that are cached per thread. For a new
 * one, the oldest is dropped.
 */
export const UNKNOWN_KEYS_MAX = 8_192;
/**
 * How long cached keys keep working while their database does not answer. Then they get 503. Keys that are
 * not cached get 503 at once.
 */
export const KEYS_TRUSTED_MS = 15 * 60_000;
/** How often a node asks a remote database whether keys have changed. */
export const KEY_CHANGES_EVERY_MS = 250;
/**
 * Maximum number of address texts whose subject is cached per thread. When it is reached, all are dropped.
 */
export const KNOWN_ADDRESSES_MAX = 16_384;
/**
 * Maximum length of an Authorization header in characters. A longer one is refused as an unknown key, and not
 * cached.
 */
export const AUTHORIZATION_CHARS_MAX = 128;
/**
 * Maximum length of a client's address in characters. The subject of a longer one is computed at every
 * request, and not cached.
 */
export const ADDRESS_CHARS_MAX = 64;

/**
 * Requests a second that one client network (an IPv4 address or an IPv6 /64), or one session, may send to
 * routes that cost nothing, counted by each serving thread. Further requests get 429.
 */
export const FREE_REQUESTS_PER_SECOND = 100;
/**
 * How many requests that cost nothing a network or session may send at once after it was idle. Further
 * requests get 429.
 */
export const FREE_REQUESTS_BURST = 600;
/**
 * How many plain requests one request to /platform counts as, because it may hash a password and write to the
 * database.
 */
export const ACCOUNT_REQUEST_WEIGHT = 4;
/**
 * Maximum number of client networks whose free requests are counted on one serving thread, and as many
 * sessions. When it is reached, the counts of all networks, or of all sessions, start again from zero.
 */
export const FREE_NETWORKS_MAX = 65_536;

/** How often the keeper advances the shared clock and checks for keys changed by another process. */
export const HEARTBEAT_EVERY_MS = 25;
/**
 * A gate that finds the last heartbeat older than this checks for changed keys itself, so that a busy keeper
 * delays no revocation.
 */
export const HEARTBEAT_OVERDUE_MS = 60;
/** How often daily counts are written. A kill -9 loses those since the last write. */
export const FLUSH_EVERY_MS = 500;
/**
 * Maximum number of rows of one table (keys, or addresses) written per flush. The rest is written by the next
 * flush.
 */
export const FLUSH_ROWS_MAX = 20_000;

/** Maximum number of streams open at one time, over all callers and threads. A further stream gets 503. */
export const STREAMS_MAX = 65_536;
/**
 * Maximum number of unused tickets of all keys and threads. When it is reached, a new ticket replaces one of
 * the account that has the most, if the account of the new ticket has at least two fewer. A ticket of a free
 * key replaces only those of free accounts. Otherwise a further ticket gets 503 until some are used or
 * expire.
 */
export const TICKETS_MAX = 4_096;
/**
 * Maximum number of unused tickets of all free keys, part of TICKETS_MAX. When it is reached, a new ticket
 * replaces one of a free account, by the same rule. Otherwise a further ticket of a free key gets 503.
 */
export const FREE_TICKETS_MAX = 1_024;
/** Maximum number of unused tickets of one key. A further ticket gets 429. */
export const TICKETS_PER_KEY_MAX = 100;
/**
 * Maximum number of unused tickets of one account with the free plan, with all its keys. A further ticket
 * gets 429.
 */
export const TICKETS_PER_FREE_ACCOUNT_MAX = 20;
/**
 * Maximum number of unused tickets of one account with a paid plan, with all its keys. A further ticket gets
 * 429.
 */
export const TICKETS_PER_ACCOUNT_MAX = 1_024;
/** How long a ticket is valid. Then it gets 401. */
export const TICKET_LIVES_MS = 30_000;
/**
 * How long the ticket in the link printed at start is valid, and each ticket that a WebSocket connection
 * issues. Then it gets 401.
 */
export const LINK_TICKET_LIVES_MS = 600_000;

/**
 * Maximum number of callers whose admitted requests wait to be reported to Redis. A further caller is queued
 * again a second later; until then, a node admits at most an eighth of the caller's burst without Redis.
 */
export const LEASES_WAITING_MAX = 65_536;
/** Every admitted request is reported to Redis within this time, in milliseconds, even a single one. */
export const SETTLED_WITHIN_MS = 10_000;
/**
 * If a node has had no answer from Redis about a caller for this long, in milliseconds, it reports the
 * caller's next request to Redis at once.
 */
export const CALLER_FORGOTTEN_MS = 60_000;
/** Maximum number of callers reported to Redis in one call. The rest follows in the next call. */
export const SETTLED_PER_CALL_MAX = 32;
/** How often a node records in Redis that it is alive, in milliseconds. */
export const NODE_HEARTBEAT_EVERY_MS = 150;
/** A node without a heartbeat for this long is not counted when limits are divided among nodes. */
export const NODE_SILENT_MS = 3_000;
/**
 * If Redis does not answer for this long, it counts as unavailable, and each node grants its share of the
 * limits.
 */
export const REDIS_SILENT_MS = 500;
/** How many nodes a node assumes until Redis has answered for the first time. */
export const NODES_ASSUMED = 4;
