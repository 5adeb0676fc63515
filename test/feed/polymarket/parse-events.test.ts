// Every recorded answer and frame of Polymarket beside the checkout, read by the source and a second time
// here: by slugs and Gamma's best prices, which the source does not use. Skipped where the samples are not
// there.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, levelOf } from '../../../src/feed/contracts/contract.ts';
import { quotesOf } from '../../../src/feed/contracts/match-quotes.ts';
import { PollFailure } from '../../../src/feed/poll/failure.ts';
import { TokenBooks } from '../../../src/feed/polymarket/books.ts';
import { POLYMARKET_LEAGUES } from '../../../src/feed/polymarket/leagues.ts';
import {
  type Book,
  isBook,
  isPriceChange,
  isScoreFrame,
  isSportRow,
  type PriceChange,
} from '../../../src/feed/polymarket/messages.ts';
import { type PolymarketMatch, readMatches } from '../../../src/feed/polymarket/parse-events.ts';

const FOLDER = join(import.meta.dir, '../../../../shared/data/upstreams/polymarket');
const isThere = existsSync(FOLDER);

interface Market {
  readonly slug: string;
  readonly clobTokenIds: string;
  readonly bestBid?: number;
  readonly bestAsk?: number;
  readonly line?: number;
  readonly sportsMarketType?: string;
  readonly feeSchedule?: { readonly rate: number };
  readonly events?: readonly object[];
}
interface Event {
  readonly markets: readonly Market[];
}

function sample<Body>(name: string): Body {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Body;
}

function read(
  code: string,
  events: readonly unknown[],
  at: string,
): { matches: PolymarketMatch[]; counts: string[] } {
  const counts: string[] = [];
  const league = POLYMARKET_LEAGUES.find((one) => one.code === code)!;
  const count = (what: string): unknown => counts.push(what);
  const isAwayFirst = league.sport === 'basketball';
  const options = { league, isAwayFirst, feeRate: null, nowMs: Date.parse(at), count } as never;
  return { matches: readMatches(events, options), counts };
}

/**
 * The prices of a match by market and line, if each order book has the best bid and ask that Polymarket's
 * Gamma API reports.
 */
function quoted(match: PolymarketMatch, markets: readonly Market[]): Record<string, readonly number[]> {
  const contracts = match.contracts.map((contract): Contract => {
    const { bestBid = 0, bestAsk = 1 } = markets.find(({ clobTokenIds }) =>
      clobTokenIds.includes(contract.id),
    )!;
    return { ...contract, book: { bid: levelOf(bestBid, 100), ask: levelOf(bestAsk, 100) } };
  });
  const { fixture, winnerCount } = match;
  const rules = { bookmaker: 'crown', leastStake: 0, atMs: 0, count: () => {} };
  const score = [0, 0] as const;
  const { quotes } = quotesOf({ sport: fixture.sport, isLive: true, score, winnerCount, contracts }, rules);
  return Object.fromEntries(
    [...quotes.values()].map(({ market, line, prices }) => [`${market} ${line}`, prices]),
  );
}

/** The payout of taking the first and the second outcome of a market, after its fee. */
function bothOdds({ bestBid = 0, bestAsk = 1, feeSchedule }: Market): [number, number] {
  const odds = (price: number): number => {
    if (price <= 0 || price >= 1) return 0;
    const paid = price + feeSchedule!.rate * price * (1 - price);
    return Math.round(10_000 / paid) / 10_000;
  };
  return [odds(bestAsk), odds(Math.round((1 - bestBid) * 1_000) / 1_000)];
}

/** What the slugs of a game's markets mean: lines by side, without halves, team totals and the like. */
function bySlug(game: string, markets: readonly Market[]): Record<string, readonly number[]> {
  const quotes: Record<string, readonly number[]> = {};
  for (const market of markets) {
    const [, what, side, whole] =
      /^-(spread|total)(?:-(home|away))?-(\d+)pt5$/.exec(market.slug.slice(game.length)) ?? [];
    const [yes, no] = bothOdds(market);
    if (what === undefined || (yes === 0 && no === 0)) continue;
    const line = Number(whole) + 0.5;
    if (what === 'total') quotes[`totals ${line}`] = [yes, no];
    else quotes[`asian_handicap ${side === 'home' ? -line : line}`] = side === 'home' ? [yes, no] : [no, yes];
  }
  return quotes;
}

