// The simulated bookmakers of one fixture. Decides which of them prices when and from what, and which is
// suspended until when.

import {
  PERIOD_FULL_TIME,
  PERIOD_HALF_TIME,
  PERIODS,
  QUOTE_OPEN,
  QUOTE_SUSPENDED,
  SPORT_FOOTBALL,
} from '../../domain/catalogue.ts';
import type { Random } from '../../domain/random.ts';
import { BookBoard } from './book-board.ts';
import { BOOK_PROFILES, believe, hasteOf, reopenDelayMs } from './book-profile.ts';
import { redCardFactor } from './football/football-script.ts';
import { marginFactorOf } from './margin.ts';
import { reactionTimes } from './market-news.ts';
import type { MatchPlay } from './match-play.ts';
import type { Step } from './match-script.ts';
import type { Outlook, PriceModel } from './price-model.ts';
import type { ScheduledFixture } from './schedule.ts';
import type { WireWriter } from './wire.ts';

/** What the fixtures of one engine use for pricing. */
export interface Pricing {
  readonly writer: WireWriter;
  /** One model for each sport: scratch space, filled again for every pricing. */
  readonly models: readonly PriceModel[];
  /** How many times faster than usual the market moves; see `believe`. */
  readonly warp: number;
}

interface PriceRequest {
  readonly atMs: number;
  readonly step: Step;
  /** Status of the quotes written, as an index into QUOTE_STATUSES. */
  readonly status: number;
  readonly everyRow: boolean;
}

/** When a bookmaker reopens. */
export interface Reopening {
  readonly board: BookBoard;
  readonly reopenMs: number;
}

export class FixtureBooks {
  readonly #fixture: ScheduledFixture;
  readonly #play: MatchPlay;
  readonly #pricing: Pricing;
  readonly #boards: readonly BookBoard[];
  readonly #outlook: Outlook = { home: 0, away: 0, homeScore: 0, awayScore: 0 };

  constructor(fixture: ScheduledFixture, play: MatchPlay, pricing: Pricing) {
    this.#fixture = fixture;
    this.#play = play;
    this.#pricing = pricing;
    this.#boards = BOOK_PROFILES.map((profile) => new BookBoard(fixture.key, fixture.league.sport, profile));
  }

  get rowCount(): number {
    return this.#boards.reduce((sum, board) => sum + board.rowCount, 0);
  }

