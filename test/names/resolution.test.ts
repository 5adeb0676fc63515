// How candidates lead to one answer, a question, or no answer.

import { describe, expect, test } from 'bun:test';
import { confidenceOf, decide } from '../../src/names/resolution.ts';

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
  ])('candidates of strengths %p lead to %p', (strengths, status) => {
    const candidates = strengths.map((strength) => ({
      strength,
      confidence: confidenceOf(strength, 'alone'),
    }));
    const { status: decided, best, alternatives } = decide(candidates);
    expect(decided).toBe(status as ReturnType<typeof decide>['status']);
    if (decided !== 'matched')
      for (const each of [best, ...alternatives]) expect(each?.confidence ?? 0).toBeLessThan(0.9);
  });
});
