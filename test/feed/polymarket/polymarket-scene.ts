// A test's Polymarket: a stand-in for the upstream, and its source on a simulated clock. Its sockets run in
// real time, so a test waits for their messages.

import { HOUR_MS, systemClock } from '../../../src/clock.ts';
import { Random } from '../../../src/domain/random.ts';
import { SportChoice } from '../../../src/feed/poll/sport-choice.ts';
import { polymarket } from '../../../src/feed/polymarket/client.ts';
import { createLog } from '../../../src/log.ts';
import { PollRun } from '../poll/poll-run.ts';
import { footballGame, type GameSpec, PolymarketStandIn } from './stand-in.ts';

export const START_MS = Date.parse('2026-11-21T13:00:00.000Z');
export const SLUG = 'epl-ars-che-2026-11-21';
export const EVENT = `polymarket-${SLUG}`;

/** The parts of the running test: `open` makes them and `close` ends them. */
export let standIn: PolymarketStandIn;
export let run: PollRun;
const logged: string[] = [];

/** @param haste how much faster the clock of the sockets runs than a real one */
export function open({
  sports = ['football:epl'],
  leastStake = 10,
  events = arsenal(),
  haste = 1,
} = {}): void {
  standIn = new PolymarketStandIn(() => run?.nowMs ?? START_MS);
  standIn.events = events;
  run = new PollRun({
    startMs: START_MS,
    source: (clock) =>
      polymarket({
        baseUrl: standIn.url,
        clobUrl: standIn.url,
        socketUrl: standIn.socketUrl,
        scoreUrl: standIn.scoreUrl,
        sports: new SportChoice(sports),
        // A bookmaker of the built-in roster, which the tests use.
        bookmaker: 'crown',
        feeRate: null,
        leastStake,
        // Hours of polling pass in a moment, but the silence of the sockets is measured in real time.
        clock: { wallMs: () => clock.wallMs(), monotonicMs: () => haste * systemClock.monotonicMs() },
        log: createLog({ clock, json: true, level: 'debug', write: (line) => logged.push(line) }),
        random: new Random(1),
        retryPace: { firstMs: 20, longestMs: 20 },
      }),
  });
}

export function arsenal(kickoffMs = START_MS + 2 * HOUR_MS, slug = SLUG): GameSpec[] {
  return footballGame({ slug, kickoffMs, home: 'Arsenal FC', away: 'Chelsea FC' }, [0.5, 0.28, 0.25]);
}

export async function close(): Promise<void> {
  await run[Symbol.asyncDispose]();
  standIn[Symbol.dispose]();
}

/** The quotes of a fixture on the slate: prices and status by market and line. */
export function quotes(event = EVENT, sport = 0): Record<string, string> {
  const shown = Object.entries(run.quotes(event, sport));
  return Object.fromEntries(
    shown.map(([key, text]) => [key.replace('crown|', '').replace('|full_time', ''), text]),
  );
}

/** One dollar for the price and the fee. */
export function net(price: number, rate = 0.05): number {
  return Math.round(10_000 / (price + rate * price * (1 - price))) / 10_000;
}
