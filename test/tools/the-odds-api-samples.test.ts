// Real answers of The Odds API (five competitions of one evening) through adapter, pipeline and tools: value,
// arbitrage and comparison equal a computation from the sample files. The roster in use has seven bookmakers,
// or thirty-two when wide-rosters.test.ts runs this, so the seventy-one bookmakers take turns in all slots
// except Pinnacle's.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKMAKER_KEYS } from '../../src/domain/catalogue.ts';
import { theOddsApi } from '../../src/feed/the-odds-api/client.ts';
import { PollRun } from '../feed/poll/poll-run.ts';
import { OddsApiStandIn, type OddsFixture } from '../feed/the-odds-api/stand-in.ts';
import { ToolService } from './tool-service.ts';

const SAMPLES = join(import.meta.dir, '../../../shared/data/upstreams/the-odds-api');
const FILES = [
  'soccer_epl',
  'soccer_germany_bundesliga',
  'soccer_japan_j_league',
  'basketball_nba',
  'basketball_euroleague',
];
const NOW = '2026-04-16T19:01:00.000Z';
/** When the last of the answers has arrived. */
const SERVED_AT = '2026-04-16T19:01:05.000Z';
const CATALOGUE = BOOKMAKER_KEYS;
const PLACES = CATALOGUE.filter((key) => key !== 'pinnacle');
const THREE_WAY = ['home', 'draw', 'away'];

function pathOf(sport: string): string {
  return join(SAMPLES, `odds-${sport}-2026-04-16-h2h-spreads-totals.regrouped.json`);
}
const isThere = FILES.every((sport) => existsSync(pathOf(sport)));
const fixtures = isThere
  ? FILES.flatMap((sport) => JSON.parse(readFileSync(pathOf(sport), 'utf8')) as OddsFixture[])
  : [];
const others = [...new Set(fixtures.flatMap(({ bookmakers }) => bookmakers.map(({ key }) => key)))]
  .filter((key) => key !== 'pinnacle')
  .sort();
const turns = Array.from({ length: Math.ceil(others.length / PLACES.length) }, (_, turn) =>
  others.slice(turn * PLACES.length, (turn + 1) * PLACES.length),
);

interface PlainQuote {
  readonly book: string;
  readonly prices: readonly number[];
}
interface PlainLine {
  readonly market: string;
  readonly line: number | null;
  readonly outcomes: readonly string[];
  readonly quotes: readonly PlainQuote[];
}

/** The lines of a fixture with the quotes of the bookmakers of a turn, read only from the file. */
function plainLines(fixture: OddsFixture, names: ReadonlyMap<string, string>): PlainLine[] {
  const lines = new Map<
    string,
    { market: string; line: number | null; outcomes: string[]; quotes: PlainQuote[] }
  >();
  const isFootball = fixture.sport_key.startsWith('soccer');
  const isLive = Date.parse(fixture.commence_time) <= Date.parse(NOW);
  for (const { key, markets } of fixture.bookmakers) {
    const book = names.get(key);
    for (const { key: market, outcomes } of book === undefined ? [] : markets) {
      const found = (name: string) => outcomes.find((outcome) => outcome.name === name)!;
      const [type, sides, line]: [string, string[], number | null] =
        market === 'h2h'
          ? [
              '1x2',
              isFootball
                ? [fixture.home_team, 'Draw', fixture.away_team]
                : [fixture.home_team, fixture.away_team],
              null,
            ]
          : market === 'spreads'
            ? [
                'asian_handicap',
                [fixture.home_team, fixture.away_team],
                Number(found(fixture.home_team).point),
              ]
            : ['totals', ['Over', 'Under'], market === 'totals' ? Number(found('Over').point) : null];
      if (!['h2h', 'spreads', 'totals'].includes(market) || (isFootball && isLive && market === 'spreads'))
        continue;
      const prices = sides.map((side) => Number(found(side).price));
      if (prices.some((price) => price <= 1)) continue;
      const names_ =
        type === 'totals' ? ['over', 'under'] : prices.length === 3 ? THREE_WAY : ['home', 'away'];
      const id = `${type}|${line}`;
      const held = lines.get(id) ?? { market: type, line, outcomes: names_, quotes: [] };
      held.quotes.push({ book: book!, prices });
      lines.set(id, held);
    }
  }
  for (const { quotes } of lines.values())
    quotes.sort((a, b) => CATALOGUE.indexOf(a.book) - CATALOGUE.indexOf(b.book));
  return [...lines.values()];
}

