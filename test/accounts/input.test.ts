// The expiry time of a key, as text.

import { expect, test } from 'bun:test';
import { toExpiry } from '../../src/accounts/input.ts';
import { ValidationError } from '../../src/errors.ts';

const NOW_MS = Date.parse('2026-03-04T10:00:00Z');

test('a future instant in any time zone is accepted; a past one, an invalid instant or an impossible date is refused', () => {
  expect(toExpiry(null, NOW_MS)).toBeNull();
  for (const text of ['2026-03-04T10:00:00.001Z', '2028-02-29T23:59:59-05:00', '2027-01-01']) {
    expect(toExpiry(text, NOW_MS)).toBe(Date.parse(text));
  }
  for (const text of ['2026-03-04T10:00:00Z', '2025-01-01', 'soon', '2027-02-30T00:00:00Z', '2027-02-29']) {
    expect(() => toExpiry(text, NOW_MS)).toThrow(ValidationError);
  }
  // Date.parse accepts these, in the machine's time zone or as another day.
  for (const text of [
    'March 1 2027',
    '2027-01-01T00:00:00',
    '1 January 2027 10:00 UTC',
    '2027-01-01T24:00:00Z',
    '2027',
  ]) {
    expect(() => toExpiry(text, NOW_MS)).toThrow(ValidationError);
  }
});
