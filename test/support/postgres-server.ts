// A Postgres for one test: a database cluster in a temporary folder, on a free port of this machine, deleted
// when the test ends. It runs as the user `postgres` when the tests run as root, because Postgres refuses
// root. In a run of the whole suite, each cluster is a copy of one that test/all.ts has made.

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Where Debian keeps the programs, which are not in the PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const START_TRIES_MAX = 3;

/**
 * The environment variable with the folder of an empty cluster to copy. A test file that runs alone makes
 * such a cluster itself.
 */
export const TEST_CLUSTER = 'TEST_CLUSTER';

/** Why no Postgres can be started here, as the reason for a skipped test; null when one can. */
export const POSTGRES_MISSING: string | null = missing();

export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #folder: Disposable & { readonly path: string };
  readonly #user: readonly string[];
  #databases = 0;

  private constructor(folder: Disposable & { readonly path: string }, port: number, user: readonly string[]) {
    this.#folder = folder;
    this.port = port;
    this.#user = user;
  }

  /** Creates a cluster and starts the server. @throws Error with the output of the programs */
  static async start(): Promise<PostgresServer> {
    const folder = temporaryFolder();
    const user = await userOf(folder.path);
    const [data, made] = [join(folder.path, 'data'), process.env[TEST_CLUSTER]];
    if (made === undefined) await createCluster(data, user);
    else await run([...user, 'cp', '-a', made, data]);
    for (let attempt = 1; ; attempt++) {
      const server = new PostgresServer(folder, freePort(), user);
      try {
        await server.resume();
        return server;
      } catch (error) {
        // Another process took the port meanwhile.
        if (attempt === START_TRIES_MAX) throw error;
      }
    }
  }

  /** DATABASE_URL for the database of that name; `postgres` always exists. */
  url(database = 'postgres'): string {
    return `postgres://overround@127.0.0.1:${this.port}/${database}`;
  }

  get logPath(): string {
    return join(this.#folder.path, 'log');
  }

  /** Creates an empty database. @returns its URL */
  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    await this.psql(`CREATE DATABASE ${name}`);
    return this.url(name);
  }

  /** Runs statements with psql. @returns its output, unaligned, without headers */
  psql(statements: string, database = 'postgres'): Promise<string> {
    return run([
      programOf('psql'),
      '-XAtq',
      '-v',
      'ON_ERROR_STOP=1',
      '-d',
      this.url(database),
      '-c',
      statements,
    ]);
  }

  /** Ends the server as a crash would. Committed data stays. */
  async kill(): Promise<void> {
    await this.#control('stop', '-m', 'immediate');
  }

  /** Ends the server as a restart of the machine would: connections are cut. */
  async stop(): Promise<void> {
    await this.#control('stop', '-m', 'fast');
  }

  /** Starts the server again on the same port. */
  async resume(): Promise<void> {
    const options = [
      `-p ${this.port} -k ${this.#folder.path} -c listen_addresses=127.0.0.1`,
      // With these settings the server starts and commits fast. Data survives a crash of its processes, but
      // not a crash of the machine.
      '-c fsync=off -c shared_buffers=16MB -c max_connections=200',
    ].join(' ');
    await this.#control('start', '-o', options, '-l', this.logPath);
  }

  /** Freezes all processes of the server: connections stay open and get no answer. */
  freeze(): void {
    for (const pid of this.#processes()) signal(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.#processes()) signal(pid, 'SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (existsSync(join(this.#folder.path, 'data/postmaster.pid'))) {
      this.thaw();
      await this.kill();
    }
    this.#folder[Symbol.dispose]();
  }

  async #control(...command: string[]): Promise<void> {
    await run([...this.#user, programOf('pg_ctl'), '-D', join(this.#folder.path, 'data'), '-w', ...command]);
  }

  /** The server's main process and the processes that it started. */
  #processes(): number[] {
    const [pid] = readFileSync(join(this.#folder.path, 'data/postmaster.pid'), 'utf8').split('\n');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid!, ...children.split(' ')].filter((text) => text !== '').map(Number);
  }
}

/** Makes an empty cluster to copy. The folder must not exist yet. */
export async function makeCluster(folder: string): Promise<void> {
  mkdirSync(folder);
  await createCluster(folder, await userOf(folder));
}

async function createCluster(data: string, user: readonly string[]): Promise<void> {
  await run([
    ...user,
    programOf('initdb'),
    ...['-D', data, '-U', 'overround', '--auth=trust', '--no-sync'],
    ...['--data-checksums', '-E', 'UTF8', '--locale=C'],
  ]);
}

/**
 * Gives the folder to the user that Postgres runs as.
 * @returns the beginning of a command that runs as that user
 */
async function userOf(folder: string): Promise<readonly string[]> {
  return process.getuid?.() === 0 ? ['setpriv', ...(await asPostgres(folder))] : [];
}

/** Sends a signal to a process, which may be gone already if its connection has just closed. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function missing(): string | null {
  if (programIn('initdb') === null) return 'there is no initdb (Debian: apt-get install postgresql)';
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8');
  return /^postgres:/m.test(users) ? null : 'Postgres refuses root and there is no user postgres';
}

/**
 * Gives the folder to the user `postgres`.
 * @returns the arguments with which setpriv runs a command as that user
 */
async function asPostgres(folder: string): Promise<string[]> {
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))![0].split(':');
  await chown(folder, Number(uid), Number(gid));
  return ['--reuid', uid!, '--regid', gid!, '--clear-groups'];
}

function programOf(name: string): string {
  const path = programIn(name);
  if (path === null) throw new Error(`Cannot use Postgres: there is no ${name}`);
  return path;
}

function programIn(name: string): string | null {
  const found = Bun.which(name);
  if (found !== null) return found;
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).sort().toReversed() : [];
  return (
    versions.map((version) => join(DEBIAN_FOLDER, version, 'bin', name)).find((path) => existsSync(path)) ??
    null
  );
}

async function run(command: readonly string[]): Promise<string> {
  // The output of `pg_ctl start` is ignored. The server inherits it, so a pipe would stay open until the
  // server ends.
  const child = Bun.spawn([...command], {
    cwd: '/',
    stdin: 'ignore',
    stdout: command.includes('start') ? 'ignore' : 'pipe',
    stderr: command.includes('start') ? 'ignore' : 'pipe',
  });
  const [output, complaint] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  if ((await child.exited) === 0) return output.trim();
  throw new Error(`Cannot run ${command.join(' ')}: ${complaint}`);
}

async function textOf(stream: ReadableStream | undefined): Promise<string> {
  return stream === undefined ? '' : await new Response(stream).text();
}
