// The frames of open signals are made once for readers that read them shortly after each other, and again
// for a slower reader.

import { expect, spyOn, test } from 'bun:test';
import { LruCache } from '../../../src/query/lru-cache.ts';
import { type CopyRoom, NoRoomError } from '../../../src/query/slate/slate-copy.ts';
import { socketMessageOf } from '../../../src/stream/connections/socket-messages.ts';
import { type Frame, type FrameSource, frameOf } from '../../../src/stream/frames.ts';
import { HOLD_BYTES } from '../../../src/stream/limits.ts';
import { LazyFrames } from '../../../src/stream/signals/lazy-frames.ts';
import { SignalFollower } from '../../../src/stream/signals/signal-follower.ts';
import type { SignalView } from '../../../src/stream/signals/signal-view.ts';
import { NO_BOUND } from '../../../src/stream/stream-hub.ts';
import { atOnce, StreamReader } from '../../../src/stream/stream-reader.ts';
import { SignalStage, TICK_MS, VIEWS } from '../signal-stage.ts';

/** One set of signals that nothing limits. */
const SET = { name: '1', byteCount: 0, room: NO_BOUND };
const COUNT = 500;
const BYTES_MAX = 3_000;

function stageOf() {
  const made: number[] = [];
  const make = (index: number): Frame => {
    made.push(index);
    return frameOf('signal', null, { index });
  };
  const kept = new LruCache<Frame>(BYTES_MAX);
  return { made, frames: new LazyFrames({ ...SET, count: COUNT, make, kept }) };
}

function* framesOf(source: FrameSource): Generator<Frame> {
  for (let frame = source.next(); frame !== null; frame = source.next()) yield frame;
  source.close();
}

test('readers that follow one another closely share each frame, also when one of them leaves', () => {
  const { made, frames } = stageOf();
  const sources = [frames.source(NO_BOUND), frames.source(NO_BOUND), frames.source(NO_BOUND)];
  for (let index = 0; index < COUNT; index++) {
    if (index === COUNT / 2) sources.shift()!.close();
    const [first, ...others] = sources.map((source) => source.next());
    expect(others.every((frame) => frame === first)).toBe(true);
  }
  expect(made).toHaveLength(COUNT);
  expect(sources.map((source) => source.next())).toEqual([null, null]);
});

test('a reader that is far behind is sent the same frames, which are made again', () => {
  const { made, frames } = stageOf();
  const [fast, slow] = [frames.source(NO_BOUND), frames.source(NO_BOUND)];
  const dataOf = ({ data }: Frame): unknown => JSON.parse(new TextDecoder().decode(data));
  slow.next();
  const first = Array.from({ length: COUNT }, () => fast.next()!);
  const keptMax = BYTES_MAX / first[0]!.bytes.length; // or fewer: their messages count too
  expect(COUNT / 2).toBeGreaterThan(keptMax);
  const slowly = [...framesOf(slow)];
  expect(slowly.map(dataOf)).toEqual(first.slice(1).map(dataOf));
  expect(made.length).toBeGreaterThan(2 * COUNT - keptMax - 2);
});

test('a kept frame weighs at least as much as it takes with its messages for WebSockets', () => {
  const frame = frameOf('signal', null, { home: 'Łódź', away: 'Спартак', reasons: 'x'.repeat(400) });
  const kept = new LruCache<Frame>(BYTES_MAX);
  const set = spyOn(kept, 'set');
  const frames = new LazyFrames({ ...SET, count: 1, make: () => frame, kept });
  const sources = [frames.source(NO_BOUND), frames.source(NO_BOUND)];
  expect(sources[0]!.next()).toBe(frame);
  // The text without an id is kept as well as the message, and is nearly as long.
  const messages = (['json', 'msgpack'] as const).map((wire) => socketMessageOf(frame, wire, null));
  // A string with a letter outside Latin-1 takes two bytes for each character.
  const sizes = messages.map((message) => (typeof message === 'string' ? 2 : 1) * message.length);
  const taken = frame.bytes.length + 2 * (sizes[0]! + sizes[1]!);
  expect(set.mock.calls[0]![2]).toBeGreaterThanOrEqual(taken);
});

