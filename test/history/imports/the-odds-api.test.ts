// Answers of The Odds API that are unusual: the same line twice at an instant, and sports that the service
// does not have.

import { expect, test } from 'bun:test';
import { OddsApiImport, oddsAnswerOf } from '../../../src/history/imports/the-odds-api.ts';

const AT = '2026-03-05T12:00:00Z';
const BOOKMAKERS = new Map([['one', 'crown']]);

function eventOf(prices: readonly number[], { id = 'e1', sport = 'soccer_epl' } = {}) {
  const names = ['Arsenal', 'Draw', 'Chelsea'];
  const outcomes = prices.map((price, index) => ({ name: names[index]!, price }));
  const market = { key: 'h2h', last_update: AT, outcomes };
  return {
    ...{ id, sport_key: sport, sport_title: 'League', commence_time: '2026-03-07T15:00:00Z' },
    ...{ home_team: 'Arsenal', away_team: 'Chelsea' },
    bookmakers: [{ key: 'one', title: 'One', last_update: AT, markets: [market] }],
  };
}

function importOf(...answers: readonly (readonly object[])[]) {
  const reading = new OddsApiImport(BOOKMAKERS);
  const read = answers.map((data) => oddsAnswerOf({ timestamp: AT, next_timestamp: null, data })!);
  reading.add(read[0]!.timestampMs, read);
  return reading.finish();
}

test('if a line is listed twice at an instant, the first price counts', () => {
  const [first, second] = [eventOf([2, 3.4, 3.8]), eventOf([2.1, 3.4, 3.6])];
  for (const { ticks, leftOut } of [importOf([first, second]), importOf([first], [second])]) {
    expect(ticks).toMatchObject([{ status: 'open', pricesE4: { home: 20_000 } }]);
    expect(Object.fromEntries(leftOut)).toEqual({ duplicate_market: 1 });
  }
});

test('an event of another sport is left out under the name of its sport', () => {
  const other = eventOf([1.9, 1.9], { id: 'e2', sport: 'baseball_mlb' });
  const { ticks, leftOut } = importOf([eventOf([2, 3.4, 3.8]), other, { ...other, home_team: null }]);
  expect(ticks).toHaveLength(1);
  expect(Object.fromEntries(leftOut)).toEqual({ 'other_sport baseball_mlb': 1, bad_fixture: 1 });
});

test('a file may give any number of reasons to leave events out: a bounded number is kept, and every event is counted', () => {
  const events = Array.from({ length: 1_000 }, (_, index) =>
    eventOf([1.9, 1.9], { id: `e${index}`, sport: `sport_${index}` }),
  );
  const { leftOut } = importOf(events);
  expect(leftOut.size).toBeLessThan(300);
  expect([...leftOut.values()].reduce((sum, count) => sum + count, 0)).toBe(1_000);
  expect(leftOut.get('other_sport')).toBe(800);
});

test('prices whose inverses add up to exactly 1 or 1.6 are kept, and those beyond are left out', () => {
  const leftOutOf = (prices: readonly number[]) => Object.fromEntries(importOf([eventOf(prices)]).leftOut);
  for (const prices of [
    [2, 3, 6],
    [6, 3, 2],
    [3, 6, 2],
    [1.25, 2.5, 2.5],
  ]) {
    expect([prices, leftOutOf(prices)]).toEqual([prices, {}]);
  }
  for (const prices of [
    [2, 3, 6.01],
    [1.24, 2.5, 2.5],
  ]) {
    expect([prices, leftOutOf(prices)]).toEqual([prices, { absurd_price: 1 }]);
  }
});

test('American prices without a margin are kept, although their decimal prices are rounded', () => {
  const nba = (prices: readonly number[]) => {
    const event = eventOf(prices, { sport: 'basketball_nba' });
    event.bookmakers[0]!.markets[0]!.outcomes[1]!.name = 'Chelsea';
    return event;
  };
  for (let price = 101; price <= 1_000; price++) {
    const { ticks, leftOut } = importOf([nba([price, -price])]);
    expect([price, ticks.length, Object.fromEntries(leftOut)]).toEqual([price, 1, {}]);
  }
  const { ticks } = importOf([nba([-150, 150])]);
  expect(ticks).toMatchObject([{ pricesE4: { home: 16_667, away: 25_000 } }]);
  expect(Object.fromEntries(importOf([nba([151, -150])]).leftOut)).toEqual({ absurd_price: 1 });
});
