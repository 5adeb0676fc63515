// Which fixtures of two sources are the same match: names as feeds write them, and all other conditions.

import { describe, expect, test } from 'bun:test';
import type { WireMessage } from '../../feed/wire.ts';
import { JoinDesk, matchWire } from './join-desk.ts';

interface Fixture {
  readonly home: string;
  readonly away: string;
  readonly league: string;
  readonly sport?: string;
  readonly at?: string;
}

/** Reads "Home v Away, League". It may end with "@" and the time of the kickoff; otherwise that is 15:00. */
function fixtureOf(text: string): Fixture {
  const [, home, away, league, at] = /^(.+) v (.+), ([^@]+?)(?: @(\d\d:\d\d))?$/.exec(text)!;
  return { home: home!, away: away!, league: league!, at: at ?? '15:00' };
}

function eventOf(source: number, index: number, text: string, fields: WireMessage = {}): WireMessage {
  const { home, away, league, at } = fixtureOf(text);
  return matchWire(source, `${source}-${index}`, [home, away], {
    league: { key: `${source} ${league}`, name: league },
    scheduled_at: `2026-03-01T${at}:00Z`,
    ...fields,
  });
}

/**
 * Gives two sources these fixtures. Returns the pairs of indexes that became one match; `!` means that the
 * sides are exchanged.
 */
function joinsOf(first: readonly string[], second: readonly string[], fields: WireMessage = {}): string[] {
  const desk = new JoinDesk({ bookmakers: [['crown'], ['pinnacle']] });
  for (const [source, texts] of [first, second].entries()) {
    desk.snapshot(source, ...texts.map((text, index) => eventOf(source, index, text, fields)));
  }
  return desk.joins();
}

const JOINED: readonly (readonly [string, string])[] = [
  ['Manchester United v Chelsea, England Premier League', 'Man Utd v Chelsea FC, English Premier League'],
  ['Manchester City v Tottenham Hotspur, EPL', 'Man City v Tottenham, English Premier League'],
  ['Wolverhampton Wanderers v Brighton and Hove Albion, EPL', 'Wolves v Brighton, English Premier League'],
  ['Nottingham Forest v West Ham United, EPL', "Nott'm Forest v West Ham, English Premier League"],
  ['Paris Saint Germain v Marseille, Ligue 1 - France', 'PSG v Olympique Marseille, French Ligue 1'],
  [
    'Bayern Munich v Borussia Dortmund, Bundesliga - Germany',
    'FC Bayern München v Dortmund, German Bundesliga',
  ],
  [
    '1. FC Köln v Borussia Monchengladbach, Bundesliga',
    'FC Koln v Borussia Mönchengladbach, German Bundesliga',
  ],
  ['Atlético Madrid v Real Betis, La Liga - Spain', 'Atletico Madrid v Betis, Spanish La Liga'],
  ['Inter Milan v AC Milan, Serie A - Italy', 'Inter v Milan, Italian Serie A'],
  ['Sporting Lisbon v FC Porto, Primeira Liga', 'Sporting CP v Porto, Portuguese Primeira Liga'],
  ['Kashima Antlers v Urawa Red Diamonds, J League', 'Kashima Antlers v Urawa Reds, Japanese J1 League'],
  ['Arsenal Women v Chelsea Women, WSL', 'Arsenal (W) v Chelsea (W), England FA Womens Super League'],
  ['England U21 v Germany U21, UEFA U21 Euro', 'England U21 v Germany U21, UEFA Euro U21'],
  ['Arsenal v Chelsea, EPL @15:00', 'Arsenal v Chelsea, EPL @15:15'],
];

