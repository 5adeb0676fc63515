// Generates docs/reference/settings.md by recording how src/settings/ reads its settings, so names, defaults
// and allowed values are those of the code. What each setting is for is written only here.

import { loadConfig, settingList } from '../src/settings/config.ts';
import { PULL_SOURCES } from '../src/settings/feed-settings.ts';
import { ConfigError } from '../src/settings/setting-reader.ts';

interface Meaning {
  readonly meaning: string;
  /** What is allowed, if that is not what the setting reader's method says. */
  readonly allowed?: string;
  /** The default in words, if it depends on the machine. */
  readonly fallback?: string;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  PORT: { meaning: 'The port to listen on; 0 means any free port.' },
  HOST: { meaning: 'The address to listen on.' },
  PUBLIC_URL: {
    meaning: 'Base of the links in answers. Its host is accepted in the Host header.',
    fallback: 'from host and port',
  },
  ALLOWED_HOSTS: {
    meaning: 'Further names that are accepted in the Host header. Loopback names always are.',
  },
  TRUSTED_PROXIES: { meaning: 'Proxies whose `X-Forwarded-For` is trusted.' },
  BOOKMAKERS: { meaning: 'The [roster](../guide/feeds.md#the-roster): a file, or the name of a ready one.' },
  ROLE: { meaning: 'The [role](../guide/cluster.md#roles) of the server in a cluster.' },
  FEED: { meaning: 'Where prices come from.', allowed: refusalOf('FEED') },
  FEED_MATCH: {
    meaning: 'A file of fixtures that [are the same match](../guide/feeds.md#several-at-once), or are not.',
  },
  FEED_TOKEN: {
    meaning: 'The bearer token of a WebSocket feed; `feed serve` requires it from its followers.',
  },
  BETFAIR_COMMISSION_PCT: {
    meaning: "The exchange's commission on winnings, in percent, which is deducted from prices.",
  },
  BETFAIR_BOOKMAKER: {
    meaning: "The bookmaker under which the exchange's prices are shown.",
    fallback: "the roster's",
  },
  KALSHI_FEE_PCT: {
    meaning:
      "The taker's [fee at Kalshi](../guide/feeds.md#kalshi) in percent, which is deducted from prices.",
  },
  KALSHI_LEAST_STAKE: {
    meaning: 'A line of Kalshi is suspended while fewer dollars can be staked on one of its outcomes.',
  },
  POLYMARKET_FEE_PCT: {
    meaning:
      "The taker's [fee at Polymarket](../guide/feeds.md#polymarket) in percent, which is deducted from prices.",
    allowed: 'a number, 0 to 50',
    fallback: 'what each market says',
  },
  POLYMARKET_LEAST_STAKE: {
    meaning: 'A line of Polymarket is suspended while fewer dollars can be staked on one of its outcomes.',
  },
  FEED_SPEED: { meaning: 'The speed of a replay or of the simulated market.' },
  FEED_NOW: {
    meaning:
      "For a recording only: the time that its `hello` is mapped to, at which the slate's clock stands still.",
  },
  SIMULATOR_SEED: { meaning: 'Seed of the simulated market: the same seed gives the same market.' },
  SIMULATOR_FOOTBALL_FIXTURES: { meaning: 'Number of football fixtures in the simulated market.' },
  SIMULATOR_BASKETBALL_FIXTURES: { meaning: 'Number of basketball fixtures in the simulated market.' },
  SIMULATOR_RATE: {
    meaning: 'For load tests: forces this many messages a second in total.',
    fallback: "the market's own",
  },
  DATA_DIR: { meaning: 'The folder for the SQLite file and all other data.' },
  HISTORY_DAYS: {
    meaning:
      'Days for which [every price](../guide/operations.md#price-history) is kept; 0 switches the history off.',
  },
  HISTORY_MAX_GB: {
    meaning: 'Gigabytes (10^9 bytes) of history files; when there are more, the oldest are removed.',
  },
  HISTORY_DIR: {
    meaning: 'The folder of the history, or `s3://bucket/prefix`; the same for all nodes of a cluster.',
    fallback: '`history` in DATA_DIR',
  },
  HTTP_THREADS: { meaning: 'Number of threads that listen on the port.' },
  STOP_DRAIN_MS: {
    meaning: 'How long a server still answers after a stop signal, with 503 on `/ready` for load balancers.',
  },
  SCORING_THREADS: {
    meaning: 'Number of workers that compute value and arbitrage of the whole slate.',
    fallback: 'cores - 1',
  },
  LIVE_FRESHNESS_S: { meaning: 'Seconds without confirmation after which a live fixture is `stale`.' },
  PREMATCH_FRESHNESS_S: {
    meaning:
      'Seconds without confirmation after which a fixture is `stale` before kickoff. If the feed is away for longer, price requests get 503.',
  },
  VALUE_EDGE_MAX_PCT: {
    meaning: 'Value edges above this are [left out](signals.md#what-is-left-out) as implausible.',
  },
  ARBITRAGE_MARGIN_MAX_PCT: {
    meaning: 'Arbitrage margins above this are [left out](signals.md#what-is-left-out) as implausible.',
  },
  NODE_ENV: {
    meaning: '`production`: JSON logs, no development key, accounts cannot change their own plan.',
    fallback:
      '`production` with `SMTP_URL`, `TLS_CERT_FILE`, an https `PUBLIC_URL` or a `HOST` that is not loopback, else `development`',
  },
  CONNECTIONS_PER_ADDRESS: {
    meaning:
      'Connections that one client address, or one IPv6 /48, may have open. Trusted proxies have no limit.',
    fallback: 'an eighth of the file descriptor limit, at least 256',
  },
  MEMORY_BUDGET_MB: {
    meaning:
      'MB for request bodies, unread answers, backlogs of streams and cached answers ([shares](../internals/security.md#limits-of-strangers)).',
    fallback: 'an eighth of the memory of the machine or container, at least 32, at most 256',
  },
  TLS_CERT_FILE: {
    meaning: 'The certificate in PEM, leaf first; turns [HTTPS](../guide/operations.md#https) on.',
    allowed: 'a file',
  },
  TLS_KEY_FILE: {
    meaning: 'The private key of the certificate in TLS_CERT_FILE, in PEM without a passphrase.',
    allowed: 'a file',
  },
  HTTP_REDIRECT_PORT: {
    meaning: 'The port on which browsers are redirected from plain HTTP to HTTPS. Other clients are refused.',
  },
  METRICS_PORT: {
    meaning: 'A separate port for [`/metrics`](../guide/operations.md#metrics).',
  },
  METRICS_HOST: {
    meaning:
      'The address that METRICS_PORT listens on. Without METRICS_TOKEN, everybody who reaches it may read the metrics.',
  },
  ALERTS_ALLOW: {
    meaning: 'Private hosts and ranges to which [alerts may go](../guide/alerts.md#where-alerts-may-go).',
  },
  ALERTS_SECRET: {
    meaning:
      'The secret of at least 32 characters from which the [secrets that sign alerts](../guide/alerts.md#where-alerts-may-go) are made.',
    fallback: 'made at the first start',
  },
  METRICS_TOKEN: {
    meaning:
      'Clients that send it as a bearer token may read `/metrics`. On PORT, clients on this machine need no token.',
    allowed: 'a secret of at least 16 characters',
  },
  OPERATOR_EMAILS: {
    meaning: 'Accounts with these verified addresses may open `/console/operator`.',
  },
  SESSION_IDLE_S: {
    meaning: 'Seconds after which an unused session ends. Opening any page while signed in counts as use.',
  },
  LOG_LEVEL: { meaning: 'The lowest level that is logged.' },
  DATABASE_URL: {
    meaning:
      'The Postgres for [durable data](../guide/cluster.md#what-lasts-postgres), instead of SQLite in DATA_DIR.',
  },
  REDIS_URL: { meaning: 'The Redis or Valkey that [several nodes](../guide/cluster.md) share.' },
  SMTP_URL: {
    meaning:
      'The mail server for codes. Without it, development writes codes to the log and `outbox.ndjson`, and production closes sign-up.',
  },
  MAIL_FROM: { meaning: 'The sender address of the mails that SMTP_URL sends.' },
};

