// Every recorded answer of Kalshi beside the checkout, read by the source and a second time here: by the text
// of its rules and by the prices of No, neither of which the source uses. Skipped where the samples are not
// there.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotesOf } from '../../../src/feed/contracts/match-quotes.ts';
import { KALSHI_LEAGUES, KINDS, seriesOf } from '../../../src/feed/kalshi/leagues.ts';
import { isOrderBook, isSeriesAnswer, type KalshiMarket } from '../../../src/feed/kalshi/messages.ts';
import { bookOf } from '../../../src/feed/kalshi/order-book.ts';
import {
  type KalshiMatch,
  kickoffOf,
  type LeagueEvents,
  readMatches,
} from '../../../src/feed/kalshi/parse-events.ts';

const FOLDER = join(import.meta.dir, '../../../../shared/data/upstreams/kalshi');
const isThere = existsSync(FOLDER);

interface Market {
  readonly ticker: string;
  readonly status: string;
  readonly rules_primary: string;
  readonly yes_ask_dollars: string;
  readonly no_ask_dollars: string;
  readonly yes_bid_dollars: string;
  readonly yes_sub_title: string;
  readonly expected_expiration_time: string;
  readonly close_time: string;
  readonly event_ticker: string;
}
interface Event {
  readonly event_ticker: string;
  readonly title: string;
  readonly markets: readonly Market[];
}

function sample<Body>(name: string): Body {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Body;
}

function read(
  code: string,
  events: Partial<LeagueEvents>,
  at: string,
): { matches: KalshiMatch[]; counts: string[] } {
  const counts: string[] = [];
  const league = KALSHI_LEAGUES.find((one) => one.code === code)!;
  const count = (what: string): unknown => counts.push(what);
  const options = { league, feeRate: 0, nowMs: Date.parse(at), count } as never;
  return { matches: readMatches({ GAME: [], SPREAD: [], TOTAL: [], ...events }, options), counts };
}

/** Prices by market and line, whatever the amount that can be staked. */
function quoted({ fixture, winnerCount, contracts }: KalshiMatch): Record<string, readonly number[]> {
  const match = { sport: fixture.sport, isLive: false, score: null, winnerCount, contracts };
  const rules = { bookmaker: 'crown', leastStake: 0, atMs: 0, count: () => {} };
  const quotes = [...quotesOf(match, rules).quotes.values()];
  return Object.fromEntries(quotes.map(({ market, line, prices }) => [`${market} ${line}`, prices]));
}

function odds(dollars: string | number): number {
  const price = Number(dollars);
  return price > 0 && price < 1 ? Math.round(10_000 / price) / 10_000 : 0;
}

