// The table of `overround watch` shows the same main line as the board and compare_lines.

import { expect, test } from 'bun:test';
import type { Event } from '../../src/contract/event.ts';
import type { OddsDeltaState } from '../../src/contract/stream/odds-changes.ts';
import { boardLines } from '../../src/terminal/board.ts';
import type { HeldFixture, HeldQuote } from '../../src/terminal/slate.ts';

const EVENT = {
  scheduled_at: '2026-11-30T15:00:00Z',
  home_team: { name: 'Arsenal' },
  away_team: { name: 'Leeds' },
  league: { name: 'Premier League' },
} as Event;
const STATE = { status: 'scheduled', score: null, clock: null } as OddsDeltaState;

function handicap(line: number, bookmaker: string, [home, away]: readonly [number, number]): HeldQuote {
  const market = { market_type: 'asian_handicap', period: 'full_time', line, bookmaker } as const;
  const prices = { home, away };
  return { ...market, prices, format: 'decimal', status: 'open', moves: {} } as unknown as HeldQuote;
}

/** The cells of the fixture's row. */
function rowOf(quotes: readonly HeldQuote[]): readonly string[] {
  const fixture: HeldFixture = {
    ...{ id: 'ev_1', event: EVENT, state: STATE },
    quotes: new Map(quotes.map((quote, index) => [String(index), quote])),
  };
  const choice = { market: 'asian_handicap', period: 'full_time' } as const;
  const [, row] = boardLines([fixture], choice, { width: null, hasColour: false }, 0);
  return row!.trim().split(/ {2,}/);
}

test('if several lines are equally balanced, the board shows the one nearest zero', () => {
  const quotes = [handicap(-1.5, 'crown', [1.9, 2]), handicap(0.5, 'crown', [2, 1.9])];
  const row = ['30 Nov 15:00', 'Arsenal vs Leeds', 'Premier League', '+0.5', '2', '1.9', '1', '2.6%'];
  expect(rowOf(quotes)).toEqual(row);
  expect(rowOf(quotes.toReversed())).toEqual(row);
});

test('a bookmaker without a price for every outcome does not count when the main line is chosen', () => {
  const quotes = [
    ...[handicap(0.5, 'crown', [2, 0]), handicap(0.5, 'sbobet', [2.1, 1.8])],
    handicap(0, 'crown', [1.95, 1.95]),
  ];
  expect(rowOf(quotes)[3]).toBe('0');
});