const APART: readonly (readonly [string, string])[] = [
  // Clubs of one town, or clubs with similar names.
  ['Manchester United v Chelsea, EPL', 'Manchester City v Chelsea, EPL'],
  ['Real Madrid v Sevilla, La Liga', 'Atletico Madrid v Sevilla, La Liga'],
  ['Inter Milan v Roma, Serie A', 'AC Milan v Roma, Serie A'],
  ['Sheffield United v Hull City, Championship', 'Sheffield Wednesday v Hull City, Championship'],
  ['Bristol City v Leeds United, Championship', 'Bristol Rovers v Leeds United, Championship'],
  // Only one side agrees.
  ['Arsenal v Chelsea, EPL', 'Arsenal v Everton, EPL'],
  // Women's, youth and reserve teams are other teams, whether the team's or the league's name shows it.
  ['Arsenal v Chelsea, EPL', 'Arsenal Women v Chelsea Women, WSL'],
  ['Arsenal v Chelsea, EPL', 'Arsenal (W) v Chelsea (W), England FA Womens Super League'],
  ['Arsenal v Chelsea, EPL', 'Arsenal v Chelsea, English Women Premier League'],
  ['Arsenal v Chelsea, EPL', 'Arsenal U21 v Chelsea U21, Premier League 2'],
  ['Inter v Milan, Serie A', 'Inter U19 v Milan U19, Campionato Primavera'],
  ['Barcelona v Girona, La Liga', 'Barcelona B v Girona B, Segunda RFEF'],
  ['Real Madrid v Villarreal, La Liga', 'Real Madrid Castilla v Villarreal B, Primera RFEF'],
  ['England U21 v Germany U21, UEFA U21 Euro', 'England U19 v Germany U19, UEFA U19 Euro'],
  // Kickoffs may differ by at most a quarter of an hour.
  ['Arsenal v Chelsea, EPL @15:00', 'Arsenal v Chelsea, EPL @15:16'],
  // Clubs of one name in two countries.
  ['River Plate v Nacional, Uruguay Primera Division', 'River Plate v Nacional, Paraguay Primera Division'],
];

describe('fixtures of two sources', () => {
  test.each(JOINED)('fixtures of two sources, %s | %s: one match', (one, other) => {
    expect(joinsOf([one], [other])).toEqual(['0-0']);
    expect(joinsOf([other], [one])).toEqual(['0-0']);
  });

  test.each(JOINED)('fixtures of two sources, %s | %s: one match with the sides exchanged', (one, other) => {
    const { home, away, league, at } = fixtureOf(other);
    expect(joinsOf([one], [`${away} v ${home}, ${league} @${at}`])).toEqual(['0-0!']);
  });

  test.each(APART)('fixtures of two sources, %s | %s: two matches', (one, other) => {
    expect(joinsOf([one], [other])).toEqual([]);
    expect(joinsOf([other], [one])).toEqual([]);
  });

  test('all matches of a round of derbies are joined correctly', () => {
    const first = [
      'Manchester United v Manchester City, EPL',
      'Liverpool v Everton, EPL',
      'Arsenal v Tottenham Hotspur, EPL',
      'Newcastle United v Sunderland, EPL',
    ];
    const second = [
      'Sunderland AFC v Newcastle, English Premier League',
      'Arsenal v Spurs, English Premier League',
      'Man City v Man Utd, English Premier League',
      'Everton v Liverpool, English Premier League',
    ];
    expect(joinsOf(first, second)).toEqual(['0-2!', '1-3!', '2-1', '3-0!']);
  });

  test('if a fixture has two candidates it is not joined, whichever source has the candidates', () => {
    const twice = ['Arsenal v Chelsea, EPL', 'Arsenal FC v Chelsea FC, Premier League @15:10'];
    expect(joinsOf(['Arsenal v Chelsea, EPL'], twice)).toEqual([]);
    expect(joinsOf(twice, ['Arsenal v Chelsea, EPL'])).toEqual([]);
  });

  test('fixtures of different sports are different matches', () => {
    const desk = new JoinDesk({ bookmakers: [['crown'], ['pinnacle']] });
    const text = 'Barcelona v Real Madrid, Liga';
    for (const [source, sport] of ['football', 'basketball'].entries()) {
      desk.snapshot(source, eventOf(source, 0, text, { sport }));
    }
    expect(desk.joint.report()).toMatchObject({
      joined: [],
      apart: [{ why: 'nothing_then' }, { why: 'nothing_then' }],
    });
  });

  test('a basketball match is found although one source names the guests first', () => {
    const fields = { sport: 'basketball' };
    expect(
      joinsOf(['Boston Celtics v Los Angeles Lakers, NBA'], ['LA Lakers v Boston Celtics, NBA'], fields),
    ).toEqual(['0-0!']);
    expect(
      joinsOf(['Boston Celtics v LA Clippers, NBA'], ['LA Lakers v Boston Celtics, NBA'], fields),
    ).toEqual([]);
  });
});
