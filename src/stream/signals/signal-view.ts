// Which signals a caller follows: of which fixtures, of which kinds, and from which strength on. Two callers
// whose views have the same id get the same signals.

import { REFERENCE_SHARP, wordOfReference } from '../../domain/reference.ts';
import { MIN_EDGE_PCT_DEFAULT, MIN_MARGIN_PCT_DEFAULT, SIGNAL_KINDS } from '../../domain/signal-gate.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import type { OddsFilterWords } from '../../query/odds/odds-filter.ts';
import type { OddsView } from '../../query/odds/odds-view.ts';
import { criteriaOf, type PlausibleLimits, type SearchedSignals } from '../../query/signals/signals.ts';
import { criteriaKey, type ScoreCriteria } from '../../scoring/criteria.ts';

/** As schemas accept them; without `signals` nothing is followed. */
export interface SignalWords extends OddsFilterWords {
  readonly signals?: readonly (typeof SIGNAL_KINDS)[number][] | undefined;
  readonly min_edge_pct?: number | undefined;
  readonly min_margin_pct?: number | undefined;
  readonly reference?: string | undefined;
}

export interface SignalView {
  /** The fixtures, and the format of prices. */
  readonly odds: OddsView;
  readonly kind: SearchedSignals;
  readonly criteria: ScoreCriteria;
  /** Identifies the scoring it needs, without thresholds: views with the same id share their scores. */
  readonly scoringId: string;
  readonly id: string;
  /** The settings in effect, as the stream sends them at its beginning. */
  readonly told: {
    readonly kinds: readonly (typeof SIGNAL_KINDS)[number][];
    readonly min_edge_pct: number | null;
    readonly min_margin_pct: number | null;
    readonly reference: string | null;
    readonly note: string | null;
  };
}

interface SignalCaller {
  readonly odds: OddsView;
  readonly principal: Principal;
  readonly limits: PlausibleLimits;
}

/**
 * The signals that a request asks for, null when it asks for none.
 * @throws ServiceError `invalid_request` for a threshold of signals that are not asked for
 */
export function signalView(words: SignalWords, { odds, principal, limits }: SignalCaller): SignalView | null {
  const kinds = SIGNAL_KINDS.filter((kind) => words.signals?.includes(kind));
  requireUse(words.min_edge_pct, { name: 'min_edge_pct', isUsed: kinds.includes('value') });
  requireUse(words.reference, { name: 'reference', isUsed: kinds.includes('value') });
  requireUse(words.min_margin_pct, { name: 'min_margin_pct', isUsed: kinds.includes('arbitrage') });
  const [first, second] = kinds;
  if (first === undefined) return null;
  const kind = second === undefined ? first : 'any';
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
  const criteria = criteriaOf(request, principal, limits);
  return {
    odds,
    kind,
    criteria,
    scoringId: criteriaKey({ ...criteria, minEdge: 0, minMargin: 0 }),
    id: `${odds.id}|${kind}|${criteriaKey(criteria)}`,
    told: {
      kinds,
      min_edge_pct: kinds.includes('value') ? minEdgePct : null,
      min_margin_pct: kinds.includes('arbitrage') ? minMarginPct : null,
      reference: kinds.includes('value') ? wordOfReference(criteria.reference) : null,
      note: criteria.reference === REFERENCE_SHARP ? noteOf(kind, principal) : null,
    },
  };
}

function requireUse(
  value: number | string | undefined,
  { name, isUsed }: { readonly name: string; readonly isUsed: boolean },
): void {
  if (value === undefined || isUsed) return;
  const kind = name === 'min_margin_pct' ? 'arbitrage' : 'value';
  throw new ServiceError('invalid_request', `Cannot use ${name}: no signals of ${kind} are asked for`, {
    fix: `Add signals=${kind}, or drop ${name}`,
  });
}

/** The note for a caller that does not see the sharp bookmaker; null for one that does. */
function noteOf(kind: SearchedSignals, { seesSharp, tier }: Principal): string | null {
  if (seesSharp) return null;
  const consequence =
    kind === 'arbitrage'
      ? 'arbitrage is among the other books'
      : kind === 'value'
        ? 'there is no fair price to measure value against: use reference=consensus, or a key of the standard tier or above'
        : 'there is arbitrage among the other books and no value: use a key of the standard tier or above';
  return `The sharp book is not part of the ${tier} tier, so ${consequence}.`;
}
