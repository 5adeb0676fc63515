// A service that polls its sources: the slate over HTTP, and the state of the sources in /ready, /health and
// /metrics, healthy and failing.

import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/settings/config.ts';
import { type Service, startService } from '../../src/start/service.ts';
import { OddsApiStandIn } from '../feed/the-odds-api/stand-in.ts';
import { runCommand } from '../support/command-line.ts';
import { until } from '../support/condition.ts';
import { oddsApiMatch } from '../support/odds-api-match.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The settings of a service without a price history that stops without waiting for its clients. */
const QUICK = { HISTORY_DAYS: '0', STOP_DRAIN_MS: '0' };

interface Ready {
  status: string;
  sources: { name: string; state: string; reason: string | null; next_try_at: string | null }[];
  database?: object;
}

function settings(standIn: OddsApiStandIn): Record<string, string> {
  return {
    FEED: 'the-odds-api',
    THE_ODDS_API_URL: standIn.url,
    THE_ODDS_API_KEY: OddsApiStandIn.KEY,
    THE_ODDS_API_SPORTS: 'soccer_epl',
    THE_ODDS_API_EVERY_S: '1',
  };
}

async function ready(url: string): Promise<Ready> {
  return (await (await fetch(`${url}/ready`)).json()) as Ready;
}

describe('a service that polls The Odds API', () => {
  test('serves its prices, and reports the state of the source, without its key', async () => {
    using standIn = new OddsApiStandIn(() => Date.now());
    standIn.fixtures = [oddsApiMatch(Date.now() + 3 * 86_400_000)];
    standIn.creditsLeft = 20_000;
    await using service = await runService(settings(standIn));
    const { data: events } = await service.get<{ data: { id: string; home_team: { name: string } }[] }>(
      '/v1/events',
    );
    expect(events.map((event) => event.home_team.name)).toEqual(['Brentford']);
    const odds = await service.get<{ odds: { bookmaker: string }[] }>(`/v1/events/${events[0]!.id}/odds`);
    expect(odds.odds.map((quote) => quote.bookmaker)).toEqual(['pinnacle']);
    const well = {
      name: 'the-odds-api',
      state: 'ok',
      reason: null,
      next_try_at: null,
      connected: true,
      lost_since: null,
    };
    const database = { damaged_rows: 0, damaged_indexes: 0 };
    const note = expect.stringContaining('the-odds-api brings only sharp books here (Pinnacle)');
    expect(await ready(service.url)).toMatchObject({ status: 'ready', sources: [well], database, note });
    // The list of fixtures shows why a fixture has no price for a caller without a key. With a key, the
    // fixture has a price.
    for (const [key, shown] of [
      ['', 'the-odds-api brings only sharp books here (Pinnacle)'],
      [service.key, ' 2.1  3.7  3.3 '],
    ] as const) {
      const environment = { OVERROUND_URL: service.url, OVERROUND_API_KEY: key };
      const { code, lines } = await runCommand(['events', 'brentford'], environment);
      expect(code).toBe(0);
      expect(lines.join('\n')).toContain(shown);
    }
    expect(await service.get<unknown>('/health')).toMatchObject({ status: 'ok', feed_live: true });

    standIn.fault = () => new Response('<html>', { status: 500 });
    await until(
      'the source is failing',
      async () => (await ready(service.url)).sources[0]!.state === 'failing',
    );
    const { sources } = await ready(service.url);
    expect(sources[0]).toMatchObject({ state: 'failing', reason: 'server_error' });
    expect(Date.parse(sources[0]!.next_try_at!)).toBeGreaterThan(Date.now() - 5_000);
    expect(await service.get<unknown>('/health')).toMatchObject({ status: 'degraded' });
    // The last good slate is still served.
    await service.get<unknown>(`/v1/events/${events[0]!.id}/odds`);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain('overround_source_failures_total{source="the-odds-api",reason="server_error"}');
    expect(metrics).toMatch(/overround_source_credits_left\{source="the-odds-api"\} 19\d{3}/);
    expect(metrics).not.toContain(OddsApiStandIn.KEY);

    standIn.fault = () => null;
    await until('the source is ok', async () => (await ready(service.url)).sources[0]!.state === 'ok');
    expect(await service.get<unknown>('/health')).toMatchObject({ status: 'ok' });
  });

  test('/ready reports why the source has failed while there is no slate', async () => {
    using standIn = new OddsApiStandIn(() => Date.now());
    standIn.key = 'another';
    using folder = temporaryFolder();
    const keyFile = join(folder.path, 'key');
    writeFileSync(keyFile, `${OddsApiStandIn.KEY}\n`);
    const { THE_ODDS_API_KEY: _key, ...rest } = settings(standIn);
    const environment = { ...rest, THE_ODDS_API_KEY_FILE: keyFile, DATA_DIR: folder.path };
    const service: Service = await startService(
      loadConfig({ PORT: '0', LOG_LEVEL: 'error', NODE_ENV: 'test', ...QUICK, ...environment }),
    );
    try {
      const answer = async (): Promise<string> => (await fetch(`${service.url}/ready`)).text();
      await until('the key was refused', async () => (await answer()).includes('bad_key'));
      expect(await answer()).toContain('source the-odds-api is stopped, bad_key');
      // A source that refused its key is not polled again for 15 minutes.
      expect(standIn.asked).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });
});

test.each(['the-odds-api', 'isports', 'api-football'])(
  'FEED=%s without a key does not start, and the error names the missing setting',
  (feed) => {
    expect(() => loadConfig({ FEED: feed })).toThrow(/_KEY is "", allowed is the key that FEED=/);
  },
);
