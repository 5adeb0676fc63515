// The simulated market without a clock of its own: given a time, it writes the messages up to then, in order
// of time. The same options and start give the same messages, however the time is divided into calls; days of
// slate run in seconds. Memory is bounded by the fixtures on the slate: for each, one script, one board per
// bookmaker and a few queued tasks.

import { mixHash, Random } from '../../domain/random.ts';
import { assert } from '../../errors.ts';
import { BasketballModel } from './basketball/basketball-prices.ts';
import { EventQueue } from './event-queue.ts';
import { FixtureRunner, type Stage } from './fixture-runner.ts';
import { FootballModel } from './football/football-prices.ts';
import { AFTER_KICKOFF_MAX_MS, Schedule, type ScheduledFixture } from './schedule.ts';
import { type Emit, WireWriter } from './wire.ts';

export interface SimulatorOptions {
  readonly seed: number;
  /** Football fixtures on the slate at a time, on average. */
  readonly footballFixtures: number;
  readonly basketballFixtures: number;
  /** Forces the total rate, in messages per second of simulated time; null for the market's own rate. */
  readonly ratePerSecond: number | null;
  /** Simulated seconds per second; the engine itself does not know real time. */
  readonly speed: number;
}

const HEARTBEAT_MS = 5_000;
const EXPAND_MS = 15 * 60_000;
const EPOCH_RADIX = 36;
/** The forced rate is met in bursts, no more often than this. */
const PACE_MIN_MS = 1;
/**
 * Up to this rate the bookmakers' opinions move at their own speed; above it proportionally faster, so that
 * prices still move.
 */
const NATURAL_RATE = 200;
/**
 * A forced burst ends after this many attempts that wrote nothing, because every bookmaker may be suspended.
 */
const IDLE_PICKS_MAX = 64;

export class SimulatorEngine {
  readonly #options: SimulatorOptions;
  readonly #queue = new EventQueue();
  readonly #runners: FixtureRunner[] = [];
  readonly #schedules: readonly Schedule[];
  readonly #writer: WireWriter;
  readonly #stage: Stage;
  #random: Random;
  #startMs = Number.NaN;
  #nowMs = Number.NaN;

