// Checks what the settings refer to and the service cannot do without: a recording, a data folder, a port.
// Each is checked before anything runs, so that the error names a setting and not a system call. PORT=0 is
// replaced by a real port here, once, so that all threads share one port and links contain it.

import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BOOKMAKERS } from '../domain/catalogue.ts';
import { codeOf, messageOf } from '../errors.ts';
import { bookmakersByFeed, exchangeOf } from '../feed/bookmaker-owners.ts';
import { bookmakerMapOf } from '../feed/poll/bookmaker-map.ts';
import { checkRecording } from '../feed/replay/recording.ts';
import { joinRulesOf } from '../ingest/join/join-rules.ts';
import type { Log } from '../log.ts';
import type { Config } from '../settings/config.ts';
import { feedNames, PULL_SOURCES } from '../settings/feed-settings.ts';
import { ConfigError } from '../settings/setting-reader.ts';

/**
 * Checks the recordings that FEED names. Without this check, the ingest worker would fail on a bad one again
 * and again.
 * @throws Error that names FEED
 */
export async function requireRecordings({ feeds }: Config): Promise<void> {
  for (const feed of feeds) if (feed.kind === 'replay') await requireRecording(feed.path);
}

async function requireRecording(path: string): Promise<void> {
  if (!existsSync(path)) {
    throw new Error(`Cannot start: FEED names the recording ${resolve(path)}, and that file is missing`);
  }
  await checkRecording(path).catch((error: unknown) => {
    const why = messageOf(error);
    const allowed = `replay:<file> with a recording, a file whose first line is a hello message. ${why}`;
    throw new ConfigError('FEED', `replay:${path}`, allowed);
  });
}

/**
 * Checks that there is a bookmaker under which Betfair's prices can be shown. @throws ConfigError that names
 * BETFAIR_BOOKMAKER
 */
export function requireExchange({ feeds, betfair }: Config): void {
  if (!feeds.some(({ kind }) => kind === 'betfair')) return;
  try {
    exchangeOf(betfair);
  } catch (error) {
    const why = messageOf(error);
    throw new ConfigError('BETFAIR_BOOKMAKER', betfair.bookmaker ?? '', `a bookmaker of the roster. ${why}`);
  }
}

/**
 * Checks that the roster says which bookmakers each polled source has. @throws ConfigError that names
 * BOOKMAKERS
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
    const why = messageOf(error);
    throw new ConfigError('BOOKMAKERS', bookmakers ?? '', `a roster that fits FEED. ${why}`);
  }
}

/**
 * The checked content of FEED_MATCH, or null if it is not set. @throws ConfigError that names FEED_MATCH and
 * the entry
 */
export function readMatchFile({ feeds, feedMatch }: Config): unknown {
  if (feedMatch === null) return null;
  try {
    const file: unknown = JSON.parse(readFileSync(feedMatch, 'utf8'));
    joinRulesOf(file, feedNames(feeds));
    return file;
  } catch (error) {
    const why = messageOf(error);
    throw new ConfigError(
      'FEED_MATCH',
      feedMatch,
      `a file as in docs/guide/feeds.md. In ${resolve(feedMatch)}: ${why}`,
    );
  }
}

/** Creates the data folder. @throws ConfigError if it cannot be created or written to */
export function requireDataDir({ dataDir }: Config): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = String(codeOf(error) ?? error);
    throw new ConfigError('DATA_DIR', dataDir, `a folder that this process can make and write to (${code})`);
  }
}

/**
 * Warns the operator if other users can read or write the data folder. Its files are private, but their names
 * are visible, and a user who can write to the folder can replace its files. The mode of an existing folder
 * is not changed.
 */
export function warnOfOpenFolder({ dataDir }: Config, log: Pick<Log, 'warn'>): void {
  const mode = statSync(dataDir).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  log.warn('data_dir_open_to_others', { mode: mode.toString(8), fix: `Run chmod 700 ${resolve(dataDir)}` });
}

/** The settings with the public URL filled in. */
export interface ServedConfig extends Config {
  readonly publicUrl: string;
}

export interface Address {
  readonly config: ServedConfig;
  /** Releases a port that was held. Call it once the service listens. */
  release(): void;
}

/**
 * Determines the port and the base URL of links. @throws Error for the operator if the server cannot listen
 * on the port
 */
export function takeAddress(config: Config): Address {
  for (const other of otherAddresses(config)) listen(other, false).stop();
  if (config.port === 0) {
    // Hold the port, with reusePort, until the service itself listens, so that no other process can take it
    // in between.
    const held = listen(config, true);
    return {
      config: withPublicUrl({ ...config, port: held.port }),
      release: () => held.stop(),
    };
  }
  // Try a listener without reusePort first. With reusePort, a second server of the same user would silently
  // share the port. This listener is closed again at once: it only makes a doomed start fail before anything
  // runs.
  listen(config, false).stop();
  return { config: withPublicUrl(config), release: () => {} };
}

/** The other addresses to listen on, in the form of HOST and PORT. */
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
  /** The setting that names this address; by default PORT. */
  readonly setting?: string;
}

/** The base address of a listening socket. */
export function urlOf({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The error for the operator if listening failed. */
function listenError(config: Place, error: unknown): Error {
  const remedy = config.setting === undefined ? 'PORT or --port' : config.setting;
  const code = codeOf(error);
  const place = `${config.host} port ${config.port}`;
  if (code === 'EADDRINUSE') {
    return new Error(`Cannot listen on ${place}: another process does; set ${remedy}`, { cause: error });
  }
  if (code === 'EACCES') {
    return new Error(`Cannot listen on ${place}: not permitted; set ${remedy} to 1024 or more`, {
      cause: error,
    });
  }
  return new Error(`Cannot listen on ${place}: HOST is not an address of this machine`, { cause: error });
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
