// Kalshi's source against its stand-in, on a simulated clock: from pages of events to the slate.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { renaming } from '../stand-in-server.ts';
import { arsenal, close, counted, EVENT, open, quotes, run, START_MS, standIn } from './kalshi-scene.ts';

/**
 * The decimal price of a contract. A contract pays one dollar; it costs its price and a fee of seven per cent
 * of price x (1 - price).
 */
function net(price: number): number {
  return Math.round(10_000 / (price + 0.07 * price * (1 - price))) / 10_000;
}

beforeEach(() => open());
afterEach(() => close());

describe('markets', () => {
  test('three winner contracts are a 1x2 at their ask prices, after the fee; without all three, nothing is offered', async () => {
    await run.for(MINUTE_MS);
    expect(quotes()).toEqual({ 'crown|1x2|full_time|': `${net(0.5)} ${net(0.28)} ${net(0.25)} open` });
    standIn.events[0]!.contracts.pop();
    await run.for(5 * MINUTE_MS);
    expect(quotes()).toEqual({});
    expect(counted('incomplete_market')).toBeGreaterThan(0);
  });

  test('a book that is empty, crossed, thin or paused is suspended, and each reason is counted', async () => {
    const tie = standIn.contract(`${EVENT}-TIE`);
    const cases = [
      ['empty_book', { ask: 1 }],
      ['crossed_book', { bid: 0.3 }],
      ['thin_book', { askSize: 20 }],
      ['paused_contract', { status: 'inactive' }],
    ] as const;
    for (const [what, change] of cases) {
      const before = { ...tie };
      Object.assign(tie, change);
      await run.for(2 * MINUTE_MS);
      expect([what, quotes()['crown|1x2|full_time|']?.split(' ').at(-1)]).toEqual([what, 'suspended']);
      expect([what, counted(what) > 0]).toEqual([what, true]);
      Object.assign(tie, { askSize: 500, status: 'active' }, before);
      await run.for(2 * MINUTE_MS);
      expect(quotes()['crown|1x2|full_time|']).toEndWith('open');
    }
  });

  test('settled contracts, parlays, whole lines and other kinds of contracts are left out', async () => {
    const { kickoffMs } = standIn.events[0]!;
    const event = { match: '26NOV21ARSCHE', kickoffMs, title: 'Arsenal vs Chelsea: Total' };
    const total = (suffix: string, strike: number, extra = {}) => ({
      suffix,
      yes: `Over ${strike} goals scored`,
      bid: 0.4,
      ask: 0.45,
      strike,
      ...extra,
    });
    standIn.events.push(
      {
        ...event,
        series: 'KXEPLTOTAL',
        contracts: [total('3', 2.5), total('2', 1.5, { status: 'finalized' }), total('4', 3)],
      },
      { ...event, series: 'KXMVEEPLGAME', title: 'yes Arsenal,yes Leeds', contracts: [total('1', 0.5)] },
    );
    await run.for(MINUTE_MS);
    expect(Object.keys(quotes())).toEqual(['crown|1x2|full_time|', 'crown|totals|full_time|2.5']);
    expect(counted('contract_over')).toBe(1);
    expect(counted('bad_line')).toBe(1);
    expect(standIn.asked.every(({ query }) => query.series_ticker?.startsWith('KXEPL') !== false)).toBe(true);
  });

  test('a football handicap in play needs the score: its line is the whole-match line + (home - away)', async () => {
    const { kickoffMs } = standIn.events[0]!;
    standIn.events.push({
      series: 'KXEPLSPREAD',
      // The same match with another date in its ticker, as Kalshi has had it.
      match: '26NOV22ARSCHE',
      title: 'Arsenal vs Chelsea: Spread',
      kickoffMs,
      contracts: [
        { suffix: 'ARS2', yes: 'Arsenal wins by over 1.5 goals', bid: 0.3, ask: 0.32, strike: 1.5 },
      ],
    });
    await run.for(MINUTE_MS);
    expect(quotes()['crown|asian_handicap|full_time|-1.5']).toBe(`${net(0.32)} ${net(0.7)} 0 open`);
    await run.to(kickoffMs + MINUTE_MS);
    expect(Object.keys(quotes())).toEqual(['crown|1x2|full_time|']);
    run.poller.setScore(EVENT, [1, 0]);
    await run.for(MINUTE_MS);
    expect(quotes()['crown|asian_handicap|full_time|-0.5']).toBe(`${net(0.32)} ${net(0.7)} 0 open`);
  });

  test('a price that moves shortly before the kickoff is read from the order books and shown within half a minute', async () => {
    const { kickoffMs } = standIn.events[0]!;
    await run.to(kickoffMs - 10 * MINUTE_MS);
    standIn.fault = (path) => (path === '/events' ? unavailable() : null);
    standIn.contract(`${EVENT}-HOM`).ask = 0.55;
    await run.for(30_000);
    expect(quotes()['crown|1x2|full_time|']).toStartWith(`${net(0.55)} `);
    expect(standIn.asked.some(({ path }) => path === '/markets/orderbooks')).toBe(true);
  });

  test('a price includes the fee of its series or its event; a series that names no fee has the published one', async () => {
    const shown = async (): Promise<string | undefined> => {
      await run.for(MINUTE_MS);
      return quotes()['crown|1x2|full_time|']?.split(' ')[0];
    };
    const paid = (rate: number) => String(Math.round(10_000 / (0.5 + rate * 0.25)) / 10_000);
    standIn.fault = (path) => (path.startsWith('/series/') ? unavailable() : null);
    expect(await shown()).toBe(paid(0.07));
    standIn.fault = () => null;
    standIn.multipliers = { KXEPLGAME: 0.5 };
    await run.for(HOUR_MS);
    expect(await shown()).toBe(paid(0.035));
    // The source requests the series again after half a day, and not before.
    expect(standIn.asked.filter(({ path }) => path === '/series/KXEPLGAME')).toHaveLength(2);
    standIn.garble = renaming('"strike_period":""', '"fee_multiplier_override":0');
    expect(await shown()).toBe('2');
  });

  test('an outcome with a null, empty, missing or wrongly typed field is not offered, and the rest is read', async () => {
    const tie = standIn.contract(`${EVENT}-TIE`);
    tie.ask = 1;
    const cases = [
      ['"yes_ask_size_fp":"0.00"', '"yes_ask_size_fp":""'],
      ['"yes_ask_dollars":"1.0000"', '"yes_ask_dollars":null'],
      ['"yes_ask_dollars":"0.5000"', '"yes_ask_dollars":0.5'],
      ['"custom_strike":{', '"mve_collection_ticker":"","strike_type":null,"custom_strike":{'],
    ] as const;
    for (const [from, to] of cases) {
      standIn.garble = renaming(from, to);
      await run.for(3 * MINUTE_MS);
      expect([to, quotes()['crown|1x2|full_time|']]).toEqual([to, `${net(0.5)} 0 ${net(0.25)} suspended`]);
    }
    standIn.garble = ({ events, ...page }: { events?: object[] }) =>
      events === undefined
        ? page
        : { ...page, events: [{ event_ticker: 'KXEPLGAME-26NOV21X', title: 'x' }, ...events] };
    tie.ask = 0.28;
    await run.for(3 * MINUTE_MS);
    expect(quotes()['crown|1x2|full_time|']).toEndWith('open');
    expect(run.poller.state).toBe('ok');
  });

  test('teams whose contracts have other names than the title are found by their codes', async () => {
    const { contracts } = standIn.events[0]!;
    standIn.events[0] = {
      ...standIn.events[0]!,
      match: '26NOV21HOMAWY',
      contracts: contracts.map((contract) => ({
        ...contract,
        yes: contract.yes.replace('Arsenal', 'The Arsenal').replace('Chelsea', 'Chelsea FC'),
      })),
    };
    await run.for(MINUTE_MS);
    expect(quotes('KXEPLGAME-26NOV21HOMAWY')['crown|1x2|full_time|']).toStartWith(`${net(0.5)} `);
  });

  test('matches of another series are left out', async () => {
    standIn.garble = renaming('KXEPLGAME', 'KXNBAGAME');
    await run.for(MINUTE_MS);
    expect(quotes('KXNBAGAME-26NOV21ARSCHE')).toEqual({});
    expect(counted('not_a_match')).toBeGreaterThan(0);
  });

  test('if order books require a key, they are no longer requested, and prices come from the events alone', async () => {
    const { kickoffMs } = standIn.events[0]!;
    standIn.fault = (path) =>
      path === '/markets/orderbooks'
        ? Response.json({ error: { code: 'authentication_error', message: 'x' } }, { status: 401 })
        : null;
    await run.to(kickoffMs + 5 * MINUTE_MS);
    expect(counted('book_refused')).toBe(1);
    expect(run.poller.state).toBe('ok');
    expect(quotes()['crown|1x2|full_time|']).toEndWith('open');
  });
});

