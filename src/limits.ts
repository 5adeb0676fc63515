// Capacities that size memory at the start, or that several folders use, each with what happens when it is
// full. A limit that only one folder uses is in that folder: access/limits.ts, accounts/limits.ts,
// scoring/pool-limits.ts, or the file it bounds.

import { DAY_MS, HOUR_MS } from './clock.ts';

/** Fixtures on the slate. Full: a new fixture is refused, counted (`fixture_table_full`) and logged. */
export const FIXTURES_MAX = 4_096;
/** Bookmakers of the catalogue: a quote key has five bits for them. More: the service does not start. */
export const BOOKMAKERS_MAX = 32;
/** Quotes of one fixture. Full: the new quote key is refused and counted (`quote_table_full`). */
export const QUOTES_PER_FIXTURE_MAX = 512;
/**
 * First-seen openings of one fixture, including withdrawn lines. Full: refused and counted
 * (`opening_table_full`).
 */
export const OPENINGS_PER_FIXTURE_MAX = 1_024;
/** Grace period of readers: a page is reused only after this many other pages were released. */
export const PAGE_GRACE_PUBLISHES = 1_024;
/**
 * Fixtures that left the slate, remembered so that a client with a cursor learns of it. Full: the one that
 * left first is dropped; a client whose cursor is older than that gets the whole slate.
 */
export const DEPARTURES_MAX = 131_072;
/**
 * Leagues and teams named since the start. Full: the fixture that needs a new name is refused
 * (`name_table_full`).
 */
export const ENTITIES_MAX = 32_768;
/** UTF-8 bytes of the names of those leagues and teams. Full: the fixture is refused (`name_table_full`). */
export const NAME_ARENA_BYTES_MAX = 2 * 1024 * 1024;
/**
 * Characters of a league's or team's name, or of a feed key; longer ones are rejected at parse (`bad_name`).
 */
export const NAME_CHARS_MAX = 200;
/** UTF-8 bytes of a match's clock text; longer text is rejected at parse (`bad_clock`). */
export const CLOCK_BYTES_MAX = 32;

/** Largest |line| of a quote, in quarters (1,000 points). Beyond: rejected at parse (`bad_line`). */
export const LINE_QUARTERS_MAX = 4_000;
/** Largest decimal price, so that ten-thousandths fit an Int32. Beyond: rejected at parse (`bad_price`). */
export const PRICE_MAX = 200_000;

/**
 * Largest amount of a liquidity row, in its currency. Beyond: the message is rejected at parse (`bad_size`).
 */
export const AMOUNT_MAX = 1_000_000_000_000;
/**
 * Lines of one fixture at one exchange whose liquidity is kept. More: the message is rejected (`bad_size`).
 */
export const LIQUIDITY_ROWS_MAX = 64;
/**
 * Pairs of fixture and exchange whose liquidity is kept. Full: the pair with the oldest message is dropped.
 */
export const LIQUIDITY_ENTRIES_MAX = 1_024;

/**
 * How far in the future, from its own message, a result may be dated. Beyond: rejected at parse (`bad_time`);
 * otherwise it would stay first among the most recent results until that day.
 */
export const RESULT_AHEAD_MS_MAX = DAY_MS;

/**
 * How far in the future a message of the feed may be stamped, because clocks differ. Within: its time of
 * arrival is used instead, so that no answer seems younger than it is. Beyond: rejected (`future_time`),
 * because later messages with the right time would count as older and be ignored.
 */
export const FEED_AHEAD_MS_MAX = 5_000;

/**
 * The feed is live when it is connected and was heard this recently. Longer ago: `/health` is degraded, and a
 * leader hands over to a standby.
 */
export const FEED_LIVE_MS = 30_000;

/**
 * Feed messages waiting for the next tick. Full: a file or simulator source waits; a socket source must
 * resynchronise.
 */
export const FEED_QUEUE_MAX = 65_536;
/** Messages applied in one batch, so that a burst never blocks the ingest worker for long. */
export const FEED_BATCH_MAX = 4_096;
/** Bytes of one line of NDJSON. Longer: that message is rejected (`bad_json`). */
export const FEED_LINE_BYTES_MAX = 64 * 1024;

/**
 * Bytes of the report on the feed's sources. Longer: it leaves out the names of unmapped bookmakers and the
 * list of requests.
 */