/** Keys that their source can do without. */
const OPTIONAL_KEYS: Readonly<Record<string, string>> = {
  KALSHI: 'for its WebSocket only: `KALSHI_KEY_ID`, `KALSHI_PRIVATE_KEY` (PEM)',
};

/** The settings that every upstream has: its key and sports. Its addresses are found among all settings. */
interface SourceSettings {
  readonly feed: string;
  /** The prefix of its settings' names. */
  readonly prefix: string;
  readonly key: string;
  readonly sports: string;
}

const SOURCES: readonly SourceSettings[] = [
  ...Object.entries(PULL_SOURCES).map(([feed, { settings, key, sports }]) => ({
    feed,
    prefix: settings,
    key: key === null ? (OPTIONAL_KEYS[settings] ?? '') : `\`${key}\``,
    sports: `\`${settings}_SPORTS\`: \`${sports.join(',')}\``,
  })),
  {
    feed: 'betfair',
    prefix: 'BETFAIR',
    key: '`BETFAIR_APP_KEY`, `BETFAIR_SESSION`',
    sports: '`BETFAIR_SPORTS`: `football`',
  },
];

/**
 * @returns the whole page @throws Error when a setting has no description, or a description has no setting
 */
export function settingsPage(): string {
  const read = new Map(settingList({}).map((setting) => [setting.name, setting]));
  const described = new Set([
    ...Object.keys(MEANINGS),
    ...[...read.values()].filter(({ isSecret }) => isSecret).map(({ name }) => `${name}_FILE`),
  ]);
  const isOfSources = (name: string): boolean =>
    SOURCES.some(
      ({ prefix, key, sports }) =>
        `${key} ${sports}`.includes(`\`${name}\``) ||
        isAddressOf(prefix, name) ||
        name === `${prefix}_EVERY_S`,
    );
  const missing = [...read.keys()].filter((name) => !described.has(name) && !isOfSources(name));
  if (missing.length > 0) throw new Error(`Cannot write settings: MEANINGS lacks ${missing.join(', ')}`);
  const gone = [...described].filter((name) => !read.has(name));
  if (gone.length > 0) throw new Error(`Cannot write settings: nothing reads ${gone.join(', ')} any more`);
  const rows = Object.entries(MEANINGS).map(([name, { fallback, allowed, meaning }]) => {
    const setting = read.get(name)!;
    const value = fallback ?? (setting.fallback === '' ? '' : `\`${setting.fallback}\``);
    return `| \`${name}\` | ${value} | ${allowed ?? setting.allowed} | ${meaning} |`;
  });
  const sources = SOURCES.map(({ feed, prefix, key, sports }) => {
    const addresses = [...read.values()].filter(({ name }) => isAddressOf(prefix, name));
    const defaults = addresses.map(({ name, fallback }) => `\`${name}\`: \`${fallback}\``);
    return `| \`${feed}\` | ${key} | ${sports} | ${defaults.join('<br>')} |`;
  });
  return `${[
    '# Settings',
    'Environment variables, read and checked once at start. An empty value counts as not set.',
    'A secret, or an address that contains a password, can be in a file: `METRICS_TOKEN_FILE` names the file for `METRICS_TOKEN`, and so on.',
    ['| variable | default | allowed | meaning |', '|---|---|---|---|', ...rows].join('\n'),
    '## Sources',
    'A sport may have a colon and the name or id of a league, as in `football:epl`; the sports of The Odds API are its own keys.\n`THE_ODDS_API_EVERY_S`, and likewise for every polled source, is the shortest interval between two requests of one kind in whole seconds, 1\nto 86,400; without it the source and its quota decide. `BETFAIR_SESSION_FILE` is read again when the session has ended. Accounts in Italy,\nSpain and Romania have another `BETFAIR_LOGIN_URL`.',
    ['| `FEED` | key | sports | addresses |', '|---|---|---|---|', ...sources].join('\n'),
    'Commands that call a server, and the stdio MCP server, have [variables of their own](cli.md#which-server).',
  ].join('\n\n')}\n`;
}

/** Whether the setting is an address of the source with this prefix. */
function isAddressOf(prefix: string, name: string): boolean {
  return name.startsWith(`${prefix}_`) && name.endsWith('_URL');
}

/** What config.ts says is allowed, taken from its error for a wrong value. */
function refusalOf(name: string): string {
  try {
    loadConfig({ [name]: '?' });
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('allowed is ')[1]!.replaceAll('"', '`');
    throw error;
  }
  throw new Error(`Cannot write settings: ${name} takes any text`);
}
