// A recording as a feed: the time of its hello becomes the time of the service's start, what lies before is offered at
// once, and the rest in real time times a speed factor. It says every few seconds that its open quotes stand. Runs on the
// ingest worker.

import type { Clock } from '../../clock.ts';
import { FEED_LINE_BYTES_MAX } from '../../limits.ts';
import { LINE_TOO_LONG, linesOf } from '../lines.ts';
import { parseMessage } from '../parse-message.ts';
import { FEED_PROTOCOL_VERSION } from '../protocol.ts';
import type { FeedSink, FeedSource } from '../source.ts';
import { wireTimeMs } from '../wire-values.ts';
import { retime, type TimeMap, unmapTime } from './parse.ts';

export interface ReplayOptions {
  readonly path: string;
  readonly speed: number;
  /** The instant the hello time maps to, Unix ms. A restarted worker is given the same one and so catches up. */
  readonly startMs: number;
}

const HEARTBEAT_MS = 5_000;
/** A wait is cut into steps, so that a clock that was set forward is noticed. */
const WAIT_STEP_MS = 250;

type Line = string | typeof LINE_TOO_LONG;

/** Opens a recording. @throws when the file is missing or does not start with a hello of this protocol */
export async function openReplay(options: ReplayOptions, sink: FeedSink, clock: Clock): Promise<FeedSource> {
  const { path, speed, startMs } = options;
  const lines = await openLines(path);
  const first = await lines.next();
  const helloAtMs = await helloTime(first, path, lines);
  const replay = new Replay({ sink, clock, map: { helloAtMs, startMs, speed } });
  const done = replay.run(first.value as string, lines);
  return {
    close: async () => {
      replay.stop();
      await done;
    },
  };
}

/** Reads the first line of a recording and no more. @throws as `openReplay` */
export async function checkRecording(path: string): Promise<void> {
  const lines = await openLines(path);
  await helloTime(await lines.next(), path, lines);
  await lines.return(undefined);
}

async function openLines(path: string): Promise<AsyncGenerator<Line>> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new Error(`Cannot open recording: no file at ${path}`);
  return linesOf(file.stream(), FEED_LINE_BYTES_MAX);
}

async function helloTime(
  first: IteratorResult<Line, unknown>,
  path: string,
  lines: AsyncGenerator<Line>,
): Promise<number> {
  const line = first.done === true ? null : first.value;
  const hello = line === null || line === LINE_TOO_LONG ? null : parseMessage(decode(line));
  if (hello !== null && typeof hello === 'object' && hello.type === 'hello') return hello.atMs;
  await lines.return(undefined);
  throw new Error(
    `Cannot open recording: ${path} does not start with a hello message of protocol ${FEED_PROTOCOL_VERSION}`,
  );
}

/** The value of a line of JSON, or undefined when it is none. */
function decode(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined; // counted by the caller as undecodable
  }
}

class Replay {
  readonly #sink: FeedSink;
  readonly #clock: Clock;
  readonly #map: TimeMap;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #caughtUp = false;
  #stopped = false;
  #wake: () => void = () => {};

  constructor({ sink, clock, map }: { sink: FeedSink; clock: Clock; map: TimeMap }) {
    this.#sink = sink;
    this.#clock = clock;
    this.#map = map;
    this.#heartbeat = setInterval(() => sink.alive(clock.wallMs()), HEARTBEAT_MS);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#heartbeat);
    this.#wake();
  }

  async run(hello: string, lines: AsyncGenerator<Line>): Promise<void> {
    this.#sink.connection(true);
    await this.#offerLine(hello);
    for await (const line of lines) {
      if (this.#stopped) return;
      await this.#offerLine(line);
    }
    this.#reachPresent();
  }

  async #offerLine(line: Line): Promise<void> {
    const wire = line === LINE_TOO_LONG ? undefined : decode(line);
    if (wire === undefined) {
      this.#sink.undecodable();
      return;
    }
    const message = isObject(wire) ? await this.#due(wire) : wire;
    while (!this.#stopped && !this.#sink.offer(message)) await this.#sink.room();
  }

  /** The message as it is now, once its time has come. */
  async #due(wire: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const recordedMs = wireTimeMs(wire.at);
    if (!Number.isNaN(recordedMs)) await this.#waitFor(recordedMs);
    return retime(wire, this.#map);
  }

  /** Waits until the recording's time has come, which for the past is at once. */
  async #waitFor(recordedMs: number): Promise<void> {
    while (!this.#stopped) {
      const aheadMs = recordedMs - unmapTime(this.#map, this.#clock.wallMs());
      if (aheadMs <= 0) return;
      this.#reachPresent();
      await this.#sleep(Math.min(WAIT_STEP_MS, Math.ceil(aheadMs / this.#map.speed)));
    }
  }

  #reachPresent(): void {
    if (this.#caughtUp || this.#stopped) return;
    this.#caughtUp = true;
    this.#sink.caughtUp();
    this.#sink.alive(this.#clock.wallMs());
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