describe.skipIf(!isThere)('recorded answers', () => {
  test('football: home, draw and away follow from the rules, kickoffs from the closing time', () => {
    const { events } = sample<{ events: Event[] }>('events.mls-1x2.trimmed.json');
    const march = sample<Market[]>('markets.epl-1x2.json');
    const epl = {
      event_ticker: march[0]!.event_ticker,
      series_ticker: 'x',
      title: 'Tottenham vs Nottingham',
      markets: march,
    };
    const cases = [
      // The August sample closes 54 hours after the kickoff, the March sample 14 days after it.
      ...events.map((event) => ({ code: 'mls', event, hours: 54, at: '2026-08-06T12:00:00Z' })),
      { code: 'epl', event: epl as Event, hours: 14 * 24, at: '2026-03-16T12:00:00Z' },
    ];
    for (const { code, event, hours, at } of cases) {
      const [match] = read(code, { GAME: [{ series_ticker: 'x', ...event }] }, at).matches;
      const teams = / the (.+?) vs (.+?) professional /.exec(event.markets[0]!.rules_primary)!;
      const askOf = (isIt: (rules: string) => boolean): number =>
        odds(event.markets.find(({ rules_primary }) => isIt(rules_primary))!.yes_ask_dollars);
      const home = askOf((rules) => rules.startsWith(`If ${teams[1]} wins`));
      const away = askOf((rules) => rules.startsWith(`If ${teams[2]} wins`));
      const tie = askOf(
        (rules) => !rules.startsWith(`If ${teams[1]} wins`) && !rules.startsWith(`If ${teams[2]} wins`),
      );
      expect(quoted(match!)).toEqual({ '1x2 null': [home, tie, away] });
      expect(match!.fixture.scheduledAtMs).toBe(Date.parse(event.markets[0]!.close_time) - hours * 3_600_000);
      expect(match!.fixture.home.name.slice(0, 2)).toBe(teams[1]!.replace('Los Angeles G', 'LA').slice(0, 2));
    }
  });

  test('basketball: both ways to back a team are read, and all spreads and totals', () => {
    const winners = sample<{ events: Event[] }>('events.wnba-winner.trimmed.json').events;
    const spreads = sample<{ events: Event[] }>('events.wnba-spread.trimmed.json').events;
    const totals = sample<{ events: Event[] }>('events.wnba-total.trimmed.json').events;
    const at = '2026-08-07T12:00:00Z';
    for (const [index, match] of read('wnba', { GAME: winners }, at).matches.entries()) {
      const [first, second] = winners[index]!.markets;
      const [home, away] = winners[index]!.title.endsWith(first!.yes_sub_title)
        ? [first!, second!]
        : [second!, first!];
      const best = (own: Market, other: Market): number =>
        Math.max(odds(own.yes_ask_dollars), odds(other.no_ask_dollars));
      expect(quoted(match)).toEqual({ '1x2 null': [best(home, away), best(away, home)] });
    }
    // The winner contracts of these games are not among the samples, so they are made from the titles.
    for (const [index, spread] of spreads.entries()) {
      const title = spread.title.replace(': Spread', '');
      const [awayName, homeName] = title.split(' vs ') as [string, string];
      const ticker = spread.event_ticker.replace('SPREAD', 'GAME');
      const winner = (name: string): object => ({
        ...spread.markets[0],
        ticker: `${ticker}-${name}`,
        yes_sub_title: name,
        custom_strike: null,
      });
      const game = {
        event_ticker: ticker,
        series_ticker: 'x',
        title,
        markets: [winner(awayName), winner(homeName)],
      };
      const { matches, counts } = read(
        'wnba',
        { GAME: [game], SPREAD: [spread], TOTAL: [totals[index]] },
        at,
      );
      const expected: Record<string, readonly number[]> = {};
      for (const market of spread.markets) {
        const [, team, points] = /^If (.+) wins by more than ([\d.]+) points/.exec(market.rules_primary)!;
        const [yes, no] = [odds(market.yes_ask_dollars), odds(market.no_ask_dollars)];
        if (team === homeName) expected[`asian_handicap ${-Number(points)}`] = [yes, no];
        else expected[`asian_handicap ${points}`] = [no, yes];
      }
      for (const market of totals[index]!.markets) {
        const points = /Over ([\d.]+) points/.exec(market.yes_sub_title)![1]!;
        expected[`totals ${points}`] = [odds(market.yes_ask_dollars), odds(market.no_ask_dollars)];
      }
      const { '1x2 null': _made, ...found } = quoted(matches[0]!);
      expect(found).toEqual(expected);
      expect(counts).toEqual([]);
    }
  });

  test('order books: the best level of each side, in whatever order levels come, equals that of the market at the same moment', () => {
    const [tottenham] = sample<Market[]>('markets.epl-1x2.json');
    const { nested, orderbook } = sample<{ nested: Market; orderbook: { orderbook_fp: never } }>(
      'market-and-orderbook.same-moment.json',
    );
    const books = [
      [sample<{ orderbook_fp: never }>('orderbook.epl-tot.json').orderbook_fp, tottenham!],
      [orderbook.orderbook_fp, nested],
    ] as const;
    for (const [book, market] of books) {
      expect(bookOf(book).bid?.price).toBe(Number(market.yes_bid_dollars));
      expect(bookOf(book).ask?.price).toBe(Number(market.yes_ask_dollars));
    }
    const parlays = sample<
      { ticker: string; orderbook_fp: { yes_dollars: []; no_dollars: [string, string][] } }[]
    >('orderbooks.parlay-one-sided.json');
    for (const parlay of parlays) {
      expect(isOrderBook(parlay)).toBe(true);
      const { bid, ask } = bookOf(parlay.orderbook_fp);
      expect([bid !== null, ask !== null]).toEqual([
        parlay.orderbook_fp.yes_dollars.length > 0,
        parlay.orderbook_fp.no_dollars.length > 0,
      ]);
    }
    const legacy = sample<{ orderbook_fp: never }>('orderbook.legacy-envelope.json');
    expect(bookOf(legacy.orderbook_fp)).toEqual({ bid: { price: 0.99, size: 24_569 }, ask: null });
  });

  test('trades: the last buyer of Yes paid the price that the order book offers at that time', () => {
    const trades =
      sample<{ ticker: string; taker_side: string; yes_price_dollars: string }[]>('trades.epl-tot.json');
    const { ask } = bookOf(sample<{ orderbook_fp: never }>('orderbook.epl-tot.json').orderbook_fp);
    const [last] = trades.filter(({ taker_side }) => taker_side === 'yes');
    expect(last!.ticker).toBe(sample<Market[]>('markets.epl-1x2.json')[0]!.ticker);
    expect(ask!.price).toBe(Number(last!.yes_price_dollars));
  });

  test('fees are the published rate times the factor of the series', () => {
    const { payloads } = sample<{ payloads: Record<string, { series: { fee_multiplier: number } }> }>(
      'series-fee-fields.trimmed.json',
    );
    for (const payload of Object.values(payloads)) expect(isSeriesAnswer(payload)).toBe(true);
    // The schedule's own examples: 100 contracts at 0.50 cost 1.75, at 0.30 1.47, at 0.10 0.63, at 0.01 0.07.
    const { events } = sample<{ events: Event[] }>('events.wnba-winner.trimmed.json');
    const rateOf = (series: string): number => {
      const multipliers = { GAME: payloads[series]!.series.fee_multiplier };
      const league = KALSHI_LEAGUES.find(({ code }) => code === 'wnba')!;
      const options = { league, feeRate: 0.07, multipliers, nowMs: 0, count: () => {} };
      return readMatches({ GAME: events, SPREAD: [], TOTAL: [] }, options)[0]!.contracts[0]!.feeRate;
    };
    const feeOf = (series: string, price: number): number =>
      Math.round(10_000 * rateOf(series) * price * (1 - price)) / 100;
    expect([0.5, 0.3, 0.1, 0.01].map((price) => feeOf('KXWNBAGAME', price))).toEqual([
      1.75, 1.47, 0.63, 0.07,
    ]);
    expect(feeOf('KXMLBGAME', 0.5)).toBe(0.88);
  });

  test('kickoffs follow from the expected settlement or the last possible one, in August and September', () => {
    interface Pair {
      readonly game_ticker: string;
      readonly game_expected_expiration_time: string;
      readonly game_close_time: string;
    }
    const { period_pairs } = sample<{ period_pairs: Pair[] }>('occurrence-datetime-probe.json');
    const games = new Map(period_pairs.map((pair) => [pair.game_ticker, pair]));
    for (const [ticker, pair] of games) {
      const expiration_time = pair.game_close_time;
      const market = { expected_expiration_time: pair.game_expected_expiration_time, expiration_time };
      // In baseball the ticker has the time of the game, in Eastern time, which is four hours behind.
      const [, hour, minute] = /^KXMLBGAME-26AUG08(\d\d)(\d\d)/.exec(ticker) ?? [];
      const kickoff = new Date(kickoffOf(market as KalshiMarket, ticker)).toISOString();
      if (hour !== undefined) expect(kickoff).toBe(`2026-08-08T${Number(hour) + 4}:${minute}:00.000Z`);
      else expect(kickoff).toBe(new Date(Date.parse(expiration_time) - 54 * 3_600_000).toISOString());
    }
    expect(games.size).toBeGreaterThan(5);
    // Fulham v Man United began at 15:30 UTC and was expected to settle four hours later.
    const goals = sample<{ markets: KalshiMarket[] }>('markets.epl-totals-settled.transcribed.json').markets;
    for (const market of goals) {
      expect(kickoffOf(market, 'KXEPLGAME-26SEP20FULMUN')).toBe(Date.parse('2026-09-20T15:30:00Z'));
    }
    const settled = sample<{ markets: Market[] }>('markets.settled-and-stuck.trimmed.json').markets;
    for (const market of settled.filter(({ ticker }) => ticker.startsWith('KXWNBA'))) {
      const kickoffMs = Date.parse(market.expected_expiration_time) - 3 * 3_600_000;
      expect(kickoffOf(market as never, market.event_ticker)).toBe(kickoffMs);
    }
  });

  test('of the series listed on a day in August, only whole matches of our leagues are read', () => {
    const { game_level_series: listed } = sample<{ game_level_series: string[] }>('game-level-series.json');
    const ours = new Set(KALSHI_LEAGUES.flatMap((league) => KINDS.map((kind) => seriesOf(league, kind))));
    const found = listed.filter((series) => ours.has(series));
    expect(found.length).toBeGreaterThan(50);
    for (const series of found) {
      // Left out are halves, team totals, corners, other sports, and women's and reserve competitions except
      // the WNBA.
      expect(series).toMatch(/^KX[A-Z0-9]+?(?:GAME|SPREAD|TOTAL)$/);
      expect(series).not.toMatch(/1H|2H|TEAMTOTAL|MLB|CFL|NPB|CS2|DOTA|LOL|VALORANT|R6|NWSL|UCLW/);
    }
  });

  test('futures, other sports, parlays, settled markets and markets that never settle give nothing', () => {
    const { events } = sample<{ events: Event[] }>('events.not-games.trimmed.json');
    for (const code of ['nba', 'epl']) {
      expect(read(code, { GAME: events, SPREAD: events }, '2026-08-07T12:00:00Z').matches).toEqual([]);
    }
    const settled = sample<{ markets: Market[] }>('markets.settled-and-stuck.trimmed.json').markets;
    const goals = sample<{ markets: Market[] }>('markets.epl-totals-settled.transcribed.json').markets;
    const parlays = sample<Market[]>('markets-first-page.parlays.json');
    const byEvent = Map.groupBy([...settled, ...goals, ...parlays], ({ event_ticker }) => event_ticker);
    for (const [event_ticker, markets] of byEvent) {
      const title = `${markets[0]!.yes_sub_title} vs ${markets.at(-1)!.yes_sub_title}`;
      const event = { event_ticker, series_ticker: 'x', title, markets };
      for (const code of ['wnba', 'epl']) {
        const { matches } = read(code, { GAME: [event], TOTAL: [event] }, markets[0]!.close_time);
        expect(matches.flatMap(({ contracts }) => contracts)).toEqual([]);
      }
    }
  });
});
