import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { takeZone } from '../../../src/names/question/zone-words.ts';

describe('takeZone', () => {
  test.each([
    'arsenal half time score',
    'roma full time',
    'what time is the game in london',
    'Real time odds',
  ])('leaves %p as it is', (text) => {
    expect(takeZone(text)).toEqual({ rest: text, timezone: null });
  });

  test('a place that names where a match is played, or that is a club, stays in the question', () => {
    for (const text of ['what time do barcelona play in madrid', 'when does arsenal play in london'])
      expect(takeZone(text).timezone).toBeNull();
  });

  test('a club’s city names the time zone if the call gives a zone', () => {
    const text = 'what time do barcelona play in madrid';
    expect(takeZone(text, 'Europe/Madrid').timezone).toBe('Europe/Madrid');
    expect(takeZone(text, 'Europe/Madrid').rest.trim()).toBe('what time do barcelona play in');
    expect(takeZone(text, 'Europe/London').timezone).toBeNull();
  });

  test('at most one part of any text is taken out, and only if it names a zone that exists', () => {
    const words = fc.constantFrom(
      'arsenal',
      'time',
      'in',
      'new',
      'york',
      'rome',
      'kick',
      'off',
      'at',
      '?',
      'ß',
      '🙂',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
        const text = parts.join(' ');
        const { rest, timezone } = takeZone(text);
        if (timezone === null) expect(rest).toBe(text);
        else {
          expect(Intl.supportedValuesOf('timeZone')).toContain(timezone);
          expect(rest.trim()).not.toBe('');
        }
      }),
    );
  });
});
