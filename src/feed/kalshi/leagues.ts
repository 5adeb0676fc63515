// The leagues of Kalshi that the service reads, by the code inside its series tickers: KX, code, kind.
// Everything else at the same endpoints (parlays, futures, awards, other sports) is never requested.

import type { SportKey } from '../../domain/catalogue.ts';

export interface KalshiLeague {
  readonly sport: SportKey;
  /** Lower case, as KALSHI_SPORTS names it. */
  readonly code: string;
  /** The name that The Odds API uses, so that fixtures of both are recognised as the same. */
  readonly name: string;
}

/** What a contract's series is about. Corners, halves, team totals and correct scores have other words. */
export const KINDS = ['GAME', 'SPREAD', 'TOTAL'] as const;
export type Kind = (typeof KINDS)[number];

const FOOTBALL: Readonly<Record<string, string>> = {
  epl: 'EPL',
  laliga: 'La Liga - Spain',
  seriea: 'Serie A - Italy',
  bundesliga: 'Bundesliga - Germany',
  ligue1: 'Ligue 1 - France',
  ucl: 'UEFA Champions League',
  uel: 'UEFA Europa League',
  uecl: 'UEFA Europa Conference League',
  eflcup: 'EFL Cup',
  mls: 'MLS',
  leaguescup: 'Leagues Cup',
  ligamx: 'Liga MX',
  brasileiro: 'Brazil Série A',
  eredivisie: 'Dutch Eredivisie',
  ligaportugal: 'Primeira Liga - Portugal',
  wc: 'FIFA World Cup',
  eflchampionship: 'Championship',
  scottishprem: 'Premiership - Scotland',
  laliga2: 'La Liga 2 - Spain',
  bundesliga2: 'Bundesliga 2 - Germany',
  superlig: 'Turkey Super League',
  belgianpl: 'Belgium First Div',
  swissleague: 'Swiss Superleague',
  densuperliga: 'Denmark Superliga',
  eliteserien: 'Eliteserien - Norway',
  allsvenskan: 'Allsvenskan - Sweden',
  ekstraklasa: 'Ekstraklasa - Poland',
  conmebollib: 'Copa Libertadores',
  brasileirob: 'Brazil Série B',
  argpremdiv: 'Primera División - Argentina',
  chlldp: 'Primera División - Chile',
  jleague: 'J League',
  kleague: 'K League 1',
  chnsl: 'Super League - China',
  uefanl: 'UEFA Nations League',
};

const BASKETBALL: Readonly<Record<string, string>> = { nba: 'NBA', wnba: 'WNBA', ncaamb: 'NCAAB' };

export const KALSHI_LEAGUES: readonly KalshiLeague[] = [
  ...Object.entries(FOOTBALL).map(([code, name]) => ({ sport: 'football' as const, code, name })),
  ...Object.entries(BASKETBALL).map(([code, name]) => ({ sport: 'basketball' as const, code, name })),
];

/** The series of a league, such as KXEPLGAME. */
export function seriesOf({ code }: KalshiLeague, kind: Kind): string {
  return `KX${code.toUpperCase()}${kind}`;
}