function best({ outcomes, quotes }: PlainLine): { outcome: string; bookmaker: string; decimal: number }[] {
  return outcomes.map((outcome, index) => {
    const top = Math.max(...quotes.map(({ prices }) => prices[index]!));
    const { book } = quotes.find(({ prices }) => prices[index] === top)!;
    return { outcome, bookmaker: book, decimal: top };
  });
}

const inverse = (prices: readonly number[]): number => prices.reduce((sum, price) => sum + 1 / price, 0);

/** Fair prices of 1x2: every inverse to the power that makes them sum to 1, found by bisection. */
function fairPrices(market: string, prices: readonly number[]): number[] | null {
  const sum = inverse(prices);
  if (sum < 1) return null;
  if (market !== '1x2') return prices.map((price) => price * sum);
  let [low, high] = [1, 20];
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (prices.reduce((total, price) => total + price ** -middle, 0) > 1) low = middle;
    else high = middle;
  }
  return prices.map((price) => price ** low);
}

interface Hit {
  readonly market_type: string;
  readonly line: number | null;
}

function byPlace<T extends Hit>(hits: readonly T[], outcome: (hit: T) => string): T[] {
  const name = (hit: T): string => `${hit.market_type}|${hit.line}|${outcome(hit)}`;
  return [...hits].sort((a, b) => (name(a) < name(b) ? -1 : 1));
}

/**
 * The samples have in-play prices that their bookmakers sent more than five minutes before: only the
 * arithmetic counts here.
 */
const ANY_AGE_S = 604_800;

const close = (value: number): unknown => expect.closeTo(value, 3);
const seen = { value: 0, arbitrage: 0, comparison: 0, books: new Set<string>() };

describe.skipIf(!isThere)('samples of The Odds API (skipped where they are not beside the checkout)', () => {
  test.each(turns.map((books) => [books]))(
    'value, arbitrage and comparison of pinnacle, %p',
    async (books) => {
      const names = new Map([
        ['pinnacle', 'pinnacle'],
        ...books.map((book, place): [string, string] => [book, PLACES[place]!]),
      ]);
      using standIn = new OddsApiStandIn(() => Date.parse(NOW));
      standIn.fixtures = fixtures;
      standIn.sports = FILES;
      await using run = new PollRun({
        startMs: Date.parse(NOW),
        source: (clock) =>
          theOddsApi({
            baseUrl: standIn.url,
            apiKey: OddsApiStandIn.KEY,
            sports: FILES,
            bookmakers: names,
            nowMs: () => clock.wallMs(),
          }),
      });
      await run.for(2_000);
      const wires = run.wire.filter(({ type }) => ['event', 'state', 'quote'].includes(String(type)));
      const service = await ToolService.play(wires as never, SERVED_AT, { maxEdge: 10, maxMargin: 10 });
      try {
        for (const fixture of fixtures) await compare(service, fixture, names);
      } finally {
        await service[Symbol.asyncDispose]();
      }
      for (const book of books) seen.books.add(book);
    },
    120_000,
  );

  test('read all seventy-one bookmakers of the five files, and found signals of every kind', () => {
    expect(seen.books.size + 1).toBe(71);
    expect(seen.value).toBeGreaterThan(30);
    expect(seen.arbitrage).toBeGreaterThan(0);
    expect(seen.comparison).toBeGreaterThan(40 * turns.length);
  });
});

