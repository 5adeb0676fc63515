// The capacities and periods of access control, each with what happens when it is full or reached.

/**
 * Keys with a bucket and usage counters. Above seven eighths: keys that were not used for an hour are
 * dropped. Full: new keys share the spare bucket of their tier.
 */
export const KEY_SLOTS_MAX = 32_768;
/**
 * Client addresses with a bucket and a daily count. Above seven eighths: idle addresses with few requests
 * today are dropped. Full: new addresses share one spare bucket, without a daily count.
 */
export const ADDRESS_SLOTS_MAX = 262_144;
/**
 * Slots probed for one subject. All taken: handled as if the table were full. At three quarters full that
 * happens to one new subject in 10^5.
 */
export const PROBE_SLOTS_MAX = 64;
/**
 * While more than seven eighths of the address slots are taken, an idle address with at most this many
 * requests today may be dropped with its count.
 */
export const FORGETTABLE_DAILY_COUNT = 16;
/**
 * The same for keys: a tenth of the free plan's daily quota, so that many free keys with few requests each do
 * not keep all slots for the day.
 */
export const FORGETTABLE_KEY_COUNT = 500;

/**
 * Authorization headers and sessions of paid plans cached per thread, and as many again of the free plan.
 * Full: the oldest is dropped.
 */
export const KNOWN_KEYS_MAX = 16_384;
/** Authorization headers known not to be a live key, cached per thread. Full: the oldest is dropped. */
export const UNKNOWN_KEYS_MAX = 8_192;
/**
 * How long cached keys keep working while their database does not answer, in milliseconds. Later: 503. Keys
 * that are not cached get 503 at once.
 */
export const KEYS_TRUSTED_MS = 15 * 60_000;
/** How often a node asks a remote database whether keys have changed. */
export const KEY_CHANGES_EVERY_MS = 250;
/** Address texts whose subject is cached per thread. Full: all are dropped. */
export const KNOWN_ADDRESSES_MAX = 16_384;
/** Characters of an Authorization header. Longer: refused as an unknown key, and not cached. */
export const AUTHORIZATION_CHARS_MAX = 128;
/** Characters of a client's address. Longer: its subject is computed at every request, and not cached. */
export const ADDRESS_CHARS_MAX = 64;

/**
 * Requests a second that one client network (an IPv4 address or an IPv6 /64), or one session, may send to
 * routes that cost nothing, counted by each serving thread. More: 429.
 */
export const FREE_REQUESTS_PER_SECOND = 100;
/** How many requests that cost nothing a network or session may send at once after it was idle. More: 429. */
export const FREE_REQUESTS_BURST = 600;
/**
 * How many plain requests one request to /platform counts as, because it may hash a password and write to the
 * database.
 */
export const ACCOUNT_REQUEST_WEIGHT = 4;
/**
 * Client networks whose free requests are counted on one serving thread, and as many sessions. Full: the
 * counts of all networks, or of all sessions, start again from zero.
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
/** Rows of one table (keys, or addresses) written per flush. More: the rest is written by the next flush. */
export const FLUSH_ROWS_MAX = 20_000;

/** Streams open at one time, over all callers and threads. Full: another stream gets 503. */
export const STREAMS_MAX = 65_536;
/** Unused tickets of all keys and threads. Full: another ticket gets 503 until some are used or expire. */
export const TICKETS_MAX = 4_096;
/** Unused tickets of all free keys, part of TICKETS_MAX. Full: another ticket of a free key gets 503. */
export const FREE_TICKETS_MAX = 1_024;
/** Unused tickets of one key, and of one account of the free plan. Full: another ticket gets 429. */
export const TICKETS_PER_KEY_MAX = 100;
/** Unused tickets of one account with a paid plan, with all its keys. Full: another ticket gets 429. */
export const TICKETS_PER_ACCOUNT_MAX = 1_024;
/** How long a ticket is valid, in milliseconds. Later: 401. */
export const TICKET_LIVES_MS = 30_000;
/**
 * How long the ticket in the link printed at start is valid, and each ticket that a WebSocket connection
 * issues. Later: 401.
 */
export const LINK_TICKET_LIVES_MS = 600_000;

/**
 * Callers whose admitted requests wait to be reported to Redis. Full: a caller is queued again a second
 * later; until then, a node admits at most an eighth of the caller's burst without Redis.
 */
export const LEASES_WAITING_MAX = 65_536;
/** Every admitted request is reported to Redis within this time, in milliseconds, even a single one. */
export const SETTLED_WITHIN_MS = 10_000;
/**
 * If a node has had no answer from Redis about a caller for this long, in milliseconds, it reports the
 * caller's next request to Redis at once.
 */
export const CALLER_FORGOTTEN_MS = 60_000;
/** Callers reported to Redis in one call. More: the rest follows in the next call. */
export const SETTLED_PER_CALL_MAX = 32;
/** How often a node records in Redis that it is alive, in milliseconds. */
export const NODE_HEARTBEAT_EVERY_MS = 150;
/** A node without a heartbeat for this long is not counted when limits are divided among nodes. */
export const NODE_SILENT_MS = 3_000;
/**
 * How long Redis may not answer. Longer: Redis counts as unavailable, and each node grants its share of the
 * limits.
 */
export const REDIS_SILENT_MS = 500;
/** How many nodes a node assumes until Redis has answered for the first time. */
export const NODES_ASSUMED = 4;
