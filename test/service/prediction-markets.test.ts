// FEED=polymarket,kalshi as an operator starts it, against stand-ins, without a key, BOOKMAKERS or a sharp
// bookmaker. A match that both exchanges have is one match with prices and liquidity of both, and tools
// report that there is no reference.

import { expect, test } from 'bun:test';
import { systemClock } from '../../src/clock.ts';
import { easternDate } from '../../src/feed/kalshi/ticker.ts';
import { footballWinner, KalshiStandIn } from '../feed/kalshi/stand-in.ts';
import { footballGame, PolymarketStandIn } from '../feed/polymarket/stand-in.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const TWO_HOURS_MS = 2 * 3_600_000;

interface Odds {
  readonly odds: readonly {
    readonly bookmaker: string;
    readonly market_type: string;
    readonly status: string;
  }[];
}
interface Measured {
  readonly exchanges: readonly {
    readonly bookmaker: string;
    readonly currency: string;
    readonly lines: readonly { readonly market_type: string; readonly sizes: object }[];
  }[];
}

test('real prices are served without a key: one match of both exchanges, their liquidity, and no reference', async () => {
  const nowMs = (): number => systemClock.wallMs();
  using kalshi = new KalshiStandIn(nowMs);
  using polymarket = new PolymarketStandIn(nowMs);
  const kickoffMs = Math.ceil(nowMs() / 60_000) * 60_000 + TWO_HOURS_MS;
  const [year, month, day] = easternDate(kickoffMs).split('-');
  const match = `${year!.slice(2)}${MONTHS[Number(month) - 1]}${day}ARSCHE`;
  const asks = [0.5, 0.28, 0.25] as const;
  kalshi.events = [
    footballWinner({ league: 'EPL', match, kickoffMs, home: 'Arsenal', away: 'Chelsea' }, asks),
  ];
  const game = { slug: 'epl-ars-che-x', kickoffMs, home: 'Arsenal FC', away: 'Chelsea FC' };
  polymarket.events = footballGame(game, asks);
  await using server = new ServerProcess({
    FEED: 'polymarket,kalshi',
    KALSHI_URL: kalshi.url,
    KALSHI_SPORTS: 'football:epl',
    POLYMARKET_URL: polymarket.url,
    POLYMARKET_CLOB_URL: polymarket.url,
    POLYMARKET_WS_URL: polymarket.socketUrl,
    POLYMARKET_SCORES_URL: polymarket.scoreUrl,
  });
  const url = await server.serving();
  // The polling below would use up the requests per minute of a caller without a key.
  const [key] = await createKeys(server.dataDir, 'enterprise', 1);
  const get = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    return (await response.json()) as Body;
  };
  let events: { id: string; home_team: { name: string } }[] = [];
  await until('the match is there', async () => {
    events = (await get<{ data?: typeof events }>('/v1/events')).data ?? [];
    return events.length > 0;
  });
  const path = `/v1/events/${events[0]!.id}`;
  const openWinners = async (): Promise<string[]> =>
    (await get<Odds>(`${path}/odds`)).odds
      .filter(({ market_type, status }) => market_type === '1x2' && status === 'open')
      .map(({ bookmaker }) => bookmaker);
  await until('both venues price it', async () => (await openWinners()).length === 2);
  expect(events).toHaveLength(1);
  expect(await openWinners()).toEqual(['kalshi', 'polymarket']);
  await until('both say what can be staked', async () => {
    const { exchanges } = await get<Measured>(`${path}/liquidity`);
    return (
      exchanges
        .map(({ bookmaker, currency, lines }) => {
          const winner = lines.find(({ market_type }) => market_type === '1x2');
          return `${bookmaker} ${currency} ${Object.values(winner?.sizes ?? {}).join(' ')}`;
        })
        .join() === 'kalshi USD 250 140 125,polymarket USD 250 140 125'
    );
  });
  const answer = await fetch(`${url}/v1/mcp/find_value`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'Arsenal vs Chelsea' }),
  });
  const { value_bets, summary } = (await answer.json()) as { value_bets: unknown; summary: string };
  expect([answer.status, value_bets]).toEqual([200, []]);
  expect(summary).toContain('no fair price');
  const ready = await get<{ status: string; sources: { name: string; state: string }[] }>('/ready');
  expect(ready.sources.map(({ name, state }) => `${name} ${state}`)).toEqual(['polymarket ok', 'kalshi ok']);
});
