// Capacities and periods of access control, once, with what happens when each is full.

/**
 * Keys with a bucket and usage counters in shared memory. Full: keys that are idle and were not used today are
 * forgotten (their usage counters restart); a newcomer that still finds no room shares its tier's spare bucket.
 */
export const KEY_SLOTS_MAX = 32_768;
/**
 * Client addresses with a bucket and a daily count. Above seven eighths: addresses that are idle and made few requests
 * today are forgotten. Full: newcomers share one spare bucket at the free tier's pace, without a daily count.
 */
export const ADDRESS_SLOTS_MAX = 262_144;
/** Slots looked at for one subject. All taken: as if the table were full; one in 10^5 newcomers at three quarters. */
export const PROBE_SLOTS_MAX = 64;
/** Requests of today that an address may lose by being forgotten above seven eighths. */
export const FORGETTABLE_DAILY_COUNT = 16;

/** Authorization headers of live keys remembered per thread. Full: the one remembered longest is dropped. */
export const KNOWN_KEYS_MAX = 16_384;
/** Authorization headers known to be no live key, per thread. Full: the one remembered longest is dropped. */
export const UNKNOWN_KEYS_MAX = 8_192;
/**
 * How long known keys go on working when their database does not answer, in milliseconds. Later, and for other keys at
 * once: 503.
 */
export const KEYS_TRUSTED_MS = 15 * 60_000;
/** How often a node asks a far database whether keys have changed. */
export const KEY_CHANGES_EVERY_MS = 250;
/** Address texts whose subject is remembered per thread. Full: all are dropped. */
export const KNOWN_ADDRESSES_MAX = 16_384;
/** Characters of an Authorization header. Longer: refused as no key, without being remembered. */
export const AUTHORIZATION_CHARS_MAX = 128;
/** Characters of a client's address. Longer: its subject is worked out at every request, not remembered. */
export const ADDRESS_CHARS_MAX = 64;

/**
 * Requests a second that one client network may send to routes that cost nothing. Faster: 429. Each serving thread counts
 * what it answers: the query thread all but /health and /ready.
 */
export const FREE_REQUESTS_PER_SECOND = 100;
/** The same at once, after a rest. */
export const FREE_REQUESTS_BURST = 600;
/** What a request to /platform counts as: it may cost a password's hash and a write. */
export const ACCOUNT_REQUEST_WEIGHT = 4;
/** Client networks whose free requests are counted, per serving thread. Full: all are forgotten, and begin anew. */
export const FREE_NETWORKS_MAX = 65_536;

/** How often the keeper beats the shared clock and looks for keys changed by another process. */
export const BEAT_EVERY_MS = 25;
/** A gate that finds the last beat older than this looks by itself, so that a busy keeper delays no revocation. */
export const BEAT_OVERDUE_MS = 60;
/** How often daily counts are written: what a kill -9 may lose, with as much again in reserve. */
export const FLUSH_EVERY_MS = 500;
/** Rows written per flush; the rest waits for the next one. */
export const FLUSH_ROWS_MAX = 20_000;

/** Streams open at a time, of all callers and threads. Full: one more is 503. */
export const STREAMS_MAX = 65_536;
/** Tickets that are not used yet, of all keys and threads. Full: one more is 503 until some are used or over. */
export const TICKETS_MAX = 4_096;
/** The same of one key. Full: one more is 429. */
export const TICKETS_PER_KEY_MAX = 100;
/** How long a ticket can be used, in milliseconds. Later: 401. */
export const TICKET_LIVES_MS = 30_000;

/** Callers that wait to be settled with Redis. Full: they ask again a second later, and may owe no more than their lot. */
export const LEASES_WAITING_MAX = 65_536;
/** What is owed is settled by then at the latest, in milliseconds, however little it is. */
export const SETTLED_WITHIN_MS = 10_000;
/** A caller of whom a node has heard nothing for so long is settled at its first request. */
export const CALLER_FORGOTTEN_MS = 60_000;
/** Callers settled in one call. More: the rest follows in the next. */
export const SETTLED_AT_ONCE_MAX = 32;
/** How often a node says in Redis that it lives. */
export const NODE_BEAT_EVERY_MS = 150;
/** A node silent for longer no longer counts as one that limits are divided among. */
export const NODE_SILENT_MS = 3_000;
/** Redis silent for longer counts as away: each node gives its share of the limits. */
export const REDIS_SILENT_MS = 500;
/** Nodes that a node reckons with until it has heard of Redis for the first time. */
export const NODES_ASSUMED = 4;
