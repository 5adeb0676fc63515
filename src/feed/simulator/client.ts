// The simulator as a feed source: the embedded default. The only part with a timer: it runs the engine up to
// the clock and offers its messages to the queue, waiting while the queue is full.

import type { Clock } from '../../clock.ts';
import { assert } from '../../errors.ts';
import { Handover, sourceOf } from '../handover.ts';
import { retime, type TimeMap } from '../replay/parse.ts';
import type { FeedSink, FeedSource } from '../source.ts';
import { SimulatorEngine, type SimulatorOptions } from './engine.ts';

export interface SimulatorSourceOptions extends SimulatorOptions {
  /**
   * When simulated and wall time agree, Unix ms; by default the moment of opening. Matters only at speeds
   * other than 1.
   */
  readonly originMs?: number;
}

/** Time between two checks of the clock; at a forced rate, that between two messages within these bounds. */
const TICK_MS = 50;
const TICK_MS_MIN = 10;
/** The engine runs in slices of this length, so that at most one slice of messages waits for room. */
const SLICE_MS = 100;
/** A snapshot is written in pieces of this size, so that a large one is never in memory whole. */
const SNAPSHOT_PIECE_MESSAGES = 4_000;
/**
 * If the clock jumps further than this in either direction, or the simulator falls this far behind because
 * the queue is full, it starts again with a snapshot.
 */
const JUMP_MAX_MS = 60_000;

/**
 * Opens the simulated market: it sends a snapshot immediately, then further messages as time passes.
 * @param options rates and counts are checked in the settings
 * @param sink gets hello, a marked snapshot and live messages, and a heartbeat every 5 s
 * @param clock at speed 1 `wallMs` is the simulator's time. At another speed simulated time runs `speed`
 * times as fast from the origin, and each time in a message is mapped to the moment of sending, as in a
 * recording
 */
export function openSimulator(options: SimulatorSourceOptions, sink: FeedSink, clock: Clock): FeedSource {
  assert(options.speed > 0 && Number.isFinite(options.speed), 'speed is above 0');
  const rate = options.ratePerSecond;
  assert(rate === null || (rate > 0 && Number.isFinite(rate)), 'a forced rate is above 0');
  const loop = new SimulatorLoop(options, sink, clock);
  return sourceOf(loop.run(), () => loop.stop());
}

class SimulatorLoop {
  readonly #options: SimulatorSourceOptions;
  readonly #sink: FeedSink;
  readonly #clock: Clock;
  readonly #originMs: number;
  readonly #handover: Handover;

  constructor(options: SimulatorSourceOptions, sink: FeedSink, clock: Clock) {
    this.#options = options;
    this.#sink = sink;
    this.#handover = new Handover(sink);
    this.#clock = clock;
    this.#originMs = options.originMs ?? clock.wallMs();
  }

  stop(): void {
    this.#handover.stop();
  }

  async run(): Promise<void> {
    this.#sink.connection(true);
    while (!this.#handover.isStopped) await this.#runEpoch();
  }

  /** One run of the engine: from its snapshot until it is stopped or the clock has jumped. */
  async #runEpoch(): Promise<void> {
    const { speed, ratePerSecond } = this.#options;
    const tickMs =
      ratePerSecond === null ? TICK_MS : Math.min(TICK_MS, Math.max(TICK_MS_MIN, 1_000 / ratePerSecond));
    const map: TimeMap = { helloAtMs: this.#originMs, startMs: this.#originMs, speed };
    const engine = new SimulatorEngine(this.#options);
    const hold = (message: Readonly<Record<string, unknown>>): void => {
      this.#handover.hold(speed === 1 ? message : retime(message, map));
    };
    for (const _ of engine.starting(this.#targetMs(), hold)) {
      if (this.#handover.waitingCount < SNAPSHOT_PIECE_MESSAGES) continue;
      await this.#handover.flush();
      await this.#handover.sleep(0); // lets the worker take the piece out of the queue
      if (this.#handover.isStopped) return;
    }
    await this.#handover.flush();
    while (!this.#handover.isStopped) {
      const targetMs = this.#targetMs();
      if (Math.abs(targetMs - engine.nowMs) > JUMP_MAX_MS * Math.max(1, speed)) return;
      while (engine.nowMs < targetMs && !this.#handover.isStopped) {
        engine.advance(Math.min(targetMs, engine.nowMs + SLICE_MS), hold);
        await this.#handover.flush();
      }
      await this.#handover.sleep(tickMs);
    }
  }

  /** The simulator's time now. */
  #targetMs(): number {
    return this.#originMs + (this.#clock.wallMs() - this.#originMs) * this.#options.speed;
  }
}
