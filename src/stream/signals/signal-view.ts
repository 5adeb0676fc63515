// Which signals a caller follows: of which fixtures, of which kinds, and from which strength on. Two callers
// whose views have the same id get the same signals.

import type { TObject } from '@sinclair/typebox';
import type { WordsOf } from '../../contract/schema.ts';
import type { StreamKind } from '../../contract/signals/kinds.ts';
import type { FollowedSignals, SignalProperties } from '../../contract/stream/stream-signals.ts';
import { REFERENCE_SHARP, wordOfReference } from '../../domain/reference.ts';
import {
  MAX_HOLD_PCT_DEFAULT,
  MIN_EDGE_PCT_DEFAULT,
  MIN_MARGIN_PCT_DEFAULT,
  MIN_MIDDLE_EV_PCT_DEFAULT,
  MOVE_DEFAULTS,
  STEAM_DEFAULTS,
  STREAM_KINDS,
} from '../../domain/signal-gate.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { type OddsFilterWords, sharpNote } from '../../query/odds/odds-filter.ts';
import type { OddsView } from '../../query/odds/odds-view.ts';
import { criteriaOf, type PlausibleLimits, type SearchedSignals } from '../../query/signals/signals.ts';
import { criteriaKey, type ScoreCriteria } from '../../scoring/criteria.ts';
import type { KindCriteria } from '../../scoring/kinds/kind-criteria.ts';

/** Parameters in the form that the schemas accept; without `signals` nothing is followed. */
export type SignalWords = OddsFilterWords & WordsOf<TObject<typeof SignalProperties>>;

export interface SignalView {
  /** The fixtures, and the format of prices. */
  readonly odds: OddsView;
  /** The kind of signals whose left-out quotes are counted. */
  readonly kind: SearchedSignals;
  readonly kinds: ReadonlySet<StreamKind>;
  readonly criteria: ScoreCriteria;
  /** Least margin of arbitrage and highest hold, as fractions. `criteria.minMargin` covers both. */
  readonly minMargin: number;
  readonly maxHold: number;
  /**
   * Identifies the scoring that the view needs, without kinds and thresholds: views with the same id share
   * their scores, unless their kinds exclude each other (joinKinds).
   */
  readonly scoringId: string;
  readonly id: string;
  /** The settings in effect, as the stream sends them at its beginning. */
  readonly inEffect: FollowedSignals;
}

interface SignalCaller {
  readonly odds: OddsView;
  readonly principal: Principal;
  readonly limits: PlausibleLimits;
}

/**
 * The signals that a request asks for, null when it asks for none.
 * @throws ServiceError `invalid_request` for a threshold of signals that are not requested
 */
export function signalView(words: SignalWords, { odds, principal, limits }: SignalCaller): SignalView | null {
  const kinds = STREAM_KINDS.filter((kind) => words.signals?.includes(kind));
  const has = (kind: StreamKind): boolean => kinds.includes(kind);
  for (const [name, needed] of USES) requireUse(words[name], name, needed, kinds);
  if (kinds.length === 0) return null;
  const kind = has('value') === has('arbitrage') ? 'any' : has('value') ? 'value' : 'arbitrage';
  const minEdgePct = words.min_edge_pct ?? MIN_EDGE_PCT_DEFAULT;
  const minMarginPct = words.min_margin_pct ?? MIN_MARGIN_PCT_DEFAULT;
  const { bookmakers, markets, period } = words;
  const request = {
    bookmakers,
    markets,
    period,
    min_edge_pct: minEdgePct,
    min_margin_pct: minMarginPct,
    reference: words.reference,
  };
  const withinS = words.within_s ?? STEAM_DEFAULTS.within_s;
  const inEffect = kindsInEffect(words, kinds, withinS);
  const maxHold = (inEffect.max_hold_pct ?? 0) / 100;
  const found = criteriaOf(request, principal, limits);
  const criteria: ScoreCriteria = {
    ...found,
    minEdge: has('value') ? found.minEdge : NOTHING_REACHES,
    minMargin: leastMargin(has, found.minMargin, maxHold),
    ...(has('middle') || has('move') || has('steam') ? { kinds: kindCriteria(inEffect, limits) } : {}),
  };
  return {
    odds,
    kind,
    kinds: new Set(kinds),
    criteria,
    minMargin: found.minMargin,
    maxHold,
    scoringId: criteriaKey({ ...found, minEdge: 0, minMargin: 0 }),
    id: `${odds.id}|${kinds.join()}|${criteriaKey(found)}|${JSON.stringify(inEffect)}`,
    inEffect: {
      ...inEffect,
      kinds,
      min_edge_pct: kinds.includes('value') ? minEdgePct : null,
      min_margin_pct: kinds.includes('arbitrage') ? minMarginPct : null,
      reference: kinds.includes('value') ? wordOfReference(criteria.reference) : null,
      note:
        criteria.reference === REFERENCE_SHARP && (has('value') || has('arbitrage'))
          ? sharpNote(kind, principal)
          : null,
    },
  };
}

