// Which times a follower gets with a fixture that it receives when it connects.

import { expect, test } from 'bun:test';
import { SlateOutlet } from '../../src/ingest/slate-outlet.ts';
import { closeWire, helloWire, markWire, quoteWire, resultWire, wireTime } from '../feed/wire.ts';
import { deskWithFixture, FIRST_EVENT, IngestDesk } from './ingest-desk.ts';

/**
 * When the desk's first fixture had its last message, and when it had its last message that every tier may
 * see.
 */
function timesOf({ reader }: IngestDesk) {
  return reader.readEvent(FIRST_EVENT, (page) => ({
    lastMessageAtMs: reader.columns.lastMessageAtMs[page],
    commonMessageAtMs: reader.columns.commonMessageAtMs[page],
  }));
}

/** A second desk, which has received the fixture as a follower of the given desk receives it. */
function followerOf({ reader, applier, nowMs }: IngestDesk): IngestDesk {
  const clock = { wallMs: () => nowMs, monotonicMs: () => nowMs };
  const outlet = new SlateOutlet({ reader, fixtures: applier.fixtures, clock });
  const follower = new IngestDesk();
  follower.nowMs = nowMs;
  let seq = 1;
  follower.send(helloWire(), markWire('snapshot_begin', seq));
  for (const wire of outlet.fixture('e1')) follower.send({ ...wire, seq: ++seq });
  follower.send(markWire('snapshot_end', ++seq));
  expect(follower.reader.counters()).toMatchObject({ gaps: 0, snapshots: 1 });
  return follower;
}

test('a follower does not use the time of a sharp quote as a time that every tier may see', () => {
  const { desk, next } = deskWithFixture();
  const startMs = desk.nowMs;
  const at = (second: number): string => wireTime(startMs + second * 1_000);
  desk.nowMs += 60_000;
  desk.send(quoteWire(next(), 'e1', { at: at(1) }));
  desk.send(
    quoteWire(next(), 'e1', { at: at(2), line: -1 }),
    closeWire(next(), 'e1', { at: at(3), line: -1 }),
  );
  desk.send(resultWire(next(), 'e1', { at: at(4) }));
  desk.send(quoteWire(next(), 'e1', { at: at(8), bookmaker: 'pinnacle', line: -1 }));
  desk.send(closeWire(next(), 'e1', { at: at(9), bookmaker: 'pinnacle', line: -1 }));
  const expected = { lastMessageAtMs: startMs + 9_000, commonMessageAtMs: startMs + 4_000 };
  expect(timesOf(desk)).toEqual(expected);
  expect(timesOf(followerOf(desk))).toEqual(expected);
});
