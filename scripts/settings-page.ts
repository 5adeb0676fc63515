// docs/settings.md, made by watching config.ts read its settings: names, defaults and what is allowed are those of the
// code. What each one is for is said here, once.

import { settingList } from '../src/cli/setting-list.ts';
import { loadConfig } from '../src/config.ts';
import { ConfigError } from '../src/setting-reader.ts';

interface Meaning {
  readonly meaning: string;
  /** Where config.ts allows more or less than the method it reads with. */
  readonly allowed?: string;
  /** Where the default depends on the machine. */
  readonly fallback?: string;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  PORT: { meaning: 'Where to listen; 0 takes any free port.' },
  HOST: { meaning: 'The address to listen on.' },
  PUBLIC_URL: {
    meaning: 'Base of links in answers; its host is allowed in the Host header.',
    fallback: 'from host and port',
  },
  ALLOWED_HOSTS: { meaning: 'Further names in the Host header; loopback names are always allowed.' },
  TRUSTED_PROXIES: { meaning: 'Proxies whose `X-Forwarded-For` counts.' },
  BOOKMAKERS: {
    meaning:
      'The roster: a file, or the name of a ready one (roster.md). Without it the seven of the contract.',
  },
  ROLE: {
    meaning:
      'What the server does: everything, or in a cluster the feeds (`ingest`) or the answers (`serve`): cluster.md.',
  },
  FEED: { meaning: 'Where prices come from.', allowed: refusalOf('FEED') },
  FEED_MATCH: {
    meaning:
      'A file that says which fixtures of several sources are one match and which are not (feeds.md#several-at-once).',
  },
  FEED_TOKEN: { meaning: 'Sent as bearer to a WebSocket feed; what `feed serve` asks of its followers.' },
  FEED_TOKEN_FILE: { meaning: 'A file that holds the token, instead of it.' },
  THE_ODDS_API_KEY: { meaning: 'The key for The Odds API, which FEED needs then (feeds.md).' },
  THE_ODDS_API_KEY_FILE: { meaning: 'A file that holds the key, instead of it.' },
  THE_ODDS_API_SPORTS: { meaning: 'What is asked for.', fallback: '`soccer_epl,basketball_nba`' },
  THE_ODDS_API_EVERY_S: {
    meaning: 'The shortest interval between two requests of a kind, whatever the quota says.',
    fallback: 'the pace of the source and its quota',
  },
  THE_ODDS_API_URL: {
    meaning: 'Where it is asked, for proxies and tests.',
    fallback: '`https://api.the-odds-api.com`',
  },
  BETFAIR_STREAM_URL: {
    meaning: "Where Betfair's stream is; another for a proxy or a test.",
    allowed: '`tls://host:port` or `tcp://host:port`',
  },
  BETFAIR_API_URL: {
    meaning: "Where Betfair's betting API is, for the names of markets.",
    fallback: '`https://api.betfair.com`',
  },
  BETFAIR_APP_KEY: { meaning: 'The application key, which FEED=betfair needs.' },
  BETFAIR_APP_KEY_FILE: { meaning: 'A file that holds the key, instead of it.' },
  BETFAIR_SESSION: { meaning: 'A session token of a login, which FEED=betfair needs.' },
  BETFAIR_SESSION_FILE: { meaning: 'A file that holds the token, instead of it.' },
  BETFAIR_SPORTS: { meaning: 'What is followed.', fallback: '`football`' },
  BETFAIR_COMMISSION_PCT: { meaning: 'What the exchange keeps of winnings: prices are shown without it.' },
  BETFAIR_BOOKMAKER: {
    meaning: "The bookmaker that the exchange's prices are shown under.",
    fallback: "the roster's",
  },
  ISPORTS_API_KEY: { meaning: 'The key for iSports, which FEED needs then (feeds.md).' },
  ISPORTS_API_KEY_FILE: { meaning: 'A file that holds the key, instead of it.' },
  ISPORTS_SPORTS: { meaning: 'What is asked for.', fallback: '`football`' },
  ISPORTS_EVERY_S: {
    meaning: 'The shortest interval between two requests of a kind, whatever the quota says.',
    fallback: 'the pace of the source and its quota',
  },
  ISPORTS_URL: {
    meaning: 'Where it is asked, for proxies and tests.',
    fallback: '`https://api.isportsapi.com`',
  },
  API_FOOTBALL_KEY: { meaning: 'The key for API-Football, which FEED needs then (feeds.md).' },
  API_FOOTBALL_KEY_FILE: { meaning: 'A file that holds the key, instead of it.' },
  API_FOOTBALL_SPORTS: { meaning: 'What is asked for.', fallback: '`football`' },
  API_FOOTBALL_EVERY_S: {
    meaning: 'The shortest interval between two requests of a kind, whatever the quota says.',
    fallback: 'the pace of the source and its quota',
  },
  API_FOOTBALL_URL: {
    meaning: 'Where it is asked, for proxies and tests.',
    fallback: '`https://v3.football.api-sports.io`',
  },
  FEED_SPEED: { meaning: 'How fast the future of a recording, or the simulated market, runs.' },
  FEED_NOW: {
    meaning:
      'With a recording only: the instant its hello maps to; the wall clock of the slate stands still there.',
  },
  SIMULATOR_SEED: { meaning: 'The simulated market: the same seed makes the same market.' },
  SIMULATOR_FOOTBALL_FIXTURES: { meaning: 'Football fixtures of the simulated market.' },
  SIMULATOR_BASKETBALL_FIXTURES: { meaning: 'Basketball fixtures of the simulated market.' },
  SIMULATOR_RATE: {
    meaning: 'Forces this many messages a second in total, for load.',
    fallback: "the market's own",
  },
  DATA_DIR: {
    meaning:
      'The folder of the SQLite file (accounts, keys, daily counts, openings, results) and of the development outbox.',
  },
  HTTP_THREADS: { meaning: 'Listeners on the one port.' },
  STOP_DRAIN_MS: {
    meaning:
      'How long a server that was told to stop still answers, with `Connection: close`, while `/ready` is 503. Give it as long as your load balancer takes to notice.',
  },
  SCORING_THREADS: {
    meaning:
      'Workers for slate-wide value and arbitrage of lists and tools. An HTTP thread whose streams follow signals has one more.',
    fallback: 'cores - 1',
  },
  LIVE_FRESHNESS_S: { meaning: 'Seconds after which the answer of a live fixture is `stale`.' },
  PREMATCH_FRESHNESS_S: {
    meaning: 'The same of a fixture to come; when the feed has been gone for longer, prices answer 503.',
  },
  VALUE_EDGE_MAX_PCT: { meaning: 'Value edges above this are implausible and left out.' },
  ARBITRAGE_MARGIN_MAX_PCT: { meaning: 'Arbitrage margins above this are implausible and left out.' },
  NODE_ENV: {
    meaning: '`production`: JSON logs, no development key, no change of plan by the account itself.',
    fallback:
      '`production` with `SMTP_URL`, `TLS_CERT_FILE`, an https `PUBLIC_URL` or a `HOST` that is not loopback, else `development`',
  },
  CONNECTIONS_PER_ADDRESS: {
    meaning:
      'Connections that one client address may have open; what is more is ended. Trusted proxies have no limit.',
    fallback: 'an eighth of the limit of descriptors, at least 256',
  },
  TLS_CERT_FILE: {
    meaning:
      'The certificate in PEM, leaf first: serves HTTPS. Read again when it changes (operations.md#https).',
    allowed: 'a file',
  },
  TLS_KEY_FILE: { meaning: 'The key of that certificate, in PEM without a passphrase.', allowed: 'a file' },
  HTTP_REDIRECT_PORT: { meaning: 'Where plain HTTP is answered with the way to HTTPS.' },
  METRICS_PORT: {
    meaning: 'A listener for `/metrics` alone, which PORT then does not serve (operations.md#metrics).',
  },
  METRICS_HOST: {
    meaning: 'The address of that listener. Whoever reaches it may read, unless METRICS_TOKEN is set.',
  },
  METRICS_TOKEN: {
    meaning: 'Lets whoever sends it as a bearer read `/metrics`, which else only this machine may.',
    allowed: 'a secret of at least 16 characters',
  },
  OPERATOR_EMAILS: {
    meaning: 'Accounts with these addresses, once verified, see `/console/operator`.',
  },
  SESSION_IDLE_S: {
    meaning:
      'Seconds after which a session ends that nobody uses. Used is what asks `/platform`, as every page does that a signed-in person opens.',
  },
  METRICS_TOKEN_FILE: { meaning: 'A file that holds the token, instead of it.' },
  LOG_LEVEL: { meaning: 'The least important lines that are logged.' },
  DATABASE_URL: {
    meaning:
      'The Postgres that has accounts, keys, sessions, openings and results, as `postgres://user:password@host:port/database` (cluster.md). Without it they are in a SQLite file of DATA_DIR.',
  },
  DATABASE_URL_FILE: { meaning: 'A file that holds it, instead of it.' },
  REDIS_URL: {
    meaning: 'The Redis or Valkey that several nodes share (cluster.md). Without it this machine is alone.',
  },
  REDIS_URL_FILE: { meaning: 'A file that holds it, instead of it.' },
  SMTP_URL: {
    meaning:
      'The server that sends sign-up codes. Without one they go to the log and `outbox.ndjson` in development, and sign-up is closed in production.',
  },
  MAIL_FROM: { meaning: 'The sender of those mails.' },
};

