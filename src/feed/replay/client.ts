// A recording as a feed. The time of its hello becomes the time of the service's start. Earlier messages are
// offered immediately, later ones when their time comes, in real time or faster by the speed factor. Every
// few seconds the replay confirms its open quotes, unless the recording says which source confirmed what.
// Runs on the ingest worker.

import type { Clock } from '../../clock.ts';
import { isObject, jsonOrUndefined } from '../../parse-json.ts';
import { Handover, sourceOf } from '../handover.ts';
import { type Line, UNREADABLE_LINE } from '../lines.ts';
import type { FeedSink, FeedSource } from '../source.ts';
import { wireTimeMs } from '../wire-time.ts';
import { retime, type TimeMap, unmapTime } from './parse.ts';
import { helloTime, type OpenedRecording, openRecording } from './recording.ts';

export interface ReplayOptions {
  readonly path: string;
  readonly speed: number;
  /**
   * The instant that the hello time maps to, Unix ms. A restarted worker gets the same instant, so it catches
   * up.
   */
  readonly startMs: number;
}

export interface ReplayTools {
  readonly clock: Clock;
  /**
   * Called once, after the last message, which no heartbeat follows.
   * @param isCut whether the file ends there because it is truncated
   */
  readonly onEnd?: (isCut: boolean) => void;
}

const HEARTBEAT_MS = 5_000;
/** A wait is cut into steps, so that a clock that was set forward is noticed. */
const WAIT_STEP_MS = 250;

/**
 * Opens a recording.
 * @throws RecordingError when the file is missing or does not begin with a hello of this protocol
 */
export async function openReplay(
  options: ReplayOptions,
  sink: FeedSink,
  tools: ReplayTools,
): Promise<FeedSource> {
  const { path, speed, startMs } = options;
  const { clock, onEnd = () => {} } = tools;
  const recording = await openRecording(path);
  const { lines } = recording;
  const first = await lines.next();
  const batch = first.done === true ? [] : first.value;
  const hello = batch.findIndex((line) => line !== '');
  let helloAtMs: number;
  try {
    helloAtMs = helloTime(batch[hello], path);
  } catch (error) {
    await lines.return(undefined);
    throw error;
  }
  const replay = new Replay({ sink, clock, onEnd, map: { helloAtMs, startMs, speed } });
  return sourceOf(replay.run(batch, recording), () => replay.stop());
}

interface ReplayParts extends Required<ReplayTools> {
  readonly sink: FeedSink;
  readonly map: TimeMap;
}

class Replay {
  readonly #sink: FeedSink;
  readonly #clock: Clock;
  readonly #map: TimeMap;
  readonly #onEnd: (isCut: boolean) => void;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  readonly #handover: Handover;
  #caughtUp = false;
  /**
   * Whether the recording is of several sources. Its own heartbeats then confirm the prices of each source; a
   * heartbeat of the replay would wrongly confirm all of them.
   */
  #namesConfirmed = false;

  constructor({ sink, clock, onEnd, map }: ReplayParts) {
    this.#sink = sink;
    this.#clock = clock;
    this.#map = map;
    this.#onEnd = onEnd;
    this.#handover = new Handover(sink);
    this.#heartbeat = setInterval(() => this.#confirm(), HEARTBEAT_MS);
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    this.#handover.stop();
  }

  async run(first: readonly Line[], { lines: rest, isCut }: OpenedRecording): Promise<void> {
    this.#sink.connection(true);
    await this.#offerLines(first);
    for await (const lines of rest) {
      if (this.#handover.isStopped) return;
      await this.#offerLines(lines);
    }
    if (this.#handover.isStopped) return;
    this.#reachPresent();
    clearInterval(this.#heartbeat); // a recording that has ended confirms nothing
    this.#onEnd(isCut());
  }

  /**
   * Offers lines in order. Waits only for room and for messages that are not yet due, because a promise for
   * each line would cost more than the line.
   */
  async #offerLines(lines: readonly Line[]): Promise<void> {
    for (const line of lines) {
      if (line === '') continue;
      const wire = line === UNREADABLE_LINE ? undefined : jsonOrUndefined(line);
      if (wire === undefined) {
        this.#sink.undecodable();
        continue;
      }
      let message = wire;
      if (isObject(wire)) {
        const recordedMs = wireTimeMs(wire.at);
        if (!Number.isNaN(recordedMs) && !this.#isDue(recordedMs)) await this.#waitFor(recordedMs);
        message = retime(wire, this.#map);
        if (wire.bookmakers != null) this.#namesConfirmed = true;
      }
      while (!this.#handover.isStopped && !this.#sink.offer(message)) await this.#sink.room();
      if (this.#handover.isStopped) return;
    }
  }

  #isDue(recordedMs: number): boolean {
    return recordedMs <= unmapTime(this.#map, this.#clock.wallMs());
  }

  /** Waits until a time of the recording has come; returns immediately if it is in the past. */
  async #waitFor(recordedMs: number): Promise<void> {
    while (!this.#handover.isStopped) {
      const aheadMs = recordedMs - unmapTime(this.#map, this.#clock.wallMs());
      if (aheadMs <= 0) return;
      this.#reachPresent();
      await this.#handover.sleep(Math.min(WAIT_STEP_MS, Math.ceil(aheadMs / this.#map.speed)));
    }
  }

  #reachPresent(): void {
    if (this.#caughtUp || this.#handover.isStopped) return;
    this.#caughtUp = true;
    this.#sink.caughtUp();
    this.#confirm();
  }

  #confirm(): void {
    if (!this.#namesConfirmed) this.#sink.alive(this.#clock.wallMs());
  }
}
