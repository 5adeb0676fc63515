// The Postgres connection pool, used when DATABASE_URL is set. Every call has a deadline: if it passes, the
// connection is closed, whatever state the server left it in, and the next call opens another. Only
// transactions that Postgres itself asks to repeat (serialization failures, deadlocks) are retried here.

import { SQL } from 'bun';
import { assert } from '../errors.ts';
import type { Sql, SqlValue } from './sql.ts';
import { StorageError } from './storage-errors.ts';

/** Connections of a pool, unless its thread asks for another number. Further calls wait. */
const POSTGRES_CONNECTIONS = 8;
/**
 * How long a call may take, including its wait for a connection. After that it fails with
 * `upstream_unavailable` and its connection is closed.
 */
const POSTGRES_DEADLINE_MS = 2_000;
/**
 * Maximum number of calls waiting for a connection. A further call fails with `upstream_unavailable` at once.
 */
const WAITING_MAX = 256;
/** Maximum number of times that a transaction is run, if other transactions make it fail. */
const TRIES_MAX = 3;

/**
 * Why a call failed because of Postgres: `refused`, too many calls wait for a connection; `late`, no answer
 * in time; `failed`, the server or the connection to it failed.
 */
export type PostgresFailure = 'refused' | 'late' | 'failed';

/** Receives the outcome of calls, for the metrics. */
export interface PostgresWatch {
  /** Called when the server answered, even if it answered that a statement is wrong. */
  answered(): void;
  failed(kind: PostgresFailure): void;
  /** Receives the number of calls that wait for a connection now. */
  waiting(count: number): void;
}

/** A call that was ended here, before Postgres answered it. */
class UnansweredError extends Error {
  readonly kind: 'refused' | 'late' | 'closed';

  constructor(kind: UnansweredError['kind'], because: string) {
    super(because);
    this.kind = kind;
  }
}

export interface PostgresOptions {
  /** The value of DATABASE_URL. */
  readonly url: string;
  /** Default POSTGRES_CONNECTIONS. */
  readonly connections?: number;
  /** Default POSTGRES_DEADLINE_MS. */
  readonly deadlineMs?: number;
  readonly watch?: PostgresWatch;
}

interface Waiting {
  readonly give: (client: SQL) => void;
  readonly refuse: (error: Error) => void;
}

export class PostgresPool implements Sql {
  readonly #url: string;
  readonly #deadlineMs: number;
  readonly #connections: number;
  readonly #watch: PostgresWatch | null;
  readonly #idle: SQL[] = [];
  readonly #waiting: Waiting[] = [];
  #made = 0;
  #isClosed = false;

  /** Does not connect yet; the first call does. */
  constructor({ url, connections, deadlineMs, watch }: PostgresOptions) {
    this.#url = url;
    this.#connections = connections ?? POSTGRES_CONNECTIONS;
    this.#deadlineMs = deadlineMs ?? POSTGRES_DEADLINE_MS;
    this.#watch = watch ?? null;
  }

  rows<Row>(statement: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#call((client) => rowsOf<Row>(client, statement, parameters));
  }

  run(statement: string, parameters: readonly SqlValue[] = []): Promise<number> {
    return this.#call((client) => changesOf(client, statement, parameters));
  }

  /**
   * Runs `work` in one transaction. When this resolves, all of it is committed. When it rejects, nothing is,
   * unless only the answer to the commit was lost. After a conflict with another transaction `work` runs
   * again, so it must have no effects except on rows.
   * @param deadlineMs for all of it; default: the deadline of a single call
   * @throws StorageError, and whatever `work` throws
   */
  async transaction<Result>(work: (sql: Sql) => Promise<Result>, deadlineMs?: number): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#call((client) => client.begin((open) => work(sqlOf(open))), deadlineMs);
      } catch (error) {
        const cause = error instanceof StorageError ? error.cause : null;
        if (attempt === TRIES_MAX || !isToBeRepeated(cause)) throw error;
      }
    }
  }

  /** Closes idle connections now, the others when their calls end. Waiting and later calls are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting.splice(0))
      refuse(unanswered('closed', 'its connections are closed'));
    for (const client of this.#idle.splice(0)) drop(client);
  }

  async #call<Result>(
    work: (client: SQL) => Promise<Result>,
    deadlineMs = this.#deadlineMs,
  ): Promise<Result> {
    const late = Promise.withResolvers<never>();
    let client: SQL | null = null;
    const timer = setTimeout(() => {
      late.reject(unanswered('late', 'it did not answer in time', client !== null));
    }, deadlineMs);
    // Mark the rejection as handled, because it may come when nothing awaits it any more.
    late.promise.catch(() => {});
    let isGood = false;
    try {
      client = await this.#take(late.promise);
      const result = await Promise.race([work(client), late.promise]);
      isGood = true;
      this.#watch?.answered();
      return result;
    } catch (error) {
      const failure = storageErrorOf(error);
      // An error in a statement leaves the connection usable.
      isGood = failure === null || isToBeRepeated(failure.cause);
      if (isGood) this.#watch?.answered();
      else this.#countFailure(failure?.cause);
      throw failure ?? error;
    } finally {
      clearTimeout(timer);
      if (client !== null) this.#giveBack(client, isGood);
    }
  }

  async #take(late: Promise<never>): Promise<SQL> {
    if (this.#isClosed) throw unanswered('closed', 'its connections are closed');
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#made < this.#connections) return this.#make();
    if (this.#waiting.length >= WAITING_MAX) throw unanswered('refused', 'too many calls wait for it');
    const { promise, resolve: give, reject: refuse } = Promise.withResolvers<SQL>();
    const waiting = { give, refuse };
    this.#waiting.push(waiting);
    this.#watch?.waiting(this.#waiting.length);
    try {
      return await Promise.race([promise, late]);
    } catch (error) {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      // The call was given a connection at the moment it gave up: hand the connection back.
      else
        void promise.then(
          (client) => this.#giveBack(client, true),
          () => {},
        );
      throw error;
    } finally {
      this.#watch?.waiting(this.#waiting.length);
    }
  }

  #countFailure(cause: unknown): void {
    const kind = cause instanceof UnansweredError ? cause.kind : 'failed';
    if (kind !== 'closed') this.#watch?.failed(kind);
  }

  #make(): SQL {
    this.#made += 1;
    return new SQL(this.#url, {
      max: 1,
      bigint: true,
      // Seconds; 0 means never. Bun would otherwise end idle connections while a query is in flight.
      idleTimeout: 0,
      connectionTimeout: Math.ceil(this.#deadlineMs / 1_000),
      connection: {
        application_name: 'overround',
        // In milliseconds: a statement whose caller has given up ends on the server too.
        statement_timeout: String(this.#deadlineMs * 10),
        idle_in_transaction_session_timeout: String(this.#deadlineMs * 10),
        synchronous_commit: 'on',
      },
    });
  }

  #giveBack(client: SQL, isGood: boolean): void {
    if (isGood && !this.#isClosed) {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(client);
      else next.give(client);
      return;
    }
    this.#made -= 1;
    drop(client);
    const next = this.#isClosed ? undefined : this.#waiting.shift();
    if (next !== undefined) next.give(this.#make());
  }
}

/** Closes a connection. Callers already have their result, so errors while closing are ignored. */
function drop(client: SQL): void {
  client.close({ timeout: 0 }).catch(() => {});
}