/** Adds a reader of signals whose client stalls after its first frame if `isSlow`. */
function readerOf(stage: SignalStage, view: SignalView, { isSlow = false, room = NO_BOUND } = {}) {
  const frames: Frame[] = [];
  const reasons: string[] = [];
  const state = { isStalled: isSlow };
  const reader = new StreamReader(
    {
      send: (frame) => frames.push(frame),
      unsentBytes: () => (state.isStalled && frames.length > 0 ? HOLD_BYTES + 1 : 0),
      end: (reason) => reasons.push(reason),
    },
    { isAllowed: () => true, nowMs: 0, inTurn: atOnce, onEnded: () => reader.leave() },
  );
  reader.isInStep = true;
  reader.atEnd(stage.channels.extension(view, TICK_MS, stage.nextCaller(view)).join(reader, room));
  return { reader, frames, reasons, state };
}

test('a client that reads slowly gets the same frames of signals as a fast one, made again for it instead of cached', async () => {
  const stage = new SignalStage();
  const view = stage.view(VIEWS[2]!);
  const [fast, slow] = [readerOf(stage, view), readerOf(stage, view, { isSlow: true })];
  for (let tick = 0; tick < 2; tick++) await stage.fire(TICK_MS);
  expect([slow.frames.length, fast.frames.length > 3]).toEqual([1, true]);
  slow.state.isStalled = false;
  slow.reader.pump();
  expect(slow.frames).toEqual(fast.frames);
  expect(slow.frames.some((frame) => fast.frames.includes(frame))).toBe(false);
});

type Room = ReturnType<typeof roomFor>;

/** A part of the memory budget with room for `bytesMax`. */
function roomFor(bytesMax: number, holder: Pick<CopyRoom, 'hasKey' | 'isFree' | 'owner'>) {
  const held = { bytes: 0, max: 0 };
  const room: CopyRoom = {
    ...holder,
    reserve: (bytes) => {
      if (held.bytes + bytes > bytesMax) return false;
      held.bytes += bytes;
      held.max = Math.max(held.max, held.bytes);
      return true;
    },
    release: (bytes) => {
      held.bytes -= bytes;
    },
  };
  return { held, room };
}

test('the set of signals of a slow reader counts as memory until it is read, and a reader without room for it ends', async () => {
  const stage = new SignalStage();
  const view = stage.view(VIEWS[2]!);
  const open = spyOn(SignalFollower.prototype, 'openSignals');
  const [full, ample] = [0, 1_000].map((bytesMax) => roomFor(bytesMax, { hasKey: true })) as [Room, Room];
  const refused = readerOf(stage, view, { isSlow: true, room: full.room });
  await stage.fire(TICK_MS);
  expect([refused.reasons, open.mock.calls.length]).toEqual([['limit'], 0]);
  const slow = readerOf(stage, view, { isSlow: true, room: ample.room });
  for (let tick = 0; tick < 2; tick++) await stage.fire(TICK_MS);
  const { count } = open.mock.results[0]!.value as { count: number };
  expect([count > 1, slow.frames.length, ample.held.bytes]).toEqual([true, 1, 8 * count]);
  slow.state.isStalled = false;
  slow.reader.pump();
  expect([slow.frames.length, ample.held.bytes, slow.reasons]).toEqual([count + 1, 0, []]);
  const leaving = readerOf(stage, view, { isSlow: true, room: ample.room });
  await stage.fire(TICK_MS);
  expect([ample.held.bytes, ample.held.max]).toEqual([8 * count, 8 * count]);
  leaving.reader.leave();
  expect(ample.held.bytes).toBe(0);
  open.mockRestore();
});

test('a set of signals that readers share counts once, against one that remains, also of another class', () => {
  const rooms = [
    roomFor(8, { hasKey: true, owner: 'one' }),
    roomFor(8, { hasKey: true, owner: 'two' }),
    roomFor(8, { hasKey: true, isFree: true }),
    roomFor(0, { hasKey: false }),
  ];
  const bytes = () => rooms.map(({ held }) => held.bytes);
  const [{ room }] = rooms as [Room];
  room.reserve(8);
  const kept = new LruCache<Frame>(BYTES_MAX);
  const make = (index: number): Frame => frameOf('signal', null, { index });
  const frames = new LazyFrames({ name: '1', count: COUNT, make, kept, byteCount: 8, room });
  const sources = rooms.map(({ room }) => frames.source(room));
  expect(bytes()).toEqual([8, 0, 0, 0]);
  sources[0]!.close();
  expect(bytes()).toEqual([0, 8, 0, 0]);
  sources[1]!.close();
  expect(bytes()).toEqual([0, 0, 8, 0]);
  sources[2]!.close();
  // Callers without a key have no room for it.
  expect([bytes(), frames.isOpen]).toEqual([[0, 0, 0, 0], false]);
  expect(() => sources[3]!.next()).toThrow(NoRoomError);
});
