// Polymarket's source against its stand-in: from lists of events and order books to the slate, and what it
// does when one of its sockets is down or a book is wrong.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { until } from '../../support/condition.ts';
import { renaming } from '../stand-in-server.ts';
import {
  arsenal,
  close,
  EVENT,
  net,
  open,
  quotes,
  run,
  SLUG,
  START_MS,
  standIn,
} from './polymarket-scene.ts';
import { idOf, tokenOf } from './stand-in.ts';

const WINNER = `${net(0.5)} ${net(0.28)} ${net(0.25)}`;

beforeEach(() => open());
afterEach(() => close());

/** Waits until the slate has the 1x2 at these prices. */
async function winnerIs(text: string): Promise<void> {
  await until(`the 1x2 is ${text}`, () => quotes()['1x2|'] === text);
}

/** Sends changed levels in a frame of the market channel whose timestamp is later than any other. */
function sendChanges(...price_changes: readonly object[]): void {
  standIn.send({ event_type: 'price_change', timestamp: '9999999999999', price_changes });
}

/** Waits until the market channel is up and has a subscription. */
async function channelUp(): Promise<void> {
  await until('the market channel is up', () => standIn.readerCount > 0 && standIn.said.length > 0);
}

describe('markets', () => {
  test('a main event and its child are one match, without halves, team totals and qualification', async () => {
    await run.for(MINUTE_MS);
    expect(quotes()).toEqual({
      '1x2|': `${WINNER} open`,
      // The child has -1.5 of the home team, and -1.5 of the away team, which is +1.5 of the home team.
      'asian_handicap|-1.5': `${net(0.46)} ${net(0.55)} 0 open`,
      'asian_handicap|1.5': `${net(0.55)} ${net(0.46)} 0 open`,
      'totals|2.5': `${net(0.46)} ${net(0.55)} 0 open`,
    });
    expect(run.sent('event')).toBe(1);
    expect(run.poller.status().counts.get('not_a_match')).toBe(3);
  });

  test('prices come from the order books, whatever prices Gamma lists, and each market has its own fee', async () => {
    const [main] = standIn.events;
    main!.markets[1] = { ...main!.markets[1]!, extra: { bestAsk: 0.9, feeSchedule: { rate: 0.03 } } };
    main!.markets[2] = { ...main!.markets[2]!, extra: { bestAsk: 0.9, feesEnabled: false } };
    await run.for(MINUTE_MS);
    expect(quotes()['1x2|']).toBe(`2 ${net(0.28)} ${net(0.25, 0.03)} open`);
  });

  test('markets that are closed, proposed for settlement, long over or of an unknown type are left out', async () => {
    const [main, child] = standIn.events;
    main!.markets[0] = { ...main!.markets[0]!, extra: { umaResolutionStatus: 'proposed' } };
    child!.markets[2] = { ...child!.markets[2]!, extra: { closed: true } };
    standIn.events.push(...arsenal(START_MS - 300 * 24 * HOUR_MS, 'epl-ars-che-2026-01-25'));
    await run.for(MINUTE_MS);
    expect(Object.keys(quotes())).toEqual(['asian_handicap|-1.5', 'asian_handicap|1.5']);
    expect(run.sent('event')).toBe(1);
  });

  test('a book that is empty, crossed or thin is suspended', async () => {
    await run.for(MINUTE_MS);
    await channelUp();
    standIn.move(`${SLUG}-draw`, { askSize: 10 });
    await winnerIs(`${WINNER} suspended`);
    standIn.move(`${SLUG}-draw`, { askSize: 500 });
    await winnerIs(`${WINNER} open`);
    standIn.move(`${SLUG}-draw`, { ask: 1 });
    await winnerIs(`${net(0.5)} 0 ${net(0.25)} suspended`);
    standIn.move(`${SLUG}-draw`, { ask: 0.28, bid: 0.3 });
    await winnerIs(`${WINNER} suspended`);
  });
});

