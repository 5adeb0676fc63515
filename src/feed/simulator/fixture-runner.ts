// The life of one fixture on the slate: it appears with its lines, its prices move before kickoff, it plays
// its script, and leaves some minutes after the result. Each task writes messages and queues the next task.

import { SECOND_MS } from '../../clock.ts';
import { PERIOD_FULL_TIME, PERIOD_HALF_TIME, SPORT_FOOTBALL } from '../../domain/catalogue.ts';
import { mixHash, Random } from '../../domain/random.ts';
import type { EventQueue } from './event-queue.ts';
import { FixtureBooks, type Pricing, type Reopening } from './fixture-books.ts';
import { LAG_MAX_MS, nextNewsMs } from './market-news.ts';
import { MatchPlay } from './match-play.ts';
import { STEP_HALF, STEP_MOVE, STEP_SECOND_HALF, STEP_STOP } from './match-script.ts';
import type { ScheduledFixture } from './schedule.ts';

/** What all fixtures of one engine share. */
export interface Stage extends Pricing {
  readonly queue: EventQueue;
  /** Whether fixtures re-price on their own schedule, or only when the caller requests it. */
  readonly ticking: boolean;
  readonly onLeave: (runner: FixtureRunner) => void;
}

/** The shortest and the longest wait between two reviews, each of a random bookmaker's lines. */
const PREMATCH_TICK_MS = { low: 5 * SECOND_MS, high: 30 * SECOND_MS };
const FOOTBALL_TICK_MS = { low: 1.5 * SECOND_MS, high: 3.5 * SECOND_MS };
/** Basketball's bookmakers also re-price at every step of the match. */
const BASKETBALL_TICK_MS = { low: 4 * SECOND_MS, high: 8 * SECOND_MS };

export class FixtureRunner {
  /** Position in the engine's list of fixtures. Only the engine changes it. */
  listIndex = 0;
  readonly #fixture: ScheduledFixture;
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #play: MatchPlay;
  readonly #books: FixtureBooks;
  readonly #isFootball: boolean;
  #tickChain = 0;

  /**
   * @param startMs start of the engine. It is part of the seed that decides when each bookmaker reviews its
   * prices, so those times may differ after a restart
   */
  constructor(fixture: ScheduledFixture, stage: Stage, startMs: number) {
    this.#fixture = fixture;
    this.#stage = stage;
    this.#random = new Random(mixHash(mixHash(fixture.hash, 6), startMs / SECOND_MS));
    this.#play = new MatchPlay(fixture);
    this.#books = new FixtureBooks(fixture, this.#play, stage);
    this.#isFootball = fixture.league.sport === SPORT_FOOTBALL;
  }

  get rowCount(): number {
    return this.#books.rowCount;
  }

  /** Puts a fixture on the slate as it is now. @returns false when it has already left */
  appear(nowMs: number): boolean {
    const play = this.#play;
    play.jumpTo(nowMs);
    if (play.isOver && play.leaveMs <= nowMs) return false;
    this.#stage.writer.event(this.#fixture);
    if (play.hasBegun) this.#writeState();
    if (!play.isOver) this.#queueReopenings(this.#books.showAll(nowMs));
    this.#queueStep();
    this.#queueTick(nowMs);
    this.#queueNews(nowMs);
    return true;
  }

  /** Lets one random bookmaker write all its lines. @returns messages written, 0 when it is suspended */
  writeOne(nowMs: number): number {
    return this.#books.writeOne(nowMs, this.#random);
  }

  #queueStep(): void {
    const play = this.#play;
    if (play.isOver) this.#stage.queue.push({ atMs: play.leaveMs, run: () => this.#leave() });
    else this.#stage.queue.push({ atMs: play.nextMs, run: (atMs) => this.#advance(atMs) });
  }

  #advance(atMs: number): void {
    const kicksOff = !this.#play.hasBegun;
    const { kind } = this.#play.forward();
    if (this.#play.isOver) this.#books.pullAll(PERIOD_FULL_TIME);
    this.#writeState();
    if (kind === STEP_MOVE) this.#books.priceAll(atMs);
    if (kind === STEP_STOP) this.#queueReopenings(this.#books.suspendAll(atMs));
    if (kind === STEP_HALF) this.#books.pullAll(PERIOD_HALF_TIME);
    if (kind === STEP_SECOND_HALF) this.#books.withdrawAll(PERIOD_HALF_TIME);
    this.#queueStep();
    if (kicksOff) this.#queueTick(atMs);
  }

  /** The state, and at the end the result. */
  #writeState(): void {
    const { writer } = this.#stage;
    const { step, isOver } = this.#play;
    const cards = this.#isFootball;
    writer.state(this.#fixture.key, step, { status: isOver ? 'finished' : 'live', cards });
    if (isOver) writer.result(this.#fixture.key, step, cards);
  }

  #queueReopenings(reopenings: readonly Reopening[]): void {
    for (const reopening of reopenings) {
      this.#stage.queue.push({ atMs: reopening.reopenMs, run: () => this.#books.reopen(reopening) });
    }
  }

  /** Queues future news, and reactions to news from before the fixture appeared. */
  #queueNews(nowMs: number): void {
    if (!this.#stage.ticking) return;
    const { warp } = this.#stage;
    let newsMs = nextNewsMs(this.#fixture, nowMs - LAG_MAX_MS, warp);
    for (; newsMs <= nowMs; newsMs = nextNewsMs(this.#fixture, newsMs, warp))
      this.#queueReactions(newsMs, nowMs);
    this.#queueNextNews(newsMs);
  }

  #queueNextNews(newsMs: number): void {
    const run = (atMs: number): void => {
      if (this.#play.isOver) return;
      this.#queueReactions(atMs, atMs - 1);
      this.#queueNextNews(nextNewsMs(this.#fixture, atMs, this.#stage.warp));
    };
    this.#stage.queue.push({ atMs: newsMs, run });
  }

  /** Each bookmaker reacts when it has noticed the news, and reviews its lines once more later, with care. */
  #queueReactions(newsMs: number, afterMs: number): void {
    for (const { board, atMs } of this.#books.reactions(newsMs)) {
      if (atMs <= afterMs) continue;
      this.#stage.queue.push({ atMs, run: (reactMs) => this.#books.priceBook(board, reactMs) });
    }
  }

  #queueTick(nowMs: number): void {
    if (!this.#stage.ticking || this.#play.isOver) return;
    // At kickoff a chain of more frequent ticks begins. The next tick of the former chain finds that its
    // chain is not the newest one, and queues no further tick.
    const chain = ++this.#tickChain;
    const { low, high } = this.#tickWait();
    const run = (atMs: number): void => this.#tick(atMs, chain);
    this.#stage.queue.push({ atMs: nowMs + Math.floor(this.#random.between(low, high)), run });
  }

  #tickWait(): { readonly low: number; readonly high: number } {
    if (!this.#play.hasBegun) return PREMATCH_TICK_MS;
    return this.#isFootball ? FOOTBALL_TICK_MS : BASKETBALL_TICK_MS;
  }

  #tick(atMs: number, chain: number): void {
    if (chain !== this.#tickChain || this.#play.isOver) return;
    this.#books.tickOne(atMs, this.#random);
    this.#queueTick(atMs);
  }

  #leave(): void {
    this.#stage.writer.remove(this.#fixture.key);
    this.#stage.onLeave(this);
  }
}
