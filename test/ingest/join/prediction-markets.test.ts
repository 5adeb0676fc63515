// Matches that The Odds API listed in April 2026, as Kalshi and Polymarket name them: by short names of
// clubs, by cities or nicknames of teams, by Eastern dates. Each must become one match of three sources, and
// no other. Names are from recorded answers if there are recorded answers. The tests are skipped if the
// samples are not next to the checkout.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../../src/feed/football-data/csv.ts';
import { KALSHI_LEAGUES } from '../../../src/feed/kalshi/leagues.ts';
import { readMatches as readKalshi } from '../../../src/feed/kalshi/parse-events.ts';
import { easternDate } from '../../../src/feed/kalshi/ticker.ts';
import { POLYMARKET_LEAGUES } from '../../../src/feed/polymarket/leagues.ts';
import { readMatches as readPolymarket } from '../../../src/feed/polymarket/parse-events.ts';
import { eventWire } from '../../feed/wire.ts';
import { JoinDesk } from './join-desk.ts';

const SAMPLES = join(import.meta.dir, '../../../../shared/data/upstreams');
const ODDS_API = join(SAMPLES, 'the-odds-api');
const isThere = existsSync(SAMPLES);

/** The names of a team on Kalshi and on Polymarket, by its name on The Odds API. */
const NAMES: Readonly<Record<string, readonly [kalshi: string, polymarket: string]>> = {
  Brentford: ['Brentford', 'Brentford FC'],
  Fulham: ['Fulham', 'Fulham FC'],
  'Newcastle United': ['Newcastle', 'Newcastle United FC'],
  Bournemouth: ['Bournemouth', 'AFC Bournemouth'],
  'Leeds United': ['Leeds United', 'Leeds United FC'],
  'Wolverhampton Wanderers': ['Wolverhampton', 'Wolverhampton Wanderers FC'],
  'Tottenham Hotspur': ['Tottenham', 'Tottenham Hotspur FC'],
  'Brighton and Hove Albion': ['Brighton', 'Brighton & Hove Albion FC'],
  Chelsea: ['Chelsea', 'Chelsea FC'],
  'Manchester United': ['Manchester United', 'Manchester United FC'],
  'Aston Villa': ['Aston Villa', 'Aston Villa FC'],
  Sunderland: ['Sunderland', 'Sunderland AFC'],
  'Orlando Magic': ['Orlando', 'Magic'],
  'Charlotte Hornets': ['Charlotte', 'Hornets'],
  'Phoenix Suns': ['Phoenix', 'Suns'],
  'Golden State Warriors': ['Golden State', 'Warriors'],
  'Cleveland Cavaliers': ['Cleveland', 'Cavaliers'],
  'Toronto Raptors': ['Toronto', 'Raptors'],
  'Denver Nuggets': ['Denver', 'Nuggets'],
  'Minnesota Timberwolves': ['Minnesota', 'Timberwolves'],
};

interface Listed {
  readonly league: 'epl' | 'nba';
  readonly home: string;
  readonly away: string;
  readonly at: string;
}
interface Named {
  readonly sport: string;
  readonly league: { readonly key: string; readonly name: string };
  readonly home: { readonly key: string; readonly name: string };
  readonly away: { readonly key: string; readonly name: string };
  readonly scheduledAtMs: number;
}

const OPTIONS = { feeRate: 0.07, isAwayFirst: false, nowMs: 0, count: () => {} };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY'];

function listed(): Listed[] {
  const read = (league: Listed['league'], sport: string): Listed[] => {
    const path = join(ODDS_API, `odds-${sport}-2026-04-16-h2h-spreads-totals.regrouped.json`);
    const events = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>[];
    return events.map((event) => ({
      league,
      home: event.home_team!,
      away: event.away_team!,
      at: event.commence_time!,
    }));
  };
  return [...read('epl', 'soccer_epl'), ...read('nba', 'basketball_nba')];
}

