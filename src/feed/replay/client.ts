// A recording as a feed: maps its hello time to the start, offers the past at once, then goes on in real time times a
// speed factor. An attentive source: it confirms its quotes every few seconds. Runs on the ingest worker.

import type { Clock } from '../../clock.ts';
import { FEED_LINE_BYTES_MAX } from '../../limits.ts';
import { LINE_TOO_LONG, linesOf } from '../lines.ts';
import type { FeedSink, FeedSource } from '../source.ts';
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

/** Opens a recording. @throws when the file is missing or does not start with a hello */
export async function openReplay(options: ReplayOptions, sink: FeedSink, clock: Clock): Promise<FeedSource> {
  const file = Bun.file(options.path);
  if (!(await file.exists())) throw new Error(`Cannot open recording: no file at ${options.path}`);
  const lines = linesOf(file.stream(), FEED_LINE_BYTES_MAX);
  const first = await lines.next();
  const map = timeMapOf(first.value, options);
  const replay = new Replay({ sink, clock, map });
  const done = replay.run(first.value as string, lines);
  return {
    helloBeginsSnapshot: true,
    close: async () => {
      replay.stop();
      await done;
    },
  };
}

function timeMapOf(line: string | typeof LINE_TOO_LONG | undefined, options: ReplayOptions): TimeMap {
  const hello = typeof line === 'string' ? decode(line) : null;
  const helloAtMs = Date.parse(String(hello?.at));
  if (hello?.type !== 'hello' || Number.isNaN(helloAtMs)) {
    throw new Error(`Cannot open recording: ${options.path} does not start with a hello message`);
  }
  return { helloAtMs, startMs: options.startMs, speed: options.speed };
}

function decode(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null; // counted by the caller as undecodable
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

  async run(hello: string, lines: AsyncGenerator<string | typeof LINE_TOO_LONG>): Promise<void> {
    this.#sink.connection(true);
    await this.#offerLine(hello);
    for await (const line of lines) {
      if (this.#stopped) return;
      await this.#offerLine(line);
    }
    this.#reachPresent();
  }

  async #offerLine(line: string | typeof LINE_TOO_LONG): Promise<void> {
    const wire = line === LINE_TOO_LONG ? null : decode(line);
    if (wire === null) {
      this.#sink.undecodable();
      return;
    }
    const recordedMs = typeof wire.at === 'string' ? Date.parse(wire.at) : Number.NaN;
    if (Number.isFinite(recordedMs)) await this.#waitFor(recordedMs);
    const message = retime(wire, this.#map);
    while (!this.#stopped && !this.#sink.offer(message)) await this.#sink.room();
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
