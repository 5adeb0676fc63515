// How candidates lead to one answer, a question, or no answer.

import { describe, expect, test } from 'bun:test';
import { ALTERNATIVES_MAX, confidenceOf, decide } from '../../src/names/resolution.ts';

describe('decide', () => {
  test.each([
    [[], 'not_found'],
    [[0.1], 'not_found'],
    [[0.5], 'ambiguous'],
    [[2.9], 'ambiguous'],
    [[3.3], 'matched'],
    [[5, 4.6], 'ambiguous'],
    [[5, 4.5], 'matched'],
    [[1, 1], 'ambiguous'],
    [[0.6, 0.6], 'ambiguous'],
  ])('candidates with the strengths %p lead to %p', (strengths, status) => {
    const candidates = strengths.map((strength) => ({
      strength,
      confidence: confidenceOf(strength, 'alone'),
    }));
    const { status: decided, best, alternatives } = decide(candidates);
    expect(decided).toBe(status as ReturnType<typeof decide>['status']);
    if (decided !== 'matched')
      for (const each of [best, ...alternatives]) expect(each?.confidence ?? 0).toBeLessThan(0.9);
  });

  test.each([
    ['matched', { strength: 9, confidence: 1 }],
    ['ambiguous', { strength: 9, confidence: 0.5 }],
    ['not_found', { strength: 9, confidence: 0.5, isOther: true }],
  ])(
    'a resolution that is %s offers the surest alternatives, and no more than the limit',
    (status, first) => {
      const others = Array.from({ length: 10 }, (_, index) => ({ strength: 8 - index, confidence: 0.1 }));
      const decided = decide([first, ...others]);
      expect(decided.status).toBe(status as ReturnType<typeof decide>['status']);
      const strengths = decided.alternatives.map(({ strength }) => strength);
      const expected = [...(decided.best === null ? [first.strength] : []), 8, 7, 6, 5, 4];
      expect(strengths).toEqual(expected.slice(0, ALTERNATIVES_MAX));
    },
  );
});
