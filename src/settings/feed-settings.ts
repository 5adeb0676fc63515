// The settings of the feed: the sources that FEED names, and the address, key and options of each.

import { createPrivateKey } from 'node:crypto';
import { ConfigError, type SettingReader } from './setting-reader.ts';

/** What a node does: everything alone, run the feeds of a cluster, or serve the slate of one. */
export const ROLES = ['all', 'ingest', 'serve'] as const;
export type Role = (typeof ROLES)[number];

/** One source that FEED names. */
export type FeedSetting =
  | { readonly kind: 'simulator' }
  | { readonly kind: 'replay'; readonly path: string }
  | { readonly kind: 'websocket'; readonly url: string }
  | { readonly kind: 'betfair' }
  | { readonly kind: PullSourceName };

/** A sport, or a sport with a colon and a league. */
const SPORT_OR_LEAGUE = /^(?:football|basketball)(?::.+)?$/;

/**
 * Upstreams that are polled: the prefix of their settings' names, the setting with the key (null: none is
 * needed), their default address and the sports requested by default.
 */
export const PULL_SOURCES = {
  'the-odds-api': {
    settings: 'THE_ODDS_API',
    key: 'THE_ODDS_API_KEY',
    url: 'https://api.the-odds-api.com',
    sports: ['soccer_epl', 'basketball_nba'],
    form: /^(?:soccer|basketball)_[a-z0-9_]+$/,
    allowed: 'sport keys of The Odds API such as soccer_epl, comma-separated',
  },
  isports: {
    settings: 'ISPORTS',
    key: 'ISPORTS_API_KEY',
    url: 'https://api.isportsapi.com',
    sports: ['football'],
    form: SPORT_OR_LEAGUE,
    allowed:
      'football, basketball, or one of them with a colon and the name or id of a league, comma-separated',
  },
  'api-football': {
    settings: 'API_FOOTBALL',
    key: 'API_FOOTBALL_KEY',
    url: 'https://v3.football.api-sports.io',
    sports: ['football'],
    form: /^football(?::.+)?$/,
    allowed: 'football, or football with a colon and the name or id of a league, comma-separated',
  },
  kalshi: {
    settings: 'KALSHI',
    key: null,
    url: 'https://external-api.kalshi.com/trade-api/v2',
    sports: ['football', 'basketball'],
    form: SPORT_OR_LEAGUE,
    allowed:
      'football, basketball, or one of them with a colon and a league such as football:epl, comma-separated',
  },
  polymarket: {
    settings: 'POLYMARKET',
    key: null,
    url: 'https://gamma-api.polymarket.com',
    sports: ['football', 'basketball'],
    form: SPORT_OR_LEAGUE,
    allowed:
      'football, basketball, or one of them with a colon and a league such as football:epl, comma-separated',
  },
} as const;
export type PullSourceName = keyof typeof PULL_SOURCES;
const PULL_SOURCE_NAMES = Object.keys(PULL_SOURCES) as PullSourceName[];

/** Maximum number of sources that FEED may name. With more, the service does not start. */
const FEEDS_MAX = 8;
/** A comma that separates two sources. Paths and addresses may contain commas themselves. */
const NEXT_FEED = /,(?=\s*(?:simulator\b|replay:|wss?:\/\/|betfair\b|[a-z-]+\s*(?:,|$)))/;

/** Reads all settings of the feed. @throws ConfigError on the first bad value */
export function readFeedSettings(read: SettingReader, role: Role) {
  const feeds = readFeeds(read, role);
  return {
    /**
     * The sources: at least one, except on a serving node, which has none. If several sources have the same
     * data, the first one wins.
     */
    feeds,
    /**
     * A file that lists which fixtures of several sources are the same match and which are not; null: their
     * names decide.
     */
    feedMatch: readFeedMatch(read, feeds),
    /**
     * The instant to which a replay moves the time of its first message (`hello`); the wall clock is frozen
     * there. Null: the time is moved to the present.
     */
    feedNowMs: readFeedNow(read, feeds),
    feedSpeed: read.number('FEED_SPEED', 1, 0.01, 10_000),
    /** Bearer token for a `ws://` or `wss://` feed, also required by `feed serve`; null: no token. */
    feedToken: read.secret('FEED_TOKEN'),
    pull: Object.fromEntries(
      PULL_SOURCE_NAMES.map((name) => [name, readPull(read, name, feeds)]),
    ) as Readonly<Record<PullSourceName, PullSettings>>,
    betfair: readBetfair(read, feeds),
    kalshi: readKalshi(read),
    polymarket: readPolymarket(read),
    simulator: {
      seed: read.integer('SIMULATOR_SEED', 1, 0, 2 ** 31 - 1),
      footballFixtures: read.integer('SIMULATOR_FOOTBALL_FIXTURES', 120, 0, 1_500),
      basketballFixtures: read.integer('SIMULATOR_BASKETBALL_FIXTURES', 30, 0, 500),
      /**
       * Forces this many messages per second in total, for load tests; null: the simulated market sets the
       * pace.
       */
      ratePerSecond: read.optionalInteger('SIMULATOR_RATE', 1, 1_000_000),
    },
  };
}