async function compare(
  service: ToolService,
  fixture: OddsFixture,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const lines = plainLines(fixture, names);
  const query = `${fixture.home_team} v ${fixture.away_team}`;
  const value = await asked(service, 'find_value', { query, min_edge_pct: 0, max_age_s: ANY_AGE_S });
  const arbitrage = await asked(service, 'find_arbitrage', { query, max_age_s: ANY_AGE_S });
  if (lines.length === 0) return;
  expect([query, value.status]).toEqual([query, 'ok']);
  const expectedValue = lines.flatMap((line) => {
    const sharp = line.quotes.find(({ book }) => book === 'pinnacle');
    const fair = sharp === undefined ? null : fairPrices(line.market, sharp.prices);
    return best(line).flatMap(({ outcome, bookmaker, decimal }, index) => {
      const edge = fair === null ? -1 : decimal / fair[index]! - 1;
      if (edge < 0) return [];
      return [
        {
          market_type: line.market,
          line: line.line,
          outcome,
          bookmaker,
          decimal,
          fair_price: close(fair![index]!),
          edge_pct: expect.closeTo(100 * edge, 1),
        },
      ];
    });
  });
  const foundValue = value.value_bets as (Hit & { outcome: string })[];
  expect(byPlace(foundValue, ({ outcome }) => outcome)).toMatchObject(
    byPlace(expectedValue, ({ outcome }) => outcome),
  );
  expect(foundValue).toHaveLength(expectedValue.length);
  const expectedArbitrage = lines.flatMap((line) => {
    const legs = best(line);
    const sum = inverse(legs.map(({ decimal }) => decimal));
    if (sum >= 1 || new Set(legs.map(({ bookmaker }) => bookmaker)).size < 2) return [];
    return [{ market_type: line.market, line: line.line, legs, inverse_sum: close(sum) }];
  });
  const foundArbitrage = arbitrage.opportunities as Hit[];
  expect(byPlace(foundArbitrage, () => '')).toMatchObject(byPlace(expectedArbitrage, () => ''));
  expect(foundArbitrage).toHaveLength(expectedArbitrage.length);
  seen.value += expectedValue.length;
  seen.arbitrage += expectedArbitrage.length;
  const event_id = (value.match as { event_id: string }).event_id;
  for (const market of ['1x2', 'asian_handicap', 'totals']) {
    const compared = await asked(service, 'compare_lines', { event_id, market_type: market });
    const ofMarket = lines.filter((line) => line.market === market);
    const offered = ofMarket.flatMap(({ line }) => line ?? []).sort((a, b) => a - b);
    expect(compared.lines_offered).toEqual(offered);
    if (ofMarket.length === 0) continue;
    const consensus = ofMarket.find(({ line }) => line === compared.consensus_line)!;
    expect(consensus.quotes.length).toBe(Math.max(...ofMarket.map(({ quotes }) => quotes.length)));
    expect(compared.best_prices).toMatchObject(best(consensus));
    // The lowest margin above zero: a sum below 1 has none to remove.
    const sharpest = consensus.quotes
      .filter(({ prices }) => inverse(prices) >= 1)
      .sort((a, b) => inverse(a.prices) - inverse(b.prices))[0];
    if (sharpest !== undefined && consensus.quotes.every(({ prices }) => inverse(prices) >= 1)) {
      expect(compared.fair_from).toBe(sharpest.book);
      const prices = fairPrices(market, sharpest.prices)!;
      const fair = consensus.outcomes.map((outcome, index) => [outcome, close(prices[index]!)]);
      expect(compared.fair_odds).toMatchObject(Object.fromEntries(fair));
    }
    seen.comparison++;
  }
}

/** The answer of a tool to a caller who sees the sharp bookmaker. */
function asked(
  service: ToolService,
  tool: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  return service.answer('enterprise', tool, args);
}
