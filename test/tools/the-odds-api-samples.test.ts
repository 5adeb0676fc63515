// Real answers of The Odds API (five competitions of one evening) through the adapter, the pipeline and the
// tools: value, arbitrage and comparison equal a computation from the sample files. The roster has seven
// bookmakers, or thirty-two when wide-rosters.test.ts runs this file. Then the seventy-one bookmakers of the
// files take turns in all slots except Pinnacle's; with seven, the first of them take four turns.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKMAKER_KEYS } from '../../src/domain/catalogue.ts';
import { theOddsApi } from '../../src/feed/the-odds-api/client.ts';
import { PollRun } from '../feed/poll/poll-run.ts';
import { OddsApiStandIn, type OddsFixture } from '../feed/the-odds-api/stand-in.ts';
import { bestsOf, linesOf, type Quote, sharpestOf } from './oracle/lines.ts';
import { fairOf, inverseSum, outcomesOf } from './oracle/odds.ts';
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
/** When the last of the answers arrived. */
const SERVED_AT = '2026-04-16T19:01:05.000Z';
const PLACES = BOOKMAKER_KEYS.filter((key) => key !== 'pinnacle');
const isWide = PLACES.length > 7;

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
).slice(0, isWide ? undefined : 4);

interface PlainLine {
  readonly market: string;
  readonly line: number | null;
  readonly outcomes: readonly string[];
  readonly quotes: readonly Quote[];
}

/** The market, its sides as the file names them, and its line. */
function marketOf(fixture: OddsFixture, market: string, point: (name: string) => number) {
  const { home_team, away_team, sport_key } = fixture;
  if (market === 'spreads') return ['asian_handicap', [home_team, away_team], point(home_team)] as const;
  if (market === 'totals') return ['totals', ['Over', 'Under'], point('Over')] as const;
  const sides = sport_key.startsWith('soccer') ? [home_team, 'Draw', away_team] : [home_team, away_team];
  return ['1x2', sides, null] as const;
}

/** The lines of a fixture with the quotes of the bookmakers whose turn it is, read only from the file. */
function plainLines(fixture: OddsFixture, names: ReadonlyMap<string, string>): PlainLine[] {
  const isFootball = fixture.sport_key.startsWith('soccer');
  const isLive = Date.parse(fixture.commence_time) <= Date.parse(NOW);
  const quotes = fixture.bookmakers.flatMap(({ key, markets }): Quote[] => {
    const bookmaker = names.get(key);
    if (bookmaker === undefined) return [];
    return markets.flatMap(({ key: market, outcomes }) => {
      if (!['h2h', 'spreads', 'totals'].includes(market)) return [];
      if (isFootball && isLive && market === 'spreads') return [];
      const found = (name: string) => outcomes.find((outcome) => outcome.name === name)!;
      const [market_type, sides, line] = marketOf(fixture, market, (name) => Number(found(name).point));
      const prices = sides.map((side) => Number(found(side).price));
      return [
        { bookmaker, market_type, period: 'full_time', line, prices, status: 'open', atMs: 0 } as const,
      ];
    });
  });
  return linesOf(quotes).map((line) => ({
    market: line[0]!.market_type,
    line: line[0]!.line,
    outcomes: outcomesOf(isFootball ? 'football' : 'basketball', line[0]!.market_type),
    quotes: line,
  }));
}

function best({ outcomes, quotes }: PlainLine) {
  return bestsOf(quotes).map(({ bookmaker, decimal }, index) => ({
    outcome: outcomes[index]!,
    bookmaker,
    decimal,
  }));
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
 * The caller allows prices of any age, because some in-play prices of the samples are more than five minutes
 * old and only the arithmetic is tested here.
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

  test('every bookmaker whose turn it was has been read, and with thirty-two bookmakers all seventy-one and signals of every kind', () => {
    expect(seen.books.size + 1).toBe(isWide ? 71 : 1 + 4 * PLACES.length);
    if (isWide) {
      expect(seen.value).toBeGreaterThan(30);
      expect(seen.arbitrage).toBeGreaterThan(0);
    }
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
    const sharp = line.quotes.find(({ bookmaker }) => bookmaker === 'pinnacle');
    const fair = sharp === undefined ? null : fairOf(line.market, sharp.prices);
    return best(line).flatMap(({ outcome, bookmaker, decimal }, index) => {
      const edge = fair === null ? -1 : decimal * fair[index]! - 1;
      if (edge < 0) return [];
      return [
        {
          market_type: line.market,
          line: line.line,
          outcome,
          bookmaker,
          decimal,
          fair_price: close(1 / fair![index]!),
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
    const sum = inverseSum(legs.map(({ decimal }) => decimal));
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
    const sharpest = sharpestOf(consensus.quotes);
    if (sharpest !== null) {
      expect(compared.fair_from).toBe(sharpest.bookmaker);
      const fairs = fairOf(market, sharpest.prices)!;
      const fair = consensus.outcomes.map((outcome, index) => [outcome, close(1 / fairs[index]!)]);
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