/** @returns the whole page @throws when a setting has no meaning above, or a meaning no setting */
export function settingsPage(): string {
  const read = new Map(settingList({}).map((setting) => [setting.name, setting]));
  const missing = [...read.keys()].filter((name) => !(name in MEANINGS));
  if (missing.length > 0) throw new Error(`Cannot write settings: MEANINGS lacks ${missing.join(', ')}`);
  const gone = Object.keys(MEANINGS).filter((name) => !read.has(name));
  if (gone.length > 0) throw new Error(`Cannot write settings: nothing reads ${gone.join(', ')} any more`);
  const rows = Object.entries(MEANINGS).map(([name, told]) => {
    const setting = read.get(name)!;
    const fallback = told.fallback ?? (setting.fallback === '' ? '' : `\`${setting.fallback}\``);
    return `| \`${name}\` | ${fallback} | ${told.allowed ?? setting.allowed} | ${told.meaning} |`;
  });
  return `${[
    '# Settings',
    'Environment variables, read and checked once at start by `src/config.ts`. A bad value stops the start with a message\nthat names the variable, its value and what is allowed. An empty value counts as not set. This page is written by\n`bun run docs`; `test/docs.test.ts` fails when it is out of date.',
    ['| variable | default | allowed | meaning |', '|---|---|---|---|', ...rows].join('\n'),
    'The stdio MCP server (`bun run mcp`) and the [commands that ask a server](cli.md#which-server) read two variables of their own:\n`OVERROUND_URL`, the server to talk to (without it the MCP server starts one inside its process, and the commands ask the local one),\nand `OVERROUND_API_KEY`, or `OVERROUND_API_KEY_FILE`, the key to send.',
  ].join('\n\n')}\n`;
}

/** What config.ts itself says is allowed when it refuses a value. */
function refusalOf(name: string): string {
  try {
    loadConfig({ [name]: '?' });
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('allowed is ')[1]!.replaceAll('"', '`');
    throw error;
  }
  throw new Error(`Cannot write settings: ${name} takes any text`);
}
