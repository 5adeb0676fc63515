// How old an answer is: steps, windows, and a missing slate.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { encodeId } from '../../../src/domain/ids.ts';
import { staleFromMs } from '../../../src/query/slate/fixture-view.ts';
import { Slate } from '../../../src/query/slate/slate.ts';
import { heartbeatWire, helloWire, quoteWire, stateWire, wireTime } from '../../feed/wire.ts';
import { refusalOf } from '../../support/failure.ts';
import { fixtureWire, SlateDesk, WINDOWS } from '../slate-desk.ts';

const START_MS = Date.UTC(2026, 2, 1, 12);
const LATER = '2026-03-01T15:00:00Z';

function deskWithFixture(): SlateDesk {
  const desk = new SlateDesk();
  desk.snapshot(fixtureWire('e1', LATER), quoteWire(0));
  return desk;
}

/** The only fixture of a desk, `seconds` after the start. */
function fixtureAfter(desk: SlateDesk, seconds: number) {
  return desk.slate.peek(START_MS + seconds * 1_000)[0]!;
}

describe('as_of', () => {
  test('as_of is the last heartbeat rounded down to 10 s, or the last message about the fixture if that is later', () => {
    fc.assert(
      fc.property(fc.nat(1e7), fc.nat(1e7), (messageMs, heartbeatMs) => {
        const desk = new SlateDesk();
        const atMs = START_MS + messageMs;
        desk.snapshot(fixtureWire('e1', LATER, { at: wireTime(atMs) }));
        desk.send(heartbeatWire(0, { at: wireTime(START_MS + heartbeatMs) }));
        const { asOfMs } = fixtureAfter(desk, 0);
        const stepMs = Math.floor((START_MS + heartbeatMs) / 10_000) * 10_000;
        expect(asOfMs).toBe(Math.max(atMs, stepMs));
      }),
      { numRuns: 30 },
    );
  });

  test('as_of has the exact time of a later message about the fixture itself', () => {
    const desk = deskWithFixture();
    desk.send(heartbeatWire(0, { at: wireTime(START_MS + 10_000) }));
    desk.send(quoteWire(0, 'e1', { at: wireTime(START_MS + 12_345) }));
    expect(fixtureAfter(desk, 13).asOfMs).toBe(START_MS + 12_345);
  });
});

describe('stale', () => {
  test('stale becomes true when as_of is older than the window: 300 s before the match, 60 s in play', () => {
    const desk = deskWithFixture();
    expect(fixtureAfter(desk, 300).stale).toBe(false);
    expect(desk.slate.peek(START_MS + 300_001)[0]!.stale).toBe(true);
    desk.send(stateWire(0));
    expect(fixtureAfter(desk, 60).stale).toBe(false);
    expect(desk.slate.peek(START_MS + 60_001)[0]!.stale).toBe(true);
  });

  test('staleFromMs is the first instant at which the fixture is stale', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.boolean(), (asOfMs, isLive) => {
        const fromMs = staleFromMs(asOfMs, isLive, WINDOWS);
        expect(fromMs - 1 - asOfMs).toBe(isLive ? WINDOWS.liveMs : WINDOWS.prematchMs);
      }),
    );
  });

  test('a heartbeat makes a stale fixture fresh again', () => {
    const desk = deskWithFixture();
    desk.send(heartbeatWire(0, { at: wireTime(START_MS + 400_000) }));
    expect(fixtureAfter(desk, 400).stale).toBe(false);
  });
});

describe('Slate.requireReady', () => {
  test('requireReady answers 503 until the first snapshot is complete; even then an id that does not decode is 400', () => {
    const desk = new SlateDesk();
    desk.ingest.send(helloWire());
    desk.send({ type: 'snapshot_begin' }, fixtureWire('e1', LATER));
    const refusal = refusalOf(() => desk.events.list({ limit: 50 }, START_MS));
    expect(refusal).toMatchObject({ code: 'upstream_unavailable', status: 503, retryAfterSeconds: 1 });
    expect(refusalOf(() => desk.events.one('evt_nonsense', START_MS)).code).toBe('invalid_request');
    desk.send({ type: 'snapshot_end' });
    expect(desk.events.list({ limit: 50 }, START_MS).data).toHaveLength(1);
  });

  test('requireReady answers 503 again once the feed has been silent for longer than the pre-match window, and recovers with its next message', () => {
    const desk = deskWithFixture();
    expect(desk.events.list({ limit: 50 }, START_MS + WINDOWS.prematchMs).data).toHaveLength(1);
    const refusal = refusalOf(() => desk.events.list({ limit: 50 }, START_MS + WINDOWS.prematchMs + 1));
    expect(refusal).toMatchObject({ code: 'upstream_unavailable', retryAfterSeconds: 5 });
    desk.ingest.nowMs += WINDOWS.prematchMs + 1;
    desk.ingest.mark({ mark: 'connection', connected: false, triedAtMs: null });
    expect(refusalOf(() => desk.events.live(desk.nowMs)).status).toBe(503);
    desk.send(heartbeatWire(0));
    expect(desk.events.live(desk.nowMs)).toEqual([]);
  });

  test('feed_live is true while the feed is connected and sent a message within the last 30 s', () => {
    const desk = deskWithFixture();
    expect(desk.slate.health(START_MS).feed_live).toBe(false);
    desk.ingest.mark({ mark: 'connection', connected: true, triedAtMs: null });
    expect([30_000, 30_001].map((ms) => desk.slate.health(START_MS + ms).feed_live)).toEqual([true, false]);
    desk.ingest.mark({ mark: 'connection', connected: false, triedAtMs: null });
    expect(desk.slate.health(START_MS).feed_live).toBe(false);
  });

  test('with a freshness window shorter than 30 s, feed_live is false as soon as prices are refused', () => {
    const desk = deskWithFixture();
    desk.ingest.mark({ mark: 'connection', connected: true, triedAtMs: null });
    const slate = new Slate(desk.ingest.reader, { liveMs: 1_000, prematchMs: 5_000 });
    for (const nowMs of [START_MS + 5_000, START_MS + 5_001]) {
      expect(slate.health(nowMs).feed_live).toBe(slate.isReady(nowMs));
    }
  });
});

describe('a fixture that is not on the slate', () => {
  test('a fixture that is not on the slate is refused; the fix names the routes of the past if a history is kept, even if that history lacks the fixture', () => {
    const { ingest } = deskWithFixture();
    const fixOf = (keepsHistory: boolean): string | null =>
      refusalOf(() =>
        new Slate(ingest.reader, WINDOWS, keepsHistory).fixtureById(encodeId('event', 12_345), START_MS),
      ).fix;
    expect(fixOf(true)).toContain('GET /v1/events/{event_id}/history');
    expect(fixOf(false)).not.toContain('history');
  });
});
