// Capacities that size memory at the start, or that several folders use, each with what happens when it is
// full. A limit that only one folder uses is in that folder: access/limits.ts, accounts/limits.ts,
// scoring/pool-limits.ts, or the file it bounds.

import { DAY_MS, HOUR_MS } from './clock.ts';

/**
 * Maximum number of fixtures on the slate. When it is reached, a new fixture is refused, counted
 * (`fixture_table_full`) and logged.
 */
export const FIXTURES_MAX = 4_096;
/**
 * Maximum number of bookmakers of the catalogue: a quote key has five bits for them. With more, the service
 * does not start.
 */
export const BOOKMAKERS_MAX = 32;
/**
 * Maximum number of quotes of one fixture. When it is reached, a new quote key is refused and counted
 * (`quote_table_full`).
 */
export const QUOTES_PER_FIXTURE_MAX = 512;
/**
 * Maximum number of first-seen openings of one fixture, including withdrawn lines. When it is reached, a new
 * one is refused and counted (`opening_table_full`).
 */
export const OPENINGS_PER_FIXTURE_MAX = 1_024;
/** Grace period of readers: a page is reused only after this many other pages were released. */
export const PAGE_GRACE_PUBLISHES = 1_024;
/**
 * Number of fixtures that left the slate and are remembered, so that a client with a cursor learns of it. The
 * one that left first is dropped for a new one; a client with an older cursor gets the whole slate.
 */
export const DEPARTURES_MAX = 131_072;
/**
 * Maximum number of leagues and teams named since the start. When it is reached, a fixture that needs a new
 * name is refused (`name_table_full`).
 */
export const ENTITIES_MAX = 32_768;
/**
 * Maximum UTF-8 bytes of the names of all leagues and teams since the start. When they are used up, a fixture
 * with a new name is refused (`name_table_full`).
 */
export const NAME_ARENA_BYTES_MAX = 2 * 1024 * 1024;
/**
 * Characters of a league's or team's name, or of a feed key; longer ones are rejected at parse (`bad_name`).
 */
export const NAME_CHARS_MAX = 200;
/** UTF-8 bytes of a match's clock text; longer text is rejected at parse (`bad_clock`). */
export const CLOCK_BYTES_MAX = 32;

/** Largest |line| of a quote, in quarters (1,000 points). A larger one is rejected at parse (`bad_line`). */
export const LINE_QUARTERS_MAX = 4_000;
/**
 * Largest decimal price, so that ten-thousandths fit an Int32. A larger one is rejected at parse
 * (`bad_price`).
 */
export const PRICE_MAX = 200_000;

/**
 * Largest amount of a liquidity row, in its currency. A message with a larger one is rejected at parse
 * (`bad_size`).
 */
export const AMOUNT_MAX = 1_000_000_000_000;
/**
 * Maximum number of lines of one fixture at one exchange whose liquidity is kept. A message with more is
 * rejected (`bad_size`).
 */
export const LIQUIDITY_ROWS_MAX = 64;
/**
 * Maximum number of pairs of fixture and exchange whose liquidity is kept. For a new pair, the one with the
 * oldest message is dropped.
 */
export const LIQUIDITY_ENTRIES_MAX = 1_024;

/**
 * How far in the future, from its own message, a result may be dated. A later one is rejected at parse
 * (`bad_time`); otherwise it would stay first among the most recent results until that day.
 */
export const RESULT_AHEAD_MS_MAX = DAY_MS;

/**
 * How far in the future a message of the feed may be stamped, because clocks differ. Up to this limit, its
 * time of arrival is used instead, so that no answer seems younger than it is. A message stamped later is
 * rejected (`future_time`), because messages with the right time that follow it would count as older and be
 * ignored.
 */
export const FEED_AHEAD_MS_MAX = 5_000;

/**
 * The feed is live when it is connected and was heard this recently. Longer ago: `/health` is degraded, and a
 * leader hands over to a standby.
 */
export const FEED_LIVE_MS = 30_000;

/**
 * Maximum number of feed messages waiting for the next tick. When it is reached, a file or simulator source
 * waits; a socket source must resynchronise.
 */
export const FEED_QUEUE_MAX = 65_536;
/** Messages applied in one batch, so that a burst never blocks the ingest worker for long. */
export const FEED_BATCH_MAX = 4_096;
/** Maximum bytes of one line of NDJSON. A longer message is rejected (`bad_json`). */
export const FEED_LINE_BYTES_MAX = 64 * 1024;

/**
 * Maximum bytes of the report on the feed's sources. If it would be longer, it leaves out the names of
 * unmapped bookmakers and the list of requests.
 */
export const SOURCE_REPORT_BYTES_MAX = 64 * 1024;
/**
 * Maximum bytes of one WebSocket frame of a feed. After a longer one, the connection is closed and opened
 * again.
 */