describe('what Gamma leaves out or writes in another way', () => {
  test('null instead of a missing field, numbers as text, and ids as numbers are read', async () => {
    const [main, child] = standIn.events;
    const none = { live: null, ended: null, score: null, period: null, elapsed: null, teams: null };
    Object.assign(main!, { extra: { ...none, id: Number(idOf(SLUG)), gameId: '90086980' } });
    Object.assign(child!, { extra: { ...none, gameId: null } });
    const nulls = { umaResolutionStatus: null, marketMetadata: null, gameStartTime: null, volume: 5 };
    for (const [index, market] of main!.markets.entries()) {
      main!.markets[index] = { ...market, extra: { ...nulls, volumeNum: null, feeSchedule: null } };
    }
    const total = child!.markets[2]!;
    child!.markets[2] = { ...total, extra: { line: '2.5', feesEnabled: null } };
    await run.for(MINUTE_MS);
    expect(Object.keys(quotes())).toHaveLength(4);
    expect(quotes()['1x2|']).toBe(`${WINNER} open`);
  });

  test('a winner market without a title is found by its slug; one that contradicts itself is left out', async () => {
    const [main] = standIn.events;
    const teams = [
      { name: 'Arsenal FC', abbreviation: 'home' },
      { name: 'Chelsea FC', abbreviation: 'away' },
    ];
    Object.assign(main!, { extra: { teams } });
    main!.markets.forEach((market, index) => {
      main!.markets[index] = { ...market, extra: { groupItemTitle: null } };
    });
    await run.for(MINUTE_MS);
    expect(quotes()['1x2|']).toBe(`${WINNER} open`);
    const metadata = { marketMetadata: { opticOddsSelectionLine: 'away' }, groupItemTitle: 'Arsenal FC' };
    main!.markets[2] = { ...main!.markets[2]!, extra: metadata };
    await run.for(12 * MINUTE_MS);
    expect(quotes()['1x2|']).toBeUndefined();
    expect(run.poller.status().counts.get('incomplete_market')).toBeGreaterThan(0);
  });

  test('events of another series and events without markets are left out', async () => {
    const [main] = standIn.events;
    Object.assign(main!, { extra: { series: [{ id: '10188' }] } });
    const other = arsenal(START_MS + HOUR_MS, 'nba-x-y-2026-11-21');
    standIn.events.push({ ...other[0]!, extra: { series: [{ id: '10345' }] } });
    standIn.events.push({ ...other[1]!, extra: { markets: undefined } });
    await run.for(MINUTE_MS);
    expect(run.sent('event')).toBe(1);
    expect(run.poller.state).toBe('ok');
  });
});

describe('the market channel', () => {
  test('a change of levels is on the slate without a further request', async () => {
    await run.for(MINUTE_MS);
    await channelUp();
    const asked = standIn.asked.length;
    standIn.move(`${SLUG}-home`, { bid: 0.54, ask: 0.55 });
    await winnerIs(`${net(0.55)} ${net(0.28)} ${net(0.25)} open`);
    expect(standIn.asked.length).toBe(asked);
  });

  test('a change that does not fit its book makes the book invalid, and the whole book is requested', async () => {
    await run.for(MINUTE_MS);
    await channelUp();
    const token = tokenOf(standIn.market(`${SLUG}-home`));
    const before = standIn.said.length;
    standIn.market(`${SLUG}-home`).ask = 0.61; // the frame about this change is not sent
    const level = { asset_id: token, price: '0.3', size: '5', side: 'BUY' };
    sendChanges({ ...level, best_bid: '0.49', best_ask: '0.61' });
    await until('the book is asked for again', () => standIn.said.length >= before + 2);
    expect(standIn.said.slice(before)).toEqual([
      { operation: 'unsubscribe', assets_ids: [token] },
      { operation: 'subscribe', assets_ids: [token] },
    ]);
    await winnerIs(`${net(0.61)} ${net(0.28)} ${net(0.25)} open`);
    await run.for(3 * MINUTE_MS);
    expect(run.poller.status().counts.get('book_lost')).toBe(1);
  });

  test('late frames, frames of other tokens, changes of the tick and frames that are not JSON change nothing', async () => {
    await run.for(MINUTE_MS);
    await channelUp();
    const token = tokenOf(standIn.market(`${SLUG}-home`));
    const price_changes = [
      { asset_id: token, price: '0.4', size: '5', side: 'SELL', best_bid: '0.49', best_ask: '0.4' },
    ];
    standIn.send({ event_type: 'price_change', timestamp: '1', price_changes });
    const sizes = { old_tick_size: '0.01', new_tick_size: '0.001' };
    standIn.send({ event_type: 'tick_size_change', asset_id: token, ...sizes });
    sendChanges({ asset_id: 'x' });
    standIn.send('<html>');
    standIn.move(`${SLUG}-away`, { ask: 0.26 });
    await winnerIs(`${net(0.5)} ${net(0.28)} ${net(0.26)} open`);
    expect(standIn.said.length).toBe(1);
  });

  test('the channel is reconnected when changes become unreadable, and every book is sent completely', async () => {
    await run.for(MINUTE_MS);
    await channelUp();
    const renamed = { event_type: 'price_change', timestamp: '9999999999999', changes: [] };
    standIn.market(`${SLUG}-home`).ask = 0.57;
    for (let frame = 0; frame < 3; frame++) standIn.send(renamed);
    await winnerIs(`${net(0.57)} ${net(0.28)} ${net(0.25)} open`);
    expect(standIn.said).toHaveLength(2);
    await run.for(3 * MINUTE_MS);
    expect(run.poller.status().counts.get('bad_row')).toBe(3);
  });

  test('the channel is pinged, and reconnected when it does not answer', async () => {
    await close();
    open({ haste: 8 });
    await run.for(MINUTE_MS);
    await until('pings came', () => standIn.pingCount >= 2);
    standIn.answersPings = false;
    await until('it is connected again', () => standIn.said.length > 1);
  });

  test('the channel may send prices without the leading zero, as in the documentation', async () => {
    await run.for(MINUTE_MS);
    await channelUp();
    const token = tokenOf(standIn.market(`${SLUG}-home`));
    const change = { asset_id: token, price: '.495', size: '400', side: 'SELL' };
    sendChanges({ ...change, best_bid: '.49', best_ask: '.495' });
    await winnerIs(`${net(0.495)} ${net(0.28)} ${net(0.25)} open`);
  });

  test('a token without a book at the CLOB offers nothing', async () => {
    await run.for(MINUTE_MS);
    await channelUp();
    standIn.bookless.add(tokenOf(standIn.market(`${SLUG}-draw`)));
    await run.for(3 * MINUTE_MS);
    expect(quotes()['1x2|']).toBe(`${net(0.5)} 0 ${net(0.25)} suspended`);
  });

  test('while the channel is cut, prices come from requests for books; afterwards every book is sent again', async () => {
    await run.for(MINUTE_MS);
    await channelUp();
    standIn.isChannelUp = false;
    standIn.cut();
    const isPolled = (): boolean =>
      run.poller.status().requests.some(({ key, everyMs }) => key === 'books:1' && everyMs === 10_000);
    await until('the books are polled', () => standIn.readerCount === 0 && isPolled());
    standIn.market(`${SLUG}-home`).ask = 0.52;
    await run.for(20_000);
    expect(quotes()['1x2|']).toBe(`${net(0.52)} ${net(0.28)} ${net(0.25)} open`);
    standIn.market(`${SLUG}-home`).ask = 0.53;
    standIn.isChannelUp = true;
    await winnerIs(`${net(0.53)} ${net(0.28)} ${net(0.25)} open`);
  });

  test('more than 500 tokens need a second connection', async () => {
    await close();
    const games = Array.from({ length: 90 }, (_, index) =>
      arsenal().map((game) => ({
        ...game,
        ...(game.parentEventId === undefined ? { gameId: index } : {}),
        slug: game.slug.replace('ars', `a${index}`),
        markets: game.markets.map((market) => ({ ...market, slug: market.slug.replace('ars', `a${index}`) })),
      })),
    ).flatMap(([main, child]) => [main!, { ...child!, parentEventId: undefined }]);
    open({ events: games as never });
    await run.for(MINUTE_MS);
    await until('there are two connections', () => standIn.said.length === 2);
    const counts = standIn.said.map((frame) => (frame as { assets_ids: string[] }).assets_ids.length);
    expect(counts).toEqual([500, 40]);
  });
});

