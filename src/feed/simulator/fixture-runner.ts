// The life of one fixture on the slate: it appears with its lines, moves before kickoff, plays its script, and leaves
// some minutes after the result. Each act writes messages and queues the next one.

import {
  PERIOD_FULL_TIME,
  PERIOD_HALF_TIME,
  PERIODS,
  QUOTE_OPEN,
  QUOTE_SUSPENDED,
  SPORT_FOOTBALL,
} from '../../domain/catalogue.ts';
import { hashUnit, mixHash, Random } from '../../domain/random.ts';
import { BasketballModel } from './basketball-prices.ts';
import { writeBasketballScript } from './basketball-script.ts';
import { BookBoard } from './book-board.ts';
import { BOOK_PROFILES, believe, reopenDelayMs } from './book-profile.ts';
import type { EventQueue } from './event-queue.ts';
import { FootballModel } from './football-prices.ts';
import { FIRST_HALF_SHARE, redCardFactor, writeFootballScript } from './football-script.ts';
import {
  type MatchScript,
  STEP_END,
  STEP_HALF,
  STEP_SECOND_HALF,
  STEP_STOP,
  type Step,
  shareLeft,
  stepIndexAt,
} from './match-script.ts';
import type { Outlook, PriceModel } from './price-model.ts';
import type { Fixture } from './schedule.ts';
import type { WireWriter } from './wire.ts';

/** What all fixtures of one engine share. */
export interface Stage {
  readonly writer: WireWriter;
  readonly queue: EventQueue;
  /** By sport: scratch, loaded anew for every pricing. */
  readonly models: readonly [FootballModel, BasketballModel];
  /** Speed of the books' moods. */
  readonly warp: number;
  /** Whether fixtures re-price by themselves, rather than when told. */
  readonly ticking: boolean;
  readonly onLeave: (runner: FixtureRunner) => void;
}

const SECOND_MS = 1_000;
const PREMATCH_TICK_MS = [5 * SECOND_MS, 30 * SECOND_MS] as const;
const LIVE_TICK_MS = [1.5 * SECOND_MS, 3.5 * SECOND_MS] as const;
const STAY_MS = [5 * 60 * SECOND_MS, 15 * 60 * SECOND_MS] as const;
const KICKOFF_STATE: Step = { atMs: 0, kind: 0, clock: '', home: 0, away: 0, homeReds: 0, awayReds: 0 };

/** Models to share within one engine. */
export function createModels(): Stage['models'] {
  return [new FootballModel(), new BasketballModel()];
}

export class FixtureRunner {
  readonly fixture: Fixture;
  /** Position in the engine's list, which owns it. */
  listIndex = 0;
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #boards: BookBoard[];
  readonly #outlook: Outlook = { home: 0, away: 0, homeScore: 0, awayScore: 0 };
  readonly #cards: boolean;
  #script: MatchScript | null = null;
  #stepIndex = -1;
  #ticks = 0;

  /** @param startMs start of the engine: what a restart may change (who re-prices when) hangs on it */
  constructor(fixture: Fixture, stage: Stage, startMs: number) {
    this.fixture = fixture;
    this.#stage = stage;
    this.#random = new Random(mixHash(mixHash(fixture.hash, 6), startMs / SECOND_MS));
    this.#boards = BOOK_PROFILES.map((profile) => new BookBoard(fixture.key, profile));
    this.#cards = fixture.league.sport === SPORT_FOOTBALL;
  }

  get isOver(): boolean {
    return this.#step.kind === STEP_END;
  }

  get rowCount(): number {
    return this.#boards.reduce((sum, board) => sum + board.rowCount, 0);
  }

  /** Puts a fixture on the slate as it stands now. @returns false when it has already left */
  appear(nowMs: number): boolean {
    const { writer } = this.#stage;
    const { kickoffMs, key } = this.fixture;
    if (nowMs >= kickoffMs) {
      this.#script = this.#writeScript();
      this.#stepIndex = stepIndexAt(this.#script.steps, nowMs);
      if (this.isOver && this.#leaveMs <= nowMs) return false;
    }
    writer.event(this.fixture);
    if (this.#script !== null) {
      writer.state(key, this.#step, { status: this.isOver ? 'finished' : 'live', cards: this.#cards });
    }
    if (this.isOver) writer.result(key, this.#step, this.#cards);
    else this.#openBoards(nowMs);
    this.#queueStep(nowMs);
    this.#queueTick(nowMs);
    return true;
  }

  /** One random book prices its lines anew. @returns messages written, 0 when that book is suspended */
  reprice(nowMs: number, everyRow: boolean): number {
    const board = this.#boards[this.#random.index(this.#boards.length)] as BookBoard;
    if (board.reopenMs > 0 || this.isOver) return 0;
    return this.#price(board, { atMs: nowMs, step: this.#step, status: QUOTE_OPEN, everyRow });
  }

  get #step(): Step {
    return this.#script?.steps[this.#stepIndex] ?? KICKOFF_STATE;
  }

  get #leaveMs(): number {
    const unit = hashUnit(mixHash(this.fixture.hash, 7));
    return this.#step.atMs + STAY_MS[0] + Math.floor((STAY_MS[1] - STAY_MS[0]) * unit);
  }

  #writeScript(): MatchScript {
    return this.#cards ? writeFootballScript(this.fixture) : writeBasketballScript(this.fixture);
  }

