// One signal while it is open: the hit that it was found as, and its form in streams. A fixture is scored
// again whenever it changes, and most of its hits then stay the same. So whether a hit has changed is checked
// first, by comparing numbers.

import { toIsoText } from '../../clock.ts';
import type { StreamSignal } from '../../contract/stream/stream-signals.ts';
import { allConfirmedAt, type SignalMoment } from '../../domain/signal-gate.ts';
import {
  type GoalGrid,
  type HitView,
  sinceOfLegs,
  sinceOfValue,
  toLowHold,
  toMiddle,
  toMove,
  toOpportunity,
  toSteam,
  toValueBet,
} from '../../query/signals/hit-view.ts';
import type { ArbHit, ValueHit } from '../../scoring/hit-rows.ts';
import type { MiddleHit, MoveHit, SteamHit } from '../../scoring/kinds/kind-rows.ts';

/** A hit of any kind, and how it is shown. */
export type FoundSignal =
  | { readonly kind: 'value'; readonly hit: ValueHit; readonly view: HitView }
  | { readonly kind: 'arbitrage' | 'low_hold'; readonly hit: ArbHit; readonly view: HitView }
  | { readonly kind: 'middle'; readonly hit: MiddleHit; readonly view: HitView }
  | { readonly kind: 'move'; readonly hit: MoveHit; readonly view: HitView; readonly withinS: number }
  | { readonly kind: 'steam'; readonly hit: SteamHit; readonly view: HitView; readonly withinS: number };

/**
 * The texts of an open signal are made on first use: a stream may open with 2,000 signals, most of which
 * never change.
 */
export class OpenSignal {
  readonly found: FoundSignal;
  readonly eventId: string;
  readonly openedAtMs: number;
  #id: string | null = null;
  #facts: string | null = null;

  constructor(found: FoundSignal, eventId: string, openedAtMs: number) {
    this.found = found;
    this.eventId = eventId;
    this.openedAtMs = openedAtMs;
  }

  get id(): string {
    this.#id ??= idOf(this.found, this.eventId);
    return this.#id;
  }

  /** Everything shown except ages, as text. */
  get facts(): string {
    this.#facts ??= JSON.stringify(factsOf(shownOf(this.found, NO_MOMENT)));
    return this.#facts;
  }
}

/** A made-up moment, for hits whose ages are not shown. */
const NO_MOMENT: SignalMoment = {
  nowMs: 0,
  confirmedAtMs: allConfirmedAt(0),
  windows: { liveMs: 0, prematchMs: 0 },
};
/** Larger than any line in quarters, whatever its sign. */
const LINES = 1 << 14;

/** A number that identifies a hit within its fixture. */
export function placeOf(found: FoundSignal): number {
  if (found.kind === 'value') return valuePlaceOf(found.hit);
  const line = lineOf(found.hit);
  // An arbitrage has one leg for every outcome, so it gets the number after that of the last outcome.
  if (found.kind === 'arbitrage') return line * 4 + 3;
  return KINDS_FROM + (line * 4 + outcomeOf(found)) * MORE + moreOf(found);
}

export function valuePlaceOf(hit: ValueHit): number {
  return lineOf(hit) * 4 + hit.outcome;
}

function lineOf({ lineQuarters, market, period }: FoundSignal['hit']): number {
  return ((lineQuarters + LINES) * 4 + market) * 2 + period;
}

/**
 * The lowest result of `placeOf` for kinds other than value and arbitrage. Results for these two are smaller.
 */
const KINDS_FROM = 2 ** 24;
const MORE = 2 ** 17;

function outcomeOf(found: FoundSignal): number {
  return found.kind === 'move' || found.kind === 'steam' ? found.hit.outcome : 3;
}

/**
 * A number below MORE that distinguishes hits with the same line and outcome, by kind, second line, bookmaker
 * or direction.
 */
function moreOf(found: FoundSignal): number {
  if (found.kind === 'middle') return found.hit.otherQuarters + LINES;
  if (found.kind === 'move') return 2 * LINES + (found.hit.isFair ? 0 : 1 + found.hit.book.bookmaker);
  return 2 * LINES + (found.kind === 'steam' ? 64 + found.hit.way + 1 : 128);
}

/**
 * Whether two hits with the same `placeOf` are certainly shown alike, except for ages. False also when only
 * rendering them can decide.
 */