function sqlOf(open: SQL): Sql {
  return {
    rows: (statement, parameters = []) => rowsOf(open, statement, parameters),
    run: (statement, parameters = []) => changesOf(open, statement, parameters),
  };
}

async function rowsOf<Row>(client: SQL, statement: string, parameters: readonly SqlValue[]): Promise<Row[]> {
  const found = (await client.unsafe(statement, [...parameters])) as Record<string, unknown>[];
  return Array.from(found, (row) => withNumbers(row) as Row);
}

async function changesOf(client: SQL, statement: string, parameters: readonly SqlValue[]): Promise<number> {
  const answer = (await client.unsafe(statement, [...parameters])) as { readonly count: number };
  return answer.count;
}

/** Bun reads BIGINT as bigint; all stored values fit a number. */
function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'bigint') continue;
    const number = Number(value);
    assert(Number.isSafeInteger(number), `column ${name} holds a number that is exact`);
    row[name] = number;
  }
  return row;
}

/**
 * SQLSTATE classes that are the state of the server rather than a fault of the statement, and the text that
 * callers get.
 */
const SERVER_STATES: Readonly<Record<string, string>> = {
  '08': 'the database cannot be reached',
  '25006': 'the database takes no writes',
  '28': 'the database refuses this server',
  '3D': 'the database is not there',
  '40': 'the database is busy',
  '53': 'the database has no room left',
  '55P03': 'the database is busy',
  '57': 'the database is stopping or too slow',
  '58': 'the disk of the database fails',
  XX: 'the database is damaged',
};

/** SQLSTATEs after which the commit may have happened: the connection, the server or its disk failed. */
const ENDED_STATES = /^(?:08|57P|58|XX)/;

/** Maps an error caused by the server's state to a StorageError for callers; null for any other error. */
function storageErrorOf(error: unknown): StorageError | null {
  if (error instanceof StorageError) return error;
  if (!(error instanceof SQL.PostgresError)) return null;
  const sqlState = sqlStateOf(error);
  // Bun's own error codes all concern the connection: refused, closed, timed out, or an invalid answer.
  if (sqlState === null) {
    return unavailable('the database cannot be reached', { cause: error, maybeDone: true });
  }
  const [, state] = Object.entries(SERVER_STATES).find(([prefix]) => sqlState.startsWith(prefix)) ?? [];
  if (state === undefined) return null;
  return unavailable(state, { cause: error, maybeDone: ENDED_STATES.test(sqlState) });
}

function sqlStateOf(error: Error & { readonly errno?: unknown }): string | null {
  return typeof error.errno === 'string' ? error.errno : null;
}

function isToBeRepeated(cause: unknown): boolean {
  return cause instanceof SQL.PostgresError && sqlStateOf(cause)?.startsWith('40') === true;
}

function unanswered(kind: UnansweredError['kind'], because: string, maybeDone = false): StorageError {
  return unavailable(because, { cause: new UnansweredError(kind, because), maybeDone });
}

interface Unavailable {
  readonly cause?: Error;
  /** Whether the server may have made the change although the call failed. */
  readonly maybeDone?: boolean;
}

function unavailable(
  state: string,
  { cause = new Error(state), maybeDone = false }: Unavailable = {},
): StorageError {
  return new StorageError(state, cause, { isBusy: true, maybeDone });
}
