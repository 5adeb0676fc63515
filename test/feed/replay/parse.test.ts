// How the time of a recording maps to the present, in every message.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { mapTime, retime, unmapTime } from '../../../src/feed/replay/parse.ts';
import { eventWire, quoteWire, wireTime } from '../wire.ts';

const HELLO_MS = Date.UTC(2022, 3, 10, 12);

const START_MS = Date.UTC(2026, 2, 1, 12);

/** The recorded time that is this many seconds after the hello. */
function at(seconds: number): { at: string } {
  return { at: wireTime(HELLO_MS + seconds * 1_000) };
}

describe('mapTime', () => {
  const speed = fc.constantFrom(0.01, 0.5, 1, 60, 10_000);
  const offset = fc.integer({ min: -1e9, max: 1e9 });

  test('hello is mapped to the start, times before it keep their pace, and later ones run `speed` times as fast', () => {
    fc.assert(
      fc.property(speed, offset, (speed, offsetMs) => {
        const map = { helloAtMs: HELLO_MS, startMs: START_MS, speed };
        const expectedMs = offsetMs <= 0 ? offsetMs : offsetMs / speed;
        expect(mapTime(map, HELLO_MS + offsetMs) - START_MS).toBeCloseTo(expectedMs, 2);
        // A double holds today's milliseconds to within 2^-12, and mapping back multiplies that error by the
        // speed.
        const offMs = unmapTime(map, mapTime(map, HELLO_MS + offsetMs)) - (HELLO_MS + offsetMs);
        expect(Math.abs(offMs)).toBeLessThan(0.001 * Math.max(1, speed));
      }),
    );
  });

  test('retime moves every time a message carries, and nothing else', () => {
    const map = { helloAtMs: HELLO_MS, startMs: START_MS, speed: 60 };
    const quote = quoteWire(3, 'e1', {
      ...at(-10),
      opened_at: wireTime(HELLO_MS - 60_000),
      extra: wireTime(0),
    });
    expect(retime(quote, map)).toEqual({
      ...quote,
      at: wireTime(START_MS - 10_000),
      opened_at: wireTime(START_MS - 60_000),
    });
    expect(retime(eventWire(1, 'e1', { scheduled_at: at(3_600).at }), map).scheduled_at).toBe(
      wireTime(START_MS + 60_000),
    );
  });

  test('retime leaves values that are not times, and never throws on a time beyond the calendar', () => {
    const map = { helloAtMs: HELLO_MS, startMs: START_MS, speed: 0.01 };
    for (const wrong of ['March 7 2026', '2026-02-30T00:00:00Z', '2026-03-01T12:00:00', 7, null]) {
      expect(retime({ at: wrong }, map)).toEqual({ at: wrong });
    }
    expect(retime({ scheduled_at: '9999-12-31T00:00:00Z' }, map).scheduled_at).toBe('beyond the calendar');
  });
});
