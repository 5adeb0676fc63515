// Middles and low holds of one fixture, and moves and steam of many.

import type { LowHold, Middle } from '../../contract/signals/kinds.ts';
import type { OddsFormat } from '../../domain/catalogue.ts';
import type { ScoreCriteria } from '../../scoring/criteria.ts';
import { fixtureHits } from '../../scoring/fixture-hits.ts';
import { type KindCriteria, NO_KINDS } from '../../scoring/kinds/kind-criteria.ts';
import {
  KIND_MIDDLE,
  KIND_MOVE,
  KIND_STEAM,
  type KindHit,
  type MoveHit,
  type SteamHit,
} from '../../scoring/kinds/kind-rows.ts';
import { createKindBuffers, fixtureKinds, type KindBuffers } from '../../scoring/kinds/score-kinds.ts';
import type { FixtureScore } from '../../scoring/score-rows.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import { type HitView, toLowHold, toMiddle } from './hit-view.ts';
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
  /** Middles left out because the fixture has too many. */
  readonly leftOutCount: number;
  readonly score: FixtureScore | null;
}

export interface MovesAsked {
  readonly criteria: ScoreCriteria;
  /** Least relative change of a price, a fraction. */
  readonly change: number;
  readonly withinS: number;
}

export interface FoundAt<Hit> {
  readonly fixture: FixtureNow;
  readonly hit: Hit;
}

export class KindQueries {
  readonly #reader: SlateReader;
  readonly #buffers: KindBuffers;

  constructor(reader: SlateReader) {
    this.#reader = reader;
    this.#buffers = createKindBuffers(reader.quotesPerFixture);
  }

  /** Every middle and low hold of a fixture. */
  middlesOf(fixture: FixtureNow, { criteria, format, minEvPct, maxHoldPct }: MiddlesAsked): FixtureMiddles {
    const { view, moment } = fixture;
    const middle = { minExpected: minEvPct / 100, maxExpected: criteria.maxMargin };
    const asked = { ...criteria, minMargin: -maxHoldPct / 100, kinds: { ...NO_KINDS, middle } };
    const found = fixtureKinds(this.#reader, view.eventNumber, asked, moment, this.#buffers);
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

  /** The prices of bookmakers that moved at these fixtures, largest change first. */
  movesOf(fixtures: readonly FixtureNow[], asked: MovesAsked): FoundAt<MoveHit>[] {
    const { criteria, change, withinS } = asked;
    const kinds = { ...NO_KINDS, move: { change, withinS, isFair: false } };
    return this.#hitsOf(fixtures, { ...criteria, kinds }, (hit) => hit.kind === KIND_MOVE);
  }

  /** The steam of these fixtures, most owners first. */
  steamOf(
    fixtures: readonly FixtureNow[],
    { criteria, change, withinS, owners }: MovesAsked & { readonly owners: number },
  ): FoundAt<SteamHit>[] {
    const kinds = { ...NO_KINDS, steam: { change, withinS, owners } };
    return this.#hitsOf(fixtures, { ...criteria, kinds }, (hit) => hit.kind === KIND_STEAM);
  }

  #hitsOf<Hit extends KindHit>(
    fixtures: readonly FixtureNow[],
    criteria: ScoreCriteria & { readonly kinds: KindCriteria },
    isFound: (hit: KindHit) => hit is Hit,
  ): FoundAt<Hit>[] {
    return fixtures
      .flatMap((fixture) =>
        fixtureKinds(this.#reader, fixture.view.eventNumber, criteria, fixture.moment, this.#buffers)
          .hits.filter(isFound)
          .map((hit) => ({ fixture, hit })),
      )
      .sort((left, right) => byChange(left.hit, right.hit));
  }
}

/** Strongest first: moves by change, steam by owners. */
function byChange(left: KindHit, right: KindHit): number {
  return strengthOf(right) - strengthOf(left);
}

function strengthOf(hit: KindHit): number {
  return hit.kind === KIND_STEAM ? hit.owners : hit.kind === KIND_MOVE ? Math.abs(hit.change) : hit.expected;
}

/** How hits of these kinds are shown. A goal grid is needed only to find them, not to show them. */
export function viewOf({ view, moment }: FixtureNow, format: OddsFormat): HitView {
  return {
    sport: view.sportIndex,
    format,
    moment,
    ownConfirmations: view.ownConfirmations,
    grid: null,
  };
}
