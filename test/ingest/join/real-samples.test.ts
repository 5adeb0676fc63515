// Real fixtures of two upstreams that overlap: The Odds API's round of the Premier League in April 2026, and
// the season of football-data.co.uk, which spells the clubs differently and gives kickoffs in British time.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../../src/feed/football-data/csv.ts';
import { JoinDesk, matchWire } from './join-desk.ts';

const SAMPLES = join(import.meta.dir, '../../../../shared/data/upstreams');
const ODDS_API = join(SAMPLES, 'the-odds-api/odds-soccer_epl-2026-04-16-h2h-spreads-totals.regrouped.json');
const SEASON = join(SAMPLES, 'football-data-co-uk/E0_2025-26.csv');

interface Listed {
  readonly home_team: string;
  readonly away_team: string;
  readonly commence_time: string;
}

test.skipIf(!existsSync(ODDS_API))(
  'every match of the round finds its row of the season, and no other (skipped where the samples are not beside the checkout)',
  () => {
    const round = JSON.parse(readFileSync(ODDS_API, 'utf8')) as Listed[];
    const days = new Set(round.map(({ commence_time: at }) => at.slice(0, 10)));
    const season = rowsOf(readFileSync(SEASON, 'utf8')).map((row) => {
      const [day, month, year] = row.get('Date')!.split('/');
      const local = Temporal.ZonedDateTime.from(`${year}-${month}-${day}T${row.get('Time')}[Europe/London]`);
      return { home: row.get('HomeTeam')!, away: row.get('AwayTeam')!, at: local.toInstant().toString() };
    });
    const rows = season.filter(({ at }) => days.has(at.slice(0, 10)));
    expect(rows.length).toBeGreaterThanOrEqual(round.length);
    const desk = new JoinDesk({ bookmakers: [['pinnacle'], ['crown']] });
    const listed = round.map(({ home_team: home, away_team: away, commence_time: at }) => ({
      home,
      away,
      at,
    }));
    for (const [source, fixtures] of [listed, rows].entries()) {
      const league = { key: `${source}`, name: source === 0 ? 'EPL' : 'England Premier League' };
      const wires = fixtures.map(({ home, away, at }, index) =>
        matchWire(source, `${source}-${index}`, [home, away], { league, scheduled_at: at }),
      );
      desk.snapshot(source, ...wires);
    }
    const { joined } = desk.joint.report();
    // An independent check of the pairs: the home teams begin with the same three letters, and the kickoffs
    // are equal.
    expect(joined).toHaveLength(round.length);
    for (const { fixtures } of joined) {
      const [one, other] = fixtures;
      expect(one!.home.slice(0, 3)).toBe(other!.home.slice(0, 3));
      expect(Date.parse(one!.scheduled_at!)).toBe(Date.parse(other!.scheduled_at!));
    }
  },
);
