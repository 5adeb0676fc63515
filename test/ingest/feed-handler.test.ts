// The rules of the protocol that feed-handler.property.test.ts does not cover: marks, heartbeats, recordings
// and what readers see of a batch.

import { describe, expect, test } from 'bun:test';
import { nextCommonVersion } from '../../src/store/versions.ts';
import {
  eventWire,
  heartbeatWire,
  helloWire,
  markWire,
  quoteWire,
  stateWire,
  wireTime,
} from '../feed/wire.ts';
import { IngestDesk } from './ingest-desk.ts';

const EVENTS = ['e1', 'e2', 'e3'];

/**
 * A desk with a complete snapshot of `events`, one quote each, so the last sequence number is 2 *
 * events.length + 2.
 */
function deskWith(...events: string[]): IngestDesk {
  const desk = new IngestDesk();
  desk.send(helloWire({ epoch: 'a' }), ...snapshotOf(1, events));
  return desk;
}

function snapshotOf(seq: number, events: readonly string[]): unknown[] {
  const middle = events.flatMap((event, index) => [
    eventWire(seq + 1 + index * 2, event),
    quoteWire(seq + 2 + index * 2, event),
  ]);
  return [markWire('snapshot_begin', seq), ...middle, markWire('snapshot_end', seq + 1 + events.length * 2)];
}

describe('sequence', () => {
  test('a reader that finds the slate complete also finds the time at which it was confirmed', () => {
    const desk = new IngestDesk();
    const seen: unknown[] = [];
    const complete = desk.writer.setSnapshotComplete.bind(desk.writer);
    desk.writer.setSnapshotComplete = () => {
      complete();
      seen.push(desk.reader.feed());
    };
    desk.send(helloWire(), ...snapshotOf(1, ['e1']));
    expect(seen).toMatchObject([
      { snapshotComplete: true, appliedAtMs: desk.nowMs, commonAppliedAtMs: desk.nowMs },
    ]);
  });

  test('after a gap nothing further is applied until a new snapshot, and the slate stays', () => {
    const desk = deskWith('e1');
    desk.send(stateWire(6)); // 5 is missing
    desk.send(stateWire(7), eventWire(8, 'e2'), heartbeatWire(9));
    expect(desk.slate(EVENTS)).toMatchObject({ e1: { clock: null } });
    expect(desk.reader.counters()).toMatchObject({ gaps: 1, ignored_until_snapshot: 3 });
    expect(desk.reader.feed()).toMatchObject({ heartbeatAtMs: 0, snapshotComplete: true });
    desk.send(...snapshotOf(20, ['e2']), stateWire(24, 'e2'));
    expect(Object.keys(desk.slate(EVENTS))).toEqual(['e2']);
    expect(desk.slate(EVENTS).e2?.clock).toBe('1h 12');
  });

  test('a message whose sequence number cannot be read may stand for a missing number or not', () => {
    const desk = deskWith('e1');
    desk.send(stateWire(-1)); // perhaps 5
    desk.mark({ mark: 'undecodable', count: 2 }); // perhaps 6 and 7
    desk.send(eventWire(8, 'e2'));
    expect(Object.keys(desk.slate(EVENTS))).toEqual(['e1', 'e2']);
    desk.mark({ mark: 'undecodable', count: 1 });
    desk.send(eventWire(9, 'e3'));
    expect(Object.keys(desk.slate(EVENTS))).toEqual(EVENTS);
    desk.send(stateWire(11));
    expect(desk.reader.counters()).toMatchObject({ gaps: 1, rejected_bad_seq: 1, rejected_bad_json: 3 });
  });
});

describe('hello', () => {
  test('a hello of another protocol is refused with everything after it, and the feed does not count as received', () => {
    const desk = new IngestDesk();
    desk.send(helloWire({ protocol: 2 }), ...snapshotOf(1, ['e1']));
    desk.mark({ mark: 'alive', atMs: desk.nowMs });
    expect(desk.slate(EVENTS)).toEqual({});
    expect(desk.reader.counters().rejected_bad_protocol).toBe(1);
    expect(desk.reader.feed()).toMatchObject({ snapshotComplete: false, appliedAtMs: 0, heartbeatAtMs: 0 });
    desk.send(helloWire(), ...snapshotOf(1, ['e1']));
    expect(Object.keys(desk.slate(EVENTS))).toEqual(['e1']);
  });

  test('a broken hello counts as a loss of messages, because the sequence numbers after it mean nothing', () => {
    const desk = deskWith('e1');
    desk.send(helloWire({ source: '' }), stateWire(5));
    expect(desk.slate(EVENTS).e1?.clock).toBeNull();
    desk.send(...snapshotOf(1, ['e1']), stateWire(5));
    expect(desk.slate(EVENTS).e1?.clock).toBe('1h 12');
  });
});