  #openBoards(nowMs: number): void {
    const steps = this.#script?.steps ?? [];
    let index = this.#stepIndex;
    while (index >= 0 && (steps[index] as Step).kind !== STEP_STOP) index--;
    const stop = steps[index];
    const before = steps[index - 1] ?? KICKOFF_STATE;
    for (const board of this.#boards) {
      const reopenMs =
        stop === undefined ? 0 : stop.atMs + reopenDelayMs(this.fixture, stop.atMs, board.profile);
      if (stop === undefined || reopenMs <= nowMs) {
        this.#price(board, { atMs: nowMs, step: this.#step, status: QUOTE_OPEN, everyRow: false });
      } else {
        // Still suspended: it shows what it last asked before the incident.
        this.#price(board, { atMs: stop.atMs - 1, step: before, status: QUOTE_SUSPENDED, everyRow: false });
        this.#queueReopen(board, reopenMs);
      }
    }
  }

  #price(board: BookBoard, asked: { atMs: number; step: Step; status: number; everyRow: boolean }): number {
    const { writer, models, warp } = this.#stage;
    const model: PriceModel = models[this.fixture.league.sport] as PriceModel;
    const belief = believe(this.fixture, board.profile, { ms: asked.atMs, warp });
    let count = 0;
    for (let period = 0; period < PERIODS.length; period++) {
      const share = this.#shareLeft(asked.atMs, period);
      if (period === PERIOD_HALF_TIME && share <= 0) continue;
      const { home, away, homeReds, awayReds } = asked.step;
      const outlook = this.#outlook;
      outlook.home = this.fixture.rates.home * share * belief.home * redCardFactor(homeReds, awayReds);
      outlook.away = this.fixture.rates.away * share * belief.away * redCardFactor(awayReds, homeReds);
      outlook.homeScore = home;
      outlook.awayScore = away;
      model.load(outlook);
      count += board.price(period, { model, writer, status: asked.status, everyRow: asked.everyRow });
    }
    return count;
  }

  #shareLeft(atMs: number, period: number): number {
    const firstHalfOnly = period === PERIOD_HALF_TIME;
    if (this.#script !== null) return shareLeft(this.#script.spans, atMs, firstHalfOnly);
    if (!firstHalfOnly) return 1;
    return this.#cards ? FIRST_HALF_SHARE : 0.5;
  }

  #queueStep(nowMs: number): void {
    const { queue } = this.#stage;
    if (this.isOver) {
      queue.push({ atMs: Math.max(this.#leaveMs, nowMs), run: () => this.#leave() });
      return;
    }
    const next = this.#script?.steps[this.#stepIndex + 1];
    queue.push({ atMs: next?.atMs ?? this.fixture.kickoffMs, run: (atMs) => this.#advance(atMs) });
  }

  #advance(atMs: number): void {
    const { writer } = this.#stage;
    const kicksOff = this.#script === null;
    this.#script ??= this.#writeScript();
    this.#stepIndex++;
    const { kind } = this.#step;
    const ends = kind === STEP_END;
    if (ends) for (const board of this.#boards) board.pull(PERIOD_FULL_TIME, writer);
    writer.state(this.fixture.key, this.#step, { status: ends ? 'finished' : 'live', cards: this.#cards });
    if (ends) writer.result(this.fixture.key, this.#step, this.#cards);
    if (kind === STEP_STOP) this.#suspendAll(atMs);
    if (kind === STEP_HALF) for (const board of this.#boards) board.pull(PERIOD_HALF_TIME, writer);
    if (kind === STEP_SECOND_HALF) for (const board of this.#boards) board.withdraw(PERIOD_HALF_TIME, writer);
    this.#queueStep(atMs);
    if (kicksOff) this.#queueTick(atMs);
  }

  #suspendAll(atMs: number): void {
    for (const board of this.#boards) {
      board.suspend(this.#stage.writer);
      this.#queueReopen(board, atMs + reopenDelayMs(this.fixture, atMs, board.profile));
    }
  }

  #queueReopen(board: BookBoard, reopenMs: number): void {
    board.reopenMs = reopenMs;
    this.#stage.queue.push({ atMs: reopenMs, run: (atMs) => this.#reopen(board, atMs) });
  }

  #reopen(board: BookBoard, atMs: number): void {
    // A second incident meanwhile has set a later time, and the whistle none.
    if (board.reopenMs !== atMs || this.isOver) return;
    board.reopenMs = 0;
    this.#price(board, { atMs, step: this.#step, status: QUOTE_OPEN, everyRow: false });
  }

  #queueTick(nowMs: number): void {
    if (!this.#stage.ticking || this.isOver) return;
    // Kickoff starts a faster chain; the slower one sees that it is not the newest and ends.
    const chain = ++this.#ticks;
    const [low, high] = this.#script === null ? PREMATCH_TICK_MS : LIVE_TICK_MS;
    const atMs = nowMs + Math.floor(this.#random.between(low, high));
    this.#stage.queue.push({ atMs, run: () => this.#tick(atMs, chain) });
  }

  #tick(atMs: number, chain: number): void {
    if (chain !== this.#ticks || this.isOver) return;
    const board = this.#boards[this.#random.index(this.#boards.length)] as BookBoard;
    if (board.reopenMs === 0) {
      const written = this.#price(board, { atMs, step: this.#step, status: QUOTE_OPEN, everyRow: false });
      if (written === 0) board.confirm(this.#stage.writer);
    }
    this.#queueTick(atMs);
  }

  #leave(): void {
    this.#stage.writer.remove(this.fixture.key);
    this.#stage.onLeave(this);
  }
}