describe('what goes wrong', () => {
  test('renamed fields are reported as an error, and the prices stay as they were', async () => {
    await run.for(MINUTE_MS);
    const before = quotes();
    standIn.garble = renaming('yes_ask_dollars', 'yes_ask_usd');
    await run.for(5 * MINUTE_MS);
    expect(quotes()).toEqual(before);
    expect(run.poller.status()).toMatchObject({ state: 'failing', reason: 'source_changed' });
    expect(run.logged.filter((line) => line.includes('"source_changed"')).at(0)).toContain('yes_ask_dollars');
  });

  test('an order book that has only the former field, orderbook, counts as renamed', async () => {
    standIn.garble = renaming('orderbook_fp', 'orderbook');
    await run.to(standIn.events[0]!.kickoffMs);
    expect(run.logged.filter((line) => line.includes('orderbook_fp')).length).toBeGreaterThan(0);
    expect(quotes()['crown|1x2|full_time|']).toEndWith('open');
  });

  test.each([[404], [400], [503]])(
    'a league that is answered with %p does not delay the other leagues',
    async (status) => {
      await close();
      open({ sports: ['football:epl', 'football:mls', 'basketball:nba'] });
      standIn.fault = (_path, query) =>
        query.get('series_ticker')?.startsWith('KXMLS') === true ? new Response('{}', { status }) : null;
      await run.for(10 * MINUTE_MS);
      expect(quotes()['crown|1x2|full_time|']).toEndWith('open');
      expect(run.poller.state).toBe(status === 503 ? 'failing' : 'ok');
    },
  );

  test('an address that knows no series counts as a failure, not as an exchange without matches', async () => {
    standIn.fault = () => new Response('{}', { status: 404 });
    await run.for(10 * MINUTE_MS);
    expect(run.connections).toEqual([]);
    expect(run.poller.status().failures.get('unknown_product')).toBeGreaterThan(0);
  });

  test('a match that is no longer listed, or that ended long ago, leaves the slate', async () => {
    await run.for(MINUTE_MS);
    standIn.events = [arsenal(START_MS - 9 * HOUR_MS)];
    await run.for(10 * MINUTE_MS);
    expect(run.sent('remove')).toBe(1);
  });
});

function unavailable(): Response {
  return Response.json({ error: { code: 'service_unavailable' } }, { status: 503 });
}