export const FEED_FRAME_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum number of clients connected to one served feed. A further client gets 503 and retries. */
export const FEED_FOLLOWERS_MAX = 64;

/** Maximum number of entries in one page of a list. A request for more is refused with 422. */
export const LIST_LIMIT_MAX = 200;
/** Entries of a page when the client requests no number. More follow on the next page, by its cursor. */
export const LIST_LIMIT_DEFAULT = 50;
/** Maximum number of bookmakers in one filter. More are refused with 422. */
export const BOOKMAKERS_FILTER_MAX = 50;
/** Maximum number of market types in one filter. More are refused with 422. */
export const MARKETS_FILTER_MAX = 10;
/** Maximum number of fixtures in one request for the odds of several. More are refused with 422. */
export const BATCH_EVENT_IDS_MAX = 20;
/** Maximum number of ticks on one page of a fixture's history. A request for more is refused with 422. */
export const HISTORY_TICKS_MAX = 10_000;
/** Ticks of a page when the client requests no number. More follow on the next page, by its cursor. */
export const HISTORY_TICKS_DEFAULT = 1_000;
/** Maximum number of days from the first to the last day of a list of events. More are refused with 400. */
export const LIST_EVENTS_DAYS_MAX = 31;
/**
 * Maximum number of fixtures that one scan scores: live ones first, then those with the soonest kickoffs. The
 * answer has the total.
 */
export const SCAN_SLATE_FIXTURES_MAX = 100;
/**
 * Maximum number of fixtures that compare_books and list_movers read, on the thread that answers: live ones
 * first, then those with the soonest kickoffs. The answer says how many were left out.
 */
export const SWEPT_FIXTURES_MAX = 500;
/** Maximum length of a natural-language query in characters. A longer one is refused with 422. */
export const QUERY_CHARS_MAX = 200;

/**
 * Longest time back, in seconds, for which moves and steam find prices in memory. A request for more is
 * refused with 422.
 */
export const PRICE_WINDOW_S_MAX = 3_600;

/** UTC days that requests per key are kept for. Older days are deleted. */
export const USAGE_DAYS_KEPT = 30;

/** Minimum length of a password in characters, as received. A shorter one is refused with 422. */
export const PASSWORD_CHARS_MIN = 10;
/** Maximum length of a password in characters, as received. A longer one is refused with 422. */
export const PASSWORD_CHARS_MAX = 128;
/**
 * Maximum length of a mail address in characters; RFC 5321 allows a path of 256 octets with its brackets. A
 * longer one is refused with 422.
 */
export const EMAIL_CHARS_MAX = 254;
/** Maximum number of addresses and ranges that one key may be bound to. More are refused with 422. */
export const KEY_ADDRESSES_MAX = 20;
/** Maximum length of a key's label in characters. A longer one is refused with 422. */
export const KEY_LABEL_CHARS_MAX = 100;

/** Maximum size of a request body for /platform. A larger one gets 413, and nothing of it is kept. */
export const ACCOUNT_BODY_BYTES_MAX = 4 * 1024;
/**
 * Maximum size of any other request body. A larger one gets 413, and the connection is closed before the body
 * is read.
 */
export const BODY_BYTES_MAX = 64 * 1024;
/**
 * Maximum characters of the answer of a tool over MCP, as JSON; longer lists are cut. Clients refuse or
 * truncate above 25,000 tokens; odds as JSON (digits, quotes, braces) are about 3 characters per token.
 */
export const RESULT_CHARS_MAX = 75_000;
/** Time limit of one request, from when it reaches its handler to the answer. After it, the answer is 503. */
export const REQUEST_DEADLINE_MS = 10_000;
/** Lowest memory budget that can be set, in MB. On small machines it is also the default. */
export const MEMORY_BUDGET_MB_MIN = 32;
/** Default memory budget, in MB, on machines with enough memory. */
export const MEMORY_BUDGET_MB_DEFAULT = 256;
/**
 * Maximum bytes of encoded answers cached per HTTP thread. When they are used up, the oldest sixteenth is
 * dropped.
 */
export const ANSWER_CACHE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Number of openings and results waiting for the archive at which they are written at once, after the present
 * batch.
 */
export const ARCHIVE_FLUSH_ROWS = 2_000;
/**
 * Maximum number of rows that wait while the archive is busy, full or unreachable. A further row is dropped
 * and counted (`archive_errors`).
 */
export const ARCHIVE_ROWS_MAX = 65_536;
/**
 * How long results are kept after the match, and an event's openings after the latest of them was recorded.
 * Then they are purged.
 */
export const RESULTS_KEPT_DAYS = 30;
/** RESULTS_KEPT_DAYS in milliseconds. */
export const RESULTS_KEPT_MS = RESULTS_KEPT_DAYS * DAY_MS;
/** How long a finished fixture stays on the slate, unless the feed removes it earlier. */
export const FINISHED_KEPT_MS = 24 * HOUR_MS;

