// Settings from the environment, read and checked once at start; those of the feed are in feed-settings.ts.
// No other file touches the environment. docs/reference/settings.md is made from what is read here.

import { availableParallelism } from 'node:os';
import { isLoopback, parseAddressRange } from '../ip-address.ts';
import { MEMORY_BUDGET_MB_MIN } from '../limits.ts';
import { LOG_LEVELS } from '../log.ts';
import { ROLES, type Role, readFeedSettings } from './feed-settings.ts';
import {
  ConfigError,
  DATA_DIR_DEFAULT,
  type Environment,
  isHost,
  type KnownSetting,
  SettingReader,
} from './setting-reader.ts';

/** Every setting as the service uses it. Null: it is not set, or switched off. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Files with the certificate (leaf first) and its key, in PEM. */
export interface TlsSettings {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The environment of the process, with the values from the command line. */
export function environmentWith(given: Environment): Environment {
  return { ...Bun.env, ...given };
}

/** Reads every setting. @throws ConfigError on the first bad value */
export function loadConfig(environment: Environment = Bun.env): Config {
  return readConfig(new SettingReader(environment));
}

/** Every setting, in the order in which it is read. @throws ConfigError as loadConfig does */
export function settingList(environment: Environment): readonly KnownSetting[] {
  const read = new SettingReader(environment);
  readConfig(read);
  return read.known;
}

function readConfig(read: SettingReader) {
  const listeners = readListeners(read);
  const role = read.choice('ROLE', 'all', ROLES);
  const smtpUrl = read.engineUrl('SMTP_URL', ['smtp', 'smtps']);
  const config = {
    ...listeners,
    role,
    /** The Redis that nodes share; null on a single machine with the role `all`. Never logged. */
    redisUrl: readRedis(read, role),
    /**
     * A file with a roster, or the name of a bundled one; null: the default roster of seven bookmakers.
     */
    bookmakers: readBookmakers(read),
    ...readFeedSettings(read, role),
    dataDir: read.text('DATA_DIR', DATA_DIR_DEFAULT),
    /**
     * The Postgres that stores accounts, keys, openings and results; null: the SQLite file in the data
     * folder. May contain a password.
     */
    databaseUrl: read.engineUrl('DATABASE_URL', ['postgres', 'postgresql']),
    httpThreads: read.integer('HTTP_THREADS', 1, 1, 64),
    /** How long a stopping server still accepts connections while it reports that it is stopping. */
    stopDrainMs: read.integer('STOP_DRAIN_MS', 1_000, 0, 60_000),
    scoringThreads: read.integer('SCORING_THREADS', Math.max(1, availableParallelism() - 1), 1, 64),
    liveFreshnessMs: 1000 * read.integer('LIVE_FRESHNESS_S', 60, 1, 86_400),
    prematchFreshnessMs: 1000 * read.integer('PREMATCH_FRESHNESS_S', 300, 1, 86_400),
    valueEdgeMaxPct: read.number('VALUE_EDGE_MAX_PCT', 10, 0, 1_000),
    arbitrageMarginMaxPct: read.number('ARBITRAGE_MARGIN_MAX_PCT', 10, 0, 1_000),
    /**
     * Whether NODE_ENV is `production`. If NODE_ENV is not set: whether SMTP_URL is set or the server is
     * meant to be publicly reachable.
     */
    production: readProduction(read, smtpUrl !== null || isPublic(listeners)),
    /** Token for `/metrics` from other machines; null refuses them all. */
    metricsToken: readLongSecret(read, 'METRICS_TOKEN', METRICS_TOKEN_CHARS_MIN),
    /** E-mail addresses of accounts that may open the operator's page, lower case. */
    operatorEmails: read
      .list('OPERATOR_EMAILS', (part) => /^[^\s@]+@[^\s@]+$/.test(part), 'mail addresses, comma-separated')
      .map((email) => email.toLowerCase()),
    /** How long an unused session lasts. */
    sessionIdleMs: 1000 * read.integer('SESSION_IDLE_S', 604_800, 60, 2_592_000),
    /**
     * Memory that may be held for clients, in MB; null: an eighth of the memory that this process may use, at
     * most 256.
     */
    memoryBudgetMb: read.optionalInteger('MEMORY_BUDGET_MB', MEMORY_BUDGET_MB_MIN, 1_536),
    ...readHistory(read),
    ...readAlerts(read),
    smtpUrl,
    mailFrom: read.text('MAIL_FROM', 'Overround <overround@localhost>'),
    logLevel: read.choice('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  read.refuseMistyped();
  return config;
}

/** The price history. */
function readHistory(read: SettingReader) {
  return {
    /** For how many UTC days the price history is kept; 0: it is off. */
    historyDays: read.integer('HISTORY_DAYS', 30, 0, 36_500),
    /** Maximum bytes of the files of the history. Beyond it, the oldest files are removed. */
    historyBytesMax: 1e9 * read.number('HISTORY_MAX_GB', 10, 0.001, 1_000_000),
    /** A folder, or `s3://bucket/prefix`; null: `history` in the data folder. */
    historyDir: read.optionalText('HISTORY_DIR'),
  };
}

function readAlerts(read: SettingReader) {
  return {
    /**
     * Hosts and address ranges to which alerts may be sent over plain http, and to which they may be sent
     * although they are private.
     */
    alertsAllow: read.list(
      'ALERTS_ALLOW',
      (part) => parseAddressRange(part) !== null || /^[a-z0-9._-]+$/i.test(part),
      'host names, addresses or ranges such as 10.0.0.0/8, comma-separated',
    ),
    /**
     * The secret from which the secrets that sign alerts are made; null: a secret in the database is used.
     * Never logged.
     */
    alertsSecret: readLongSecret(read, 'ALERTS_SECRET', ALERTS_SECRET_CHARS_MIN),
  };
}

type Listeners = ReturnType<typeof readListeners>;

/**
 * Where the server listens, and who may connect.
 * @throws ConfigError for bad values, and for values that contradict each other
 */
function readListeners(read: SettingReader) {
  const port = read.integer('PORT', 3000, 0, 65_535);
  const host = read.text('HOST', '127.0.0.1');
  const publicUrl = read.optionalUrl('PUBLIC_URL');
  const tls = readTls(read);
  if (tls !== null && publicUrl?.startsWith('http:') === true) {
    throw new ConfigError('PUBLIC_URL', publicUrl, 'an https URL when TLS_CERT_FILE is set');
  }
  const listeners = {
    port,
    host,
    /** Base of links in answers, without a trailing slash; null means the address the service listens on. */
    publicUrl,
    allowedHosts: read.list(
      'ALLOWED_HOSTS',
      isHost,
      'host names of at least 4 characters that make an URL (http://name), comma-separated',
    ),
    trustedProxies: read.list(
      'TRUSTED_PROXIES',
      (part) => parseAddressRange(part) !== null,
      'addresses or ranges such as 10.0.0.0/8',
    ),
    /**
     * Connections that one client address may have open; null: an eighth of the file descriptors, at least
     * 256.
     */
    connectionsPerAddress: read.optionalInteger('CONNECTIONS_PER_ADDRESS', 16, 1_000_000),
    /** Null: the server speaks plain HTTP. */
    tls,
    /**
     * Port of plain HTTP that leads to HTTPS: browsers are redirected, programs refused. Null: no such port.
     */
    httpRedirectPort: readRedirectPort(read, tls),
    /** A listener for `/metrics` only; null: it is served with everything else. */
    metricsListener: readMetricsListener(read),
  };
  refuseSharedPorts(listeners);
  return listeners;
}

/** Whether the server is meant to be publicly reachable. */
function isPublic({ tls, publicUrl, host }: Listeners): boolean {
  return tls !== null || publicUrl?.startsWith('https:') === true || !isLoopback(host);
}

function readProduction(read: SettingReader, isByDefault: boolean): boolean {
  const fallback = isByDefault ? 'production' : 'development';
  return read.choice('NODE_ENV', fallback, ['development', 'production', 'test']) === 'production';
}

/**
 * Refuses equal ports. The system lets listeners of one program share a port, and each connection would reach
 * either of them.
 */
function refuseSharedPorts({ port, httpRedirectPort, metricsListener }: Listeners): void {
  const metricsPort = metricsListener?.port ?? null;
  if (httpRedirectPort === port) {
    throw new ConfigError('HTTP_REDIRECT_PORT', String(port), 'another port than PORT');
  }
  if (metricsPort !== null && (metricsPort === port || metricsPort === httpRedirectPort)) {
    throw new ConfigError(
      'METRICS_PORT',
      String(metricsPort),
      'another port than PORT and HTTP_REDIRECT_PORT',
    );
  }
}

function readTls(read: SettingReader): TlsSettings | null {
  const certFile = read.optionalText('TLS_CERT_FILE');
  const keyFile = read.optionalText('TLS_KEY_FILE');
  if (certFile === null && keyFile === null) return null;
  if (keyFile === null) throw new ConfigError('TLS_KEY_FILE', '', 'the file with the key of TLS_CERT_FILE');
  if (certFile === null)
    throw new ConfigError('TLS_CERT_FILE', '', 'the file with the certificate of TLS_KEY_FILE');
  return { certFile, keyFile };
}

function readRedirectPort(read: SettingReader, tls: TlsSettings | null): number | null {
  const port = read.optionalInteger('HTTP_REDIRECT_PORT', 1, 65_535);
  if (port === null || tls !== null) return port;
  throw new ConfigError('HTTP_REDIRECT_PORT', String(port), 'set only with TLS_CERT_FILE');
}

function readMetricsListener(read: SettingReader): { readonly host: string; readonly port: number } | null {
  const host = read.text('METRICS_HOST', '127.0.0.1');
  const port = read.optionalInteger('METRICS_PORT', 1, 65_535);
  return port === null ? null : { host, port };
}

const METRICS_TOKEN_CHARS_MIN = 16;

const ALERTS_SECRET_CHARS_MIN = 32;

function readLongSecret(read: SettingReader, name: string, charsMin: number): string | null {
  const secret = read.secret(name);
  if (secret === null || secret.length >= charsMin) return secret;
  throw new ConfigError(name, '(not shown)', `a secret of at least ${charsMin} characters`);
}

/**
 * Reads only the BOOKMAKERS setting, or the roster that FEED implies. It is read before all others, because
 * everything else depends on the roster.
 */
export function readBookmakers(read: SettingReader): string | null {
  return read.optionalText('BOOKMAKERS') ?? usualRosterOf(read.optionalText('FEED'));
}

/**
 * The bundled roster for a FEED that names only kalshi or polymarket: the default roster has no bookmaker of
 * theirs, and with this one BOOKMAKERS need not be set. Null for any other FEED.
 */
function usualRosterOf(feed: string | null): string | null {
  const names = feed?.split(',').map((name) => name.trim()) ?? [];
  const areVenues = names.length > 0 && names.every((name) => name === 'kalshi' || name === 'polymarket');
  return areVenues ? 'prediction-markets' : null;
}

/** @throws ConfigError for a role that needs a Redis when none is set */
function readRedis(read: SettingReader, role: Role): string | null {
  const url = read.engineUrl('REDIS_URL', ['redis', 'rediss']);
  if (url !== null || role === 'all') return url;
  throw new ConfigError(
    'REDIS_URL',
    '',
    `the Redis that ROLE=${role} shares the slate over, redis://host:port`,
  );
}
