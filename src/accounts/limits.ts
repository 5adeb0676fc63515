// Limits and periods that only accounts use, with what happens when each is reached. Limits that also appear
// in schemas are in src/limits.ts.

import { DAY_MS } from '../clock.ts';

/** How long a session lasts. Then the client must log in again. */
export const SESSION_DAYS = 30;
/** Maximum number of sessions of one account. For a new one, the oldest ends. */
export const SESSIONS_PER_ACCOUNT_MAX = 50;
/** How long a verification code is valid. Then it is refused like a wrong one. */
export const CODE_LASTS_MS = 30 * 60_000;
/**
 * Maximum number of wrong six-digit codes that may be entered from a client network that signed up. After
 * that, short codes are refused from it. After as many wrong ones from all networks together, including that
 * one, short codes are refused from every network that did not sign up. The long code of the same mail still
 * works.
 */
export const CODE_TRIES_MAX = 5;
/**
 * Maximum number of client networks whose sign-ups for one account mailed nothing. For a further one, the
 * oldest is forgotten, and for half an hour a code from a mail is refused if it is entered from a network
 * without a sign-up.
 */
export const UNMAILED_SIGNUPS_PER_ACCOUNT_MAX = 3_000;
/** An account that is not verified is deleted after this long, unless it has a valid code. */
export const UNVERIFIED_KEPT_MS = 7 * DAY_MS;
/**
 * Maximum number of accounts that are not verified. When it is reached, each sign-up deletes the oldest ones
 * whose codes have expired. If there are none, sign-up is refused, 503.
 */
export const UNVERIFIED_ACCOUNTS_MAX = 100_000;
/**
 * Maximum number of expired rows that one sign-up deletes from a table. The next sign-ups delete the others.
 */
export const EXPIRED_ROWS_PER_SIGNUP_MAX = 1_000;
/** Maximum number of unverified accounts that one sign-up deletes. The next sign-ups delete the others. */
export const UNVERIFIED_PER_SIGNUP_MAX = 100;

/** How long a long code from a mail (for a new password or address) is valid. Then it is refused. */
export const CONFIRMATION_LASTS_MS = 60 * 60_000;
/**
 * Maximum number of valid long codes of one account for one purpose (a new password, or a new address). With
 * a new one, the oldest is void.
 */
export const CONFIRMATIONS_PER_ACCOUNT_MAX = 10;
/**
 * Maximum number of requests for a new password that one thread works on after their answers. Further ones
 * are dropped and logged. They still get the usual answer, because a refusal would show how long the work on
 * earlier requests takes.
 */
export const LATE_RESETS_MAX = 32;
/** How long a device or network that logged in stays known. After that it counts as a stranger again. */
export const CLIENT_KNOWN_DAYS = 90;
/**
 * Maximum number of known devices and networks of one account. For a new one, the one that logged in longest
 * ago is forgotten.
 */
export const CLIENTS_PER_ACCOUNT_MAX = 40;

/** Maximum number of active keys of one account. A further one is refused, 402. */
export const ACTIVE_KEYS_PER_ACCOUNT_MAX = 20;
/**
 * Maximum number of keys of one account, including revoked ones. For a new one, the oldest revoked or expired
 * key is deleted.
 */
export const KEYS_PER_ACCOUNT_MAX = 200;

/**
 * Maximum number of passwords hashed at once; with two processors it is one. Each hash uses 19 MiB for about
 * 90 ms. Further passwords wait in a queue.
 */
export const HASHES_AT_ONCE_MAX = 2;
/**
 * Maximum number of passwords of strangers that wait to be hashed. Beyond it, the newest of the network (an
 * IPv4 /24 or an IPv6 /48) that has the most waiting gets 503.
 */
export const HASHES_WAITING_MAX = 32;
/**
 * Maximum number of passwords of owners (with a session, a valid code, or a known device or network) that
 * wait to be hashed. Beyond it, the newest of the account that has the most waiting gets 503.
 */
export const OWNERS_WAITING_MAX = 16;

/** Maximum number of mails that one thread sends at once, each over its own connection. Further ones wait. */
export const MAILS_AT_ONCE_MAX = 8;
/**
 * Maximum number of mails after sign-ups that one thread sends at once, part of MAILS_AT_ONCE_MAX. Further
 * ones wait behind all other mails.
 */
export const SIGNUP_MAILS_AT_ONCE_MAX = 6;
/**
 * Maximum number of mails that wait to be sent, those after sign-ups and others counted apart. A further one
 * gets 503.
 */
export const MAILS_WAITING_MAX = 32;

/** Maximum bytes of the development outbox file. When it is larger, it is deleted and started again. */
export const OUTBOX_BYTES_MAX = 1024 * 1024;
