// Postgres for who has set DATABASE_URL. A pool of a few connections, each a client of its own, so that every call has a
// deadline that holds: a call that is late has its connection thrown away, whatever state the server left it in, and the
// next call makes another. Nothing is tried again here but what the server itself asks to repeat.

import { SQL } from 'bun';
import { assert } from './errors.ts';
import { StorageError } from './storage-errors.ts';

/** Connections of one thread that serves calls. More calls wait. */
const POSTGRES_CONNECTIONS = 8;
/** How long a call may take, its wait for a connection included. Later: `upstream_unavailable`, and the connection is dropped. */
const POSTGRES_DEADLINE_MS = 2_000;
/** Calls that wait for a connection. Full: `upstream_unavailable` at once. */
const WAITING_MAX = 256;
/** A transaction that another one made fail is run again this often. */
const TRIES_MAX = 3;

/** What a statement may be given. A list goes as JSON text, for json_to_recordset. */
export type SqlValue = string | number | boolean | null;

/** Where statements run: the pool, or one transaction. Parameters are $1, $2 and so on. */
export interface Sql {
  /** The rows, with counts and times as numbers. @throws StorageError when Postgres does not answer in time or at all */
  rows<Row>(statement: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** @returns how many rows it changed. @throws as `rows` */
  run(statement: string, parameters?: readonly SqlValue[]): Promise<number>;
}

/**
 * Why a call failed for the sake of Postgres: too many waited for a connection, it came too late, or the server or the way
 * to it.
 */
export type PostgresFailure = 'refused' | 'late' | 'failed';

/** Told how calls go, for the metrics. */
export interface PostgresWatch {
  /** Also an answer that a statement was wrong. */
  answered(): void;
  failed(kind: PostgresFailure): void;
  /** Calls that wait for a connection now. */
  waiting(count: number): void;
}

/** A call that ended here, before Postgres answered it. */
class UnansweredError extends Error {
  readonly kind: 'refused' | 'late' | 'closed';

  constructor(kind: UnansweredError['kind'], because: string) {
    super(because);
    this.kind = kind;
  }
}

export interface PostgresOptions {
  /** As DATABASE_URL. */
  readonly url: string;
  /** By default POSTGRES_CONNECTIONS. */
  readonly connections?: number;
  /** By default POSTGRES_DEADLINE_MS. */
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

  /** Connects at the first call. */
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
   * Runs `work` in one transaction: all of it is committed when this resolves, and nothing when it rejects, unless the
   * commit itself was not answered. It is run again when Postgres ends it for another one's sake, so it must change
   * nothing but rows.
   * @param deadlineMs of all of it; by default that of a call
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

  /** Ends all connections. Calls under way are cut, those that wait and later ones are refused. */
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
    // It may be over before anybody waits for it.
    late.promise.catch(() => {});
    let isGood = false;
    try {
      client = await this.#take(late.promise);
      const result = await Promise.race([work(client), late.promise]);
      isGood = true;
      this.#watch?.answered();
      return result;
    } catch (error) {
      const told = storageErrorOf(error);
      // An error of a statement leaves the connection as it was.
      isGood = told === null || isToBeRepeated(told.cause);
      if (isGood) this.#watch?.answered();
      else this.#tellFailure(told?.cause);
      throw told ?? error;
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
      const place = this.#waiting.indexOf(waiting);
      if (place >= 0) this.#waiting.splice(place, 1);
      // It was given one in the very moment that it gave up.
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

  #tellFailure(cause: unknown): void {
    const kind = cause instanceof UnansweredError ? cause.kind : 'failed';
    if (kind !== 'closed') this.#watch?.failed(kind);
  }

  #make(): SQL {
    this.#made += 1;
    return new SQL(this.#url, {
      max: 1,
      bigint: true,
      // Seconds; 0 is for ever: Bun ends idle connections with a query in flight.
      idleTimeout: 0,
      connectionTimeout: Math.ceil(this.#deadlineMs / 1_000),
      connection: {
        application_name: 'overround',
        // In milliseconds, so that a statement nobody waits for any more ends on the server too.
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

/** Whoever waits for a commit has been told, so nobody is told how the end of the connection went. */
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

/** Bun reads BIGINT as a bigint; all that is stored here fits a number. */
function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'bigint') continue;
    const number = Number(value);
    assert(Number.isSafeInteger(number), `column ${name} holds a number that is exact`);
    row[name] = number;
  }
  return row;
}

/** SQLSTATE classes that are the server's state and not the statement's fault, and what callers are told of them. */
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

/** SQLSTATEs that may come after a commit: the connection, the server or its disk failed. */
const ENDED_STATES = /^(?:08|57P|58|XX)/;

/** An error that is the server's state as what callers are told, else null. */
function storageErrorOf(error: unknown): StorageError | null {
  if (error instanceof StorageError) return error;
  if (!(error instanceof SQL.PostgresError)) return null;
  const sqlState = sqlStateOf(error);
  // Bun's own codes are all of a connection: refused, closed, timed out, or an answer that makes no sense.
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
  /** Whether the server may have done it all the same. */
  readonly maybeDone?: boolean;
}

function unavailable(
  state: string,
  { cause = new Error(state), maybeDone = false }: Unavailable = {},
): StorageError {
  return new StorageError(state, cause, { isBusy: true, maybeDone });
}