/** The sources that FEED names; none on a serving node. @throws ConfigError */
function readFeeds(read: SettingReader, role: Role): readonly FeedSetting[] {
  const given = read.optionalText('FEED');
  if (role === 'serve') {
    if (given === null) return [];
    throw new ConfigError(
      'FEED',
      given,
      'not set with ROLE=serve: its slate is the one that ROLE=ingest publishes',
    );
  }
  const text = given ?? 'simulator';
  const feeds = text.split(NEXT_FEED).map((part) => feedOf(part.trim(), read));
  const names = feeds.map((feed) => JSON.stringify(feed));
  if (new Set(names).size < names.length) throw new ConfigError('FEED', text, 'each source once');
  if (feeds.length > FEEDS_MAX) throw new ConfigError('FEED', text, `at most ${FEEDS_MAX} sources`);
  return feeds;
}

function readFeedMatch(read: SettingReader, feeds: readonly FeedSetting[]): string | null {
  const feedMatch = read.optionalText('FEED_MATCH');
  if (feedMatch === null || feeds.length > 1) return feedMatch;
  throw new ConfigError('FEED_MATCH', feedMatch, 'set only when FEED names several sources');
}

function readFeedNow(read: SettingReader, feeds: readonly FeedSetting[]): number | null {
  const feedNowMs = read.isoTime('FEED_NOW');
  if (feedNowMs === null || feeds.every(({ kind }) => kind === 'replay')) return feedNowMs;
  throw new ConfigError('FEED_NOW', read.text('FEED_NOW', ''), 'set only with FEED=replay:<file>');
}

/**
 * The name of each source in /ready, /metrics, a roster's `feed` and FEED_MATCH. The first source of a kind
 * has the name of its kind; each further one has a number after it, from 2 on.
 */
export function feedNames(feeds: readonly FeedSetting[]): readonly string[] {
  return feeds.map(({ kind }, index) => {
    const before = feeds.slice(0, index).filter((feed) => feed.kind === kind).length;
    return before === 0 ? kind : `${kind}-${before + 1}`;
  });
}

