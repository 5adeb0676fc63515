// The leagues of Polymarket that the service reads, by the code that begins their slugs. Other leagues are
// never requested.

import type { SportKey } from '../../domain/catalogue.ts';

export interface PolymarketLeague {
  readonly sport: SportKey;
  readonly code: string;
  /** The name that The Odds API uses, so that fixtures of both are recognised as the same. */
  readonly name: string;
  /**
   * Whether a match always ends after 90 minutes. A cup's final score may include extra time, so it is not a
   * result of the 90 minutes.
   */
  readonly isOver90: boolean;
}

const LEAGUES: Readonly<Record<string, string>> = {
  epl: 'EPL',
  elc: 'Championship',
  lal: 'La Liga - Spain',
  sea: 'Serie A - Italy',
  bun: 'Bundesliga - Germany',
  bl2: 'Bundesliga 2 - Germany',
  fl1: 'Ligue 1 - France',
  ere: 'Dutch Eredivisie',
  por: 'Primeira Liga - Portugal',
  bra: 'Brazil Série A',
};
const CUPS: Readonly<Record<string, string>> = {
  mls: 'MLS',
  mex: 'Liga MX',
  ucl: 'UEFA Champions League',
  uel: 'UEFA Europa League',
  fifwc: 'FIFA World Cup',
};
const BASKETBALL: Readonly<Record<string, string>> = { nba: 'NBA', wnba: 'WNBA', cbb: 'NCAAB' };

export const POLYMARKET_LEAGUES: readonly PolymarketLeague[] = [
  ...leagues('football', LEAGUES, true),
  ...leagues('football', CUPS, false),
  ...leagues('basketball', BASKETBALL, false),
];

function leagues(
  sport: SportKey,
  names: Readonly<Record<string, string>>,
  isOver90: boolean,
): PolymarketLeague[] {
  return Object.entries(names).map(([code, name]) => ({ sport, code, name, isOver90 }));
}