/** The threshold of a kind that is not requested. */
const NOTHING_REACHES = Number.POSITIVE_INFINITY;

/**
 * The least margin to search for: for low hold, the negative of the highest hold; otherwise that of
 * arbitrage.
 */
function leastMargin(has: (kind: StreamKind) => boolean, minMargin: number, maxHold: number): number {
  if (has('low_hold')) return Math.min(-maxHold, 0);
  return has('arbitrage') ? minMargin : NOTHING_REACHES;
}

/** The parameters that belong to some kinds of signals, and those kinds. */
const USES = [
  ['min_edge_pct', ['value']],
  ['reference', ['value']],
  ['min_margin_pct', ['arbitrage']],
  ['min_ev_pct', ['middle']],
  ['max_hold_pct', ['low_hold']],
  ['move_pct', ['move']],
  ['move_of', ['move']],
  ['steam_pct', ['steam']],
  ['owners', ['steam']],
  ['within_s', ['move', 'steam']],
] as const satisfies readonly (readonly [keyof SignalWords, readonly StreamKind[]])[];

function requireUse(
  value: unknown,
  name: string,
  needed: readonly StreamKind[],
  kinds: readonly StreamKind[],
): void {
  if (value === undefined || needed.some((kind) => kinds.includes(kind))) return;
  throw new ServiceError(
    'invalid_request',
    `Cannot use ${name}: no signals of ${needed.join(' or ')} are asked for`,
    { fix: `Add signals=${needed[0]}, or drop ${name}` },
  );
}

type KindsInEffect = Pick<
  FollowedSignals,
  'min_ev_pct' | 'max_hold_pct' | 'move_pct' | 'move_of' | 'steam_pct' | 'owners' | 'within_s'
>;

/** The thresholds of the kinds besides value and arbitrage, null for those that are not requested. */
function kindsInEffect(words: SignalWords, kinds: readonly StreamKind[], withinS: number): KindsInEffect {
  const [isMove, isSteam] = [kinds.includes('move'), kinds.includes('steam')];
  return {
    min_ev_pct: kinds.includes('middle') ? (words.min_ev_pct ?? MIN_MIDDLE_EV_PCT_DEFAULT) : null,
    max_hold_pct: kinds.includes('low_hold') ? (words.max_hold_pct ?? MAX_HOLD_PCT_DEFAULT) : null,
    move_pct: isMove ? (words.move_pct ?? MOVE_DEFAULTS.pct) : null,
    move_of: isMove ? (words.move_of ?? MOVE_DEFAULTS.of) : null,
    steam_pct: isSteam ? (words.steam_pct ?? STEAM_DEFAULTS.pct) : null,
    owners: isSteam ? (words.owners ?? STEAM_DEFAULTS.owners) : null,
    within_s: isMove || isSteam ? withinS : null,
  };
}

function kindCriteria(inEffect: KindsInEffect, { maxMargin }: PlausibleLimits): KindCriteria {
  const { min_ev_pct, move_pct, move_of, steam_pct, owners, within_s } = inEffect;
  const withinS = within_s ?? STEAM_DEFAULTS.within_s;
  return {
    middle: min_ev_pct === null ? null : { minExpected: min_ev_pct / 100, maxExpected: maxMargin },
    move: move_pct === null ? null : { change: move_pct / 100, withinS, isFair: move_of !== 'price' },
    steam: steam_pct === null || owners === null ? null : { change: steam_pct / 100, withinS, owners },
  };
}