  /**
   * Writes every bookmaker's lines in their present state.
   * @returns the bookmakers still suspended by the last incident
   */
  showAll(nowMs: number): Reopening[] {
    const last = this.#play.lastStop;
    const reopenings: Reopening[] = [];
    for (const board of this.#boards) {
      const stopMs = last?.stop.atMs ?? Number.NEGATIVE_INFINITY;
      const reopenMs = stopMs + reopenDelayMs(this.#fixture, stopMs, board.profile);
      if (last === null || reopenMs <= nowMs) {
        this.#priceAsOf(board, { atMs: nowMs, step: this.#play.step, status: QUOTE_OPEN, everyRow: false });
        continue;
      }
      // A suspended bookmaker shows its last prices from before the incident.
      const request = { atMs: stopMs - 1, step: last.before, status: QUOTE_SUSPENDED, everyRow: false };
      this.#priceAsOf(board, request);
      board.reopenMs = reopenMs;
      reopenings.push({ board, reopenMs });
    }
    return reopenings;
  }

  /**
   * Call it for a goal or red card. All bookmakers suspend their lines, and each reopens at its own time.
   * @returns when each of them reopens
   */
  suspendAll(nowMs: number): Reopening[] {
    return this.#boards.map((board) => {
      board.suspend(this.#pricing.writer);
      board.reopenMs = nowMs + reopenDelayMs(this.#fixture, nowMs, board.profile);
      return { board, reopenMs: board.reopenMs };
    });
  }

  /**
   * Reopens a bookmaker with new prices, unless a second incident has set a later time or the match is over.
   */
  reopen({ board, reopenMs }: Reopening): void {
    if (board.reopenMs !== reopenMs || this.#play.isOver) return;
    board.reopenMs = 0;
    this.#price(board, reopenMs, false);
  }

  /** When each bookmaker reacts to the news at `newsMs`: first in haste, later with care. */
  reactions(newsMs: number): readonly { readonly board: BookBoard; readonly atMs: number }[] {
    return this.#boards.flatMap((board) =>
      reactionTimes(this.#fixture, board.profile, newsMs, this.#pricing.warp).map((atMs) => ({
        board,
        atMs,
      })),
    );
  }

  /** Prices one bookmaker's lines again, unless it is suspended. */
  priceBook(board: BookBoard, nowMs: number): void {
    this.#price(board, nowMs, false);
  }

  /** Prices every bookmaker's lines again. */
  priceAll(nowMs: number): void {
    for (const board of this.#boards) this.#price(board, nowMs, false);
  }

  /**
   * Lets one random bookmaker price and write all its lines.
   * @returns messages written, 0 when it is suspended
   */
  writeOne(nowMs: number, random: Random): number {
    return this.#price(this.#pick(random), nowMs, true);
  }

  /** Lets one random bookmaker review its lines; if no line has moved, it confirms one. */
  tickOne(nowMs: number, random: Random): void {
    const board = this.#pick(random);
    if (board.reopenMs === 0 && this.#price(board, nowMs, false) === 0) board.confirm(this.#pricing.writer);
  }

  /** Call it when a period ends: its lines are suspended and get price 0. */
  pullAll(period: number): void {
    for (const board of this.#boards) board.pull(period, this.#pricing.writer);
  }

  /** The period's lines leave the slate. */
  withdrawAll(period: number): void {
    for (const board of this.#boards) board.withdraw(period, this.#pricing.writer);
  }

  #pick(random: Random): BookBoard {
    return this.#boards[random.index(this.#boards.length)] as BookBoard;
  }

  #price(board: BookBoard, atMs: number, everyRow: boolean): number {
    if (board.reopenMs > 0 || this.#play.isOver) return 0;
    return this.#priceAsOf(board, { atMs, step: this.#play.step, status: QUOTE_OPEN, everyRow });
  }

  #priceAsOf(board: BookBoard, request: PriceRequest): number {
    const { writer, models, warp } = this.#pricing;
    const { rates, league } = this.#fixture;
    const { home, away, homeReds, awayReds } = request.step;
    const belief = believe(this.#fixture, board.profile, { ms: request.atMs, warp });
    const homeRate = rates.home * belief.home * redCardFactor(homeReds, awayReds);
    const awayRate = rates.away * belief.away * redCardFactor(awayReds, homeReds);
    // Basketball is priced on the clock as last sent, not on the exact time. Otherwise two bookmakers that
    // price a moment apart would disagree by more than their margins near the end.
    const byClock = league.sport === SPORT_FOOTBALL || !this.#play.hasBegun;
    const playMs = byClock ? request.atMs : request.step.atMs;
    const model = models[league.sport] as PriceModel;
    const outlook = this.#outlook;
    outlook.homeScore = home;
    outlook.awayScore = away;
    const marginFactor = marginFactorOf(
      this.#fixture,
      request.atMs,
      this.#play.shareLeft(playMs, PERIOD_FULL_TIME),
    );
    const haste = hasteOf(this.#fixture, board.profile, { ms: request.atMs, warp });
    let count = 0;
    for (let period = PERIOD_FULL_TIME; period < PERIODS.length; period++) {
      const share = this.#play.shareLeft(playMs, period);
      if (period === PERIOD_HALF_TIME && share <= 0) continue;
      outlook.home = homeRate * share;
      outlook.away = awayRate * share;
      model.load(outlook);
      count += board.price(period, {
        model,
        marginFactor,
        haste,
        writer,
        status: request.status,
        everyRow: request.everyRow,
      });
    }
    return count;
  }
}
