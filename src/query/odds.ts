// Quotes of the slate as plain objects: a fixture's odds block, and blocks of many fixtures in one answer. The hot path
// is odds-encoder.ts, which writes the same block straight to bytes.

import { toIsoText } from '../clock.ts';
import type { BatchOdds, BatchOddsEntry, OddsBlock, OddsQuote } from '../contract/odds.ts';
import {
  BOOKMAKER_KEYS,
  MARKET_TYPES,
  type OddsFormat,
  type Outcome,
  outcomesOf,
  PERIODS,
  QUOTE_STATUSES,
} from '../domain/catalogue.ts';
import { shownLine, splitLine } from '../domain/handicap.ts';
import { malayDecimalsOf, priceInFormat } from '../domain/odds-format.ts';
import { ServiceError } from '../errors.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { SlateColumns, SlateReader } from '../store/reader.ts';
import { type FixtureNow, freshnessOf } from './fixture-view.ts';
import { type OddsFilter, passes } from './odds-filter.ts';
import type { Slate } from './slate.ts';

/** The fields that name a quote within its fixture. */
type QuoteName = Pick<OddsQuote, 'bookmaker' | 'market_type' | 'period' | 'line' | 'handicap_components'>;

export class OddsQueries {
  readonly #reader: SlateReader;
  readonly #slate: Slate;

  constructor(reader: SlateReader, slate: Slate) {
    this.#reader = reader;
    this.#slate = slate;
  }

  /** The quotes of a fixture that pass the filter, by market, period, line and catalogue order of books. */
  block(fixture: FixtureNow, filter: OddsFilter): OddsBlock {
    const { view } = fixture;
    const { asOfMs, stale } = freshnessOf(fixture, filter.showsSharp);
    const odds = this.#reader.readEvent(view.eventNumber, (page) => this.#quotes(page, filter));
    return { event_id: view.id, as_of: toIsoText(asOfMs), stale, odds: odds ?? [] };
  }

  /**
   * One entry per id, in request order, duplicates too. An id that fails does so in its own entry.
   * @throws ServiceError `upstream_unavailable` while there is no slate
   */
  batch(
    request: { readonly eventIds: readonly string[]; readonly filter: OddsFilter },
    nowMs: number,
  ): BatchOdds {
    this.#slate.requireReady(nowMs);
    const data = request.eventIds.map((eventId) => this.#entry(eventId, request.filter, nowMs));
    return { count: data.length, ok_count: data.filter((entry) => entry.odds !== null).length, data };
  }

  #entry(eventId: string, filter: OddsFilter, nowMs: number): BatchOddsEntry {
    try {
      const odds = this.block(this.#slate.fixtureById(eventId, nowMs), filter);
      return { event_id: eventId, odds, error: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, message, fix } = error;
      return { event_id: eventId, odds: null, error: { code, message, fix } };
    }
  }

  /** Inside `SlateReader.read` only. */
  #quotes(page: number, filter: OddsFilter): OddsQuote[] {
    const { columns, quotesPerFixture } = this.#reader;
    const sport = columns.sport[page]!;
    const base = page * quotesPerFixture;
    const quotes: OddsQuote[] = [];
    for (let row = base, end = base + columns.quoteCount[page]!; row < end; row++) {
      const key = columns.quoteKey[row]!;
      if (!passes(filter, key)) continue;
      const { format } = filter;
      quotes.push({
        ...nameOfKey(key),
        prices: pricesInFormat({ sport, key, pricesE4: pricesOfRow(columns, row), format }),
        format,
        status: QUOTE_STATUSES[columns.quoteStatus[row]!]!,
        as_of: toIsoText(columns.quoteAtMs[row]!),
      });
    }
    return quotes;
  }
}

/** The three price columns of a row, in ten-thousandths by outcome order. Inside `SlateReader.read` only. */
export function pricesOfRow({ priceE4A, priceE4B, priceE4C }: SlateColumns, row: number): number[] {
  return [priceE4A[row]!, priceE4B[row]!, priceE4C[row]!];
}

/** The words of a quote key. */
export function nameOfKey(key: number): QuoteName {
  const market = marketOfKey(key);
  const quarters = lineQuartersOfKey(key);
  return {
    bookmaker: BOOKMAKER_KEYS[bookmakerOfKey(key)]!,
    market_type: MARKET_TYPES[market]!,
    period: PERIODS[periodOfKey(key)]!,
    line: shownLine(market, quarters),
    handicap_components: splitLine(quarters),
  };
}

/** Prices by outcome name in a format; the quoting book's malay decimals apply. */
export function pricesInFormat(quote: {
  readonly sport: number;
  readonly key: number;
  readonly pricesE4: readonly number[];
  readonly format: OddsFormat;
}): OddsQuote['prices'] {
  const malayDecimals = malayDecimalsOf(bookmakerOfKey(quote.key));
  const prices: Partial<Record<Outcome, number>> = {};
  outcomesOf(quote.sport, marketOfKey(quote.key)).forEach((outcome, index) => {
    prices[outcome] = priceInFormat(quote.pricesE4[index]!, quote.format, malayDecimals);
  });
  return prices as OddsQuote['prices'];
}
