// The Odds API for a test: a stand-in for the upstream, its adapter on a simulated clock, and builders of
// answers.

import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { theOddsApi } from '../../../src/feed/the-odds-api/client.ts';
import { PollRun } from '../poll/poll-run.ts';
import { OddsApiStandIn, type OddsBookmaker, type OddsFixture } from './stand-in.ts';

export const START_MS = Date.parse('2026-11-02T10:00:00.000Z');
const BOOKMAKERS = new Map([
  ['pinnacle', 'pinnacle'],
  ['matchbook', 'sbobet'],
]);

/** The parts of the current test; `open` makes them and `close` ends them. */
export let standIn: OddsApiStandIn;
export let run: PollRun;

export function open(options: { sports?: string[]; forcedEveryMs?: number | null } = {}): void {
  const { sports = ['soccer_epl'], forcedEveryMs = null } = options;
  standIn = new OddsApiStandIn(() => run?.nowMs ?? START_MS);
  standIn.sports = [...sports];
  run = new PollRun({
    startMs: START_MS,
    forcedEveryMs,
    source: (clock) =>
      theOddsApi({
        baseUrl: standIn.url,
        apiKey: OddsApiStandIn.KEY,
        sports,
        bookmakers: BOOKMAKERS,
        nowMs: () => clock.wallMs(),
      }),
  });
}

/** A source that asks every minute and has read one fixture of one bookmaker. */
export async function openWithOne(): Promise<void> {
  open({ forcedEveryMs: MINUTE_MS });
  standIn.fixtures = [fixture('a', START_MS + 30 * HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])])];
  await run.for(1_000);
}

export async function close(): Promise<void> {
  await run[Symbol.asyncDispose]();
  standIn[Symbol.dispose]();
}

export function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The quotes of a bookmaker: home, draw and away, with a handicap and a total. */
export function book(
  key: string,
  prices: readonly unknown[],
  extra: { line?: number; total?: number } = {},
): OddsBookmaker {
  const [home, draw, away] = prices;
  const last_update = iso(run.nowMs);
  const markets = [
    {
      key: 'h2h',
      last_update,
      // The away side comes first, because the order is not fixed.
      outcomes: [
        { name: 'Fulham', price: away },
        { name: 'Brentford', price: home },
        { name: 'Draw', price: draw },
      ],
    },
  ];
  const { line, total } = extra;
  const spreads = {
    key: 'spreads',
    last_update,
    outcomes: [
      { name: 'Fulham', price: 1.95, point: -(line ?? 0) },
      { name: 'Brentford', price: 1.9, point: line },
    ],
  };
  const totals = {
    key: 'totals',
    last_update,
    outcomes: [
      { name: 'Under', price: 2.02, point: total },
      { name: 'Over', price: 1.84, point: total },
    ],
  };
  return {
    key,
    title: key,
    last_update,
    markets: [...markets, ...(line === undefined ? [] : [spreads]), ...(total === undefined ? [] : [totals])],
  };
}

export function fixture(id: string, kickoffMs: number, bookmakers: OddsBookmaker[]): OddsFixture {
  return {
    id,
    sport_key: 'soccer_epl',
    sport_title: 'EPL',
    commence_time: iso(kickoffMs),
    home_team: 'Brentford',
    away_team: 'Fulham',
    bookmakers,
  };
}

/** A fixture on the slate: prices and status by bookmaker, market, period and line. */
export function quotes(id = 'a'): Record<string, string> {
  return run.quotes(id);
}
