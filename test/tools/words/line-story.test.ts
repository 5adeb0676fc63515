// The sentence of line_history names the close of a match that is over. It says "now" only of prices that are
// still in force.

import { expect, test } from 'bun:test';
import type { EventHistory } from '../../../src/contract/history.ts';
import { lineStory } from '../../../src/tools/words/line-story.ts';

const LINE = {
  bookmaker: 'crown',
  market_type: 'totals',
  period: 'full_time',
  handicap_components: null,
} as const;

function historyOf(overs: readonly number[]): EventHistory {
  const ticks = overs.map((over, index) => ({
    ...{ at: `2026-03-0${index + 1}T12:00:00.000Z`, status: 'open' as const },
    ...{ prices: { over, under: 1.9 }, in_play: false, score: null },
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
  const sentence = lineStory({ label: 'One vs Two', asked: ASKED, ...how }, historyOf([1.95, 1.85, 1.7]));
  expect(sentence).toBe(`One vs Two, full-time totals: Crown opened 2.5 at 1.95, 2 moves since, ${end}.`);
});

test('without a price, the sentence names the market and line that was searched for', () => {
  const story = { label: 'One vs Two', asked: ASKED, isNow: true, closing: null };
  const none = { ...historyOf([]), series: [] };
  expect(lineStory(story, none)).toBe('One vs Two: no price of the full-time totals at 2.5 is on record.');
});
