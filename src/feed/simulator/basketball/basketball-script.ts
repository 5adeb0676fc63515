// Writes a basketball match possession by possession: four quarters, a break at half time, overtime until
// somebody leads, and the clock as feeds write it ("q1 8:32", "ht", "ot 4:05"). A game minute takes about 2.3
// real ones.

import { mixHash, Random } from '../../../domain/random.ts';
import {
  type MatchScript,
  type Span,
  STEP_END,
  STEP_HALF,
  STEP_MOVE,
  STEP_SECOND_HALF,
  type Step,
} from '../match-script.ts';
import type { ScheduledFixture } from '../schedule.ts';

const REAL_MS_PER_GAME_SECOND = 2_300;
const QUARTER_BREAK_MS = 150_000;
const HALF_BREAK_MS = 15 * 60_000;
const OVERTIME_SECONDS = 300;
/** Seconds of game time between the ends of two possessions, both sides together. */
const POSSESSION_SECONDS = 14.4;
/** The clock is sent at least this often, in game seconds. */
const CLOCK_SECONDS = 10;

interface Board {
  readonly steps: Step[];
  readonly spans: Span[];
  home: number;
  away: number;
  homeTurn: boolean;
  /** The number reserved for each side's next possession, NaN for none: see `pickFor`. */
  readonly owed: [number, number];
}

/** Writes the match of a fixture. Pure: the same fixture gives the same match. */
export function writeBasketballScript(fixture: ScheduledFixture): MatchScript {
  const random = new Random(mixHash(fixture.hash, 2));
  const quarterSeconds = fixture.league.quarterMinutes * 60;
  const board: Board = {
    steps: [],
    spans: [],
    home: 0,
    away: 0,
    homeTurn: random.unit() < 0.5,
    owed: [Number.NaN, Number.NaN],
  };
  let atMs = fixture.kickoffMs;
  let knownMs = Number.NEGATIVE_INFINITY;
  for (let quarter = 1; quarter <= 4 || board.home === board.away; quarter++) {
    const overtime = quarter > 4;
    const seconds = overtime ? OVERTIME_SECONDS : quarterSeconds;
    const endMs = atMs + seconds * REAL_MS_PER_GAME_SECOND;
    const share = seconds / (4 * quarterSeconds);
    board.spans.push({ startMs: atMs, endMs, share, firstHalf: quarter <= 2, knownMs });
    const label = overtime ? 'ot' : `q${quarter}`;
    if (quarter === 3) push(board, atMs, STEP_SECOND_HALF, clockText(label, seconds));
    playQuarter(board, { fixture, random, label, seconds, startMs: atMs });
    if (quarter === 2) push(board, endMs, STEP_HALF, 'ht');
    else push(board, endMs, STEP_MOVE, clockText(label, 0));
    if (quarter >= 4) knownMs = endMs;
    atMs = endMs + (quarter === 2 ? HALF_BREAK_MS : QUARTER_BREAK_MS);
  }
  // The end of the last quarter is the end of the match.
  const last = board.steps.pop() as Step;
  board.steps.push({ ...last, kind: STEP_END });
  return { steps: board.steps, spans: board.spans };
}

interface Quarter {
  readonly fixture: ScheduledFixture;
  readonly random: Random;
  readonly label: string;
  readonly seconds: number;
  readonly startMs: number;
}

function playQuarter(board: Board, quarter: Quarter): void {
  const { fixture, random, seconds } = quarter;
  const gameSeconds = fixture.league.quarterMinutes * 240;
  const possessionsPerSide = gameSeconds / POSSESSION_SECONDS / 2;
  let clockSeconds = CLOCK_SECONDS;
  if (board.steps.length === 0) push(board, quarter.startMs, STEP_MOVE, clockText(quarter.label, seconds));
  const count = Math.round(seconds / POSSESSION_SECONDS);
  const gap = seconds / count;
  for (let i = 0; i < count; i++) {
    const at = (i + 0.1 + 0.8 * random.unit()) * gap;
    for (; clockSeconds < at; clockSeconds += CLOCK_SECONDS) step(board, quarter, clockSeconds);
    const mean = (board.homeTurn ? fixture.rates.home : fixture.rates.away) / possessionsPerSide;
    const points = pointsOf(mean, pickFor(board, random));
    if (board.homeTurn) board.home += points;
    else board.away += points;
    board.homeTurn = !board.homeTurn;
    if (points > 0) step(board, quarter, at);
  }
}

/**
 * A random number of [0, 1) for one possession. Two thirds of a side's possessions come in pairs of opposite
 * luck, because real teams score more evenly than coin tosses, and without this margins would spread by 16
 * points instead of about 12.
 */
function pickFor(board: Board, random: Random): number {
  const side = board.homeTurn ? 0 : 1;
  const owed = board.owed[side];
  if (!Number.isNaN(owed)) {
    board.owed[side] = Number.NaN;
    return owed;
  }
  const pick = random.unit();
  if (random.unit() < 0.5) board.owed[side] = (pick + 0.5) % 1;
  return pick;
}

/** Points of one possession, 0 to 3, with the given mean. The shares of 1, 2 and 3 points are fixed. */
function pointsOf(mean: number, pick: number): number {
  // Shares of 0.08, 0.68 and 0.24 for 1, 2 and 3 points average 2.16.
  const success = Math.min(0.95, mean / 2.16);
  if (pick >= success) return 0;
  const within = pick / success;
  if (within < 0.08) return 1;
  return within < 0.76 ? 2 : 3;
}

function step(board: Board, quarter: Quarter, playedSeconds: number): void {
  const atMs = Math.round(quarter.startMs + playedSeconds * REAL_MS_PER_GAME_SECOND);
  push(board, atMs, STEP_MOVE, clockText(quarter.label, quarter.seconds - playedSeconds));
}

function push(board: Board, atMs: number, kind: number, clock: string): void {
  const { home, away } = board;
  board.steps.push({ atMs, kind, clock, home, away, homeReds: 0, awayReds: 0 });
}

function clockText(label: string, leftSeconds: number): string {
  const left = Math.ceil(leftSeconds);
  return `${label} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}
