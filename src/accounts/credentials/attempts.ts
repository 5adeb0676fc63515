// Rate limits on attempts. The counts are in the database, so they hold across threads and restarts.

import { type Clock, DAY_MS, HOUR_MS } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { SqlDatabase } from '../../storage/sql.ts';
import { CLIENTS_PER_ACCOUNT_MAX, CODE_LASTS_MS } from '../limits.ts';

/** How many attempts are allowed within a sliding window. */
export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
}

/**
 * Maximum numbers of attempts within a sliding window. Unless the limit says otherwise, a further attempt
 * gets 429 with the wait, and does not count.
 */
export const ATTEMPT_LIMITS = {
  loginPerAccount: { max: 5, windowMs: 60_000 },
  loginPerAddress: { max: 20, windowMs: 60_000 },
  /** Counted per client network, so that a stranger can use up only the quota of their own network. */
  signupPerAccountAndAddress: { max: 5, windowMs: HOUR_MS },
  signupPerAddress: { max: 20, windowMs: 60_000 },
  verifyPerAddress: { max: 20, windowMs: 60_000 },
  /**
   * Mails after sign-ups with one address. When they are used up, no mail is sent, and every client that
   * signed up can use the long codes of earlier mails, because a code lasts as long as the window.
   */
  signupMailPerAccount: { max: 20, windowMs: CODE_LASTS_MS },
  /**
   * Mails after sign-ups with addresses that differ only in their `+tag`, which all reach one mailbox. The
   * address without a tag is not counted, so that strangers cannot use up its mails. When they are used up,
   * no mail is sent.
   */
  signupMailPerTaggedMailbox: { max: 20, windowMs: CODE_LASTS_MS },
  /** Sign-ups from one network (an IPv4 /24 or an IPv6 /48). */
  signupPerNetwork: { max: 60, windowMs: HOUR_MS },
  /**
   * Mails after sign-ups from all networks. When they are used up, sign-ups get 503, except from networks
   * with few sign-ups.
   */
  signupInAll: { max: 1_000, windowMs: HOUR_MS },
  /**
   * Further mails, after sign-ups from networks with at most FEW_SIGNUPS. When they are used up, sign-ups
   * from these networks get 503 too.
   */
  signupOfFewInAll: { max: 250, windowMs: HOUR_MS },
  /**
   * Six-digit codes for one address. When they are used up, mails carry only a long code, which cannot be
   * guessed.
   */
  shortCodePerAccount: { max: 20, windowMs: DAY_MS },
  /**
   * A stranger can use up this limit. But each request mails the owner a code, and the codes stay valid until
   * the limit resets.
   */
  resetAskedPerAccount: { max: 5, windowMs: HOUR_MS },
  resetAskedPerAddress: { max: 10, windowMs: HOUR_MS },
  /** For each network: an IPv4 /24 or an IPv6 /48. */
  resetAskedPerNetwork: { max: 60, windowMs: HOUR_MS },
  /**
   * Requests for a reset from all networks, and for addresses that differ only in their `+tag`. When they are
   * used up, only addresses with a verified account get a mail. The answer then comes before the account is
   * looked up, so that its time does not show which addresses these are.
   */
  resetAskedInAll: { max: 1_000, windowMs: HOUR_MS },
  resetAskedPerTaggedMailbox: { max: 10, windowMs: HOUR_MS },
  codePerAddress: { max: 20, windowMs: 60_000 },
  passwordPerAccount: { max: 5, windowMs: 60_000 },
  changeEmailPerAccount: { max: 5, windowMs: HOUR_MS },
  createKeyPerAccount: { max: 60, windowMs: HOUR_MS },
  /**
   * For key rotations and, counted separately, for changes of saved views. Each of these changes writes to
   * the database, and after a rotation all threads read all keys again. Revoking a key and deleting a view
   * have no limit: each needs one that was made before, and a leaked key must end.
   */
  changesPerAccount: { max: 300, windowMs: HOUR_MS },
  /** Changes of alert rules, and deliveries that an owner asks for. */
  alertsPerAccount: { max: 300, windowMs: HOUR_MS },
  /** Look-ups of the league and team that an alert rule names. Those that find nothing count too. */
  alertNamesPerAccount: { max: 300, windowMs: HOUR_MS },
} as const satisfies Record<string, AttemptLimit>;

/** Sign-ups within an hour after which a network has more than a few. */
export const FEW_SIGNUPS = 3;

/** Each new attempt also deletes expired attempts, at most this many. */
const EXPIRED_ATTEMPTS_MAX = 1_000;

