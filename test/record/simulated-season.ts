// A season of the simulated market with few prices per match. Its bookmakers react to three pieces of news
// before each match and set a last price before kickoff. The match then follows its script. The truth is
// known: both sides score at the fixture's own rates.

import { MINUTE_MS } from '../../src/clock.ts';
import { PERIOD_FULL_TIME, PERIOD_HALF_TIME } from '../../src/domain/catalogue.ts';
import { encodeId, entityNumber } from '../../src/domain/ids.ts';
import { FixtureBooks } from '../../src/feed/simulator/fixture-books.ts';
import { FootballModel } from '../../src/feed/simulator/football/football-prices.ts';
import { FIRST_HALF_SHARE } from '../../src/feed/simulator/football/football-script.ts';
import { nextNewsMs } from '../../src/feed/simulator/market-news.ts';
import { MatchPlay } from '../../src/feed/simulator/match-play.ts';
import { STEP_HALF, STEP_SECOND_HALF, STEP_STOP } from '../../src/feed/simulator/match-script.ts';
import { Schedule, type ScheduledFixture } from '../../src/feed/simulator/schedule.ts';
import { WireWriter } from '../../src/feed/simulator/wire.ts';
import type { PastBatch } from '../../src/record/past-play.ts';

const FIRST_DAY_MS = Date.UTC(2026, 2, 7);
const NEWS_BEFORE_MS = [150, 100, 50].map((minutes) => minutes * MINUTE_MS);

type Wire = Readonly<Record<string, unknown>>;

export interface Season {
  readonly batches: readonly PastBatch[];
  /** Expected goals of the home and the away side, for the match and for its first half, by event id. */
  readonly rates: ReadonlyMap<string, readonly (readonly [number, number])[]>;
}

/** @param stubborn a bookmaker whose prices of the first outcome are always 10 % too high */
export function simulatedSeason(seed: number, matches: number, stubborn: string | null = null): Season {
  const timed: { atMs: number; wire: Wire }[] = [];
  const schedule = new Schedule({ seed, sport: 0, fixtures: 60 });
  const fixtures = schedule.kickingOff(FIRST_DAY_MS, FIRST_DAY_MS + 30 * 86_400_000).slice(0, matches);
  for (const fixture of fixtures) {
    playMatch(fixture, (atMs, wire) => {
      const isOff = wire.type === 'quote' && wire.bookmaker === stubborn;
      timed.push({ atMs, wire: isOff ? tooHigh(wire) : wire });
    });
  }
  timed.sort((one, other) => one.atMs - other.atMs);
  const hello = { type: 'hello', protocol: 1, source: 'season', at: new Date(FIRST_DAY_MS).toISOString() };
  const batches = [
    ...Map.groupBy(
      timed.map((entry, index) => ({ ...entry, index })),
      ({ atMs }) => atMs,
    ),
  ].map(([atMs, entries]) => ({
    atMs,
    messages: entries.map(({ wire, index }) => ({ ...wire, seq: index + 1 })),
  }));
  const rates = fixtures.map(({ key, rates: { home, away } }) => {
    const half = FIRST_HALF_SHARE;
    return [
      encodeId('event', entityNumber('event', 0, key)),
      [
        [home, away],
        [home * half, away * half],
      ],
    ] as const;
  });
  return { batches: [{ atMs: FIRST_DAY_MS, messages: [hello] }, ...batches], rates: new Map(rates) };
}

function tooHigh(wire: Wire): Wire {
  const [first, ...others] = wire.prices as readonly number[];
  return { ...wire, prices: [Math.round(first! * 110) / 100, ...others] };
}

function playMatch(fixture: ScheduledFixture, emit: (atMs: number, wire: Wire) => void): void {
  let nowMs = 0;
  const writer = new WireWriter((wire) => emit(nowMs, wire));
  const at = (atMs: number): void => {
    nowMs = atMs;
    writer.setTime(atMs);
  };
  const play = new MatchPlay(fixture);
  const books = new FixtureBooks(fixture, play, { writer, models: [new FootballModel()], warp: 1 });
  const { kickoffMs, key } = fixture;
  at(kickoffMs - 200 * MINUTE_MS);
  writer.event(fixture);
  books.showAll(nowMs);
  for (const beforeMs of NEWS_BEFORE_MS) {
    const reactions = books.reactions(nextNewsMs(fixture, kickoffMs - beforeMs, 1));
    for (const { board, atMs } of [...reactions].sort((one, other) => one.atMs - other.atMs)) {
      at(atMs);
      books.priceBook(board, atMs);
    }
  }
  at(kickoffMs - 30_000);
  books.priceAll(nowMs);
  while (!play.isOver) {
    const { kind, atMs } = play.forward();
    at(atMs);
    const isFirst = atMs === kickoffMs;
    if (isFirst) for (const period of [PERIOD_FULL_TIME, PERIOD_HALF_TIME]) books.withdrawAll(period);
    const matters = [STEP_STOP, STEP_HALF, STEP_SECOND_HALF].includes(kind) || isFirst || play.isOver;
    if (matters) writer.state(key, play.step, { status: play.isOver ? 'finished' : 'live', cards: true });
  }
  writer.result(key, play.step, true);
  at(nowMs + 10 * MINUTE_MS);
  writer.remove(key);
}