describe('the score', () => {
  test('handicaps in play wait for the first score of the score channel, which also ends the match', async () => {
    await run.for(MINUTE_MS);
    await run.to(START_MS + 2 * HOUR_MS + MINUTE_MS);
    expect(Object.keys(quotes())).toEqual(['1x2|', 'totals|2.5']);
    const frame = {
      gameId: 90_086_980,
      leagueAbbreviation: 'epl',
      status: 'InProgress',
      live: true,
      ended: false,
    };
    await until('the score channel is up', () => standIn.scoreReaderCount > 0);
    standIn.score({ ...frame, score: '1-0', period: '1H', elapsed: '12' });
    await until('there is a handicap', () => 'asian_handicap|-0.5' in quotes());
    expect(run.slate([EVENT])[EVENT]).toMatchObject({ score: [1, 0], clock: '1h 12' });
    standIn.score({ ...frame, score: '1-0', period: 'VFT', live: false, ended: true });
    await until('no prices are left', () => Object.keys(quotes()).length === 0);
  });
});

describe('what goes wrong', () => {
  test('a renamed field is reported as an error, and the prices do not change', async () => {
    await run.for(MINUTE_MS);
    const before = quotes();
    standIn.garble = renaming('clobTokenIds', 'tokens');
    await run.for(20 * MINUTE_MS);
    expect(quotes()).toEqual(before);
    expect(run.logged.find((line) => line.includes('"source_changed"'))).toContain('clobTokenIds');
  });

  test('a league that fails, and books that the CLOB does not send, delay nothing else', async () => {
    await close();
    open({ sports: ['football:epl', 'basketball:nba'] });
    standIn.fault = (path, query) =>
      path === '/books' || query.get('series_id') === '10345' ? new Response('', { status: 500 }) : null;
    await run.for(5 * MINUTE_MS);
    await channelUp();
    await run.for(10 * MINUTE_MS);
    await winnerIs(`${WINNER} open`);
  });
});
