import { describe, expect, test } from 'bun:test';
import { KEYLESS, type Principal } from '../../../src/domain/tiers.ts';
import { oddsFilter } from '../../../src/query/odds/odds-filter.ts';
import { quoteWire } from '../../feed/wire.ts';
import { fixtureWire, SHARP, SlateDesk } from '../slate-desk.ts';

describe('OpeningQueries.ofQuotes', () => {
  test('gives the first price of each current quote that the caller may see; a withdrawn line, or one without a first price, is omitted', () => {
    const desk = new SlateDesk();
    desk.snapshot(fixtureWire('e1', '2026-03-01T15:00:00Z'));
    const sharp = { bookmaker: 'pinnacle' };
    desk.send(
      quoteWire(0, 'e1', { prices: [1.9, 2] }),
      quoteWire(0, 'e1', { prices: [1.8, 2.1] }),
      quoteWire(0, 'e1', { ...sharp, prices: [1.95, 1.95] }),
      quoteWire(0, 'e1', { bookmaker: 'macau', prices: [0, 0], status: 'suspended' }),
      quoteWire(0, 'e1', { line: -1, prices: [2.1, 1.8] }),
      { ...quoteWire(0, 'e1', { line: -1 }), type: 'close' },
    );
    const fixture = desk.slate.peek(desk.nowMs)[0]!;
    const shown = (principal: Principal) =>
      desk.openings.ofQuotes(fixture, oddsFilter({}, principal)).opening;
    expect(shown(SHARP)).toMatchObject([
      {
        bookmaker: 'crown',
        line: -0.75,
        prices: { home: 1.9, away: 2 },
        opened_at: '2026-03-01T12:00:00.000Z',
      },
      { bookmaker: 'pinnacle', line: -0.75, prices: { home: 1.95, away: 1.95 } },
    ]);
    expect(shown(KEYLESS).map(({ bookmaker }) => bookmaker)).toEqual(['crown']);
  });

  test('source is upstream if the feed sent every opening in the answer, otherwise first_seen', () => {
    const desk = new SlateDesk();
    desk.snapshot(fixtureWire('e1', '2026-03-01T15:00:00Z'));
    const sent = { opening: [1.7, 2.3], opened_at: '2026-02-01T00:00:00Z' };
    desk.send(quoteWire(0, 'e1', sent));
    const source = () => {
      const fixture = desk.slate.peek(desk.nowMs)[0]!;
      return desk.openings.ofQuotes(fixture, oddsFilter({}, SHARP)).source;
    };
    expect(source()).toBe('upstream');
    desk.send(quoteWire(0, 'e1', { bookmaker: 'sbobet' }));
    expect(source()).toBe('first_seen');
  });
});
