// Makes leagues and teams with stable keys and strengths from the name tables, and the scoring rates of a
// match.

import { assert } from '../../errors.ts';
import basketballText from './basketball/leagues.txt' with { type: 'text' };
import footballText from './football/leagues.txt' with { type: 'text' };

/** One league as written in a name table. */
interface LeagueRow {
  readonly key: string;
  readonly name: string;
  /** How much is bet on it: 1 most, 3 least. */
  readonly rank: number;
  /** Usual kickoff, hours UTC; a day of fixtures runs from 06:00 to 30:00. */
  readonly hour: number;
  /** Goals or points of an even match, both sides together. */
  readonly goals: number;
  /** Log scoring rate of the best team relative to the average one. */
  readonly spread: number;
  /** Basketball: game minutes of a quarter; 0 in football. */
  readonly quarterMinutes: number;
  /** Names from strongest to weakest, separated by `|`; an even number. */
  readonly teams: string;
}

export interface SimulatedTeam {
  readonly key: string;
  readonly name: string;
  /** -1 weakest of its league to 1 strongest. */
  readonly strength: number;
}

export interface SimulatedLeague extends Omit<LeagueRow, 'teams'> {
  /** Index into SPORTS. */
  readonly sport: number;
  readonly teams: readonly SimulatedTeam[];
}

export const FOOTBALL_LEAGUES: readonly LeagueRow[] = rowsOf(footballText);
export const BASKETBALL_LEAGUES: readonly LeagueRow[] = rowsOf(basketballText);

/** Reads a name table: two lines for each league. */
function rowsOf(text: string): LeagueRow[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.flatMap((line, index) => {
    if (index % 2 === 1) return [];
    const [key = '', name = '', ...numbers] = line.split(' | ');
    assert(
      numbers.length > 3 && !numbers.some((word) => word === '' || Number.isNaN(Number(word))),
      `league ${key} has its numbers`,
    );
    const [rank, hour, goals, spread, quarterMinutes = 0] = numbers.map(Number);
    const row = { key, name, rank: rank!, hour: hour!, goals: goals!, spread: spread!, quarterMinutes };
    return [{ ...row, teams: lines[index + 1]! }];
  });
}

/** The share of a match's scoring that home advantage moves from one side to the other, as log rate. */
const HOME_LOG_RATE = [0.13, 0.012] as const;

/**
 * Makes leagues with teams. A team's key is `<league>/<slug>` and stays the same as long as its name does.
 */
export function readLeagues(sport: number, rows: readonly LeagueRow[]): SimulatedLeague[] {
  return rows.map((row) => {
    const names = row.teams.split('|');
    assert(names.length % 2 === 0, `league ${row.key} has an even number of teams`);
    const teams = names.map((name, rank) => ({
      key: `${row.key}/${slugOf(name)}`,
      name,
      strength: 1 - (2 * rank) / (names.length - 1),
    }));
    return { ...row, sport, teams };
  });
}

/**
 * Expected goals or points of each side over a whole match: half the strength gap acts on each team's attack
 * and the other's defence, in addition to home advantage.
 */
export function scoringRates(
  league: SimulatedLeague,
  home: SimulatedTeam,
  away: SimulatedTeam,
): { home: number; away: number } {
  const gap = (league.spread * (home.strength - away.strength)) / 2;
  const lean = gap + (HOME_LOG_RATE[league.sport] as number);
  const half = league.goals / 2;
  // An uneven football match has a few goals more, because exp is convex. In basketball the effect is too
  // small to show.
  return { home: half * Math.exp(lean), away: half * Math.exp(-lean) };
}

/** Lower-case ASCII words joined by hyphens; accents are removed. */
function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øØ]/g, 'o')
    .replace(/[łŁ]/g, 'l')
    .replace(/ı/g, 'i')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
