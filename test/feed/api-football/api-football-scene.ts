// API-Football for a test: a stand-in for the upstream, its adapter on a simulated clock, and builders of
// answers.

import { apiFootball } from '../../../src/feed/api-football/client.ts';
import { SportChoice } from '../../../src/feed/poll/sport-choice.ts';
import { PollRun } from '../poll/poll-run.ts';
import { ApiFootballStandIn, type StandInFixture, type StandInOdds } from './stand-in.ts';

export const START_MS = Date.parse('2026-11-07T10:00:00.000Z');
export const START_S = START_MS / 1_000;

/** The parts of the current test; `open` makes them and `close` ends them. */
export let standIn: ApiFootballStandIn;
export let run: PollRun;

export function open({
  live = false,
  sports = ['football'],
  forcedEveryMs = null as number | null,
} = {}): void {
  standIn = new ApiFootballStandIn(() => run?.nowMs ?? START_MS);
  run = new PollRun({
    startMs: START_MS,
    forcedEveryMs,
    source: (clock) =>
      apiFootball({
        baseUrl: standIn.url,
        apiKey: ApiFootballStandIn.KEY,
        sports: new SportChoice(sports),
        bookmakers: new Map([['5', 'sbobet'], ['2', 'crown'], ...(live ? [['live', 'macau'] as const] : [])]),
        nowMs: () => clock.wallMs(),
      }),
  });
}

export async function close(): Promise<void> {
  await run?.[Symbol.asyncDispose]();
  standIn?.[Symbol.dispose]();
}

/** Adds a fixture to the upstream. */
export function fixture(id: number, changes: Partial<StandInFixture> = {}): StandInFixture {
  const made: StandInFixture = {
    id,
    league: 39,
    leagueName: 'Premier League',
    kickoff: START_S + 4 * 3_600,
    short: 'NS',
    elapsed: null,
    home: { id: id * 10 + 1, name: `Home ${id}` },
    away: { id: id * 10 + 2, name: `Away ${id}` },
    goals: [null, null],
    events: [],
    ...changes,
  };
  standIn.fixtures.push(made);
  return made;
}

export function odds(id: number, bookmakers: StandInOdds['bookmakers']): StandInOdds {
  return { id, update: new Date(run.nowMs).toISOString(), bookmakers };
}

export function winner(id: number, prices: readonly unknown[]): StandInOdds['bookmakers'][number] {
  const values = ['Home', 'Draw', 'Away'].map((value, index) => ({ value, odd: prices[index] }));
  return { id, name: `Bookmaker ${id}`, bets: [{ id: 1, name: 'Match Winner', values }] };
}

/** A fixture on the slate: prices and status by bookmaker, market, period and line. */
export function quotes(event: string): Record<string, string> {
  return run.quotes(event);
}

export function liveItem(
  id: number,
  goals: [number, number],
  values: unknown[],
  flags: Record<string, boolean> = {},
): unknown {
  return {
    fixture: { id, status: { long: 'Second Half', elapsed: 62, seconds: '62:14' } },
    league: { id: 39, season: 2026 },
    teams: { home: { id: 1, goals: goals[0] }, away: { id: 2, goals: goals[1] } },
    status: { stopped: false, blocked: false, finished: false, ...flags },
    update: new Date(run.nowMs).toISOString(),
    odds: [{ id: 33, name: 'Asian Handicap', values }],
  };
}

export function side(
  value: string,
  odd: string,
  handicap: string,
  extra: Record<string, boolean> = {},
): unknown {
  return { value, odd, handicap, main: false, suspended: false, ...extra };
}
