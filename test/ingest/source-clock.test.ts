// A source whose clock differs from ours: a constant difference is measured, reported and subtracted; an
// erratic clock is not corrected.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SourceClock } from '../../src/ingest/source-clock.ts';
import { eventWire, quoteWire, type WireMessage } from '../feed/wire.ts';
import { runService } from '../support/running-service.ts';
import { ScriptedFeed } from '../support/scripted-feed.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 12);
/** A connection that took no time to open. */
const AT_ONCE = { triedMs: NOW_MS, arrivedMs: NOW_MS };

describe('SourceClock', () => {
  test('a constant difference is known from the first message on and stays, whatever older stamps follow', () => {
    const off = fc.oneof(
      fc.integer({ min: 1_500, max: 300_000 }),
      fc.integer({ min: -300_000, max: -1_500 }),
    );
    fc.assert(
      fc.property(off, fc.array(fc.nat(600_000), { maxLength: 30 }), (offMs, ages) => {
        const clock = new SourceClock();
        clock.hello(NOW_MS + offMs, AT_ONCE);
        ages.forEach((ageMs, index) => {
          const nowMs = NOW_MS + index * 5_000;
          clock.message(nowMs + offMs - ageMs, nowMs, false);
          clock.message(nowMs + offMs, nowMs, true);
          expect(clock.aheadMs).toBe(offMs);
        });
      }),
    );
  });

  test('a jump ahead counts after three heartbeats, a corrected clock after a minute, and a single bad stamp never', () => {
    const clock = new SourceClock();
    clock.hello(NOW_MS, AT_ONCE);
    const heartbeat = (second: number, aheadMs: number) => {
      clock.message(NOW_MS + second * 1_000 + aheadMs, NOW_MS + second * 1_000, true);
      return clock.aheadMs;
    };
    expect([heartbeat(1, 9_000), heartbeat(2, 0), heartbeat(3, 0)]).toEqual([0, 0, 0]);
    expect([heartbeat(4, 8_000), heartbeat(5, 8_000), heartbeat(6, 8_000)]).toEqual([0, 0, 8_000]);
    expect([heartbeat(30, 0), heartbeat(60, 0), heartbeat(70, 0)]).toEqual([8_000, 8_000, 0]);
  });

  test('a hello that a busy machine reads late does not change the offset; a hello that was sent before the connection does', () => {
    fc.assert(
      fc.property(
        fc.nat(60_000),
        fc.nat(60_000),
        fc.integer({ min: 1_500, max: 300_000 }),
        (sent, read, behind) => {
          const clock = new SourceClock();
          const tookMs = { triedMs: NOW_MS, arrivedMs: NOW_MS + sent + read };
          clock.hello(NOW_MS + sent, tookMs);
          expect(clock.aheadMs).toBe(0);
          clock.hello(NOW_MS - behind, tookMs);
          expect(clock.aheadMs).toBe(-behind);
        },
      ),
    );
  });

  test('a hello that is older than the messages after it, or from another day, does not change the offset', () => {
    const clock = new SourceClock();
    clock.hello(NOW_MS - 120_000, AT_ONCE);
    clock.message(NOW_MS, NOW_MS, false);
    expect(clock.aheadMs).toBe(0);
    clock.hello(NOW_MS - 86_400_000, AT_ONCE);
    expect(clock.aheadMs).toBe(0);
  });
});

interface Ready {
  readonly sources: readonly {
    readonly state: string;
    readonly reason: string | null;
    readonly clock_ahead_s: number;
  }[];
}

/** A source with one match and one price, whose clock is off. */
function feedOff(offMs: number): ScriptedFeed {
  const at = (): string => new Date(Date.now() + offMs).toISOString();
  const slate = (): WireMessage[] => {
    // The match's stamp is never in the future, so only the stamp of the price shows that the source's clock
    // is ahead.
    const kickoff = new Date(Date.now() + 7_200_000).toISOString();
    const event = eventWire(0, 'e1', {
      at: new Date(Date.now() + Math.min(0, offMs)).toISOString(),
      scheduled_at: kickoff,
    });
    return [event, quoteWire(0, 'e1', { at: at() })];
  };
  return new ScriptedFeed({ at, slate });
}

describe('a service that follows a source', () => {
  for (const offMs of [8_000, -8_000]) {
    test(`a service whose source's clock is ${offMs / 1_000} s off serves all prices, with no stamp in the future, and reports the offset`, async () => {
      await using feed = feedOff(offMs);
      await using service = await runService({ FEED: feed.url });
      const { sources } = await service.get<Ready>('/ready');
      expect(sources[0]).toMatchObject({ state: 'ok', reason: null });
      expect(Math.abs(sources[0]!.clock_ahead_s - offMs / 1_000)).toBeLessThan(1);
      const { odds } = await service.get<{ odds: number }>('/health');
      expect(odds).toBeGreaterThan(0);
      const { data } = await service.get<{ data: { id: string }[] }>('/v1/events');
      const answer = await service.get<{ as_of: string; stale: boolean }>(`/v1/events/${data[0]!.id}/odds`);
      expect(Date.parse(answer.as_of)).toBeLessThanOrEqual(Date.now());
      expect(answer.stale).toBe(false);
    });
  }

  test('a service reports its source as failing if every quote is refused', async () => {
    await using feed = feedOff(900_000);
    await using service = await runService({ FEED: feed.url });
    const { sources } = await service.get<Ready>('/ready');
    expect(sources[0]).toMatchObject({ state: 'failing', reason: 'quotes_refused', clock_ahead_s: 0 });
    expect(await service.get<{ status: string }>('/health')).toMatchObject({ status: 'degraded' });
  });
});