function byKalshi({ league: code, home, away, at }: Listed): Named {
  const [homeName, awayName] = [NAMES[home]![0], NAMES[away]![0]];
  const [year, month, day] = easternDate(Date.parse(at)).split('-');
  const ticker = `KX${code.toUpperCase()}GAME-${year!.slice(2)}${MONTHS[Number(month) - 1]}${day}XXXYYY`;
  const market = (name: string): object => ({
    ticker: `${ticker}-${name}`,
    status: 'active',
    yes_sub_title: name,
    yes_bid_dollars: '0.4000',
    yes_ask_dollars: '0.4200',
    yes_bid_size_fp: '10.00',
    yes_ask_size_fp: '10.00',
    expected_expiration_time: new Date(Date.parse(at) + 3 * 3_600_000).toISOString(),
  });
  const title = code === 'nba' ? `${awayName} at ${homeName}` : `${homeName} vs ${awayName}`;
  const event = {
    event_ticker: ticker,
    series_ticker: 'x',
    title,
    markets: [market(homeName), market(awayName)],
  };
  const league = KALSHI_LEAGUES.find((one) => one.code === code)!;
  return readKalshi({ GAME: [event], SPREAD: [], TOTAL: [] }, { ...OPTIONS, league })[0]!.fixture;
}

function byPolymarket({ league: code, home, away, at }: Listed): Named {
  const [homeName, awayName] = [NAMES[home]![1], NAMES[away]![1]];
  const isAwayFirst = code === 'nba';
  const title = isAwayFirst ? `${awayName} vs. ${homeName}` : `${homeName} vs. ${awayName}`;
  const event = { id: '1', slug: `${code}-x-y`, title, startTime: at, markets: [] };
  const league = POLYMARKET_LEAGUES.find((one) => one.code === code)!;
  return readPolymarket([event], { ...OPTIONS, isAwayFirst, league })[0]!.fixture;
}

function byOddsApi({ league, home, away, at }: Listed): Named {
  return {
    sport: league === 'nba' ? 'basketball' : 'football',
    league: { key: league, name: league.toUpperCase() },
    home: { key: home, name: home },
    away: { key: away, name: away },
    scheduledAtMs: Date.parse(at),
  };
}

/**
 * Gives each source its fixtures. @returns the matches that were joined, each as the indexes of its fixtures:
 * `0-0-0` joins the first fixture of each of three sources
 */
function joined(sources: readonly (readonly Named[])[]): string[] {
  const books = [['crown'], ['pinnacle'], ['sbobet']];
  const desk = new JoinDesk({ bookmakers: sources.map((_, index) => books[index]!) });
  for (const [source, fixtures] of sources.entries()) {
    const events = fixtures.map(({ scheduledAtMs, ...named }, index) =>
      eventWire(2 + index, `${source}-${index}`, {
        ...named,
        scheduled_at: new Date(scheduledAtMs).toISOString(),
      }),
    );
    desk.snapshot(source, ...events);
  }
  return desk.joins();
}

test.skipIf(!isThere)('every match of The Odds API is found on both exchanges, and no other match is', () => {
  const matches = listed();
  expect(matches).toHaveLength(10);
  const found = joined([matches.map(byOddsApi), matches.map(byKalshi), matches.map(byPolymarket)]);
  expect(found).toEqual(matches.map((_, index) => `${index}-${index}-${index}`).sort());
});

test.skipIf(!isThere)(
  'a recorded match of Kalshi finds its row of the season, and the return match is not joined with either',
  () => {
    const markets = JSON.parse(readFileSync(join(SAMPLES, 'kalshi/markets.epl-1x2.json'), 'utf8')) as {
      event_ticker: string;
    }[];
    const event = {
      event_ticker: markets[0]!.event_ticker,
      series_ticker: 'x',
      title: 'Tottenham vs Nottingham',
      markets,
    };
    const league = KALSHI_LEAGUES.find(({ code }) => code === 'epl')!;
    const [match] = readKalshi({ GAME: [event], SPREAD: [], TOTAL: [] }, { ...OPTIONS, league });
    const rows = rowsOf(readFileSync(join(SAMPLES, 'football-data-co-uk/E0_2025-26.csv'), 'utf8')).map(
      (row): Named => {
        const [day, month, year] = row.get('Date')!.split('/');
        const local = Temporal.ZonedDateTime.from(
          `${year}-${month}-${day}T${row.get('Time')}[Europe/London]`,
        );
        const [home, away] = [row.get('HomeTeam')!, row.get('AwayTeam')!];
        const at = local.toInstant().toString();
        return {
          ...byOddsApi({ league: 'epl', home, away, at }),
          league: { key: 'E0', name: 'England Premier League' },
        };
      },
    );
    const near = rows.filter(({ home, away }) => [home.name, away.name].includes('Tottenham')).slice(-25);
    const at = near.findIndex(({ home, away }) => `${home.name} ${away.name}` === "Tottenham Nott'm Forest");
    expect(joined([near, [match!.fixture]])).toEqual([`${at}-0`]);
  },
);