export const SOURCE_REPORT_BYTES_MAX = 64 * 1024;
/** Bytes of one WebSocket frame of a feed. Longer: the connection is closed and opened again. */
export const FEED_FRAME_BYTES_MAX = 16 * 1024 * 1024;
/** Clients connected to one served feed. Full: a further client gets 503 and retries. */
export const FEED_FOLLOWERS_MAX = 64;

/** Entries that a client may request in one page of a list. More: 422. */
export const LIST_LIMIT_MAX = 200;
/** Entries of a page when the client requests no number. More follow on the next page, by its cursor. */
export const LIST_LIMIT_DEFAULT = 50;
/** Bookmakers named in one filter. More: 422. */
export const BOOKMAKERS_FILTER_MAX = 50;
/** Market types named in one filter. More: 422. */
export const MARKETS_FILTER_MAX = 10;
/** Fixtures in one request for the odds of several. More: 422. */
export const BATCH_EVENT_IDS_MAX = 20;
/** Ticks of one page of a fixture's history. More: 422. */
export const HISTORY_TICKS_MAX = 10_000;
/** Ticks of a page when the client requests no number. More follow on the next page, by its cursor. */
export const HISTORY_TICKS_DEFAULT = 1_000;
/** Days from the first to the last day of a list of events. Further apart: 400. */
export const LIST_EVENTS_DAYS_MAX = 31;
/**
 * Fixtures that one scan scores. More: live ones first, then the soonest kickoffs; the answer has the total.
 */
export const SCAN_SLATE_FIXTURES_MAX = 100;
/**
 * Fixtures that compare_books and list_movers read, on the thread that answers. More: live ones first, then
 * the soonest kickoffs; the answer counts the rest.
 */
export const SWEPT_FIXTURES_MAX = 500;
/** Characters of a natural-language query. Longer: 422. */
export const QUERY_CHARS_MAX = 200;

/**
 * Longest time back, in seconds, for which moves and steam look prices up in memory. More: 422.
 */
export const PRICE_WINDOW_S_MAX = 3_600;

/** UTC days that requests per key are kept for. Older days are deleted. */
export const USAGE_DAYS_KEPT = 30;

/** Characters of a password, as received. Fewer: 422. */
export const PASSWORD_CHARS_MIN = 10;
/** Characters of a password, as received. More: 422. */
export const PASSWORD_CHARS_MAX = 128;
/** Characters of a mail address; RFC 5321 allows a path of 256 octets with its brackets. Longer: 422. */
export const EMAIL_CHARS_MAX = 254;
/** Addresses and ranges that one key may be bound to. More: 422. */
export const KEY_ADDRESSES_MAX = 20;
/** Characters of a key's label. Longer: 422. */
export const KEY_LABEL_CHARS_MAX = 100;

/** Request body of /platform. Larger: 413, and nothing of it is kept. */
export const ACCOUNT_BODY_BYTES_MAX = 4 * 1024;
/** Any other request body. Larger: 413, and the connection is closed before the body is read. */
export const BODY_BYTES_MAX = 64 * 1024;
/** One request, from when it reaches its handler to the answer. Later: 503. */
export const REQUEST_DEADLINE_MS = 10_000;
/** Lowest memory budget that can be set, in MB; also the default on small machines. */
export const MEMORY_BUDGET_MB_MIN = 32;
/** Default memory budget, in MB, on machines with enough memory. */
export const MEMORY_BUDGET_MB_DEFAULT = 256;
/** Bytes of encoded answers cached per HTTP thread. Full: the oldest sixteenth is dropped. */
export const ANSWER_CACHE_BYTES_MAX = 64 * 1024 * 1024;

/** Openings and results waiting for the archive. Full: they are written at once, after the present batch. */
export const ARCHIVE_FLUSH_ROWS = 2_000;
/**
 * Rows that may wait while the archive is busy, full or unreachable. Full: the row is dropped and counted
 * (`archive_errors`).
 */
export const ARCHIVE_ROWS_MAX = 65_536;
/**
 * How long results are kept after the match, and an event's openings after the latest of them was recorded.
 * Older: purged.
 */
export const RESULTS_KEPT_DAYS = 30;
/** RESULTS_KEPT_DAYS in milliseconds. */
export const RESULTS_KEPT_MS = RESULTS_KEPT_DAYS * DAY_MS;
/** How long a finished fixture stays on the slate, unless the feed removes it earlier. */
export const FINISHED_KEPT_MS = 24 * HOUR_MS;

