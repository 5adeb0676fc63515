// The capacities that size memory at start or that more than one room knows, each once, with what happens when it is
// full. What only one room knows is in that room: access/limits.ts, accounts/limits.ts, scoring/pool-limits.ts, or the
// file it bounds.

/** Fixtures on the slate. Full: the newcomer is refused, counted (`fixture_table_full`) and logged. */
export const FIXTURES_MAX = 4_096;
/** Bookmakers of the catalogue: a quote key has five bits for them. More: the service does not start. */
export const BOOKMAKERS_MAX = 32;
/** Quotes of one fixture. Full: the new quote key is refused and counted (`quote_table_full`). */
export const QUOTES_PER_FIXTURE_MAX = 512;
/** First-seen openings of one fixture, lines that have left included. Full: refused and counted (`opening_table_full`). */
export const OPENINGS_PER_FIXTURE_MAX = 1_024;
/** A page is written again only after this many others were published: the grace period of readers. */
export const PAGE_GRACE_PUBLISHES = 1_024;
/**
 * Fixtures that left the slate of which a cursor can still be told. Full: the oldest is forgotten, and a cursor from before
 * it left is answered with the whole slate.
 */
export const DEPARTURES_MAX = 131_072;
/** Leagues and teams ever named since start. Full: the fixture that needs a new name is refused (`name_table_full`). */
export const ENTITIES_MAX = 32_768;
/** UTF-8 bytes of all those names together. Full: as above (`name_table_full`). */
export const NAME_ARENA_BYTES_MAX = 2 * 1024 * 1024;
/** One name of a league or team, and one feed key; longer ones are rejected at parse (`bad_name`). */
export const NAME_CHARS_MAX = 200;
/** Clock text of a match, UTF-8; longer text is rejected at parse (`bad_clock`). */
export const CLOCK_BYTES_MAX = 32;

/** Largest |line| of a quote, in quarters (1,000 points). Beyond: rejected at parse (`bad_line`). */
export const LINE_QUARTERS_MAX = 4_000;
/** Largest decimal price, so that ten-thousandths fit an Int32. Beyond: rejected at parse (`bad_price`). */
export const PRICE_MAX = 200_000;

/**
 * How far after its own message a result may say that the match finished. Beyond: rejected at parse (`bad_time`), or it
 * would lead the results, most recent first, until that day.
 */
export const RESULT_AHEAD_MS_MAX = 86_400_000;

/**
 * How far ahead of its arrival a message of the feed may be stamped, since clocks differ. Within: it counts as of its
 * arrival, so that no answer is younger than itself. Beyond: rejected (`future_time`), or it would hold its line until
 * that time comes, since whatever follows with the right time counts as older.
 */
export const FEED_AHEAD_MS_MAX = 5_000;

/**
 * The feed is live when it is connected and was heard this recently. Longer ago: `/health` is degraded, and a leader hands
 * over.
 */
export const FEED_LIVE_MS = 30_000;

/** Feed messages waiting for the next tick. Full: a file or simulator source waits; a socket source must resynchronise. */
export const FEED_QUEUE_MAX = 65_536;
/** Messages applied in one batch, so that a burst never holds the ingest worker for long. */
export const FEED_BATCH_MAX = 4_096;
/** One line of NDJSON. Longer: that message is rejected (`bad_json`). */
export const FEED_LINE_BYTES_MAX = 64 * 1024;

/** The report of the feed's sources, as text. Longer: names of unmapped bookmakers and requests are left out of it. */
export const SOURCE_REPORT_BYTES_MAX = 64 * 1024;
/** One WebSocket frame of a feed. Longer: the connection is dropped and made anew. */
export const FEED_FRAME_BYTES_MAX = 16 * 1024 * 1024;
/** Followers of one served feed. Full: the next is answered 503 and tries again. */
export const FEED_FOLLOWERS_MAX = 64;

/** Entries of one page of a list that a caller may ask for. More: 422. */
export const LIST_LIMIT_MAX = 200;
/** Entries of a page when the caller does not say. More follow on the next page, by its cursor. */
export const LIST_LIMIT_DEFAULT = 50;
/** Bookmakers named in one filter. More: 422. */
export const BOOKMAKERS_FILTER_MAX = 50;
/** Market types named in one filter. More: 422. */
export const MARKETS_FILTER_MAX = 10;
/** Fixtures of one batch of odds. More: 422. */
export const BATCH_EVENT_IDS_MAX = 20;
/** Days that list_events spans, the first and the last included. More: 400. */
/** Days from the first to the last day of a list of events. Further apart: 400. */
export const LIST_EVENTS_DAYS_MAX = 31;
/** Fixtures that one scan scores. More: live ones first, then the soonest kickoffs; the answer says how many there are. */
export const SCAN_SLATE_FIXTURES_MAX = 100;
/**
 * Fixtures that compare_books and list_movers look at, on the thread that answers. More: live ones first, then the soonest
 * kickoffs; the answer counts the rest.
 */
export const SWEPT_FIXTURES_MAX = 500;
/** Natural-language queries; longer text is 422. */
export const QUERY_CHARS_MAX = 200;

/** UTC days that requests per key are kept for. Older days are deleted. */
export const USAGE_DAYS_KEPT = 30;

/** Characters of a password, as it was received. Fewer: 422. */
export const PASSWORD_CHARS_MIN = 10;
/** Characters of a password, as it was received. More: 422. */
export const PASSWORD_CHARS_MAX = 128;
/** Characters of a mail address; RFC 5321 allows a path of 256 octets with its brackets. Longer: 422. */
export const EMAIL_CHARS_MAX = 254;
/** Addresses and ranges that one key may be bound to. More: 422. */
export const KEY_ADDRESSES_MAX = 20;
/** Characters of a key's label. Longer: 422. */
export const KEY_LABEL_CHARS_MAX = 100;

/** Request body of /platform. Larger: 413, and nothing of it is kept. */
export const ACCOUNT_BODY_BYTES_MAX = 8 * 1024;
/** Any other request body. Larger: 413. */
export const BODY_BYTES_MAX = 1024 * 1024;
/** One request, from its first byte in a handler to the answer. Later: 503. */
export const REQUEST_DEADLINE_MS = 10_000;
/** Bytes of encoded answers kept per HTTP thread. Full: the oldest sixteenth is dropped. */
export const ANSWER_CACHE_BYTES_MAX = 64 * 1024 * 1024;

/** Openings and results that wait for the archive. Reached: they are written at once, between two messages. */
export const ARCHIVE_FLUSH_ROWS = 2_000;
/** As many wait while the archive's file is busy or full. Full: the row is refused and counted (`archive_errors`). */
export const ARCHIVE_ROWS_MAX = 65_536;
/** Finished results are kept this long, openings as long after they were first seen. Older: purged. */
export const RESULTS_KEPT_DAYS = 30;
/** The same in milliseconds. */
export const RESULTS_KEPT_MS = RESULTS_KEPT_DAYS * 86_400_000;
/** A finished fixture stays on the slate until the feed removes it, at most this long after it finished. */
export const FINISHED_KEPT_MS = 24 * 3_600_000;