/** @throws ConfigError for a part of FEED that is not a source */
function feedOf(value: string, read: SettingReader): FeedSetting {
  if (value === 'simulator') return { kind: 'simulator' };
  if (value.startsWith('replay:') && value.length > 'replay:'.length) {
    return { kind: 'replay', path: value.slice('replay:'.length) };
  }
  const pulled = PULL_SOURCE_NAMES.find((name) => name === value);
  if (pulled !== undefined) return { kind: pulled };
  if (value === 'betfair') return { kind: 'betfair' };
  if (/^wss?:\/\//.test(value) && URL.canParse(value)) return { kind: 'websocket', url: value };
  throw new ConfigError(
    'FEED',
    read.partOf('FEED', value),
    `"simulator", "replay:<file>", ${PULL_SOURCE_NAMES.map((name) => `"${name}"`).join(', ')}, "betfair", a ws:// or wss:// address that speaks the feed protocol, or several of these, comma-separated`,
  );
}

type PullSettings = Readonly<ReturnType<typeof readPull>>;

/** The settings of one polled source. @throws ConfigError when FEED names it and its key is missing */
function readPull(read: SettingReader, name: PullSourceName, feeds: readonly FeedSetting[]) {
  const { settings, key, url, sports, form, allowed } = PULL_SOURCES[name];
  const apiKey = key === null ? null : read.secret(key);
  if (key !== null && apiKey === null && feeds.some(({ kind }) => kind === name)) {
    throw new ConfigError(key, '', `the key that FEED=${name} needs`);
  }
  const chosen = read.list(`${settings}_SPORTS`, (part) => form.test(part), allowed);
  const everyS = read.optionalInteger(`${settings}_EVERY_S`, 1, 86_400);
  return {
    /** Without a trailing slash. */
    url: read.url(`${settings}_URL`, url),
    /** Never logged. Null only for a source that needs none or that FEED does not name. */
    apiKey,
    sports: chosen.length > 0 ? chosen : sports,
    /** The operator's shortest interval between polls; null: the source's own pace. */
    everyMs: everyS === null ? null : everyS * 1_000,
  };
}

const BETFAIR_STREAM = /^(?:tls|tcp):\/\/[^\s/:@]+:\d{1,5}$/;

export type BetfairSettings = Readonly<ReturnType<typeof readBetfair>>;

/** The settings of the Betfair source. @throws ConfigError */
function readBetfair(read: SettingReader, feeds: readonly FeedSetting[]) {
  const streamUrl = read.text('BETFAIR_STREAM_URL', 'tls://stream-api.betfair.com:443');
  if (!BETFAIR_STREAM.test(streamUrl)) {
    throw new ConfigError('BETFAIR_STREAM_URL', streamUrl, 'tls://host:port or tcp://host:port');
  }
  const appKey = read.secret('BETFAIR_APP_KEY');
  const session = read.secret('BETFAIR_SESSION');
  for (const [name, secret] of [
    ['BETFAIR_APP_KEY', appKey],
    ['BETFAIR_SESSION', session],
  ] as const) {
    if (secret === null && feeds.some(({ kind }) => kind === 'betfair')) {
      throw new ConfigError(name, '', 'what FEED=betfair needs to log in');
    }
  }
  const { form, allowed } = PULL_SOURCES.isports;
  const sports = read.list('BETFAIR_SPORTS', (part) => form.test(part), allowed);
  return {
    /** `tls://host:port` or `tcp://host:port`. */
    streamUrl,
    /** Without a trailing slash. */
    apiUrl: read.url('BETFAIR_API_URL', 'https://api.betfair.com'),
    /** The application key and the session token; null only when FEED does not name Betfair. Never logged. */
    appKey,
    session,
    /**
     * The file that the session was read from, read again when the session has ended; null when the session
     * was set directly.
     */
    sessionFile: read.optionalText('BETFAIR_SESSION_FILE'),
    /** Address for keeping the session alive, without a trailing slash. */
    loginUrl: read.url('BETFAIR_LOGIN_URL', 'https://identitysso.betfair.com'),
    sports: sports.length > 0 ? sports : ['football'],
    /** The exchange's commission on winnings, 0 to 1. */
    commission: read.number('BETFAIR_COMMISSION_PCT', 0, 0, 50) / 100,
    /** The bookmaker that the exchange's prices are shown under; null: the one of the roster. */
    bookmaker: read.optionalText('BETFAIR_BOOKMAKER'),
  };
}

/** Reads the settings of Kalshi. @throws ConfigError when half of its key is missing */
function readKalshi(read: SettingReader) {
  const keyId = read.secret('KALSHI_KEY_ID');
  const privateKey = read.secret('KALSHI_PRIVATE_KEY');
  if ((keyId === null) !== (privateKey === null)) {
    const missing = keyId === null ? 'KALSHI_KEY_ID' : 'KALSHI_PRIVATE_KEY';
    throw new ConfigError(missing, '', 'set, because the other half of the key is');
  }
  if (privateKey !== null && !isPrivateKey(privateKey)) {
    throw new ConfigError(
      'KALSHI_PRIVATE_KEY',
      '(not shown)',
      'a private key in PEM, as Kalshi shows it once',
    );
  }
  return {
    /** The taker's fee as a share of price x (1 - price). */
    feeRate: read.number('KALSHI_FEE_PCT', 7, 0, 50) / 100,
    /** Dollars that must be on offer at the best price of every outcome of an open line. */
    leastStake: read.number('KALSHI_LEAST_STAKE', 10, 0, 1_000_000),
    socketUrl: socketUrl(read, 'KALSHI_WS_URL', 'wss://external-api-ws.kalshi.com/trade-api/ws/v2'),
    /** The id and the private key for its WebSocket; both null if they are not set. Never logged. */
    keyId,
    privateKey,
  };
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa';
  } catch {
    return false; // the caller says what is allowed
  }
}

function readPolymarket(read: SettingReader) {
  const feePct = read.optionalText('POLYMARKET_FEE_PCT');
  return {
    /**
     * The taker's fee as a share of price x (1 - price); null: the fee that the venue states for each market.
     */
    feeRate: feePct === null ? null : read.number('POLYMARKET_FEE_PCT', 0, 0, 50) / 100,
    /** Dollars that must be on offer at the best price of every outcome of an open line. */
    leastStake: read.number('POLYMARKET_LEAST_STAKE', 10, 0, 1_000_000),
    /** Without a trailing slash. */
    clobUrl: read.url('POLYMARKET_CLOB_URL', 'https://clob.polymarket.com'),
    socketUrl: socketUrl(read, 'POLYMARKET_WS_URL', 'wss://ws-subscriptions-clob.polymarket.com/ws/market'),
    scoreUrl: socketUrl(read, 'POLYMARKET_SCORES_URL', 'wss://sports-api.polymarket.com/ws'),
  };
}

/** @throws ConfigError */
function socketUrl(read: SettingReader, name: string, fallback: string): string {
  const value = read.text(name, fallback);
  if (/^wss?:\/\/[^\s/@?#]+(?:\/[^\s@?#]*)?$/.test(value) && URL.canParse(value)) return value;
  throw new ConfigError(name, value, 'a ws:// or wss:// address without a user, a password, ? and #');
}
