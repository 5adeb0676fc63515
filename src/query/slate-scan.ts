// Value and arbitrage over the whole slate. The scoring pool does the work; the calling thread only chooses, sorts and
// shows.

import { SCAN_SLATE_FIXTURES_MAX } from '../limits.ts';
import type { ScoreCriteria } from '../scoring/criteria.ts';
import type { ScanRequest } from '../scoring/scan.ts';
import type { FixtureScore } from '../scoring/score-rows.ts';
import { byKickoff, type EventFilter, type EventQueries } from './events.ts';
import type { FixtureNow } from './fixture-view.ts';
import { byStrength } from './signals.ts';

/** The pool, as this needs it. */
export interface Scorer {
  scan(request: ScanRequest): Promise<readonly FixtureScore[]>;
}

export interface ScannedFixture {
  readonly fixture: FixtureNow;
  readonly score: FixtureScore;
}

export interface SlateScan {
  /** Fixtures of the whole filtered slate. */
  readonly count: number;
  /** Scored fixtures, strongest signal first: arbitrage by margin, then value by edge, then scan order. */
  readonly scanned: readonly ScannedFixture[];
}

export class SlateScans {
  readonly #events: EventQueries;
  readonly #scorer: Scorer;

  constructor(events: EventQueries, scorer: Scorer) {
    this.#events = events;
    this.#scorer = scorer;
  }

  /** @throws ServiceError `upstream_unavailable` when there is no slate or the pool's queue is full */
  async scan(filter: EventFilter, criteria: ScoreCriteria, nowMs: number): Promise<SlateScan> {
    const chosen = this.#events.select(filter, nowMs).sort(byScanOrder);
    const fixtures = chosen.slice(0, SCAN_SLATE_FIXTURES_MAX);
    const byNumber = new Map(fixtures.map((fixture) => [fixture.view.eventNumber, fixture]));
    const scores = await this.#scorer.scan({ ...criteria, eventNumbers: [...byNumber.keys()] });
    const scanned = scores.flatMap((score) => {
      const fixture = byNumber.get(score.eventNumber);
      return fixture === undefined ? [] : [{ fixture, score }];
    });
    // The sort is stable, so fixtures without a signal stay in scan order.
    return { count: chosen.length, scanned: scanned.sort(bySignal) };
  }
}

/** Live first, then the soonest kickoffs, finished last. */
function byScanOrder(left: FixtureNow, right: FixtureNow): number {
  return scanRank(left) - scanRank(right) || byKickoff(left, right);
}

function scanRank({ status }: FixtureNow): number {
  return status === 'live' ? 0 : status === 'scheduled' ? 1 : 2;
}

/** Whether a fixture has value or arbitrage within the bounds asked for. */
export function hasSignal({ score: { valueCount, arbCount } }: ScannedFixture): boolean {
  return valueCount > 0 || arbCount > 0;
}

/** A signal comes first even where its edge is the bound 0, or a rounding error below it. */
function bySignal(left: ScannedFixture, right: ScannedFixture): number {
  return (
    Number(hasSignal(right)) - Number(hasSignal(left)) ||
    byStrength(left.score.bestArb?.margin ?? 0, right.score.bestArb?.margin ?? 0) ||
    byStrength(left.score.bestValue?.edge ?? 0, right.score.bestValue?.edge ?? 0)
  );
}