/**
 * Capacity of the ring between ingest and the thread that keeps the price history, in records of 64 bytes.
 * While it is full, records are dropped and counted, and the history has a gap until the whole slate was sent
 * again.
 */
export const HISTORY_RING_RECORDS = 131_072;
/**
 * Maximum number of ticks of the price history in memory and in its log. When it is reached, they are written
 * to a Parquet file.
 */
export const HISTORY_LIVE_TICKS_MAX = 200_000;
/**
 * Maximum number of segments of the price history that wait to be written as files, while the disk refuses
 * them. When it is reached, no more records are taken from the ring until a file is written.
 */
export const HISTORY_SEALING_MAX = 2;
/** Maximum number of gaps of the price history on record. For a new one, the oldest is forgotten. */
export const HISTORY_GAPS_MAX = 10_000;
/**
 * Maximum bytes of the report about the price history in `/ready`. If it would be longer, the names of files
 * are left out.
 */
export const HISTORY_REPORT_BYTES_MAX = 16 * 1024;
/**
 * Maximum number of damaged history files that `/ready` names: the newest ones. The log names all of them.
 */
export const HISTORY_SET_ASIDE_NAMED_MAX = 20;
/**
 * Maximum number of matches whose kickoff is awaited for their closing prices. For a new one, the one that
 * was added first is forgotten.
 */
export const HISTORY_KICKOFFS_MAX = 16_384;

/** Maximum number of saved views of one account. A further one is refused with 402: delete one first. */
export const SAVED_VIEWS_PER_ACCOUNT_MAX = 20;
/** Maximum length of a view's name in characters. A longer one is refused with 422. */
export const SAVED_VIEW_NAME_CHARS_MAX = 60;
/** Maximum length of a view's query in characters. A longer one is refused with 422. */
export const SAVED_VIEW_QUERY_CHARS_MAX = 1_000;

/** Maximum number of alert rules of one account. A further one is refused with 402: delete one first. */
export const ALERTS_PER_ACCOUNT_MAX = 50;
/**
 * Maximum number of alert rules of all accounts without a paid plan. When three quarters are taken, the rest
 * is for accounts with fewer than FREE_ALERTS_FEW rules. When all are taken, a new rule of an account without
 * a paid plan is refused with 503.
 */
export const FREE_ALERTS_MAX = 2_000;
/** Rules that an account without a paid plan may make while three quarters of FREE_ALERTS_MAX are taken. */
export const FREE_ALERTS_FEW = 5;
/** Maximum length of a rule's name in characters. A longer one is refused with 422. */
export const ALERT_NAME_CHARS_MAX = 100;
/** Maximum length of the URL that a rule sends to, in characters. A longer one is refused with 422. */
export const ALERT_URL_CHARS_MAX = 500;
/**
 * Maximum `again_after_s` of a rule, in seconds. A rule reports a signal again only that long after the last
 * report. A larger value is refused with 422.
 */
export const ALERT_AGAIN_S_MAX = 86_400;
/** `again_after_s` of a rule that does not set it. */
export const ALERT_AGAIN_S_DEFAULT = 600;
/** Finished deliveries kept for each rule. Older ones are deleted when the account has about 50 more. */
export const ALERT_DELIVERIES_KEPT = 200;
/** Finished deliveries kept for each rule without a paid plan. Older ones are deleted. */
export const FREE_ALERT_DELIVERIES_KEPT = 20;
/** Finished deliveries kept for each account. Older ones are deleted. */
export const ACCOUNT_DELIVERIES_KEPT = 2_000;
/** Finished deliveries kept for each account without a paid plan. Older ones are deleted. */
export const FREE_ACCOUNT_DELIVERIES_KEPT = 200;
/** How many days a finished delivery is kept, counted from its alert. Then it is deleted. */
export const ALERT_DELIVERIES_KEPT_DAYS = 7;
/** How many characters of an endpoint's answer are kept. The rest is deleted. */
export const ALERT_ANSWER_CHARS_MAX = 512;

/**
 * Maximum number of signals on record, counted apart for callers that see the sharp bookmaker and for those
 * that do not. When it is exceeded, the oldest are deleted.
 */
export const RECORD_SIGNALS_MAX = 200_000;
/**
 * Maximum number of open signals of one view that the record follows. When it is reached, new ones wait until
 * others have closed.
 */
export const RECORD_OPEN_MAX = 20_000;
/**
 * Maximum number of signals waiting to be written to the record, counted apart for callers that see the sharp
 * bookmaker and for those that do not. When it is reached, a signal that opens is left out of the record and
 * counted (`overround_signal_record_dropped_total`).
 */
export const RECORD_WAITING_MAX = 20_000;