export function isUnmoved(left: FoundSignal, right: FoundSignal): boolean {
  if (left.kind === 'arbitrage' && right.kind === 'arbitrage') return isSameArb(left.hit, right.hit);
  if (left.kind !== 'value' || right.kind !== 'value') return false;
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

/** When a price of a hit last moved, on the source's clock. Unix ms. */
export function sinceOf(found: FoundSignal): number {
  switch (found.kind) {
    case 'value':
      return sinceOfValue(found.hit);
    case 'move':
      return found.hit.book.atMs;
    case 'steam':
      return found.hit.atMs;
    default:
      return sinceOfLegs(found.hit);
  }
}

function idOf(found: FoundSignal, eventId: string): string {
  const shown = factsOf(shownOf(found, NO_MOMENT));
  const { market_type, period } = shown;
  const name = [found.kind, eventId, market_type, period, ...placeWords(found, shown)];
  return name.filter((part) => part !== null && part !== undefined).join(':');
}

/** What a stream sends about a signal at a moment. */
export function toSignal(
  { found, id, eventId, openedAtMs }: OpenSignal,
  {
    moment,
    ...change
  }: Pick<StreamSignal, 'change' | 'current' | 'conflated'> & { readonly moment: SignalMoment },
): StreamSignal {
  const { nowMs } = moment;
  return {
    ...change,
    id,
    kind: found.kind,
    event_id: eventId,
    opened_at: toIsoText(openedAtMs),
    lived_ms: change.change === 'closed' ? Math.max(0, Math.round(nowMs - openedAtMs)) : null,
    oldest_age_s: Math.max(0, Math.floor((nowMs - oldestAtMsOf(found)) / 1_000)),
    ...shownOf(found, moment),
  };
}

/** What is shown of a signal, in the one field that is not null. */
function factsOf({ value_bet, opportunity, middle, low_hold, move, steam }: Shown) {
  return (value_bet ?? opportunity ?? middle ?? low_hold ?? move ?? steam)!;
}

/** Line, outcome and whatever else distinguishes a signal from others of its market. */
function placeWords(found: FoundSignal, shown: ReturnType<typeof factsOf>): unknown[] {
  if (!('line' in shown)) return shown.legs.map(({ line }) => line);
  const outcome = 'outcome' in shown ? shown.outcome : null;
  if (found.kind === 'move') return [shown.line, outcome, found.hit.isFair ? 'fair' : 'price', bookOf(shown)];
  return [shown.line, outcome, 'way' in shown ? shown.way : null];
}

/** The bookmaker of a moved price. Null for a moved fair probability: its source may change. */
function bookOf(shown: ReturnType<typeof factsOf>): string | null {
  return 'of' in shown && shown.of === 'price' ? shown.bookmaker : null;
}

type Shown = Pick<StreamSignal, 'value_bet' | 'opportunity' | 'middle' | 'low_hold' | 'move' | 'steam'>;
const NOTHING: Shown = {
  value_bet: null,
  opportunity: null,
  middle: null,
  low_hold: null,
  move: null,
  steam: null,
};

function shownOf(found: FoundSignal, moment: SignalMoment): Shown {
  const at: HitView = { ...found.view, moment };
  switch (found.kind) {
    case 'value':
      return { ...NOTHING, value_bet: toValueBet(found.hit, at) };
    case 'arbitrage':
      return { ...NOTHING, opportunity: toOpportunity(found.hit, at) };
    case 'low_hold':
      return { ...NOTHING, low_hold: toLowHold(found.hit, at) };
    case 'middle':
      return { ...NOTHING, middle: toMiddle(found.hit, at) };
    case 'move':
      return { ...NOTHING, move: toMove(found.hit, at, found.withinS) };
    case 'steam':
      return { ...NOTHING, steam: toSteam(found.hit, at, found.withinS) };
  }
}

/** When the source last sent the signal's oldest price, the reference price included. Unix ms. */
function oldestAtMsOf(found: FoundSignal): number {
  switch (found.kind) {
    case 'value':
      return Math.min(found.hit.atMs, found.hit.referenceAtMs);
    case 'move':
      return found.hit.book.atMs;
    case 'steam':
      return Math.min(...found.hit.books.map(({ atMs }) => atMs));
    default:
      return Math.min(...found.hit.legs.map(({ atMs }) => atMs));
  }
}
