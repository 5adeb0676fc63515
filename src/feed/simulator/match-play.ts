// The state of a fixture's match at an instant: before kickoff its expectation, from kickoff on a position in
// its script.

import { MINUTE_MS } from '../../clock.ts';
import { PERIOD_HALF_TIME, SPORT_FOOTBALL } from '../../domain/catalogue.ts';
import { hashUnit, mixHash } from '../../domain/random.ts';
import { writeBasketballScript } from './basketball/basketball-script.ts';
import { FIRST_HALF_SHARE, writeFootballScript } from './football/football-script.ts';
import {
  type MatchScript,
  STEP_END,
  STEP_PLAY,
  STEP_STOP,
  type Step,
  shareLeft,
  stepIndexAt,
} from './match-script.ts';
import type { ScheduledFixture } from './schedule.ts';

/** How long a finished match stays on the slate after its end. */
const STAY_MIN_MS = 5 * MINUTE_MS;
const STAY_MAX_MS = 15 * MINUTE_MS;
const BEFORE_KICKOFF: Step = {
  atMs: Number.NEGATIVE_INFINITY,
  kind: STEP_PLAY,
  clock: '',
  home: 0,
  away: 0,
  homeReds: 0,
  awayReds: 0,
};

export class MatchPlay {
  readonly #fixture: ScheduledFixture;
  // Created only at kickoff, because most fixtures on the slate have not begun.
  #script: MatchScript | null = null;
  #index = -1;

  constructor(fixture: ScheduledFixture) {
    this.#fixture = fixture;
  }

  get hasBegun(): boolean {
    return this.#script !== null;
  }

  get isOver(): boolean {
    return this.step.kind === STEP_END;
  }

  /** The latest step, with the state after it. */
  get step(): Step {
    return this.#script?.steps[this.#index] ?? BEFORE_KICKOFF;
  }

  /** Time of the next step; before kickoff, the kickoff. */
  get nextMs(): number {
    return this.#script?.steps[this.#index + 1]?.atMs ?? this.#fixture.kickoffMs;
  }

  /** When a finished match leaves the slate. */
  get leaveMs(): number {
    const unit = hashUnit(mixHash(this.#fixture.hash, 7));
    return this.step.atMs + STAY_MIN_MS + Math.floor((STAY_MAX_MS - STAY_MIN_MS) * unit);
  }

  /** The latest incident and the state before it, null before the first incident. */
  get lastStop(): { readonly stop: Step; readonly before: Step } | null {
    const steps = this.#script?.steps ?? [];
    let index = this.#index;
    while (index >= 0 && (steps[index] as Step).kind !== STEP_STOP) index--;
    const stop = steps[index];
    return stop === undefined ? null : { stop, before: steps[index - 1] ?? BEFORE_KICKOFF };
  }

  /** Moves to the state at an instant. */
  jumpTo(nowMs: number): void {
    if (nowMs < this.#fixture.kickoffMs) return;
    this.#script = this.#write();
    this.#index = stepIndexAt(this.#script.steps, nowMs);
  }

  /** Takes the next step; the first one kicks off. */
  forward(): Step {
    this.#script ??= this.#write();
    this.#index++;
    return this.step;
  }

  /** Share of the match's scoring still to come within a period, by PERIODS index. */
  shareLeft(atMs: number, period: number): number {
    const firstHalfOnly = period === PERIOD_HALF_TIME;
    if (this.#script !== null) return shareLeft(this.#script.spans, atMs, firstHalfOnly);
    if (!firstHalfOnly) return 1;
    return this.#fixture.league.sport === SPORT_FOOTBALL ? FIRST_HALF_SHARE : 0.5;
  }

  #write(): MatchScript {
    const isFootball = this.#fixture.league.sport === SPORT_FOOTBALL;
    return isFootball ? writeFootballScript(this.#fixture) : writeBasketballScript(this.#fixture);
  }
}
