// A test's Kalshi: a stand-in for the upstream, and its source on a simulated clock.

import { HOUR_MS } from '../../../src/clock.ts';
import { kalshi } from '../../../src/feed/kalshi/client.ts';
import type { KalshiSocketOptions } from '../../../src/feed/kalshi/socket.ts';
import { SportChoice } from '../../../src/feed/poll/sport-choice.ts';
import { PollRun } from '../poll/poll-run.ts';
import { footballWinner, KalshiStandIn } from './stand-in.ts';

/** This time is in the afternoon in Europe and in the morning in New York. */
export const START_MS = Date.parse('2026-11-21T13:00:00.000Z');
export const EVENT = 'KXEPLGAME-26NOV21ARSCHE';

/** The parts of the running test: `open` makes them and `close` ends them. */
export let standIn: KalshiStandIn;
export let run: PollRun;

interface SceneOptions {
  readonly sports?: string[];
  readonly leastStake?: number;
  readonly socket?: KalshiSocketOptions;
}

export function open({ sports = ['football:epl'], leastStake = 10, socket }: SceneOptions = {}): void {
  standIn = new KalshiStandIn(() => run?.nowMs ?? START_MS);
  run = new PollRun({
    startMs: START_MS,
    source: (clock) =>
      kalshi({
        baseUrl: standIn.url,
        sports: new SportChoice(sports),
        // A bookmaker of the built-in roster, which the tests use.
        bookmaker: 'crown',
        feeRate: 0.07,
        leastStake,
        nowMs: () => clock.wallMs(),
        gapMs: 0,
        socket: socket ?? null,
      }),
  });
  standIn.events = [arsenal()];
}

export function arsenal(kickoffMs = START_MS + 2 * HOUR_MS) {
  return footballWinner(
    { league: 'EPL', match: '26NOV21ARSCHE', kickoffMs, home: 'Arsenal', away: 'Chelsea' },
    [0.5, 0.28, 0.25],
  );
}

export async function close(): Promise<void> {
  await run[Symbol.asyncDispose]();
  standIn[Symbol.dispose]();
}

/** The quotes of a fixture on the slate: prices and status by market and line. */
export function quotes(event = EVENT, sport = 0): Record<string, string> {
  return run.quotes(event, sport);
}

/** How often something was counted. */
export function counted(what: string): number {
  return run.poller.status().counts.get(what as never) ?? 0;
}
