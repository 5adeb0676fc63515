// Capacities and periods that only accounts know, once, with what happens when each is full. Those that schemas show
// too are in src/limits.ts.

/** How long a session lasts. Older: it ends, and its caller logs in again. */
export const SESSION_DAYS = 30;
/** Sessions of one account. Full: the oldest ends. */
export const SESSIONS_PER_ACCOUNT_MAX = 50;
/** How long a verification code can be entered. Later: it is refused like a wrong one. */
export const CODE_LASTS_MS = 30 * 60_000;
/** How often a code can be entered wrongly. Reached: it dies, and a new one must be asked for. */
export const CODE_TRIES_MAX = 5;
/** Accounts never verified are deleted after this long. */
export const UNVERIFIED_KEPT_MS = 7 * 86_400_000;

/** How long a code of a long mail, for a new password or another address, can be used. Later: refused like a wrong one. */
export const CONFIRMATION_LASTS_MS = 60 * 60_000;
/** Such codes of one account and kind. Full: the oldest is void. All work, so that nobody voids another's by asking. */
export const CONFIRMATIONS_PER_ACCOUNT_MAX = 10;
/** How long a device or a network that logged in is known. Then it counts as a stranger again. */
export const CLIENT_KNOWN_DAYS = 90;
/** Known devices and networks of one account. Full: the one that was away longest is forgotten. */
export const CLIENTS_PER_ACCOUNT_MAX = 40;

/** Active keys of one account. Full: 402. */
export const ACTIVE_KEYS_PER_ACCOUNT_MAX = 20;
/** Keys of one account, revoked ones included. Full: the key revoked longest ago is deleted. */
export const KEYS_PER_ACCOUNT_MAX = 200;

/**
 * Passwords hashed at once, each using 64 MiB for about 150 ms; with two processors one. Full: the next ones wait in the
 * queue.
 */
export const HASHES_AT_ONCE_MAX = 2;
/** Passwords waiting for their turn. Full: 503 with a second to wait. */
export const HASHES_WAITING_MAX = 32;

/** The development outbox. Full: it starts anew. */
export const OUTBOX_BYTES_MAX = 1024 * 1024;
