// The simulator as a source: it passes on everything in order, waits while the queue is full, and stops on
// request.

import { expect, test } from 'bun:test';
import type { Clock } from '../../../src/clock.ts';
import { openSimulator } from '../../../src/feed/simulator/client.ts';
import { SimulatorEngine } from '../../../src/feed/simulator/engine.ts';
import type { FeedSink } from '../../../src/feed/source.ts';
import { OPTIONS, START_MS, type Wire } from '../simulator-support.ts';

const SMALL = { ...OPTIONS, footballFixtures: 10, basketballFixtures: 3, ratePerSecond: 2_000 };

class HeldClock implements Clock {
  ms = START_MS;
  wallMs(): number {
    return this.ms;
  }
  monotonicMs(): number {
    return this.ms;
  }
}

/** A sink with a bounded queue that is drained by hand. */
class TestSink implements FeedSink {
  readonly taken: Wire[] = [];
  connected: boolean | null = null;
  refused = 0;
  readonly #capacity: number;
  #queued = 0;
  #free: (() => void)[] = [];
  #watchers: { holds: () => boolean; resolve: () => void }[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  offer(message: unknown): boolean {
    const full = this.#queued >= this.#capacity;
    if (full) this.refused++;
    else {
      this.#queued++;
      this.taken.push(message as Wire);
    }
    for (const watcher of this.#watchers) if (watcher.holds()) watcher.resolve();
    return !full;
  }

  room(): Promise<void> {
    return new Promise((resolve) => this.#free.push(resolve));
  }

  drain(): void {
    this.#queued = 0;
    for (const resolve of this.#free.splice(0)) resolve();
  }

  /** Resolves once a condition holds; it is checked with every offer. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ holds, resolve }));
  }

  caughtUp(): void {
    throw new Error('the simulator marks the end of its snapshot and never calls caughtUp');
  }
  alive(): void {
    throw new Error('the simulator sends heartbeats of its own');
  }
  connection(connected: boolean): void {
    this.connected = connected;
  }
  undecodable(): void {
    throw new Error('the simulator sends objects');
  }
}

function expected(endMs: number): Wire[] {
  const messages: Wire[] = [];
  const engine = new SimulatorEngine(SMALL);
  engine.start(START_MS, (message) => messages.push(message));
  engine.advance(endMs, (message) => messages.push(message));
  return messages;
}

test('openSimulator: the snapshot comes at once, then messages as they become due, as the engine writes them', async () => {
  const clock = new HeldClock();
  const sink = new TestSink(Number.POSITIVE_INFINITY);
  const source = openSimulator(SMALL, sink, clock);
  expect(sink.connected).toBe(true);
  expect(sink.taken.at(-1)?.type).toBe('snapshot_end');
  clock.ms += 3_000;
  const wanted = expected(clock.ms);
  await sink.until(() => sink.taken.length >= wanted.length);
  expect(sink.taken).toEqual(wanted);
  await source.close();
});

test('openSimulator: waits while the queue is full, and nothing is lost or sent twice', async () => {
  const clock = new HeldClock();
  const sink = new TestSink(37);
  const source = openSimulator(SMALL, sink, clock);
  clock.ms += 1_000;
  const wanted = expected(clock.ms);
  while (sink.taken.length < wanted.length) {
    const before = sink.taken.length;
    sink.drain();
    await sink.until(() => sink.taken.length === wanted.length || sink.taken.length >= before + 37);
  }
  expect(sink.refused).toBeGreaterThan(50);
  expect(sink.taken).toEqual(wanted);
  await source.close();
});

test('close: ends a source that waits for room in a sink that stays full', async () => {
  const sink = new TestSink(5);
  const source = openSimulator(SMALL, sink, new HeldClock());
  await sink.until(() => sink.refused > 0);
  await source.close();
  expect(sink.taken.length).toBe(5);
});

test('openSimulator: after the clock jumped an hour it starts a new epoch with a snapshot', async () => {
  const clock = new HeldClock();
  const sink = new TestSink(Number.POSITIVE_INFINITY);
  const source = openSimulator(SMALL, sink, clock);
  clock.ms += 3_600_000;
  const hellos = (): Wire[] => sink.taken.filter((message) => message.type === 'hello');
  await sink.until(() => hellos().length === 2 && sink.taken.at(-1)?.type === 'snapshot_end');
  const [first, second] = hellos();
  expect(second?.epoch).not.toBe(first?.epoch as string);
  expect(second?.at).toBe(new Date(clock.ms).toISOString());
  await source.close();
});

test('originMs: a source opened later keeps the same mapping of time', async () => {
  const clock = new HeldClock();
  const sink = new TestSink(Number.POSITIVE_INFINITY);
  const options = { ...SMALL, ratePerSecond: null, speed: 10, originMs: START_MS - 60_000 };
  const source = openSimulator(options, sink, clock);
  // A minute has passed since the origin, which at this speed is ten minutes of simulated time.
  expect(sink.taken[0]?.at).toBe(new Date(START_MS).toISOString());
  await source.close();
});

test('speed: simulated time runs faster by this factor from the start on', async () => {
  const clock = new HeldClock();
  const sink = new TestSink(Number.POSITIVE_INFINITY);
  const source = openSimulator({ ...SMALL, ratePerSecond: null, speed: 60 }, sink, clock);
  clock.ms += 1_000;
  await sink.until(() => sink.taken.filter((message) => message.type === 'heartbeat').length === 12);
  expect(sink.taken.findLast((message) => message.type === 'heartbeat')?.at).toBe(
    new Date(START_MS + 1_000).toISOString(),
  );
  await source.close();
});
