// Settings: defaults, and a refusal of every bad value that names the variable, the value and what is
// allowed.

import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, settingList } from '../../src/settings/config.ts';
import { ConfigError } from '../../src/settings/setting-reader.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REPLAY = { FEED: 'replay:some.ndjson' };

describe('loadConfig', () => {
  // docs/reference/settings.md has the defaults themselves; it is generated from the code.
  test('giving the default of a setting as its value changes nothing', () => {
    const stated = settingList({}).filter(({ fallback }) => fallback !== '');
    expect(stated.length).toBeGreaterThan(25);
    for (const { name, fallback } of stated)
      expect([name, loadConfig({ [name]: fallback })]).toEqual([name, loadConfig({})]);
  });

  test('the settings of the sources have these defaults', () => {
    const { feeds, pull, kalshi, polymarket, betfair, scoringThreads } = loadConfig({});
    expect(feeds).toEqual([{ kind: 'simulator' }]);
    expect(Object.values(pull).map(({ url, sports }) => [url, ...sports])).toEqual([
      ['https://api.the-odds-api.com', 'soccer_epl', 'basketball_nba'],
      ['https://api.isportsapi.com', 'football'],
      ['https://v3.football.api-sports.io', 'football'],
      ['https://external-api.kalshi.com/trade-api/v2', 'football', 'basketball'],
      ['https://gamma-api.polymarket.com', 'football', 'basketball'],
    ]);
    expect(Object.values(pull)).toEqual(
      Array(5).fill(expect.objectContaining({ apiKey: null, everyMs: null })),
    );
    expect([kalshi.feeRate, polymarket.feeRate]).toEqual([0.07, null]);
    expect(polymarket.clobUrl).toBe('https://clob.polymarket.com');
    expect([betfair.apiUrl, betfair.loginUrl]).toEqual([
      'https://api.betfair.com',
      'https://identitysso.betfair.com',
    ]);
    expect(scoringThreads).toBeGreaterThanOrEqual(1);
  });

  test('an empty or blank value of a setting means its default', () => {
    expect(loadConfig({ PORT: '', HOST: '  ', FEED: '', LIVE_FRESHNESS_S: ' ' })).toEqual(loadConfig({}));
  });

  test('values of settings are parsed', () => {
    const config = loadConfig({
      ...REPLAY,
      PORT: ' 8080 ',
      FEED_SPEED: '0.5',
      FEED_NOW: '2026-03-01T13:00:00+01:00',
      ALLOWED_HOSTS: 'Odds.Example.com, localhost:3000 ,,[::1]',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      LIVE_FRESHNESS_S: '5',
      PREMATCH_FRESHNESS_S: '7',
      NODE_ENV: 'production',
      SMTP_URL: 'smtps://user:secret@mail.example.com:465',
      PUBLIC_URL: 'https://odds.example.com/',
      SIMULATOR_RATE: '20000',
      ...{
        SESSION_IDLE_S: '60',
        HISTORY_MAX_GB: '0.5',
        POLYMARKET_FEE_PCT: '2',
        BETFAIR_COMMISSION_PCT: '5',
      },
    });
    expect(config).toMatchObject({
      port: 8080,
      feeds: [{ kind: 'replay', path: 'some.ndjson' }],
      feedSpeed: 0.5,
      feedNowMs: Date.UTC(2026, 2, 1, 12),
      allowedHosts: ['odds.example.com', 'localhost:3000', '[::1]'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      liveFreshnessMs: 5_000,
      prematchFreshnessMs: 7_000,
      production: true,
      publicUrl: 'https://odds.example.com',
      simulator: { ratePerSecond: 20_000 },
      ...{ sessionIdleMs: 60_000, historyBytesMax: 500e6 },
      ...{ polymarket: { feeRate: 0.02 }, betfair: { commission: 0.05 } },
    });
  });

  test('a publicly reachable server is in production, unless NODE_ENV says otherwise', () => {
    const isProduction = (settings: Record<string, string>) => loadConfig(settings).production;
    const exposed = [
      { SMTP_URL: 'smtp://mail.example' },
      { PUBLIC_URL: 'https://odds.example' },
      { HOST: '0.0.0.0' },
      { HOST: '::' },
      { HOST: '192.0.2.1' },
      { HOST: 'odds.example' },
    ];
    const local = [
      {},
      { HOST: 'localhost' },
      { HOST: '127.0.0.2' },
      { HOST: '::1' },
      { PUBLIC_URL: 'http://odds.example' },
    ];
    for (const settings of exposed) {
      expect([settings, isProduction(settings)]).toEqual([settings, true]);
      expect(isProduction({ ...settings, NODE_ENV: 'development' })).toBe(false);
    }
    for (const settings of local) {
      expect([settings, isProduction(settings)]).toEqual([settings, false]);
      expect(isProduction({ ...settings, NODE_ENV: 'production' })).toBe(true);
    }
  });

  test('FEED names several sources, and a comma inside a path or address does not separate them', () => {
    const FEED = 'replay:a,b.ndjson, ws://127.0.0.1:1/?x=1,2 ,isports,simulator';
    expect(loadConfig({ FEED, ISPORTS_API_KEY: 'k' }).feeds).toEqual([
      { kind: 'replay', path: 'a,b.ndjson' },
      { kind: 'websocket', url: 'ws://127.0.0.1:1/?x=1,2' },
      { kind: 'isports' },
      { kind: 'simulator' },
    ]);
    expect(() => loadConfig({ FEED: 'simulator,redis' })).toThrow('FEED is "redis"');
    expect(() => loadConfig({ FEED: 'simulator,isports' })).toThrow('ISPORTS_API_KEY');
  });

  test.each([
    ['the-odds-api', 'THE_ODDS_API_KEY'],
    ['isports', 'ISPORTS_API_KEY'],
    ['api-football', 'API_FOOTBALL_KEY'],
  ] as const)(
    'the key of %s is read from %s, or from the file that the setting with _FILE names',
    (source, name) => {
      using folder = temporaryFolder();
      const file = join(folder.path, 'key');
      writeFileSync(file, 'from-a-file\n');
      expect(loadConfig({ FEED: source, [name]: 'given' }).pull[source].apiKey).toBe('given');
      expect(loadConfig({ FEED: source, [`${name}_FILE`]: file }).pull[source].apiKey).toBe('from-a-file');
      expect(() => loadConfig({ FEED: source })).toThrow(`${name} is ""`);
    },
  );

  const BAD: readonly (readonly [name: string, value: string, allowed: string])[] = [
    ['PORT', '65536', 'an integer from 0 to 65535'],
    ['PORT', '0x10', 'an integer from 0 to 65535'],
    ['PORT', '3e3', 'an integer from 0 to 65535'],
    ['FEED', 'redis', 'a ws:// or wss:// address'],
    ['FEED', 'simulator,simulator', 'each source once'],
    ['FEED_MATCH', 'match.json', 'set only when FEED names several sources'],
    ['FEED', 'replay:', '"simulator", "replay:<file>"'],
    ['FEED', 'ws://', 'a ws:// or wss:// address'],
    ['BETFAIR_STREAM_URL', 'https://betfair.com', 'tls://host:port'],
    ['BETFAIR_COMMISSION_PCT', '51', 'a number from 0 to 50'],
    ['FEED_TOKEN_FILE', '/no/such/file', 'a readable file'],
    ['FEED_SPEED', '0', 'a number from 0.01 to 10000'],
    ['FEED_SPEED', 'fast', 'a number from 0.01 to 10000'],
    ['FEED_SPEED', 'Infinity', 'a number from 0.01 to 10000'],
    ['FEED_NOW', 'yesterday', 'an ISO-8601 time'],
    ['FEED_NOW', '2026-03-01T12:00:00', 'an ISO-8601 time with its zone'],
    ['SIMULATOR_SEED', '-1', 'an integer from 0'],
    ['SIMULATOR_FOOTBALL_FIXTURES', '1501', 'an integer from 0 to 1500'],
    ['SIMULATOR_BASKETBALL_FIXTURES', '5.5', 'an integer from 0 to 500'],
    ['SIMULATOR_RATE', '0', 'an integer from 1 to 1000000'],
    ['PUBLIC_URL', 'odds.example.com', 'an http or https URL'],
    ['PUBLIC_URL', 'ftp://odds.example.com', 'an http or https URL'],
    ['PUBLIC_URL', 'http://ab', 'a host of at least 4 characters'],
    ['PUBLIC_URL', 'http://odds.example:0', 'without a user, a password, port 0'],
    ['ALLOWED_HOSTS', 'http://x', 'host names of at least 4 characters'],
    ['ALLOWED_HOSTS', 'ab', 'host names of at least 4 characters'],
    ['ALLOWED_HOSTS', 'odds.2026', 'that make an URL (http://name)'],
    ['ALLOWED_HOSTS', '[::1::2]', 'that make an URL (http://name)'],
    ['ALLOWED_HOSTS', 'odds.example.com:99999', 'that make an URL (http://name)'],
    ['TRUSTED_PROXIES', 'proxy.local', 'addresses or ranges such as 10.0.0.0/8'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'addresses or ranges'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8', 'addresses or ranges'],
    ['HTTP_THREADS', '0', 'an integer from 1 to 64'],
    ['SCORING_THREADS', '65', 'an integer from 1 to 64'],
    ['LIVE_FRESHNESS_S', '0', 'an integer from 1 to 86400'],
    ['PREMATCH_FRESHNESS_S', '86401', 'an integer from 1 to 86400'],
    ['VALUE_EDGE_MAX_PCT', '-1', 'a number from 0 to 1000'],
    ['ARBITRAGE_MARGIN_MAX_PCT', '1001', 'a number from 0 to 1000'],
    ['NODE_ENV', 'prod', 'one of development, production, test'],
    ['LOG_LEVEL', 'verbose', 'one of debug, info, warn, error'],
  ];
  for (const [name, value, allowed] of BAD) {
    test(`${name}=${value} is refused with the name, the value and what is allowed`, () => {
      const load = () => loadConfig({ ...REPLAY, [name]: value });
      expect(load).toThrow(ConfigError);
      expect(load).toThrow(`Cannot start: ${name} is "${value}", allowed is `);
      expect(load).toThrow(allowed);
    });
  }

  test('FEED_NOW without a recording is refused', () => {
    expect(() => loadConfig({ FEED_NOW: '2026-03-01T12:00:00Z' })).toThrow(
      'FEED_NOW is "2026-03-01T12:00:00Z"',
    );
  });

  test('two listeners on one port are refused', () => {
    const tls = { TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b' };
    const BAD_PORTS = [
      ['METRICS_PORT', { PORT: '4000', METRICS_PORT: '4000' }],
      ['METRICS_PORT', { PORT: '4000', METRICS_PORT: '4000', METRICS_HOST: '10.0.0.1' }],
      ['METRICS_PORT', { METRICS_PORT: '3000' }],
      ['METRICS_PORT', { ...tls, METRICS_PORT: '80', HTTP_REDIRECT_PORT: '80' }],
      ['HTTP_REDIRECT_PORT', { ...tls, PORT: '443', HTTP_REDIRECT_PORT: '443' }],
    ] as const;
    for (const [name, environment] of BAD_PORTS) {
      expect(() => loadConfig(environment)).toThrow(new RegExp(`${name} is "\\d+", allowed is another port`));
    }
    expect(loadConfig({ PORT: '0', METRICS_PORT: '4000' }).metricsListener?.port).toBe(4000);
  });

  test('ALERTS_ALLOW and ALERTS_SECRET are read, and a URL or a short secret is refused', () => {
    const { alertsAllow, alertsSecret } = loadConfig({
      ALERTS_ALLOW: 'hooks.internal, 10.0.0.0/8',
      ALERTS_SECRET: 's'.repeat(32),
    });
    expect(alertsAllow).toEqual(['hooks.internal', '10.0.0.0/8']);
    expect(alertsSecret).toBe('s'.repeat(32));
    expect(() => loadConfig({ ALERTS_ALLOW: 'https://hooks.internal' })).toThrow('ALERTS_ALLOW is');
    expect(() => loadConfig({ ALERTS_SECRET: 'hunter2' })).toThrow('ALERTS_SECRET is "(not shown)"');
  });

  test('a short METRICS_TOKEN is refused and not shown', () => {
    const load = () => loadConfig({ METRICS_TOKEN: 'hunter2' });
    expect(load).toThrow('METRICS_TOKEN is "(not shown)", allowed is a secret of at least 16 characters');
  });

  test('the address of a Redis is accepted, and a refusal never shows its password', () => {
    expect(loadConfig({ REDIS_URL: 'redis://:hunter2@127.0.0.1:6379/1' }).redisUrl).toContain('6379');
    expect(loadConfig({}).redisUrl).toBeNull();
    const load = () => loadConfig({ REDIS_URL: 'http://user:hunter2hunter2@cache.example.com' });
    expect(load).toThrow('REDIS_URL');
    expect(load).not.toThrow('hunter2');
  });

  test('the refusal of SMTP_URL never shows its password', () => {
    const load = () => loadConfig({ SMTP_URL: 'http://user:hunter2hunter2@mail.example.com' });
    expect(load).toThrow('SMTP_URL');
    expect(load).not.toThrow('hunter2');
  });
});