/**
 * Counts attempts, to stop guessing, and remembers clients whose attempts are counted separately from
 * strangers'. Before it counts rows and adds one, a transaction locks the account or the subject, so two
 * nodes cannot exceed a limit together.
 */
export class Attempts {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /**
   * Remembers until `expiresAtMs` that a client logged in to the account. Beyond CLIENTS_PER_ACCOUNT_MAX, the
   * client that logged in longest ago is forgotten.
   */
  async rememberClient(accountId: string, hash: string, expiresAtMs: number): Promise<void> {
    await this.#sql.transaction(async (sql) => {
      const accounts = await sql.rows('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
      if (accounts.length === 0) return;
      await sql.run(
        `INSERT INTO known_clients (account_id, hash, expires_at_ms) VALUES ($1, $2, $3)
         ON CONFLICT (account_id, hash) DO UPDATE SET expires_at_ms = excluded.expires_at_ms`,
        [accountId, hash, expiresAtMs],
      );
      await sql.run(
        `DELETE FROM known_clients WHERE account_id = $1 AND hash NOT IN (
           SELECT hash FROM known_clients WHERE account_id = $1 ORDER BY expires_at_ms DESC, hash LIMIT $2)`,
        [accountId, CLIENTS_PER_ACCOUNT_MAX],
      );
    });
  }

  async knowsClient(accountId: string, hash: string, nowMs: number): Promise<boolean> {
    const rows = await this.#sql.rows(
      'SELECT 1 FROM known_clients WHERE account_id = $1 AND hash = $2 AND expires_at_ms > $3',
      [accountId, hash, nowMs],
    );
    return rows.length > 0;
  }

  /** How long an attempt would have to wait, as `take` returns it. Counts nothing. */
  waitMs(subject: string, limit: AttemptLimit, nowMs: number): Promise<number> {
    return waitOf(this.#sql, { subject, limit, nowMs });
  }

  /**
   * Counts an attempt within the sliding window, across all threads and processes.
   * @returns 0 when it may proceed; otherwise the milliseconds to wait, and nothing is counted
   */
  take(subject: string, limit: AttemptLimit, nowMs: number): Promise<number> {
    return this.#sql.transaction(async (sql) => {
      await sql.lock(subject);
      await sql.run(
        `DELETE FROM attempts WHERE ctid IN (
           SELECT ctid FROM attempts WHERE expires_at_ms <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
        [nowMs, EXPIRED_ATTEMPTS_MAX],
      );
      const waitMs = await waitOf(sql, { subject, limit, nowMs });
      if (waitMs > 0) return waitMs;
      await sql.run('INSERT INTO attempts (subject, at_ms, expires_at_ms) VALUES ($1, $2, $3)', [
        subject,
        nowMs,
        nowMs + limit.windowMs,
      ]);
      return 0;
    });
  }
}

interface Attempt {
  readonly subject: string;
  readonly limit: AttemptLimit;
  readonly nowMs: number;
}

/** @returns 0 when the attempt may proceed; otherwise the milliseconds to wait */
async function waitOf(sql: Pick<SqlDatabase, 'rows'>, { subject, limit, nowMs }: Attempt): Promise<number> {
  const { max, windowMs } = limit;
  // The max-th newest attempt blocks until it leaves the window. Attempts more than a window in the future
  // are ignored: the clock was set back since.
  const [blocking] = await sql.rows<{ at_ms: number }>(
    `SELECT at_ms FROM attempts WHERE subject = $1 AND at_ms > $2 AND at_ms < $3
     ORDER BY at_ms DESC LIMIT 1 OFFSET $4`,
    [subject, nowMs - windowMs, nowMs + windowMs, max - 1],
  );
  return blocking === undefined ? 0 : blocking.at_ms + windowMs - nowMs;
}

/**
 * Counts one attempt of a subject.
 * @throws ServiceError rate_limit_exceeded when the subject must wait; the attempt is then not counted
 */
export async function takeAttempt(
  { attempts, clock }: { readonly attempts: Attempts; readonly clock: Clock },
  limit: keyof typeof ATTEMPT_LIMITS,
  subject: string,
): Promise<void> {
  const waitMs = await attempts.take(subject, ATTEMPT_LIMITS[limit], clock.wallMs());
  if (waitMs === 0) return;
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new ServiceError('rate_limit_exceeded', 'Cannot continue: too many attempts', {
    fix: `Wait ${seconds} s and try again`,
    retryAfterSeconds: seconds,
  });
}
