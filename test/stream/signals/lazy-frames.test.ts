// The frames of open signals are made once for readers that read them shortly after each other, and again
// for a slower reader.

import { expect, spyOn, test } from 'bun:test';
import { LruCache } from '../../../src/query/lru-cache.ts';
import { socketMessageOf } from '../../../src/stream/connections/socket-messages.ts';
import { type Frame, type FrameSource, frameOf } from '../../../src/stream/frames.ts';
import { HOLD_BYTES } from '../../../src/stream/limits.ts';
import { LazyFrames } from '../../../src/stream/signals/lazy-frames.ts';
import { atOnce, StreamReader } from '../../../src/stream/stream-reader.ts';
import { SignalStage, TICK_MS, VIEWS } from '../signal-stage.ts';

const COUNT = 500;
const BYTES_MAX = 3_000;

function stageOf() {
  const made: number[] = [];
  const make = (index: number): Frame => {
    made.push(index);
    return frameOf('signal', null, { index });
  };
  const kept = new LruCache<Frame>(BYTES_MAX);
  return { made, frames: new LazyFrames({ count: COUNT, make, kept, name: '1' }) };
}

function* framesOf(source: FrameSource): Generator<Frame> {
  for (let frame = source.next(); frame !== null; frame = source.next()) yield frame;
  source.close();
}

test('readers that follow one another closely share each frame, also when one of them leaves', () => {
  const { made, frames } = stageOf();
  const sources = [frames.source(), frames.source(), frames.source()];
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
  const [fast, slow] = [frames.source(), frames.source()];
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
  const frames = new LazyFrames({ count: 1, make: () => frame, kept, name: '1' });
  const sources = [frames.source(), frames.source()];
  expect(sources[0]!.next()).toBe(frame);
  // The text without an id is kept as well as the message, and is nearly as long.
  const messages = (['json', 'msgpack'] as const).map((wire) => socketMessageOf(frame, wire, null));
  // A string with a letter outside Latin-1 takes two bytes for each character.
  const sizes = messages.map((message) => (typeof message === 'string' ? 2 : 1) * message.length);
  const taken = frame.bytes.length + 2 * (sizes[0]! + sizes[1]!);
  expect(set.mock.calls[0]![2]).toBeGreaterThanOrEqual(taken);
});

test('a client that reads slowly gets the same frames of signals as a fast one, made again for it instead of cached', async () => {
  const stage = new SignalStage();
  const view = stage.view(VIEWS[2]!);
  const readers = [false, true].map((isSlow) => {
    const frames: Frame[] = [];
    const state = { isStalled: isSlow };
    const reader = new StreamReader(
      {
        send: (frame) => frames.push(frame),
        unsentBytes: () => (state.isStalled && frames.length > 0 ? HOLD_BYTES + 1 : 0),
        end: () => undefined,
      },
      { isAllowed: () => true, nowMs: 0, inTurn: atOnce },
    );
    reader.isInStep = true;
    stage.channels.extension(view, TICK_MS, stage.nextCaller(view)).join(reader);
    return { reader, frames, state };
  });
  for (let tick = 0; tick < 2; tick++) await stage.fire(TICK_MS);
  const [fast, slow] = readers as [(typeof readers)[0], (typeof readers)[0]];
  expect([slow.frames.length, fast.frames.length > 3]).toEqual([1, true]);
  slow.state.isStalled = false;
  slow.reader.pump();
  expect(slow.frames).toEqual(fast.frames);
  expect(slow.frames.some((frame) => fast.frames.includes(frame))).toBe(false);
});