describe.skipIf(!isThere)('recorded answers', () => {
  test('a football match in play has three winner markets in any order, and the lines of its child', () => {
    const [main] = sample<Event[]>('gamma-events.world-cup-main-in-play.json');
    const [more] = sample<Event[]>('gamma-events.world-cup-more-markets-in-play.json');
    const { matches } = read('fifwc', [more, main], '2026-06-29T20:43:00Z');
    const game = 'fifwc-ger-par-2026-06-29';
    const yes = (end: string): number =>
      bothOdds(main!.markets.find(({ slug }) => slug === `${game}-${end}`)!)[0];
    expect(matches).toHaveLength(1);
    expect(quoted(matches[0]!, [...main!.markets, ...more!.markets])).toEqual({
      '1x2 null': [yes('ger'), yes('draw'), yes('par')],
      ...bySlug(game, more!.markets),
    });
    expect(matches[0]).toMatchObject({
      gameId: '90086980',
      play: { status: 'live', score: [0, 0], clock: '1h 13' },
      fixture: {
        home: { name: 'Germany' },
        away: { name: 'Paraguay' },
        scheduledAtMs: Date.parse('2026-06-29T20:30Z'),
      },
    });
  });

  test('a basketball game in play has one winner market, which names the away team first', () => {
    const markets = sample<Market[]>('gamma-markets.nba-in-play.transcribed.json');
    const { matches, counts } = read('nba', [{ ...markets[0]!.events![0], markets }], '2026-10-08T23:52:00Z');
    const game = 'nba-bos-cle-2026-10-08';
    const [away, home] = bothOdds(markets.find(({ slug }) => slug === game)!);
    expect(quoted(matches[0]!, markets)).toEqual({ '1x2 null': [home, away], ...bySlug(game, markets) });
    expect(counts).toEqual([]);
    expect(matches[0]).toMatchObject({
      play: { status: 'live', score: [42, 42], clock: 'q2 07:12' },
      fixture: { home: { name: 'Cleveland Cavaliers' }, away: { name: 'Boston Celtics' } },
    });
  });

  test('markets that are resolved, void or ended long ago give no contracts; a verified result gives the score, home team first', () => {
    const resolved = sample<Event[]>('gamma-events.world-cup-resolved.json');
    expect(read('fifwc', resolved, '2026-06-29T22:00:00Z').matches).toEqual([]);
    for (const [name, code] of [
      ['gamma-market.cancelled-50-50.transcribed.json', 'nba'],
      ['gamma-market.nba-resolved.transcribed.json', 'nba'],
    ] as const) {
      const [market] = sample<Market[]>(name);
      const { matches } = read(
        code,
        [{ ...market!.events![0], closed: false, markets: [market] }],
        '2026-10-08T03:00:00Z',
      );
      expect(matches.flatMap(({ contracts }) => contracts)).toEqual([]);
      // Bucks at Thunder 128-126: the team that the title names first is the guest.
      if (name.includes('nba-resolved'))
        expect(matches[0]!.play).toMatchObject({ status: 'finished', score: [126, 128] });
    }
    const [open] = sample<Market[]>('gamma-market.ended-but-open.transcribed.json');
    const stuck = [{ ...open!.events![0], markets: [{ ...open, sportsMarketType: 'moneyline' }] }];
    expect(read('bl2', stuck, '2026-10-05T12:00:00Z')).toMatchObject({
      matches: [],
      counts: ['over_and_listed'],
    });
  });

  test('rows without the fields of a market do not count as an empty list of markets', () => {
    const trimmed = sample<Event[]>('gamma-events.world-cup-list.trimmed.json');
    expect(() => read('fifwc', trimmed, '2026-06-29T12:00:00Z')).toThrow(PollFailure);
  });

  test('of 180 markets, only winners, spreads and totals of the whole match become contracts', () => {
    const rows = sample<Market[]>('market-types.rows.trimmed.json');
    const teams = { active: true, closed: false, clobTokenIds: '["1","2"]', feeSchedule: { rate: 0.03 } };
    for (const row of rows.filter(({ slug }) => slug.startsWith('fifwc'))) {
      const [game] = /^fifwc-\w+-\w+-\d{4}-\d\d-\d\d/.exec(row.slug) ?? [''];
      const isLine = /^-(spread-(home|away)|total)-\d+pt5$/.test(row.slug.slice(game.length));
      const outcomes = row.slug.includes('-total-')
        ? '["Over","Under"]'
        : row.slug.includes('home')
          ? '["A","B"]'
          : '["B","A"]';
      const event = {
        id: '1',
        slug: game,
        title: 'A vs. B',
        startTime: '2026-06-29T20:30:00Z',
        markets: [{ ...row, ...teams, outcomes }],
      };
      const isMoneyline = row.sportsMarketType === 'moneyline';
      const found = read('fifwc', [event], '2026-06-29T20:00:00Z').matches[0]!.contracts.length;
      if (!isMoneyline) expect([row.slug, found]).toEqual([row.slug, isLine ? 1 : 0]);
    }
  });

  test('sports, books and frames are recognised', () => {
    for (const row of sample<unknown[]>('gamma-sports.rows.transcribed.json'))
      expect(isSportRow(row)).toBe(true);
    for (const name of ['clob-book.json', 'ws-market.book.json']) {
      const book = sample<Book>(name);
      const books = new TokenBooks();
      expect(isBook(book) && books.put(book)).toBe(true);
      const prices = (levels: Book['bids']): number[] => levels.map(({ price }) => Number(price));
      const { bid, ask } = books.topOf(book.asset_id);
      expect([bid!.price, ask!.price]).toEqual([
        Math.max(...prices(book.bids)),
        Math.min(...prices(book.asks)),
      ]);
    }
    const rare = sample<{ kind: string; frame: { event_type: string } }[]>('ws-market.rarer-frames.json');
    // These changes are in the older form (one level per frame, no list) and are not read.
    expect(rare.filter(({ frame }) => isPriceChange(frame) || isBook(frame))).toEqual([]);
    const scores = sample<{ samples: { leagueAbbreviation: string }[] }>(
      'ws-sports.capture-5min.transcribed.json',
    );
    const read = scores.samples.filter(isScoreFrame).map(({ leagueAbbreviation }) => leagueAbbreviation);
    expect(read).toEqual(['fif', 'fif', 'wta', 'challenger', 'cs2']);
  });

  test('in a minute of the market channel, exactly the books that a change contradicts become invalid', () => {
    const { samples } = sample<{ samples: { event_type: string }[] }>('ws-market.capture.transcribed.json');
    const books = new TokenBooks();
    const whole = samples.filter((frame) => isBook(frame)) as unknown as Book[];
    for (const frame of whole) books.put(frame);
    const tops = new Map(whole.map(({ asset_id }) => [asset_id, books.topOf(asset_id)]));
    // The recorder kept only three levels of each book, so every change of a followed token contradicts its
    // book.
    const changes = samples.filter((frame) => isPriceChange(frame)) as unknown as PriceChange[];
    const followed = new Set(whole.map(({ asset_id }) => asset_id));
    const lost = new Set(changes.flatMap((frame) => books.change(frame).lost));
    const named = new Set(changes.flatMap((frame) => frame.price_changes.map(({ asset_id }) => asset_id)));
    expect(changes.length).toBeGreaterThan(0);
    expect(lost).toEqual(new Set([...followed].filter((token) => named.has(token))));
    for (const token of lost) {
      expect(books.isLost(token)).toBe(true);
      // An invalid book keeps showing its last good prices, because its present content was never offered.
      expect(books.topOf(token)).toEqual(tops.get(token)!);
    }
  });
});
