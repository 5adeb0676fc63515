import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { allConfirmedAt } from '../../src/domain/signal-gate.ts';
import { type KeptScore, ScoreCache } from '../../src/scoring/score-cache.ts';

function scoreOf(eventNumber: number, version: number): KeptScore {
  const score = {
    eventNumber,
    version,
    validUntilMs: 1,
    awaitedMask: 0,
    bookCount: 0,
    fairLineCount: 0,
    valueCount: 0,
    bestValue: null,
    arbCount: 0,
    bestArb: null,
    droppedValueCount: 0,
    droppedArbCount: 0,
    leftOut: {
      stale: 0,
      suspended: 0,
      period_over: 0,
      not_started_late: 0,
      finished: 0,
      single_book: 0,
      no_sharp: 0,
      no_reference: 0,
    },
  };
  return { score, confirmedAtMs: allConfirmedAt(0) };
}

describe('ScoreCache', () => {
  test('keeps the newest version of an event, in whatever order versions come', () => {
    const cache = new ScoreCache(10);
    cache.put('a', scoreOf(7, 2));
    cache.put('a', scoreOf(7, 1));
    expect(cache.scoresOf('a').get(7)?.score.version).toBe(2);
    cache.put('a', scoreOf(7, 3));
    expect(cache.scoresOf('a').get(7)?.score.version).toBe(3);
    expect(cache.count).toBe(1);
  });

  test('drops the least recently used criteria when it is full', () => {
    const cache = new ScoreCache(4);
    for (const key of ['a', 'b']) for (const event of [1, 2]) cache.put(key, scoreOf(event, 1));
    cache.scoresOf('a');
    cache.put('c', scoreOf(1, 1));
    expect(cache.scoresOf('a').size).toBe(2);
    expect(cache.scoresOf('b').size).toBe(0);
    expect(cache.scoresOf('c').size).toBe(1);
  });

  test('criteria that are only looked up do not push out criteria with scores', () => {
    const cache = new ScoreCache(1);
    cache.put('a', scoreOf(1, 1));
    for (let minEdge = 0; minEdge < 1_000; minEdge++) expect(cache.scoresOf(`0|${minEdge}`).size).toBe(0);
    expect(cache.scoresOf('a').size).toBe(1);
    // If criteria without scores were stored, the oldest criteria could be such ones, and dropping them would
    // free no space.
    cache.put('b', scoreOf(1, 1));
    expect(cache.count).toBe(1);
    expect(cache.scoresOf('b').size).toBe(1);
  });

  test('counts what it holds and never holds more than its limit', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      event: fc.integer({ min: 1, max: 9 }),
      version: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 12 }), (steps, scoresMax) => {
        const cache = new ScoreCache(scoresMax);
        for (const { key, event, version } of steps) {
          cache.put(key, scoreOf(event, version));
          expect(cache.scoresOf(key).has(event)).toBe(true);
          expect(cache.count).toBeLessThanOrEqual(scoresMax);
        }
        const held = ['a', 'b', 'c', 'd'].reduce((sum, key) => sum + cache.scoresOf(key).size, 0);
        expect(held).toBe(cache.count);
      }),
    );
  });
});