  constructor(options: SimulatorOptions) {
    this.#options = options;
    const { seed, ratePerSecond } = options;
    this.#schedules = [options.footballFixtures, options.basketballFixtures].map(
      (fixtures, sport) => new Schedule({ seed, sport, fixtures }),
    );
    this.#writer = new WireWriter(ignore);
    this.#random = new Random(seed);
    this.#stage = {
      writer: this.#writer,
      queue: this.#queue,
      models: [new FootballModel(), new BasketballModel()],
      warp: ratePerSecond === null ? 1 : Math.max(1, ratePerSecond / NATURAL_RATE),
      ticking: ratePerSecond === null,
      onLeave: (runner) => this.#drop(runner),
    };
  }

  /** Sizes of what is held in memory, so that tests can check that it stays bounded. */
  get held(): { fixtures: number; rows: number; queued: number } {
    const rows = this.#runners.reduce((sum, runner) => sum + runner.rowCount, 0);
    return { fixtures: this.#runners.length, rows, queued: this.#queue.size };
  }

  /** The simulated time reached so far, Unix ms. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Writes hello and the whole slate at an instant, as a snapshot. Call it once, before `advance`. */
  start(nowMs: number, emit: Emit): void {
    for (const _ of this.starting(nowMs, emit));
  }

  /** Does the same as `start`, one fixture for each step, so that not all messages are in memory together. */
  *starting(nowMs: number, emit: Emit): Generator<void> {
    assert(Number.isNaN(this.#startMs), 'an engine starts once');
    this.#startMs = nowMs;
    this.#nowMs = nowMs;
    this.#random = new Random(mixHash(this.#options.seed, nowMs / 1_000));
    const writer = this.#writer;
    writer.emit = emit;
    writer.setTime(nowMs);
    writer.hello(`${this.#options.seed.toString(EPOCH_RADIX)}-${nowMs.toString(EPOCH_RADIX)}`);
    writer.snapshotBegin();
    for (const schedule of this.#schedules) yield* this.#populate(schedule, nowMs);
    writer.snapshotEnd();
    this.#queue.push({ atMs: nowMs + HEARTBEAT_MS, run: (atMs) => this.#heartbeat(atMs) });
    if (this.#options.ratePerSecond !== null) this.#queuePace(nowMs, this.#options.ratePerSecond);
    writer.emit = ignore;
  }

  /** Writes everything after the last call's instant up to and including `toMs`. */
  advance(toMs: number, emit: Emit): void {
    assert(!Number.isNaN(this.#startMs), 'an engine is started before it advances');
    this.#writer.emit = emit;
    while (this.#queue.nextMs <= toMs) {
      const task = this.#queue.pop();
      assert(task !== undefined, 'a queue with a next time has a task');
      this.#writer.setTime(task.atMs);
      task.run(task.atMs);
    }
    this.#nowMs = Math.max(this.#nowMs, toMs);
    this.#writer.emit = ignore;
  }

  *#populate(schedule: Schedule, nowMs: number): Generator<void> {
    const horizonMs = Math.ceil((nowMs + schedule.leadMaxMs) / EXPAND_MS) * EXPAND_MS;
    for (const fixture of schedule.kickingOff(nowMs - AFTER_KICKOFF_MAX_MS, horizonMs)) {
      if (fixture.appearMs <= nowMs) this.#appear(fixture, nowMs);
      else this.#queueAppear(fixture);
      yield;
    }
    this.#queueExpand(schedule, horizonMs);
  }

  /**
   * Queues a task that adds the fixtures of the next quarter hour beyond the horizon. It runs when the first
   * of these fixtures could appear.
   */
  #queueExpand(schedule: Schedule, horizonMs: number): void {
    const run = (): void => {
      const nextMs = horizonMs + EXPAND_MS;
      for (const fixture of schedule.kickingOff(horizonMs, nextMs)) this.#queueAppear(fixture);
      this.#queueExpand(schedule, nextMs);
    };
    this.#queue.push({ atMs: Math.floor(horizonMs - schedule.leadMaxMs), run });
  }

  #queueAppear(fixture: ScheduledFixture): void {
    this.#queue.push({ atMs: fixture.appearMs, run: (atMs) => this.#appear(fixture, atMs) });
  }

  #appear(fixture: ScheduledFixture, nowMs: number): void {
    const runner = new FixtureRunner(fixture, this.#stage, this.#startMs);
    if (!runner.appear(nowMs)) return;
    runner.listIndex = this.#runners.length;
    this.#runners.push(runner);
  }

  #drop(runner: FixtureRunner): void {
    const last = this.#runners.pop();
    assert(last !== undefined, 'a fixture that leaves was listed');
    if (last === runner) return;
    this.#runners[runner.listIndex] = last;
    last.listIndex = runner.listIndex;
  }

  #heartbeat(atMs: number): void {
    this.#writer.heartbeat();
    this.#queue.push({ atMs: atMs + HEARTBEAT_MS, run: (nextMs) => this.#heartbeat(nextMs) });
  }

  #queuePace(nowMs: number, ratePerSecond: number): void {
    const everyMs = Math.max(PACE_MIN_MS, 1_000 / ratePerSecond);
    const sentAtStart = this.#writer.sent;
    const run = (atMs: number): void => {
      const due = sentAtStart + Math.floor(((atMs - nowMs) * ratePerSecond) / 1_000);
      let idle = 0;
      while (this.#writer.sent < due && idle < IDLE_PICKS_MAX && this.#runners.length > 0) {
        const runner = this.#runners[this.#random.index(this.#runners.length)] as FixtureRunner;
        idle = runner.writeOne(atMs) === 0 ? idle + 1 : 0;
      }
      this.#queue.push({ atMs: atMs + everyMs, run });
    };
    this.#queue.push({ atMs: nowMs + everyMs, run });
  }
}

function ignore(): void {}
