import type { OddsFixture } from '../feed/the-odds-api/stand-in.ts';

/** A home match against Fulham with a price of Pinnacle, in the form of an answer of The Odds API. */
export function oddsApiMatch(kickoffMs: number, home = 'Brentford'): OddsFixture {
  const last_update = new Date().toISOString();
  const outcomes = [
    { name: 'Fulham', price: 3.3 },
    { name: home, price: 2.1 },
    { name: 'Draw', price: 3.7 },
  ];
  const markets = [{ key: 'h2h', last_update, outcomes }];
  return {
    id: home[0]!.toLowerCase().repeat(32),
    sport_key: 'soccer_epl',
    sport_title: 'EPL',
    commence_time: new Date(kickoffMs).toISOString(),
    home_team: home,
    away_team: 'Fulham',
    bookmakers: [{ key: 'pinnacle', title: 'Pinnacle', last_update, markets }],
  };
}
