// The sentence of line_history names the closing price of a match that is over. It uses "now" only for prices
// that are still valid.

import { expect, test } from 'bun:test';
import type { EventHistory } from '../../../src/contract/history.ts';
import { lineStory } from '../../../src/tools/words/line-story.ts';

const LINE = {
  bookmaker: 'crown',
  market_type: 'totals',
  period: 'full_time',
  handicap_components: null,
} as const;

function historyOf(overs: readonly number[], playFrom = overs.length): EventHistory {
  const ticks = overs.map((over, index) => ({
    ...{ at: `2026-03-0${index + 1}T12:00:00.000Z`, status: 'open' as const },
    ...{ prices: { over, under: 1.9 }, in_play: index >= playFrom, score: null },
  }));
  return {
    ...{
      event_id: 'evt_1',
      from: '',
      to: '',
      resolution: 'tick',
      gaps: [],
      next_cursor: null,
      states: [],
      states_from: '',
    },
    series: [{ ...LINE, line: 2.5, format: 'decimal', ticks }],
  };
}

const ASKED = { market: 'totals', period: 'full_time', line: 2.5 } as const;
const CLOSE = { ...LINE, line: 2.5, format: 'decimal', prices: { over: 1.85, under: 1.95 } } as const;
const STAMPS = { closed_at: '2026-03-02T12:00:00.000Z', confirmed_at: '2026-03-02T12:00:00.000Z' };

test.each([
  [{ isNow: true, closing: null }, '1.7 now (high 1.95, low 1.7)'],
  [{ isNow: false, closing: null }, '1.7 at the last change (high 1.95, low 1.7)'],
  [{ isNow: false, closing: [{ ...CLOSE, ...STAMPS }] }, 'closed 2.5 at 1.85 (high 1.95, low 1.7)'],
  [
    { isNow: false, closing: [{ ...CLOSE, ...STAMPS, bookmaker: 'sbobet' as const }] },
    '1.7 at the last change (high 1.95, low 1.7)',
  ],
])('%j ends in "%s"', (how, end) => {
  const sentence = lineStory(
    { label: 'One vs Two', timezone: null, asked: ASKED, others: [], stood: [], ...how },
    historyOf([1.95, 1.85, 1.7]),
  );
  expect(sentence).toBe(`One vs Two, full-time totals: Crown opened 2.5 at 1.95, 2 moves since, ${end}.`);
});

test('the sentence about a line’s way to its close leaves out prices in play', () => {
  const story = { label: 'One vs Two', timezone: null, asked: ASKED, isNow: false, others: [], stood: [] };
  const opened = 'One vs Two, full-time totals: Crown opened 2.5 at';
  const history = historyOf([1.95, 1.85, 3.1, 21], 2);
  const closed = lineStory({ ...story, closing: [{ ...CLOSE, ...STAMPS }] }, history);
  expect(closed).toBe(`${opened} 1.95, 1 move since, closed 2.5 at 1.85 (high 1.95, low 1.85).`);
  const open = lineStory({ ...story, closing: null }, history);
  expect(open).toBe(`${opened} 1.95, 3 moves since, 21 at the last change (high 21, low 1.85).`);
});

test.each([
  ['a match that is over', [1.85], false, ''],
  ['a match in play whose price is still the close', [1.85], true, ''],
  ['a match in play whose price has moved', [1.85, 3.1, 4.2], true, ', now 2.5 at 4.2'],
  ['a match that is over, with prices in play', [1.85, 3.1, 4.2], false, ''],
] as const)(
  'the sentence about a line without a move before play names its closing price: %s',
  (_, overs, isNow, end) => {
    const story = { label: 'One vs Two', timezone: null, asked: ASKED, isNow, others: [], stood: [] };
    const sentence = lineStory({ ...story, closing: [{ ...CLOSE, ...STAMPS }] }, historyOf(overs, 1));
    const began = 'One vs Two, full-time totals: Crown opened 2.5 at 1.85';
    expect(sentence).toBe(`${began}, and closed there without a move${end}.`);
  },
);

test('without a price the sentence names the requested market and line, and the markets that are on record', () => {
  const story = {
    label: 'One vs Two',
    timezone: null,
    asked: ASKED,
    isNow: true,
    closing: null,
    others: [],
    stood: [],
  };
  const none = { ...historyOf([]), series: [] };
  expect(lineStory(story, none)).toBe('One vs Two: no price of the full-time totals at 2.5 is on record.');
  const others = (['1x2', '1x2', 'asian_handicap'] as const).map((market_type) => ({
    ...{ market_type, period: 'full_time' as const, line: null },
  }));
  expect(lineStory({ ...story, others }, none)).toEndWith(
    '; on record are full-time 1x2 and full-time Asian handicap.',
  );
  const lines = [9, 3, 3.5, 3, 2, 4, 5, 6, 7, 8].map((line) => ({
    ...{ market_type: 'totals' as const, period: 'full_time' as const, line },
  }));
  const asked = { ...ASKED, bookmakers: ['crown', 'sbobet'] as const };
  expect(lineStory({ ...story, asked, others: [...others, ...lines] }, none)).toEndWith(
    'totals at 2.5 by Crown or Sbobet is on record; on record are the lines 2, 3, 3.5, 4, 5, 6, 7 and 8.',
  );
});

test.each([
  ['2026-03-07T01:00:00Z', null, 'early on Saturday UTC'],
  ['2026-03-07T01:00:00Z', 'America/New_York', 'on Friday evening'],
  // The clocks of New York go forward at 07:00Z of this day.
  ['2026-03-08T06:30:00Z', 'America/New_York', 'early on Sunday'],
  ['2026-03-08T10:30:00Z', 'America/New_York', 'on Sunday morning'],
  ['2026-03-08T10:30:00Z', 'UTC', 'on Sunday morning'],
])('a line that moved at %s, in the zone %p, moved "%s"', (at, timezone, words) => {
  const history = historyOf([1.95]);
  const [first] = history.series;
  const moved = { ...first!.ticks[0]!, at, prices: { over: 1.9, under: 1.9 } };
  const series = [first!, { ...first!, line: 3, ticks: [moved] }];
  const story = {
    label: 'One vs Two',
    timezone,
    asked: ASKED,
    isNow: true,
    closing: null,
    others: [],
    stood: [],
  };
  expect(lineStory(story, { ...history, series })).toContain(`, moved to 3 ${words} (1 move), `);
});
