// Which single messages the slate accepts and refuses, and what full tables do.

import { describe, expect, test } from 'bun:test';
import { FEED_AHEAD_MS_MAX } from '../../src/limits.ts';
import { eventWire, quoteWire, removeWire, resultWire, stateWire, wireTime } from '../feed/wire.ts';
import { deskWithFixture, ROOMY } from './ingest-desk.ts';

describe('refusals', () => {
  test('a time far ahead of our clock is refused, because its line could not change until then', () => {
    const { desk, next } = deskWithFixture();
    const ahead = (ms: number) => wireTime(desk.nowMs + ms);
    desk.send(quoteWire(next(), 'e1', { at: ahead(FEED_AHEAD_MS_MAX + 1), prices: [1.1, 9] }));
    expect(desk.reader.counters().rejected_future_time).toBe(1);
    desk.send(quoteWire(next(), 'e1', { at: ahead(FEED_AHEAD_MS_MAX), prices: [1.9, 2] }));
    expect(Object.values(desk.slate(['e1']).e1!.quotes)).toMatchObject([{ pricesE4: [19_000, 20_000, 0] }]);
    expect(desk.reader.counters()).toMatchObject({ rejected_future_time: 1, gaps: 0 });
  });

  test('a time slightly ahead of our clock is replaced by the time of arrival, so no stamp is later than its arrival', () => {
    const { desk, next } = deskWithFixture();
    desk.send(quoteWire(next(), 'e1', { at: wireTime(desk.nowMs + 3_000), prices: [1.9, 2] }));
    expect(Object.values(desk.slate(['e1']).e1!.quotes)).toMatchObject([{ atMs: desk.nowMs }]);
    desk.send(stateWire(next(), 'e1', { at: wireTime(desk.nowMs + 3_000) }));
    expect(desk.slate(['e1']).e1!.lastMessageAtMs).toBe(desk.nowMs);
    desk.send({ type: 'heartbeat', seq: next(), at: wireTime(desk.nowMs + 3_000) });
    expect(desk.reader.feed().heartbeatAtMs).toBe(desk.nowMs);
    desk.mark({ mark: 'alive', atMs: desk.nowMs + 3_000 });
    expect(desk.reader.feed().heartbeatAtMs).toBe(desk.nowMs);
  });

  test('the sport decides the number of outcomes of a 1x2: two in basketball, three in football', () => {
    const { desk, next } = deskWithFixture();
    desk.send(eventWire(next(), 'b1', { sport: 'basketball' }));
    const winner = { market_type: '1x2', line: null };
    desk.send(quoteWire(next(), 'b1', { ...winner, prices: [1.5, 2.5] }));
    desk.send(quoteWire(next(), 'b1', { ...winner, prices: [1.5, 2.5, 3] }));
    desk.send(quoteWire(next(), 'e1', { ...winner, prices: [1.5, 2.5] }));
    desk.send(quoteWire(next(), 'e1', { ...winner, prices: [2, 3, 4], opening: [2, 3] }));
    expect(desk.reader.counters()).toMatchObject({ rejected_bad_outcomes: 3, quotes_applied: 1 });
    const quote = desk.slate(['b1'], 1).b1!.quotes['crown|1x2|full_time|'];
    expect(quote?.pricesE4).toEqual([15_000, 25_000, 0]);
  });

  test('every message about an event without an event message is refused as unknown_event', () => {
    const { desk, next } = deskWithFixture();
    const wires = [stateWire, quoteWire, removeWire, resultWire].map((wire) => wire(next(), 'nobody'));
    desk.send(...wires, { ...quoteWire(next(), 'nobody'), type: 'close' });
    expect(desk.reader.counters().rejected_unknown_event).toBe(5);
  });

  test('an event cannot change its sport', () => {
    const { desk, next } = deskWithFixture();
    desk.send(eventWire(next(), 'e1', { sport: 'basketball' }));
    expect(desk.reader.counters().rejected_bad_sport).toBe(1);
    expect(desk.fixtureCount).toBe(1);
  });

  test('full tables refuse and count new entries, and keep the earlier ones', () => {
    const { desk, next } = deskWithFixture({
      capacity: { ...ROOMY, fixtures: 2, quotesPerFixture: 2, openingsPerFixture: 1 },
    });
    desk.send(eventWire(next(), 'e2'), eventWire(next(), 'e3'));
    const bookmakers = ['crown', 'sbobet', 'macau'];
    desk.send(...bookmakers.map((bookmaker) => quoteWire(next(), 'e1', { bookmaker })));
    expect(desk.reader.counters()).toMatchObject({
      rejected_fixture_table_full: 1,
      rejected_quote_table_full: 1,
      rejected_opening_table_full: 1,
    });
    expect(Object.keys(desk.slate(['e1', 'e2', 'e3']))).toEqual(['e1', 'e2']);
    expect(Object.keys(desk.slate(['e1']).e1!.quotes)).toHaveLength(2);
  });

  test('refused fixtures use up no names: after 13,000 refusals a new fixture is accepted once one has left', () => {
    const { desk, next } = deskWithFixture({ capacity: { ...ROOMY, fixtures: 1 } });
    for (let index = 0; index < 13_000; index++) desk.send(eventWire(next(), `refused-${index}`));
    desk.send(removeWire(next()), eventWire(next(), 'e2'));
    expect(Object.keys(desk.slate(['e2']))).toEqual(['e2']);
    expect(desk.reader.counters()).toMatchObject({
      rejected_fixture_table_full: 13_000,
      rejected_name_table_full: 0,
    });
  });
});

describe('a slate whose fixtures change for ever', () => {
  test('a fixture frees its table entries when it leaves: 37,000 fixtures of the same clubs can come and go', () => {
    const { desk, next } = deskWithFixture();
    const clubs = { home: { key: 'h', name: 'H' }, away: { key: 'a', name: 'A' } };
    for (let index = 0; index < 37_000; index++) {
      const event = `rolling-${index}`;
      desk.send(eventWire(next(), event, clubs), removeWire(next(), event));
    }
    expect(desk.reader.counters()).toMatchObject({
      rejected_name_table_full: 0,
      rejected_fixture_table_full: 0,
    });
    expect(desk.fixtureCount).toBe(1);
  });
});
