// Signals of the kinds beside value and arbitrage, for one fixture.

import type { LowHold, Middle } from '../../contract/signals/kinds.ts';
import type { OddsFormat } from '../../domain/catalogue.ts';
import type { ScoreCriteria } from '../../scoring/criteria.ts';
import { fixtureHits } from '../../scoring/fixture-hits.ts';
import { NO_KINDS } from '../../scoring/kinds/kind-criteria.ts';
import { KIND_MIDDLE } from '../../scoring/kinds/kind-rows.ts';
import { fixtureKinds } from '../../scoring/kinds/score-kinds.ts';
import type { FixtureScore } from '../../scoring/score-rows.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import type { HitView } from './hit-view.ts';
import { toLowHold, toMiddle } from './kind-view.ts';
import { byStrength } from './signals.ts';

export interface MiddlesAsked {
  readonly criteria: ScoreCriteria;
  readonly format: OddsFormat;
  /** Per cent. */
  readonly minEvPct: number;
  readonly maxHoldPct: number;
}

export interface FixtureMiddles {
  /** Highest expected return first. */
  readonly middles: readonly Middle[];
  /** Lowest hold first. */
  readonly lowHolds: readonly LowHold[];
  /** Middles and holds left out because their prices are most likely wrong. */
  readonly implausibleCount: number;
  /** Middles beyond what one fixture may have. */
  readonly leftOutCount: number;
  readonly score: FixtureScore | null;
}

export class KindQueries {
  readonly #reader: SlateReader;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** Every middle and low hold of a fixture. */
  middlesOf(fixture: FixtureNow, { criteria, format, minEvPct, maxHoldPct }: MiddlesAsked): FixtureMiddles {
    const { view, moment } = fixture;
    const middle = { minExpected: minEvPct / 100, maxExpected: criteria.maxMargin };
    const asked = { ...criteria, minMargin: -maxHoldPct / 100, kinds: { ...NO_KINDS, middle } };
    const found = fixtureKinds(this.#reader, view.eventNumber, asked, moment);
    const score = fixtureHits(this.#reader, view.eventNumber, asked, moment) ?? null;
    const shown = viewOf(fixture, format);
    const middles = found.hits.filter((hit) => hit.kind === KIND_MIDDLE);
    const holds = score?.arbHits ?? [];
    return {
      middles: middles
        .toSorted((left, right) => byStrength(left.expected, right.expected))
        .map((hit) => toMiddle(hit, shown)),
      lowHolds: holds
        .toSorted((left, right) => byStrength(left.margin, right.margin))
        .map((hit) => toLowHold(hit, shown)),
      implausibleCount: found.implausibleCount + (score?.droppedArbCount ?? 0),
      leftOutCount: found.leftOutCount,
      score,
    };
  }
}

/** These kinds need no goal grid once they were found. */
export function viewOf({ view, moment }: FixtureNow, format: OddsFormat): HitView {
  return {
    sport: view.sportIndex,
    format,
    moment,
    ownConfirmations: view.ownConfirmations,
    grid: null,
  };
}
