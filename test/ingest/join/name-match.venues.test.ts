// Clubs, countries and American teams as prediction markets may spell them, each against the real fixtures of
// The Odds API. The spellings are every alias that openfootball knows, Polymarket's own World Cup list, and
// cities and nicknames. A spelling may fail to find its match, but no spelling may find another match.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fullTeamName } from '../../../src/feed/contracts/team-names.ts';
import { JoinDesk, matchWire } from './join-desk.ts';

const DATA = join(import.meta.dir, '../../../../shared/data');
const isThere = existsSync(DATA);

interface Named {
  readonly home: string;
  readonly away: string;
  readonly at: string;
  readonly league: string;
}
interface OddsEvent {
  readonly home_team: string;
  readonly away_team: string;
  readonly commence_time: string;
}

function read<Body>(path: string): Body {
  return JSON.parse(readFileSync(join(DATA, path), 'utf8')) as Body;
}

function listed(path: string, league: string): Named[] {
  return [read<OddsEvent | OddsEvent[]>(path)].flat().map((event) => ({
    ...{ home: event.home_team, away: event.away_team, at: event.commence_time, league },
  }));
}

/**
 * A desk of two sources; the first has these fixtures. The returned function replaces the fixtures of the
 * second source, and returns which of both became one match, as pairs of indexes.
 */
function joiner(fixtures: readonly Named[]) {
  const desk = new JoinDesk({ bookmakers: [['crown'], ['pinnacle']] });
  let snapshots = 0;
  const snapshot = (source: number, named: readonly Named[]): void => {
    snapshots += 1;
    // No earlier snapshot has these keys, so what the desk knows about former fixtures does not count.
    const events = named.map(({ home, away, at, league }, index) =>
      matchWire(source, `${source}-${index}-${snapshots}`, [home, away], {
        league: { key: `${source}-${league}`, name: league },
        scheduled_at: at,
      }),
    );
    desk.snapshot(source, ...events);
  };
  snapshot(0, fixtures);
  return (others: readonly Named[]): (readonly number[])[] => {
    snapshot(1, others);
    const { joined } = desk.joint.report();
    return joined.map(({ fixtures: both }) => both.map(({ event }) => Number(event.split('-')[1])));
  };
}

/** Every name of each club of a country, including the usual one. */
function aliasesOf(country: string): string[][] {
  const byClub = new Map<string, string[]>();
  for (const line of readFileSync(join(DATA, 'names/openfootball_aliases.csv'), 'utf8').split('\n')) {
    const [of, , club = '', alias = '', , isReserve] = line.split(',');
    if (of !== country || isReserve === '1' || line.includes('"')) continue;
    byClub.set(club, [...(byClub.get(club) ?? [club]), alias]);
  }
  return [...byClub.values()];
}

const LISTS = [
  ['odds-soccer_epl-2026-04-16-h2h-spreads-totals.regrouped.json', 'EPL', 'england'],
  ['odds-soccer_epl-2024-10-13-h2h-eu19books.json', 'EPL', 'england'],
  ['odds-soccer_germany_bundesliga-2026-04-16-h2h-spreads-totals.regrouped.json', 'Bundesliga', 'germany'],
  ['event-odds-soccer_germany_bundesliga-2025-11-28-24books.json', 'Bundesliga', 'germany'],
  ['odds-soccer_japan_j_league-2026-04-16-h2h-spreads-totals.regrouped.json', 'J League', 'japan'],
] as const;

describe.skipIf(!isThere)(
  'names on both exchanges (skipped where the samples are not beside the checkout)',
  () => {
    test('if one club is written with any of its aliases, 98 of 100 fixtures find their match, and none finds another', () => {
      let tries = 0;
      const missed: string[] = [];
      for (const [path, league, country] of LISTS) {
        const fixtures = listed(`upstreams/the-odds-api/${path}`, league);
        const clubs = aliasesOf(country);
        const joinedTo = joiner(fixtures);
        for (const [index, fixture] of fixtures.entries()) {
          for (const side of ['home', 'away'] as const) {
            for (const name of clubs.find((names) => names.includes(fixture[side])) ?? []) {
              tries++;
              const found = joinedTo([{ ...fixture, [side]: name }]);
              if (found.length === 0) missed.push(name);
              else expect([name, found]).toEqual([name, [[index, 0]]]);
            }
          }
        }
      }
      expect(tries).toBeGreaterThan(250);
      expect(missed.length / tries, missed.join()).toBeLessThan(0.02);
    });

    test("Polymarket's World Cup list finds its matches among the names of The Odds API's series, and no others", async () => {
      const titles = read<{ title: string }[]>(
        'upstreams/polymarket/gamma-events.world-cup-list.trimmed.json',
      );
      const series = await Bun.zstdDecompress(readFileSync(join(DATA, 'series/worldcup-2026.ndjson.zst')));
      const countries = new Set<string>();
      for (const line of new TextDecoder().decode(series).trim().split('\n')) {
        for (const { home_team, away_team } of (JSON.parse(line) as { data: OddsEvent[] }).data) {
          countries.add(home_team).add(away_team);
        }
      }
      const league = 'FIFA World Cup';
      for (const { title } of titles) {
        const [home = '', away = ''] = title.split(' vs. ');
        // Each country of the series replaces one of the two teams, on separate days. Only the right one may
        // join.
        const others = [...countries].flatMap((one) => [
          { home: one, away },
          { home, away: one },
        ]);
        const [theirs, ours] = [others, others.map(() => ({ home, away }))].map((pairs) =>
          pairs.map((pair, day) => {
            return { ...pair, league, at: new Date(Date.UTC(2026, 6, 1 + day, 20)).toISOString() };
          }),
        );
        expect([title, joiner(theirs!)(ours!).length]).toEqual([title, 2]);
      }
    });

    test('American teams are found by city, by city and initial, and by nickname', async () => {
      const nba = [
        ...listed('the-odds-api/nba-2022-11-23.json', 'NBA'),
        ...listed(
          'upstreams/the-odds-api/odds-basketball_nba-2026-04-16-h2h-spreads-totals.regrouped.json',
          'NBA',
        ),
      ];
      const series = await Bun.zstdDecompress(readFileSync(join(DATA, 'series/wnba-2026.ndjson.zst')));
      const wnba = new TextDecoder()
        .decode(series)
        .trim()
        .split('\n')
        .flatMap((line) => (JSON.parse(line) as { data: OddsEvent[] }).data)
        .flatMap(({ home_team, away_team }) => [home_team, away_team]);
      const leagues = [
        ['nba', new Set(nba.flatMap(({ home, away }) => [home, away]))],
        ['wnba', new Set(wnba)],
      ] as const;
      for (const [code, teams] of leagues) {
        expect(teams.size).toBeGreaterThan(10);
        const cityOf = (team: string): string => team.replace(/ (?:Trail Blazers|\S+)$/, '');
        for (const team of teams) {
          const city = cityOf(team);
          const nickname = team.slice(city.length + 1);
          const isAlone = !(code === 'nba' && city === 'Los Angeles');
          const names = [nickname, isAlone ? city : `${city} ${nickname[0]}`, team];
          expect(names.map((name) => fullTeamName(code, name))).toEqual([team, team, team]);
        }
      }
    });
  },
);
