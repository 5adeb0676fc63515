// The status of a match at an instant: each rule alone, and properties that hold for every match at any time.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../../src/clock.ts';
import {
  SPORT_BASKETBALL,
  SPORT_FOOTBALL,
  STATUS_FINISHED,
  STATUS_LIVE,
  STATUS_SCHEDULED,
} from '../../src/domain/catalogue.ts';
import { finishedAtMs, type MatchFacts, statusAt } from '../../src/domain/match-status.ts';

const KICKOFF_MS = Date.UTC(2026, 2, 1, 15);

function match(facts: Partial<MatchFacts> = {}): MatchFacts {
  return {
    sport: SPORT_FOOTBALL,
    feedStatus: STATUS_SCHEDULED,
    feedStatusAtMs: Number.NaN,
    scheduledAtMs: KICKOFF_MS,
    clock: null,
    clockChangedAtMs: Number.NaN,
    openQuoteCount: 5,
    ...facts,
  };
}

describe('statusAt', () => {
  test('scheduled becomes live when the feed reports the match as live, whatever the kickoff', () => {
    expect(statusAt(match({ feedStatus: STATUS_LIVE }), KICKOFF_MS - 60 * MINUTE_MS)).toBe(STATUS_LIVE);
  });

  test('scheduled becomes live when kickoff has passed and the feed sends a clock; neither alone is enough', () => {
    const withClock = match({ clock: '1h 1', clockChangedAtMs: KICKOFF_MS });
    expect(statusAt(withClock, KICKOFF_MS - 1)).toBe(STATUS_SCHEDULED);
    expect(statusAt(withClock, KICKOFF_MS)).toBe(STATUS_LIVE);
    expect(statusAt(match(), KICKOFF_MS + MINUTE_MS)).toBe(STATUS_SCHEDULED);
    expect(statusAt({ ...withClock, scheduledAtMs: Number.NaN }, KICKOFF_MS)).toBe(STATUS_SCHEDULED);
  });

  for (const [sport, minutes] of [
    [SPORT_FOOTBALL, 150],
    [SPORT_BASKETBALL, 210],
  ] as const) {
    test(`sport ${sport}: finished ${minutes} min after kickoff, and not a millisecond before`, () => {
      const live = match({ sport, feedStatus: STATUS_LIVE });
      expect(statusAt(live, KICKOFF_MS + minutes * MINUTE_MS - 1)).toBe(STATUS_LIVE);
      expect(statusAt(live, KICKOFF_MS + minutes * MINUTE_MS)).toBe(STATUS_FINISHED);
    });
  }

  const stopped = match({
    feedStatus: STATUS_LIVE,
    clock: '2h 93',
    clockChangedAtMs: KICKOFF_MS + 110 * MINUTE_MS,
    openQuoteCount: 0,
  });
  const stopMs = stopped.clockChangedAtMs;

  test('early full time: the second-half clock has not moved for 3 min while every quote is suspended', () => {
    expect(statusAt(stopped, stopMs + 3 * MINUTE_MS - 1)).toBe(STATUS_LIVE);
    expect(statusAt(stopped, stopMs + 3 * MINUTE_MS)).toBe(STATUS_FINISHED);
    expect(finishedAtMs(stopped)).toBe(stopMs + 3 * MINUTE_MS);
  });

  for (const [why, facts] of [
    ['one quote is open', { openQuoteCount: 1 }],
    ['it is the first half', { clock: '1h 45' }],
    ['it is half time', { clock: 'HT' }],
    ['there is no clock', { clock: null }],
    ['it is basketball', { sport: SPORT_BASKETBALL }],
  ] as const) {
    test(`no early full time when ${why}`, () => {
      expect(statusAt({ ...stopped, ...facts }, stopMs + 10 * MINUTE_MS)).toBe(STATUS_LIVE);
    });
  }

  test('the second half is recognised however feeds write it', () => {
    for (const clock of ['2h 67', "2H 90+3'", ' 2nd half', '2ND 50:12']) {
      expect(statusAt({ ...stopped, clock }, stopMs + 3 * MINUTE_MS)).toBe(STATUS_FINISHED);
    }
  });

  test('a match that the feed calls finished is finished, even while its clock is ahead of ours', () => {
    const finished = match({ feedStatus: STATUS_FINISHED, feedStatusAtMs: KICKOFF_MS });
    expect(statusAt(finished, KICKOFF_MS - 5_000)).toBe(STATUS_FINISHED);
    expect(finishedAtMs(finished)).toBe(KICKOFF_MS);
  });

  const anyMatch: fc.Arbitrary<MatchFacts> = fc.record({
    sport: fc.constantFrom(SPORT_FOOTBALL, SPORT_BASKETBALL),
    feedStatus: fc.constantFrom(STATUS_SCHEDULED, STATUS_LIVE, STATUS_FINISHED),
    feedStatusAtMs: fc.constantFrom(KICKOFF_MS, KICKOFF_MS + 30 * MINUTE_MS),
    scheduledAtMs: fc.constantFrom(Number.NaN, KICKOFF_MS),
    clock: fc.constantFrom(null, '1h 5', 'HT', '2h 80'),
    clockChangedAtMs: fc.constantFrom(KICKOFF_MS, KICKOFF_MS + 80 * MINUTE_MS),
    openQuoteCount: fc.nat(2),
  });
  const anyTime = fc.integer({ min: -300, max: 600 }).map((minutes) => KICKOFF_MS + minutes * MINUTE_MS);

  test('as time passes without a new message, a match only moves on: scheduled, live, finished', () => {
    fc.assert(
      fc.property(anyMatch, anyTime, anyTime, (facts, one, other) => {
        const [earlier, later] = one < other ? [one, other] : [other, one];
        expect(statusAt(facts, later)).toBeGreaterThanOrEqual(statusAt(facts, earlier));
      }),
    );
  });

  test('a match is finished from finishedAtMs on, and before that only if the feed reports it as finished', () => {
    fc.assert(
      fc.property(anyMatch, anyTime, (facts, nowMs) => {
        const isFinished = statusAt(facts, nowMs) === STATUS_FINISHED;
        expect(isFinished).toBe(facts.feedStatus === STATUS_FINISHED || nowMs >= finishedAtMs(facts));
      }),
    );
  });
});
