// One signal while it is open: the hit that it was found as, and its form in streams. A fixture is scored
// again whenever it changes, and most of its hits are then unchanged. So that is tested first, by comparing
// numbers.

import { toIsoText } from '../../clock.ts';
import type { StreamSignal } from '../../contract/stream/stream-signals.ts';
import { allConfirmedAt, type SIGNAL_KINDS, type SignalMoment } from '../../domain/signal-gate.ts';
import {
  type GoalGrid,
  type HitView,
  sinceOfArb,
  sinceOfValue,
  toOpportunity,
  toValueBet,
} from '../../query/signals/hit-view.ts';
import type { ArbHit, ValueHit } from '../../scoring/hit-rows.ts';

/** A hit of either kind, and how it is shown. */
export type FoundSignal =
  | { readonly kind: 'value'; readonly hit: ValueHit; readonly view: HitView }
  | { readonly kind: 'arbitrage'; readonly hit: ArbHit; readonly view: HitView };

export interface OpenSignal {
  readonly found: FoundSignal;
  readonly id: string;
  readonly eventId: string;
  /** Everything shown except ages, as text. */
  readonly facts: string;
  readonly openedAtMs: number;
}

/** A made-up moment, for hits whose ages are not shown. */
const NO_MOMENT: SignalMoment = {
  nowMs: 0,
  confirmedAtMs: allConfirmedAt(0),
  windows: { liveMs: 0, prematchMs: 0 },
};
/** More than any line in quarters, either way. */
const LINES = 1 << 14;

/** A number that identifies a hit within its fixture. */
export function placeOf({ kind, hit }: FoundSignal): number {
  // An arbitrage has one leg for every outcome: it takes the number after the last outcome.
  const outcome = kind === 'value' ? hit.outcome : 3;
  return (((hit.lineQuarters + LINES) * 4 + hit.market) * 2 + hit.period) * 4 + outcome;
}

/**
 * Whether two hits with the same number are shown alike, except for ages. False when only rendering them can
 * decide.
 */
export function isUnmoved(left: FoundSignal, right: FoundSignal): boolean {
  if (left.kind === 'arbitrage' || right.kind === 'arbitrage') {
    return left.kind === 'arbitrage' && right.kind === 'arbitrage' && isSameArb(left.hit, right.hit);
  }
  const [one, other] = [left.hit, right.hit];
  return (
    one.bookmaker === other.bookmaker &&
    one.priceE4 === other.priceE4 &&
    one.fairDecimal === other.fairDecimal &&
    one.atMs === other.atMs &&
    one.referenceAtMs === other.referenceAtMs &&
    Object.is(one.sharpAtMs, other.sharpAtMs) &&
    isSameGrid(left.view.grid, right.view.grid)
  );
}

function isSameArb(left: ArbHit, right: ArbHit): boolean {
  return (
    Object.is(left.sharpAtMs, right.sharpAtMs) &&
    left.legs.length === right.legs.length &&
    left.legs.every((leg, index) => {
      const other = right.legs[index]!;
      return leg.bookmaker === other.bookmaker && leg.priceE4 === other.priceE4 && leg.atMs === other.atMs;
    })
  );
}

/** Whether two grids give bets the same expected return. */
function isSameGrid(left: GoalGrid | null, right: GoalGrid | null): boolean {
  if (left === null || right === null) return left === right;
  const [one, other] = [left.fit.rates, right.fit.rates];
  return (
    one.lambdaHome === other.lambdaHome &&
    one.lambdaAway === other.lambdaAway &&
    one.rho === other.rho &&
    left.score.home === right.score.home &&
    left.score.away === right.score.away
  );
}

/** Since when the prices of a hit have stood, on the source's clock. Unix ms. */
export function sinceOf({ kind, hit }: FoundSignal): number {
  return kind === 'value' ? sinceOfValue(hit) : sinceOfArb(hit);
}

export function openSignal(found: FoundSignal, eventId: string, openedAtMs: number): OpenSignal {
  const { value_bet, opportunity } = shownOf(found, NO_MOMENT);
  const shown = (value_bet ?? opportunity)!;
  const { market_type, period, line } = shown;
  const name = [found.kind, eventId, market_type, period, line, value_bet?.outcome];
  const id = name.filter((part) => part !== null && part !== undefined).join(':');
  return { found, id, eventId, facts: JSON.stringify(shown), openedAtMs };
}

/** What a stream sends about a signal at a moment. */
export function toSignal(
  { found, id, eventId, openedAtMs }: OpenSignal,
  {
    moment,
    ...told
  }: Pick<StreamSignal, 'change' | 'current' | 'conflated'> & { readonly moment: SignalMoment },
): StreamSignal {
  const { nowMs } = moment;
  return {
    ...told,
    id,
    kind: found.kind satisfies (typeof SIGNAL_KINDS)[number],
    event_id: eventId,
    opened_at: toIsoText(openedAtMs),
    lived_ms: told.change === 'closed' ? Math.max(0, Math.round(nowMs - openedAtMs)) : null,
    oldest_age_s: Math.max(0, Math.floor((nowMs - oldestAtMsOf(found)) / 1_000)),
    ...shownOf(found, moment),
  };
}

function shownOf({ kind, hit, view }: FoundSignal, moment: SignalMoment) {
  const at: HitView = { ...view, moment };
  return kind === 'value'
    ? { value_bet: toValueBet(hit, at), opportunity: null }
    : { value_bet: null, opportunity: toOpportunity(hit, at) };
}

/** The time of the last message about its oldest price, including the reference's. */
function oldestAtMsOf({ kind, hit }: FoundSignal): number {
  return kind === 'value'
    ? Math.min(hit.atMs, hit.referenceAtMs)
    : Math.min(...hit.legs.map(({ atMs }) => atMs));
}
