// iSports for a test: a stand-in for the upstream, its adapter on a simulated clock, and builders of answers.

import { isports } from '../../../src/feed/isports/client.ts';
import { SportChoice } from '../../../src/feed/poll/sport-choice.ts';
import { PollRun } from '../poll/poll-run.ts';
import { IsportsStandIn, type StandInMatch, type StandInPlace } from './stand-in.ts';

export const START_MS = Date.parse('2026-11-07T14:00:00.000Z');
export const START_S = START_MS / 1_000;
const BOOKMAKERS = new Map([
  ['1', 'macau'],
  ['3', 'crown'],
  ['31', 'sbobet'],
]);

/** The parts of the current test; `open` makes them and `close` ends them. */
export let standIn: IsportsStandIn;
export let run: PollRun;

export function open(
  sports: string[] = ['football', 'basketball'],
  forcedEveryMs: number | null = null,
): void {
  standIn = new IsportsStandIn(() => run?.nowMs ?? START_MS);
  run = new PollRun({
    startMs: START_MS,
    forcedEveryMs,
    source: () =>
      isports({
        baseUrl: standIn.url,
        apiKey: IsportsStandIn.KEY,
        sports: new SportChoice(sports),
        bookmakers: BOOKMAKERS,
      }),
  });
}

export async function close(): Promise<void> {
  await run?.[Symbol.asyncDispose]();
  standIn?.[Symbol.dispose]();
}

export const match = (id: string, changes?: Partial<StandInMatch>): StandInMatch =>
  standIn.addMatch(id, changes);

export const place = (...row: Parameters<IsportsStandIn['addPlace']>): StandInPlace =>
  standIn.addPlace(...row);

/** Changes a match or a company's line, and sets its time of last change to now. */
export function change<Row extends StandInMatch | StandInPlace>(row: Row, changes: Partial<Row>): void {
  Object.assign(row, { ...changes, changedAt: Math.floor(run.nowMs / 1_000) });
}

/** A fixture on the slate: prices and status by bookmaker, market, period and line. */
export function quotes(event: string, sport = 0): Record<string, string> {
  return run.quotes(event, sport);
}
