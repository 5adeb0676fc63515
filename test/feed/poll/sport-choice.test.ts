// The sports and leagues that a setting names.

import { describe, expect, test } from 'bun:test';
import { SportChoice } from '../../../src/feed/poll/sport-choice.ts';

describe('SportChoice', () => {
  test('SportChoice wants whole sports, and leagues by name or id', () => {
    const choice = new SportChoice(['football:39', 'football:La Liga', 'basketball']);
    expect(choice.wants('football', { id: '39', name: 'Premier League' })).toBe(true);
    expect(choice.wants('football', { id: '140', name: 'la liga' })).toBe(true);
    expect(choice.wants('football', { id: '1', name: 'Other' })).toBe(false);
    expect(choice.wants('basketball', { id: '1', name: 'Any' })).toBe(true);
    expect(new SportChoice(['football', 'football:39']).wants('football', { id: '1', name: 'x' })).toBe(true);
    expect(() => new SportChoice(['tennis'])).toThrow(RangeError);
  });
});
