// Settings from the environment, read and checked once at start. The only file that touches the environment. The
// README's settings table lists what stands here.

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';

export interface SimulatorSettings {
  readonly seed: number;
  readonly footballFixtures: number;
  readonly basketballFixtures: number;
  /** Forces this many messages a second in total, for load; null lets the market set the pace. */
  readonly ratePerSecond: number | null;
}

export type FeedSetting = { readonly kind: 'simulator' } | { readonly kind: 'replay'; readonly path: string };

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly feed: FeedSetting;
  readonly feedSpeed: number;
  /** The instant a replay's hello maps to, with the wall clock standing still there; null maps it to the present. */
  readonly feedNowMs: number | null;
  readonly simulator: SimulatorSettings;
  readonly dataDir: string;
  /** Base of links in answers, no trailing slash; null makes it the address the service listens on. */
  readonly publicUrl: string | null;
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly httpThreads: number;
  readonly scoringThreads: number;
  readonly liveFreshnessMs: number;
  readonly prematchFreshnessMs: number;
  readonly valueEdgeMaxPct: number;
  readonly arbitrageMarginMaxPct: number;
  readonly production: boolean;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly logLevel: LogLevel;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that stops the start. The message names the variable, its value and what is allowed. */
export class ConfigError extends Error {
  constructor(name: string, value: string, allowed: string) {
    super(`Cannot start: ${name} is "${value}", allowed is ${allowed}`);
    this.name = 'ConfigError';
  }
}

/** Reads every setting. @throws ConfigError on the first bad value */
export function loadConfig(environment: Environment = Bun.env): Config {
  const read = new SettingReader(environment);
  const port = read.integer('PORT', 3000, 0, 65_535);
  const host = read.text('HOST', '127.0.0.1');
  const feed = readFeed(read);
  const feedNowMs = read.isoTime('FEED_NOW');
  if (feedNowMs !== null && feed.kind !== 'replay') {
    throw new ConfigError('FEED_NOW', read.text('FEED_NOW', ''), 'set only with FEED=replay:<file>');
  }
  return {
    port,
    host,
    feed,
    feedSpeed: read.number('FEED_SPEED', 1, 0.01, 10_000),
    feedNowMs,
    simulator: {
      seed: read.integer('SIMULATOR_SEED', 1, 0, 2 ** 31 - 1),
      footballFixtures: read.integer('SIMULATOR_FOOTBALL_FIXTURES', 120, 0, 1_500),
      basketballFixtures: read.integer('SIMULATOR_BASKETBALL_FIXTURES', 30, 0, 500),
      ratePerSecond: read.optionalInteger('SIMULATOR_RATE', 1, 1_000_000),
    },
    dataDir: read.text('DATA_DIR', './data'),
    publicUrl: read.optionalUrl('PUBLIC_URL'),
    allowedHosts: read.list('ALLOWED_HOSTS', isHost, 'host names of at least 4 characters, comma-separated'),
    trustedProxies: read.list('TRUSTED_PROXIES', isAddressRange, 'addresses or ranges such as 10.0.0.0/8'),
    httpThreads: read.integer('HTTP_THREADS', 1, 1, 64),
    scoringThreads: read.integer('SCORING_THREADS', Math.max(1, availableParallelism() - 1), 1, 64),
    liveFreshnessMs: 1000 * read.integer('LIVE_FRESHNESS_S', 60, 1, 86_400),
    prematchFreshnessMs: 1000 * read.integer('PREMATCH_FRESHNESS_S', 300, 1, 86_400),
    valueEdgeMaxPct: read.number('VALUE_EDGE_MAX_PCT', 10, 0, 1_000),
    arbitrageMarginMaxPct: read.number('ARBITRAGE_MARGIN_MAX_PCT', 10, 0, 1_000),
    production:
      read.choice('NODE_ENV', 'development', ['development', 'production', 'test']) === 'production',
    smtpUrl: read.mailServer('SMTP_URL'),
    mailFrom: read.text('MAIL_FROM', 'Overround <overround@localhost>'),
    logLevel: read.choice('LOG_LEVEL', 'info', LOG_LEVELS),
  };
}

function readFeed(read: SettingReader): FeedSetting {
  const value = read.text('FEED', 'simulator');
  if (value === 'simulator') return { kind: 'simulator' };
  if (value.startsWith('replay:') && value.length > 'replay:'.length) {
    return { kind: 'replay', path: value.slice('replay:'.length) };
  }
  throw new ConfigError('FEED', value, '"simulator" or "replay:<file>"');
}

class SettingReader {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  optionalText(name: string): string | null {
    const value = this.#environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  text(name: string, fallback: string): string {
    return this.optionalText(name) ?? fallback;
  }

  list(name: string, isAllowed: (part: string) => boolean, allowed: string): readonly string[] {
    const parts = this.text(name, '').split(',');
    const items = parts.map((part) => part.trim().toLowerCase()).filter((part) => part !== '');
    const refused = items.find((item) => !isAllowed(item));
    if (refused !== undefined) throw new ConfigError(name, refused, allowed);
    return items;
  }

  optionalInteger(name: string, least: number, most: number): number | null {
    const value = this.optionalText(name);
    if (value === null) return null;
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < least || number > most) {
      throw new ConfigError(name, value, `an integer from ${least} to ${most}`);
    }
    return number;
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    return this.optionalInteger(name, least, most) ?? fallback;
  }

  number(name: string, fallback: number, least: number, most: number): number {
    const value = this.optionalText(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (!/^\d+(\.\d+)?$/.test(value) || number < least || number > most) {
      throw new ConfigError(name, value, `a number from ${least} to ${most}`);
    }
    return number;
  }

  choice<Word extends string>(name: string, fallback: Word, words: readonly Word[]): Word {
    const value = this.text(name, fallback);
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw new ConfigError(name, value, `one of ${words.join(', ')}`);
    return word;
  }

  isoTime(name: string): number | null {
    const value = this.optionalText(name);
    if (value === null) return null;
    const ms = Date.parse(value);
    if (!/^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:\d\d)$/.test(value) || Number.isNaN(ms)) {
      throw new ConfigError(name, value, 'an ISO-8601 time with its zone such as 2026-01-01T12:00:00Z');
    }
    return ms;
  }

  optionalUrl(name: string): string | null {
    const value = this.optionalText(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    const isHttp = url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
    if (!isHttp || !isHost(url.hostname) || url.search !== '' || url.hash !== '') {
      throw new ConfigError(name, value, 'an http or https URL with a host of at least 4 characters');
    }
    return value.replace(/\/+$/, '');
  }

  /** A mail server's URL. Its value may hold a password and is never shown. */
  mailServer(name: string): string | null {
    const value = this.optionalText(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') {
      throw new ConfigError(name, '(not shown)', 'smtp://[user:password@]host[:port], or smtps://');
    }
    return value;
  }
}

/** A Host name, perhaps with a port. Shorter ones could choose the route: see http/host-check.ts. */
function isHost(text: string): boolean {
  return /^(?:[a-z0-9._-]{4,}|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text);
}

/** An address, or a range of them as address/bits. */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const bitsMax = isIP(address) === 6 ? 128 : 32;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
  return isIP(address) !== 0 && isRange && rest.length === 0;
}
