// Results from the feed, results derived from the last score, and when a finished fixture leaves the slate.

import { describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/clock.ts';
import { eventWire, quoteWire, removeWire, resultWire, stateWire, wireTime } from '../feed/wire.ts';
import { deskWithFixture } from './ingest-desk.ts';

const KICKOFF_MS = Date.parse('2026-03-01T15:00:00Z');

describe('results', () => {
  test('a result is recorded as final, finishes the match and keeps its score', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(stateWire(next(), 'e1', { score: [2, 0] }), resultWire(next()));
    expect(archive.results).toMatchObject([
      { score: [2, 1], redCards: [0, 1], source: 'final', finishedAtMs: Date.parse('2026-03-01T16:50:00Z') },
    ]);
    expect(desk.slate(['e1']).e1).toMatchObject({ status: 'finished', score: [2, 1] });
  });

  test('without a result the last score is recorded, a minute after the end and not before', () => {
    const { desk, archive, next } = deskWithFixture();
    const at = wireTime(KICKOFF_MS + 110 * MINUTE_MS);
    desk.nowMs = Date.parse(at);
    desk.send(stateWire(next(), 'e1', { at, status: 'finished', score: [3, 3], cards: [1, 0] }));
    desk.nowMs = KICKOFF_MS + 110 * MINUTE_MS + 59_999;
    desk.sweep();
    expect(archive.results).toEqual([]);
    desk.nowMs++;
    desk.sweep();
    desk.sweep();
    expect(archive.results).toMatchObject([
      { score: [3, 3], redCards: [1, 0], source: 'inferred', finishedAtMs: Date.parse(at) },
    ]);
  });

  test('a match finishes by elapsed time alone, measured from the kickoff', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(stateWire(next(), 'e1', { score: [1, 0] }));
    desk.nowMs = KICKOFF_MS + 151 * MINUTE_MS;
    desk.sweep();
    expect(archive.results).toMatchObject([{ score: [1, 0], finishedAtMs: KICKOFF_MS + 150 * MINUTE_MS }]);
  });

  test('a match that seemed over but continued is recorded again, until a final result comes', () => {
    const { desk, archive, next } = deskWithFixture();
    const stopMs = KICKOFF_MS + 70 * MINUTE_MS;
    desk.nowMs = stopMs;
    desk.send(stateWire(next(), 'e1', { at: wireTime(stopMs), clock: '2h 55', score: [1, 1] }));
    desk.nowMs = stopMs + 4 * MINUTE_MS;
    desk.sweep();
    const endMs = stopMs + 40 * MINUTE_MS;
    desk.nowMs = endMs;
    desk.send(
      stateWire(next(), 'e1', { at: wireTime(endMs), clock: null, status: 'finished', score: [2, 1] }),
    );
    desk.nowMs = endMs + MINUTE_MS;
    desk.sweep();
    expect(archive.results.map(({ score, source }) => [score, source])).toEqual([
      [[1, 1], 'inferred'],
      [[2, 1], 'inferred'],
    ]);
    desk.send(resultWire(next(), 'e1', { score: [2, 2] }));
    desk.nowMs += MINUTE_MS;
    desk.sweep();
    expect(archive.results.slice(2)).toMatchObject([{ score: [2, 2], source: 'final' }]);
  });

  test('if the feed removes a finished match immediately, its score is recorded; nothing is recorded of an unfinished match', () => {
    const { desk, archive, next } = deskWithFixture();
    desk.send(stateWire(next(), 'e1', { status: 'finished', score: [4, 0] }), removeWire(next()));
    desk.send(eventWire(next(), 'e2'), stateWire(next(), 'e2'), removeWire(next(), 'e2'));
    expect(archive.results).toMatchObject([{ score: [4, 0], source: 'inferred' }]);
    desk.send(
      eventWire(next(), 'e3'),
      stateWire(next(), 'e3', { status: 'finished' }),
      resultWire(next(), 'e3'),
    );
    desk.send(removeWire(next(), 'e3'));
    expect(archive.results.slice(1)).toMatchObject([{ source: 'final' }]);
  });

  test('a finished fixture leaves the slate after 24 hours, and not a millisecond before', () => {
    const { desk, next } = deskWithFixture();
    desk.nowMs = KICKOFF_MS;
    desk.send(stateWire(next(), 'e1', { at: wireTime(KICKOFF_MS), status: 'finished' }));
    desk.nowMs = KICKOFF_MS + 24 * 60 * MINUTE_MS - 1;
    desk.sweep();
    expect(desk.fixtureCount).toBe(1);
    desk.nowMs++;
    desk.sweep();
    expect(desk.fixtureCount).toBe(0);
    desk.send(quoteWire(next()));
    expect(desk.reader.counters().rejected_unknown_event).toBe(1);
  });
});
