// Writes a football match: goals and red cards, a running clock in the feeds' form ("1h 12", "ht", "2h 67"),
// half time and added time. Goals and cards follow Poisson processes whose rates change when a side is a
// player down.

import { MINUTE_MS } from '../../../clock.ts';
import { mixHash, Random } from '../../../domain/random.ts';
import {
  type MatchScript,
  type Span,
  STEP_END,
  STEP_HALF,
  STEP_PLAY,
  STEP_SECOND_HALF,
  STEP_STOP,
  type Step,
} from '../match-script.ts';
import type { ScheduledFixture } from '../schedule.ts';

const HALF_MINUTES = 45;
const BREAK_MS = 15 * MINUTE_MS;
/** Goals come a little later than evenly: 45 % before the break, as in the big leagues. */
export const FIRST_HALF_SHARE = 0.45;
/** Mean red cards of one side in a match: about one match in six has any. */
const REDS_PER_SIDE = 0.09;
const REDS_MAX = 4;
/** Scoring factor of a side with one player less, and of its opponent. */
const SHORT_HANDED = 0.68;
const EXTRA_MAN = 1.18;

/** The effect of red cards on the home side's scoring; swap the arguments for the away side's. */
export function redCardFactor(ownReds: number, otherReds: number): number {
  return SHORT_HANDED ** ownReds * EXTRA_MAN ** otherReds;
}

/** Writes the match of a fixture. Pure: the same fixture gives the same match. */
export function writeFootballScript(fixture: ScheduledFixture): MatchScript {
  const random = new Random(mixHash(fixture.hash, 2));
  const firstEndMs = fixture.kickoffMs + (HALF_MINUTES + 1 + random.index(4)) * MINUTE_MS;
  const secondStartMs = firstEndMs + BREAK_MS;
  const secondEndMs = secondStartMs + (HALF_MINUTES + 2 + random.index(6)) * MINUTE_MS;
  const knownMs = Number.NEGATIVE_INFINITY;
  const first = {
    startMs: fixture.kickoffMs,
    endMs: firstEndMs,
    share: FIRST_HALF_SHARE,
    firstHalf: true,
    knownMs,
  };
  const second = {
    startMs: secondStartMs,
    endMs: secondEndMs,
    share: 1 - FIRST_HALF_SHARE,
    firstHalf: false,
    knownMs,
  };

  const board = new ScoreBoard(fixture);
  playHalf(board, first, random);
  board.push(firstEndMs, STEP_HALF, 'ht');
  playHalf(board, second, random);
  board.push(secondEndMs, STEP_END, board.clock);
  return { steps: board.steps, spans: [first, second] };
}

/** The present state, and the steps so far. */
class ScoreBoard {
  readonly steps: Step[] = [];
  readonly rates: { readonly home: number; readonly away: number };
  clock = '';
  home = 0;
  away = 0;
  homeReds = 0;
  awayReds = 0;

  constructor(fixture: ScheduledFixture) {
    this.rates = fixture.rates;
  }

  push(atMs: number, kind: number, clock: string): void {
    const { home, away, homeReds, awayReds } = this;
    this.clock = clock;
    this.steps.push({ atMs, kind, clock, home, away, homeReds, awayReds });
  }
}

function playHalf(board: ScoreBoard, span: Span, random: Random): void {
  let incidentMs = nextIncidentMs(board, span, span.startMs, random);
  const minutes = Math.round((span.endMs - span.startMs) / MINUTE_MS);
  for (let minute = 1; minute <= minutes; minute++) {
    const atMs = span.startMs + (minute - 1) * MINUTE_MS;
    // In added time the first half's clock stays at 45, the second half's continues, as feeds write it.
    const clock = span.firstHalf ? `1h ${Math.min(minute, HALF_MINUTES)}` : `2h ${HALF_MINUTES + minute}`;
    const opens = minute === 1 && !span.firstHalf;
    if (clock !== board.clock) board.push(atMs, opens ? STEP_SECOND_HALF : STEP_PLAY, clock);
    while (incidentMs < Math.min(atMs + MINUTE_MS, span.endMs)) {
      happen(board, random);
      board.push(incidentMs, STEP_STOP, clock);
      incidentMs = nextIncidentMs(board, span, incidentMs, random);
    }
  }
}

/** Rates per match of the four possible incidents: home goal, away goal, home red, away red. */
function hazards(board: ScoreBoard): readonly [number, number, number, number] {
  const { homeReds, awayReds } = board;
  return [
    board.rates.home * redCardFactor(homeReds, awayReds),
    board.rates.away * redCardFactor(awayReds, homeReds),
    homeReds < REDS_MAX ? REDS_PER_SIDE : 0,
    awayReds < REDS_MAX ? REDS_PER_SIDE : 0,
  ];
}

/**
 * Waiting times are exponential; one that ends after the half is dropped, because the process has no memory.
 */
function nextIncidentMs(board: ScoreBoard, span: Span, fromMs: number, random: Random): number {
  const [home, away, homeRed, awayRed] = hazards(board);
  const perMs = ((home + away + homeRed + awayRed) * span.share) / (span.endMs - span.startMs);
  return fromMs + 1 + Math.floor(random.exponential(1 / perMs));
}

function happen(board: ScoreBoard, random: Random): void {
  const [home, away, homeRed, awayRed] = hazards(board);
  const pick = random.unit() * (home + away + homeRed + awayRed);
  if (pick < home) board.home++;
  else if (pick < home + away) board.away++;
  else if (pick < home + away + homeRed) board.homeReds++;
  else board.awayReds++;
}
