import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  SPORT_BASKETBALL,
  SPORT_FOOTBALL,
  STATUS_LIVE,
  STATUS_SCHEDULED,
} from '../../src/domain/catalogue.ts';
import { endedPeriodsMask, type MatchFacts } from '../../src/domain/match-status.ts';
import {
  allConfirmedAt,
  confirmationsExpireAtMs,
  LIVE_MAX_AGE_MS,
  type SignalMoment,
  signalGate,
  unconfirmedOf,
} from '../../src/domain/signal-gate.ts';

const MINUTE = 60_000;
const WINDOWS = { liveMs: 60_000, prematchMs: 300_000 };
const HALF_TIME_OVER = 0b10;
const ALL_OVER = 0b11;

function factsOf(facts: Partial<MatchFacts>): MatchFacts {
  return {
    sport: SPORT_FOOTBALL,
    feedStatus: STATUS_LIVE,
    feedStatusAtMs: 0,
    scheduledAtMs: 0,
    clock: null,
    clockChangedAtMs: 0,
    openQuoteCount: 1,
    ...facts,
  };
}

describe('endedPeriodsMask', () => {
  test.each([
    ['1h 12', 0],
    ['1h 45', 0],
    ['45+3', 0],
    ["38'", 0],
    ['1st half', 0],
    ['ht', HALF_TIME_OVER],
    ['HT', HALF_TIME_OVER],
    ['half time', HALF_TIME_OVER],
    ['2h 46', HALF_TIME_OVER],
    ['67', HALF_TIME_OVER],
    ['90+4', HALF_TIME_OVER],
    ['et 95', ALL_OVER],
    ['Pens', ALL_OVER],
  ])('reads the football clock %s', (clock, mask) => {
    expect(endedPeriodsMask(factsOf({ clock }), 10 * MINUTE)).toBe(mask);
  });

  test.each([
    ['q1 10:00', 0],
    ['q2 0:03', 0],
    ['ht', HALF_TIME_OVER],
    ['q3 12:00', HALF_TIME_OVER],
    ['ot 4:05', HALF_TIME_OVER],
  ])('reads the basketball clock %s', (clock, mask) => {
    expect(endedPeriodsMask(factsOf({ sport: SPORT_BASKETBALL, clock }), 10 * MINUTE)).toBe(mask);
  });

  test('uses the time since kickoff if no clock shows that the first half continues', () => {
    expect(endedPeriodsMask(factsOf({}), 60 * MINUTE - 1)).toBe(0);
    expect(endedPeriodsMask(factsOf({}), 60 * MINUTE)).toBe(HALF_TIME_OVER);
    expect(endedPeriodsMask(factsOf({ clock: '1h 44' }), 75 * MINUTE)).toBe(0);
    expect(endedPeriodsMask(factsOf({ scheduledAtMs: Number.NaN }), 75 * MINUTE)).toBe(0);
    expect(endedPeriodsMask(factsOf({ sport: SPORT_BASKETBALL }), 90 * MINUTE)).toBe(HALF_TIME_OVER);
    expect(endedPeriodsMask(factsOf({ feedStatus: STATUS_SCHEDULED }), 70 * MINUTE)).toBe(0);
  });
});

describe('signalGate', () => {
  const facts = fc.record({
    feedStatus: fc.integer({ min: 0, max: 2 }),
    scheduledAtMs: fc.integer({ min: -200 * MINUTE, max: 200 * MINUTE }),
    clock: fc.constantFrom(null, '1h 20', 'ht', '2h 60'),
    sport: fc.integer({ min: 0, max: 1 }),
  });
  const maxAge = fc.constantFrom(null, 0, 30_000, 600_000);

  test('the gate and the lifetime of a quote stay the same until the instants that the gate reports', () => {
    fc.assert(
      fc.property(
        facts,
        maxAge,
        fc.integer({ min: 0, max: 400_000 }),
        fc.nat(1_000),
        (match, maxAgeMs, silentMs, share) => {
          const at = (nowMs: number): SignalMoment => ({
            nowMs,
            confirmedAtMs: allConfirmedAt(-silentMs),
            windows: WINDOWS,
          });
          const gate = signalGate(factsOf(match), at(0), maxAgeMs);
          const expireAtMs = confirmationsExpireAtMs(gate, at(0), null, 1);
          const endMs = Math.min(gate.changesAtMs, expireAtMs, 1_000 * MINUTE);
          const laterMs = Math.floor((endMs * share) / 1_001);
          const later = signalGate(factsOf(match), at(laterMs), maxAgeMs);
          expect([later.closedBy, later.endedPeriodMask]).toEqual([gate.closedBy, gate.endedPeriodMask]);
          // A quote that passes now keeps passing for its whole lifetime, to the millisecond.
          const lifeMs = 0 - gate.quoteFromMs[0]!;
          if (laterMs > 0 && laterMs < endMs && silentMs <= gate.windowMs)
            expect(laterMs - later.quoteFromMs[0]!).toBe(lifeMs);
        },
      ),
    );
  });

  test('a quote may be five minutes old in play, and any age before; without a heartbeat, no older than the window', () => {
    const confirmed = { nowMs: MINUTE, confirmedAtMs: allConfirmedAt(MINUTE), windows: WINDOWS };
    const silent = { ...confirmed, confirmedAtMs: allConfirmedAt(-300 * MINUTE) };
    const scheduled = factsOf({ feedStatus: STATUS_SCHEDULED, scheduledAtMs: 60 * MINUTE });
    expect(signalGate(factsOf({}), confirmed, null).quoteFromMs[0]).toBe(MINUTE - LIVE_MAX_AGE_MS);
    expect(signalGate(scheduled, confirmed, null).quoteFromMs[0]).toBe(Number.NEGATIVE_INFINITY);
    expect(signalGate(scheduled, silent, null).quoteFromMs[0]).toBe(MINUTE - WINDOWS.prematchMs);
    expect(signalGate(factsOf({}), silent, null).quoteFromMs[0]).toBe(MINUTE - WINDOWS.liveMs);
    expect(signalGate(scheduled, confirmed, 5_000).quoteFromMs[0]).toBe(MINUTE - 5_000);
    // Time alone no longer changes what silent bookmakers give; their next heartbeat does.
    const [fresh, late] = [confirmed, silent].map((moment) => {
      const gate = signalGate(scheduled, moment, null);
      return [confirmationsExpireAtMs(gate, moment, null, 3), unconfirmedOf(gate, moment, null, 3)];
    });
    expect(fresh).toEqual([MINUTE + WINDOWS.prematchMs + 1, 0]);
    expect(late).toEqual([Number.POSITIVE_INFINITY, 3]);
  });

  test('a heartbeat counts only for the bookmakers of its own source; a fixture may have confirmations of its own', () => {
    const confirmedAtMs = allConfirmedAt(MINUTE).map((atMs, bookmaker) => (bookmaker === 1 ? 0 : atMs));
    const moment = { nowMs: MINUTE + WINDOWS.liveMs, confirmedAtMs, windows: WINDOWS };
    const [others, silent] = [moment.nowMs - LIVE_MAX_AGE_MS, moment.nowMs - WINDOWS.liveMs];
    expect([...signalGate(factsOf({}), moment, null).quoteFromMs.slice(0, 3)]).toEqual([
      others,
      silent,
      others,
    ]);
    const own = allConfirmedAt(0).map((_, bookmaker) => (bookmaker === 1 ? MINUTE : 0));
    expect([...signalGate(factsOf({}), moment, null, own).quoteFromMs.slice(0, 3)]).toEqual([
      others,
      others,
      others,
    ]);
  });
});
