import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { serverTiming } from '../../../src/http/kit/headers.ts';

test('Server-Timing is exact to a hundredth of a millisecond for callers who see the sharp bookmaker, and in whole steps of ten milliseconds for others', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 5_000, noNaN: true }), (latencyMs) => {
      expect(serverTiming(latencyMs, true)).toBe(`app;dur=${latencyMs.toFixed(2)}`);
      expect(serverTiming(latencyMs, false)).toBe(
        `app;dur=${Math.floor(latencyMs / 10)}0.00`.replace('=00', '=0'),
      );
    }),
  );
});