/**
 * Records between ingest and the thread that keeps the price history: 64 bytes each. Full: records are
 * dropped and counted, and the history has a gap until the whole slate was sent again.
 */
export const HISTORY_RING_RECORDS = 131_072;
/** Ticks of the price history in memory and in its log. Full: they are written to a Parquet file. */
export const HISTORY_LIVE_TICKS_MAX = 200_000;
/**
 * Segments of the price history that wait to be written as files, while the disk refuses them. Full: no more
 * records are taken from the ring until a file is written.
 */
export const HISTORY_SEALING_MAX = 2;
/** Gaps of the price history on record. Full: the oldest is forgotten. */
export const HISTORY_GAPS_MAX = 10_000;
/** Bytes of the report about the price history in `/ready`. Longer: the names of files are left out. */
export const HISTORY_REPORT_BYTES_MAX = 16 * 1024;
/**
 * Damaged history files that `/ready` names. More: only the newest are named there, all of them in the log.
 */
export const HISTORY_SET_ASIDE_NAMED_MAX = 20;
/**
 * Matches whose kickoff is awaited for their closing prices. Full: the one that was added first is forgotten.
 */
export const HISTORY_KICKOFFS_MAX = 16_384;

/** Saved views of one account. Full: 402, delete one. */
export const SAVED_VIEWS_PER_ACCOUNT_MAX = 20;
/** Characters of a view's name. Longer: 422. */
export const SAVED_VIEW_NAME_CHARS_MAX = 60;
/** Characters of a view's query. Longer: 422. */
export const SAVED_VIEW_QUERY_CHARS_MAX = 1_000;

/** Alert rules of one account. Full: 402, delete one. */
export const ALERTS_PER_ACCOUNT_MAX = 50;
/**
 * Alert rules of all accounts without a paid plan. The last quarter is for accounts with fewer than
 * FREE_ALERTS_FEW rules. Full: a new rule of such an account is refused, 503.
 */
export const FREE_ALERTS_MAX = 2_000;
/** Rules that an account without a paid plan may make while three quarters of FREE_ALERTS_MAX are taken. */
export const FREE_ALERTS_FEW = 5;
/** Characters of a rule's name. Longer: 422. */
export const ALERT_NAME_CHARS_MAX = 100;
/** Characters of the URL that a rule sends to. Longer: 422. */
export const ALERT_URL_CHARS_MAX = 500;
/** Largest `again_after_s` of a rule: the shortest time between two reports of one signal. More: 422. */
export const ALERT_AGAIN_S_MAX = 86_400;
/** `again_after_s` of a rule that does not set it. */
export const ALERT_AGAIN_S_DEFAULT = 600;
/** Finished deliveries kept for each rule. Older ones are deleted each time the account has about 50 more. */
export const ALERT_DELIVERIES_KEPT = 200;
/** Finished deliveries kept for each rule without a paid plan. Older ones are deleted in the same way. */
export const FREE_ALERT_DELIVERIES_KEPT = 20;
/** Finished deliveries kept for each account. Older ones are deleted each time it has about 50 more. */
export const ACCOUNT_DELIVERIES_KEPT = 2_000;
/** Finished deliveries kept for each account without a paid plan. Older ones are deleted in the same way. */
export const FREE_ACCOUNT_DELIVERIES_KEPT = 200;
/** How many days a finished delivery is kept, counted from its alert. Older: it is deleted. */
export const ALERT_DELIVERIES_KEPT_DAYS = 7;
/** Characters of an endpoint's answer that are kept. Longer: the rest is deleted. */
export const ALERT_ANSWER_CHARS_MAX = 512;

/**
 * Signals on record, counted apart for callers that see the sharp bookmaker and for those that do not. Full:
 * the oldest are deleted.
 */
export const RECORD_SIGNALS_MAX = 200_000;
/** Signals of one view that the record follows at a time. Full: new ones wait until others have closed. */
export const RECORD_OPEN_MAX = 20_000;
/**
 * Signals waiting to be written to the record, counted apart for callers that see the sharp bookmaker and for
 * those that do not. Full: a signal that opens is left out of the record and counted
 * (`overround_signal_record_dropped_total`).
 */
export const RECORD_WAITING_MAX = 20_000;
