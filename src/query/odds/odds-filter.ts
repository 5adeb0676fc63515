// The caller's choice of quotes, as masks for loops and as a key for caches.

import {
  ALL_BOOKMAKERS_MASK,
  ALL_MARKETS_MASK,
  ALL_PERIODS_MASK,
  BOOKMAKER_KEYS,
  type BookmakerKey,
  indexIn,
  isSharpBookmaker,
  MARKET_TYPES,
  type MarketType,
  ODDS_FORMATS,
  type OddsFormat,
  PERIODS,
  type Period,
  SHARP_BOOKMAKERS_MASK,
  visibleBookmakerMask,
} from '../../domain/catalogue.ts';
import { REFERENCE_DEFAULT, REFERENCE_SHARP, referenceOfWord } from '../../domain/reference.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { bookmakerOfKey, marketOfKey, periodOfKey } from '../../store/quote-key.ts';

/** Filter words as schemas accept them; absent or empty means all. */
export interface OddsFilterWords {
  readonly bookmakers?: readonly BookmakerKey[] | undefined;
  readonly markets?: readonly MarketType[] | undefined;
  readonly period?: Period | undefined;
  readonly format?: OddsFormat | undefined;
}

export interface OddsFilter {
  /** Bit per index into BOOKMAKERS; bits of sharp bookmakers are off for callers who may not see them. */
  readonly bookmakerMask: number;
  /** Bit per index into MARKET_TYPES. */
  readonly marketMask: number;
  /** Bit per index into PERIODS. */
  readonly periodMask: number;
  readonly format: OddsFormat;
  /**
   * Whether quotes of the sharp bookmaker pass. If not, nothing about that bookmaker may show in an answer.
   */
  readonly showsSharp: boolean;
  /** Equal for filters that select and render alike. */
  readonly key: string;
  /** Whether the caller pays. Answers to callers who do not are cached separately. */
  readonly isPaid: boolean;
}

/**
 * The filter of a request, limited to what its caller may see.
 * @throws ServiceError `forbidden` when a caller names a sharp bookmaker that its tier does not include
 */
export function oddsFilter(words: OddsFilterWords, principal: Principal): OddsFilter {
  requireVisible(words.bookmakers, principal);
  const visible = visibleBookmakerMask(principal.seesSharp);
  const bookmakerMask = maskOf(BOOKMAKER_KEYS, words.bookmakers, ALL_BOOKMAKERS_MASK) & visible;
  const marketMask = maskOf(MARKET_TYPES, words.markets, ALL_MARKETS_MASK);
  const periodMask = words.period === undefined ? ALL_PERIODS_MASK : 1 << indexIn(PERIODS, words.period);
  const format = words.format ?? 'decimal';
  const key = [bookmakerMask, marketMask, periodMask, indexIn(ODDS_FORMATS, format)].join('.');
  const showsSharp = (bookmakerMask & SHARP_BOOKMAKERS_MASK) !== 0;
  const isPaid = principal.tier !== 'free';
  return { bookmakerMask, marketMask, periodMask, format, showsSharp, key, isPaid };
}

/**
 * What a request measures value against, as a number for the kernels. A caller who does not see the sharp
 * book may ask for it as `sharp`, and then finds no value.
 * @param word of REFERENCE_WORDS; undefined means the roster's default
 * @throws ServiceError `forbidden` when a caller names a sharp bookmaker that its tier does not include
 */
export function requestedReference(word: string | undefined, principal: Principal): number {
  const reference = referenceOfWord(word ?? REFERENCE_DEFAULT);
  if (reference > REFERENCE_SHARP && !principal.seesSharp && isSharpBookmaker(reference)) {
    throw new ServiceError(
      'forbidden',
      `Cannot compare with ${word}: the ${principal.tier} tier does not include it`,
      { fix: 'Send reference=consensus, or use a key of the standard tier or above' },
    );
  }
  return reference;
}

/**
 * A note about what a caller without the sharp bookmaker misses when signals are measured against it; null
 * for a caller that sees it.
 */
export function sharpNote(
  kind: 'value' | 'arbitrage' | 'any',
  { seesSharp, tier }: Principal,
): string | null {
  if (seesSharp) return null;
  const consequence =
    kind === 'arbitrage'
      ? 'only arbitrage among the other books can be found'
      : kind === 'value'
        ? 'there is no fair price to measure value against: use reference=consensus, or a key of the standard tier or above'
        : 'only arbitrage among the other books can be found, and no value: use a key of the standard tier or above';
  return `The sharp book is not part of the ${tier} tier, so ${consequence}.`;
}

/** Whether a quote key passes the filter. */
export function passes(filter: OddsFilter, quoteKey: number): boolean {
  return (
    (filter.bookmakerMask & (1 << bookmakerOfKey(quoteKey))) !== 0 &&
    (filter.marketMask & (1 << marketOfKey(quoteKey))) !== 0 &&
    (filter.periodMask & (1 << periodOfKey(quoteKey))) !== 0
  );
}

function requireVisible(bookmakers: readonly BookmakerKey[] | undefined, principal: Principal): void {
  if (principal.seesSharp) return;
  const sharp = bookmakers?.find((key) => isSharpBookmaker(BOOKMAKER_KEYS.indexOf(key)));
  if (sharp === undefined) return;
  throw new ServiceError(
    'forbidden',
    `Cannot show ${sharp}: the ${principal.tier} tier does not include it`,
    {
      fix: `Drop ${sharp} from bookmakers, or use a key of the standard tier or above`,
    },
  );
}

/** Bit per word; absent or empty means all. */
function maskOf(list: readonly string[], words: readonly string[] | undefined, all: number): number {
  let mask = 0;
  for (const word of words ?? []) mask |= 1 << indexIn(list, word);
  return mask === 0 ? all : mask;
}
