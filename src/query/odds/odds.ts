// Quotes of the slate as plain objects: a fixture's odds block. Busy routes use odds-encoder.ts, which writes
// the same block straight to bytes.

import { toIsoText } from '../../clock.ts';
import type { OddsBlock, OddsQuote } from '../../contract/odds.ts';
import {
  BOOKMAKER_KEYS,
  MARKET_TYPES,
  type OddsFormat,
  type Outcome,
  outcomesOf,
  PERIODS,
  SHOWN_QUOTE_STATUSES,
} from '../../domain/catalogue.ts';
import { splitLine } from '../../domain/handicap.ts';
import { malayDecimalsOf, priceInFormat } from '../../domain/odds-format.ts';
import { shownLine } from '../../domain/settlement.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../../store/quote-key.ts';
import type { SlateColumns, SlateReader } from '../../store/reader.ts';
import { type FixtureNow, freshnessOf } from '../slate/fixture-view.ts';
import { type OddsFilter, passes } from './odds-filter.ts';

/** The fields that name a quote within its fixture. */
type QuoteName = Pick<OddsQuote, 'bookmaker' | 'market_type' | 'period' | 'line' | 'handicap_components'>;

export class OddsQueries {
  readonly #reader: SlateReader;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** The quotes of a fixture that pass the filter, by market, period, line and catalogue order of books. */
  block(fixture: FixtureNow, filter: OddsFilter): OddsBlock {
    const { view } = fixture;
    const { asOfMs, stale } = freshnessOf(fixture, filter);
    const odds = this.#reader.readEvent(view.eventNumber, (page) => this.#quotes(page, filter));
    return { event_id: view.id, as_of: toIsoText(asOfMs), stale, odds: odds ?? [] };
  }

  /** The quotes of a page that pass the filter. Inside `SlateReader.read` only. */
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
        status: SHOWN_QUOTE_STATUSES[columns.quoteStatus[row]!]!,
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

/** The field values of a quote key. */
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

/** Prices by outcome name in a format; malay prices use the decimals of the quoting book. */
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
