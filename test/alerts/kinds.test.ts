// A rule of each kind over a whole service: what a source sends, and the alerts that arrive.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parseBody } from '../../src/alerts/delivery/payload.ts';
import { eventWire, quoteWire, stateWire, type WireMessage } from '../feed/wire.ts';
import type { AccountClient } from '../support/account-client.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { personOf } from './person.ts';

interface Received {
  readonly path: string;
  readonly change: string;
  readonly text: string;
}

const EMAIL = 'ada@example.com';
const received: Received[] = [];
let feed: ScriptedFeed;
let service: RunningService;
let endpoint: ReturnType<typeof Bun.serve>;
let ada: AccountClient;
let free: AccountClient;

function prices(event: string, bookmaker: string, given: readonly number[]): WireMessage {
  return quoteWire(0, event, {
    ...{ at: nowText(), bookmaker, market_type: 'totals', line: 2.5, prices: given },
  });
}

function slate(): WireMessage[] {
  return ['e1', 'e2'].flatMap((event) => [
    eventWire(0, event, { at: nowText(), scheduled_at: nowText(3_600_000) }),
    prices(event, 'pinnacle', [1.95, 1.95]),
    prices(event, 'crown', [1.9, 1.9]),
  ]);
}

beforeAll(async () => {
  feed = new ScriptedFeed({ slate });
  service = await runService({
    ...{ FEED: feed.url, ALERTS_ALLOW: '127.0.0.1', OPERATOR_EMAILS: EMAIL },
    ...{ NODE_ENV: 'development', TRUSTED_PROXIES: '127.0.0.1' },
  });
  endpoint = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      const { data } = parseBody(await request.text());
      const path = new URL(request.url).pathname.slice(1);
      received.push(...data.items.map(({ change, text }) => ({ path, change, text })));
      return new Response('');
    },
  });
  ada = await personOf(service, EMAIL, 'enterprise');
  free = await personOf(service, 'bob@example.com', 'free');
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  endpoint.stop(true);
  feed.stop();
});

/** Makes a rule that sends to this path. */
async function rule(client: AccountClient, path: string, when: object, where: object = {}): Promise<void> {
  const to = { url: `http://127.0.0.1:${endpoint.port}/${path}`, format: 'raw' };
  const made = await client.send('POST', '/platform/alerts', { name: path, when, where, to });
  expect([made.status, path]).toEqual([200, path]);
}

async function watched(count: number): Promise<void> {
  await until('the rules are watched', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return text.includes(`overround_alert_rules ${count}\n`);
  });
}

const of = (path: string) => received.filter((one) => one.path === path);
const arrives = (path: string, change: string) =>
  until(`${path} ${change}`, () => of(path).some((one) => one.change === change));

describe('Alerts of each kind', () => {
  test('alerts of each kind arrive once, for the rules that ask for them, and no alert shows more than the plan of its rule allows', async () => {
    await rule(ada, 'value', { kind: 'value', min_edge_pct: 2, closed: true });
    await rule(ada, 'value-high', { kind: 'value', min_edge_pct: 9 });
    await rule(ada, 'value-live', { kind: 'value', min_edge_pct: 2 }, { in_play: true });
    await rule(ada, 'value-other', { kind: 'value', min_edge_pct: 2 }, { markets: '1x2' });
    await rule(ada, 'arbitrage', { kind: 'arbitrage', min_margin_pct: 1 });
    await rule(ada, 'price', { kind: 'price', market: 'totals', outcome: 'over', line: 2.5, price: 2.05 });
    await rule(
      ada,
      'price-team',
      { kind: 'price', market: 'totals', outcome: 'over', price: 2.05 },
      { team: 'Home of e2' },
    );
    await rule(ada, 'match', { kind: 'match' });
    await rule(ada, 'live', { kind: 'match', news: 'live' });
    await rule(ada, 'source', { kind: 'source' });
    await rule(free, 'free-value', { kind: 'value', min_edge_pct: 0 });
    await rule(free, 'free-arbitrage', { kind: 'arbitrage' });
    await watched(12);
    feed.send(prices('e1', 'crown', [2.08, 1.7]));
    await arrives('value', 'opened');
    await arrives('price', 'reached');
    expect(of('value')[0]!.text).toStartWith('Value 4');
    expect(of('value')[0]!.text).toContain(
      'Home of e1 – Away of e1 (League One), totals 2.5 over at 2.08 (crown)',
    );
    feed.send(prices('e1', 'crown', [1.9, 1.9]));
    await arrives('value', 'closed');
    // A signal that comes back within ten minutes is not reported again.
    feed.send(prices('e1', 'crown', [2.08, 1.7]));
    feed.send(prices('e2', 'crown', [2.1, 1.6]));
    await arrives('price-team', 'reached');
    await until('the value of the other match arrives', () => of('value').length === 3);
    await arrives('arbitrage', 'opened');
    expect(of('arbitrage')[0]!.text).toEndWith('over at 2.1 (crown), under at 1.95 (pinnacle).');
    feed.send(prices('e2', 'sbobet', [1.6, 2.15]));
    await arrives('free-arbitrage', 'opened');
    feed.send(stateWire(0, 'e1', { at: nowText(), status: 'live', score: [0, 0] }));
    await arrives('match', 'live');
    feed.send(stateWire(0, 'e1', { at: nowText(), status: 'live', score: [1, 0] }));
    await arrives('match', 'score');
    expect(of('match').at(-1)!.text).toBe('Score: Home of e1 – Away of e1 (League One) 1:0');
    feed.send(stateWire(0, 'e1', { at: nowText(), status: 'finished', score: [1, 0] }));
    await arrives('match', 'finished');
    expect(of('live').map(({ change }) => change)).toEqual(['live']);
    for (const path of ['value-high', 'value-other', 'free-value', 'source']) {
      expect([path, of(path)]).toEqual([path, []]);
    }
    // The value was open when the match went into play, so this rule reports it.
    expect(of('value-live').map(({ text }) => text)).toEqual([of('value')[0]!.text]);
    expect(of('price')).toHaveLength(2);
    expect(of('price-team')).toHaveLength(1);
    // Alerts of the free tier do not show the sharp bookmaker.
    expect(
      of('free-arbitrage')
        .map(({ text }) => text)
        .join(),
    ).not.toContain('pinnacle');
    const list = (await free.send('GET', '/platform/alerts')).body as {
      readonly alerts: readonly { readonly name: string; readonly note: string | null }[];
    };
    expect(list.alerts.find(({ name }) => name === 'free-value')!.note).toContain(
      'not part of the free tier',
    );
  }, 120_000);
});
