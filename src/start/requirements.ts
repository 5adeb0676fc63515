// What the settings point at and the service cannot do without: a recording, a data folder, a port. Each is looked at
// before anything runs, so that the operator reads the name of a setting instead of the name of a system call. PORT=0
// is settled here, once, so that every thread shares one port and links name it.

import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';

import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { BOOKMAKERS } from '../domain/catalogue.ts';
import { bookmakersByFeed } from '../feed/bookmaker-owners.ts';
import { exchangeOf } from '../feed/open-source.ts';
import { bookmakerMapOf } from '../feed/poll/bookmaker-map.ts';
import { checkRecording } from '../feed/replay/recording.ts';
import { feedNames, PULL_SOURCES } from '../feed-settings.ts';

import { joinRulesOf } from '../ingest/join/join-rules.ts';

import type { Log } from '../log.ts';

import { ConfigError } from '../setting-reader.ts';

/** Checks recordings before the ingest worker would fail on it again and again. @throws Error that names FEED */
export async function requireRecordings({ feeds }: Config): Promise<void> {
  for (const feed of feeds) if (feed.kind === 'replay') await requireRecording(feed.path);
}

async function requireRecording(path: string): Promise<void> {
  if (!existsSync(path)) {
    throw new Error(`Cannot start: FEED names the recording ${resolve(path)}, and that file is missing`);
  }
  await checkRecording(path).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    const allowed = `replay:<file> with a recording, a file whose first line is a hello message. ${why}`;
    throw new ConfigError('FEED', `replay:${path}`, allowed);
  });
}

/** Checks that Betfair's prices have a bookmaker to be shown under. @throws ConfigError naming BETFAIR_BOOKMAKER */
export function requireExchange({ feeds, betfair }: Config): void {
  if (!feeds.some(({ kind }) => kind === 'betfair')) return;
  try {
    exchangeOf(betfair);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError('BETFAIR_BOOKMAKER', betfair.bookmaker ?? '', `a bookmaker of the roster. ${why}`);
  }
}

/**
 * Checks that the roster says which bookmakers a polled source has, and of several sources which has which.
 * @throws ConfigError that names BOOKMAKERS
 */
export function requireMappedBookmakers({ feeds, bookmakers, betfair }: Config): void {
  for (const { kind } of feeds) {
    if (!(kind in PULL_SOURCES) || bookmakerMapOf(kind, BOOKMAKERS).size > 0) continue;
    throw new ConfigError(
      'BOOKMAKERS',
      bookmakers ?? '',
      `a roster with a bookmaker that ${kind} has: none has "sources": {"${kind}": ...}`,
    );
  }
  try {
    bookmakersByFeed({ feeds, betfair }, BOOKMAKERS);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError('BOOKMAKERS', bookmakers ?? '', `a roster that fits FEED. ${why}`);
  }
}

/** What FEED_MATCH holds, checked, or null without it. @throws ConfigError that names FEED_MATCH and the entry */
export function readMatchFile({ feeds, feedMatch }: Config): unknown {
  if (feedMatch === null) return null;
  try {
    const file: unknown = JSON.parse(readFileSync(feedMatch, 'utf8'));
    joinRulesOf(file, feedNames(feeds));
    return file;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      'FEED_MATCH',
      feedMatch,
      `a file as in docs/feeds.md. In ${resolve(feedMatch)}: ${why}`,
    );
  }
}

/** Makes the data folder. @throws ConfigError when it cannot be made or written to */
export function requireDataDir({ dataDir }: Config): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigError('DATA_DIR', dataDir, `a folder that this process can make and write to (${code})`);
  }
}

/**
 * Tells the operator of a folder that other users can read or write. Its files are the server's own, yet names show, and
 * who can write to a folder can replace what is in it. A folder that somebody made is not changed.
 */
export function warnOfOpenFolder({ dataDir }: Config, log: Pick<Log, 'warn'>): void {
  const mode = statSync(dataDir).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  log.warn('data_dir_open_to_others', { mode: mode.toString(8), fix: `Run chmod 700 ${resolve(dataDir)}` });
}

/** The settings with the address filled in. */
export interface ServedConfig extends Config {
  readonly publicUrl: string;
}

export interface Address {
  readonly config: ServedConfig;
  /** Lets go of a port that was held open; call it once the service listens. */
  release(): void;
}

/** Settles the port and the base of links. @throws Error for the operator when the port cannot be listened on */
export function takeAddress(config: Config): Address {
  for (const other of otherAddresses(config)) listen(other, false).stop();
  if (config.port === 0) {
    // The port is held, with reusePort, until the service itself listens, so that nobody can take it in between.
    const held = listen(config, true);
    return {
      config: withPublicUrl({ ...config, port: held.port }),
      release: () => held.stop(),
    };
  }
  // First a listener without reusePort: with it, a second server of this user would silently share the port. It is
  // closed again at once; a start that fails should do so before anything runs.
  listen(config, false).stop();
  return { config: withPublicUrl(config), release: () => {} };
}

/** What is listened on besides, as it would stand in PORT and HOST. */
function otherAddresses(config: Config): (Place & { readonly setting: string })[] {
  const { httpRedirectPort, metricsListener, host } = config;
  return [
    ...(httpRedirectPort === null ? [] : [{ host, port: httpRedirectPort, setting: 'HTTP_REDIRECT_PORT' }]),
    ...(metricsListener === null ? [] : [{ ...metricsListener, setting: 'METRICS_PORT' }]),
  ];
}

interface Place {
  readonly host: string;
  readonly port: number;
  /** Which setting says it; by default PORT. */
  readonly setting?: string;
}

/** The base address of a listening socket. */
export function urlOf({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The message for the operator when listening failed. */
function listenError(config: Place, error: unknown): Error {
  const remedy = config.setting === undefined ? 'PORT or --port' : config.setting;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const place = `${config.host} port ${config.port}`;
  if (code === 'EADDRINUSE') {
    return new Error(`Cannot listen on ${place}: another process does; set ${remedy}`, { cause: error });
  }
  if (code === 'EACCES') {
    return new Error(`Cannot listen on ${place}: not permitted; set ${remedy} to 1024 or more`, {
      cause: error,
    });
  }
  return new Error(`Cannot listen on ${place}: HOST is no address of this machine`, { cause: error });
}

function listen(config: Place, reusePort: boolean): { readonly port: number; stop(): void } {
  try {
    const server = Bun.serve({
      hostname: config.host,
      port: config.port,
      reusePort,
      fetch: () => new Response(null, { status: 503 }),
    });
    return { port: server.port ?? config.port, stop: () => void server.stop(true) };
  } catch (error) {
    throw listenError(config, error);
  }
}

function withPublicUrl(config: Config): ServedConfig {
  return { ...config, publicUrl: config.publicUrl ?? urlOf(config) };
}