describe('snapshot', () => {
  test('a snapshot is shown only at its end, as a whole: no batch of it is published before', () => {
    const desk = deskWith('e1');
    const before = desk.reader.slateVersion();
    desk.send(
      markWire('snapshot_begin', 5),
      eventWire(6),
      stateWire(7),
      quoteWire(8, 'e1', { prices: [1.5, 2.5] }),
    );
    desk.sweep();
    expect(desk.reader.slateVersion()).toBe(before);
    desk.send(eventWire(9, 'e2'));
    desk.send(markWire('snapshot_end', 10));
    expect(desk.reader.slateVersion()).toBe(nextCommonVersion(before));
    expect(desk.slate(EVENTS)).toMatchObject({ e1: { clock: '1h 12' }, e2: { clock: null } });
  });

  test('if the first snapshot breaks off, the slate stays incomplete', () => {
    const desk = new IngestDesk();
    desk.send(helloWire({ epoch: 'a' }), markWire('snapshot_begin', 1), eventWire(2), eventWire(4, 'e2'));
    desk.mark({ mark: 'caught_up' });
    expect(desk.reader.feed().snapshotComplete).toBe(false);
  });

  test('a snapshot does not keep a line at its old price if the new quote is refused', () => {
    const desk = deskWith('e1');
    const broken = quoteWire(7, 'e1', { prices: [2, -1] });
    desk.send(markWire('snapshot_begin', 5), eventWire(6), broken, markWire('snapshot_end', 8));
    expect(desk.slate(EVENTS).e1?.quotes).toEqual({});
  });

  test('the snapshot of a recording begins with its hello and ends when the replay has caught up with the present', () => {
    const desk = new IngestDesk({ helloBeginsSnapshot: true });
    desk.send(helloWire(), eventWire(1), quoteWire(2));
    expect(desk.reader.feed().snapshotComplete).toBe(false);
    desk.mark({ mark: 'caught_up' });
    expect(desk.reader.feed().snapshotComplete).toBe(true);
    desk.send(stateWire(3));
    expect(desk.slate(EVENTS).e1?.clock).toBe('1h 12');
  });
});

describe('drain', () => {
  test('a batch publishes a fixture once, however many of its messages touch it', () => {
    const desk = deskWith('e1', 'e2');
    const [before, other] = [desk.version('e1'), desk.version('e2')];
    const slateVersion = desk.reader.slateVersion();
    desk.send(
      ...Array.from({ length: 50 }, (_, index) =>
        quoteWire(7 + index, 'e1', { prices: [1.5, 2 + index / 10] }),
      ),
    );
    expect(desk.version('e1')).toBe(nextCommonVersion(slateVersion));
    expect(desk.version('e1')).toBeGreaterThan(before);
    expect(desk.version('e2')).toBe(other);
    expect(desk.reader.slateVersion()).toBe(nextCommonVersion(slateVersion));
    expect(desk.reader.counters()).toMatchObject({ quotes_applied: 52 });
  });

  test('a heartbeat confirms prices without publishing a page', () => {
    const desk = deskWith('e1');
    const before = desk.reader.slateVersion();
    desk.send(heartbeatWire(5));
    expect(desk.reader.slateVersion()).toBe(before);
    expect(desk.reader.feed().heartbeatAtMs).toBe(Date.parse('2026-03-01T12:00:00Z'));
  });

  test('a heartbeat with an earlier time changes nothing, but after a snapshot an earlier time counts again', () => {
    const desk = deskWith('e1');
    const heartbeat = (seq: number, at: string) => desk.send({ ...heartbeatWire(seq), at });
    heartbeat(5, '2026-03-01T12:00:00Z');
    heartbeat(6, '2026-03-01T11:00:00Z');
    expect(desk.reader.feed().heartbeatAtMs).toBe(Date.parse('2026-03-01T12:00:00Z'));
    desk.send({ type: 'snapshot_begin', seq: 7 }, eventWire(8, 'e1'), { type: 'snapshot_end', seq: 9 });
    heartbeat(10, '2026-03-01T11:00:00Z');
    expect(desk.reader.feed().heartbeatAtMs).toBe(Date.parse('2026-03-01T11:00:00Z'));
  });

  test('a live source confirms nothing once its messages were lost', () => {
    const desk = deskWith('e1');
    desk.mark({ mark: 'alive', atMs: 1_000 });
    desk.send(stateWire(9));
    desk.mark({ mark: 'alive', atMs: 2_000 });
    expect(desk.reader.feed().heartbeatAtMs).toBe(1_000);
  });

  test('connections that open and close, and garbage, do not count as messages from the feed', () => {
    const desk = deskWith('e1');
    const appliedAtMs = desk.nowMs;
    desk.nowMs += 400_000;
    desk.mark({ mark: 'connection', connected: false, triedAtMs: null });
    desk.mark({ mark: 'connection', connected: true, triedAtMs: null });
    desk.mark({ mark: 'undecodable', count: 3 });
    expect(desk.reader.feed()).toMatchObject({ appliedAtMs, connected: true });
    desk.mark({ mark: 'alive', atMs: desk.nowMs });
    expect(desk.reader.feed().appliedAtMs).toBe(desk.nowMs);
  });

  test('a hostile message does not stop the feed and is logged, and the number of log lines is bounded', () => {
    const desk = deskWith('e1');
    const hostile = ['constructor', '__proto__', 'toString', { toString: 1 }, null];
    let seq = 5;
    for (const type of hostile) desk.send({ type, seq: seq++ });
    for (let index = 0; index < 100; index++) desk.send({ type: 'quote', seq: seq++, at: wireTime(0) });
    desk.send(stateWire(seq));
    expect(desk.slate(EVENTS).e1?.clock).toBe('1h 12');
    expect(desk.reader.counters()).toMatchObject({ rejected_unknown_type: 5, rejected_bad_name: 100 });
    expect(desk.logged.filter((entry) => entry.includes('feed_message_rejected'))).toHaveLength(5);
  });
});
