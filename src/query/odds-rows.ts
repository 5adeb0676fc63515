// Quotes of one published page as plain objects: for tools, openings and tests. The hot path is odds-encoder.ts, which
// writes the same objects straight to bytes.

import { toIsoText } from '../clock.ts';
import type { OddsBlock, OddsQuote } from '../contract/odds.ts';
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
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { SlateReader } from '../store/reader.ts';
import type { FixtureNow } from './fixture-view.ts';
import { type OddsFilter, passes } from './odds-filter.ts';

/** The fields that name a quote within its fixture. */
export type QuoteName = Pick<
  OddsQuote,
  'bookmaker' | 'market_type' | 'period' | 'line' | 'handicap_components'
>;

/** The quotes of a fixture that pass the filter, by market, period, line and catalogue order of books. */
export function quotesOf(reader: SlateReader, fixture: FixtureNow, filter: OddsFilter): OddsQuote[] {
  return reader.readEvent(fixture.view.eventNumber, (page) => pageQuotes(reader, page, filter)) ?? [];
}

/** A fixture's odds block as an object. */
export function oddsBlock(reader: SlateReader, fixture: FixtureNow, filter: OddsFilter): OddsBlock {
  return {
    event_id: fixture.view.id,
    as_of: toIsoText(fixture.asOfMs),
    stale: fixture.stale,
    odds: quotesOf(reader, fixture, filter),
  };
}

/** Inside `SlateReader.read` only. */
function pageQuotes(reader: SlateReader, page: number, filter: OddsFilter): OddsQuote[] {
  const { columns } = reader;
  const sport = columns.sport[page]!;
  const base = page * reader.quotesPerFixture;
  const quotes: OddsQuote[] = [];
  for (let row = base, end = base + columns.quoteCount[page]!; row < end; row++) {
    const key = columns.quoteKey[row]!;
    if (!passes(filter, key)) continue;
    const pricesE4 = [columns.priceE4A[row]!, columns.priceE4B[row]!, columns.priceE4C[row]!];
    quotes.push({
      ...nameOfKey(key),
      prices: pricesInFormat({ sport, key, pricesE4, format: filter.format }),
      format: filter.format,
      status: QUOTE_STATUSES[columns.quoteStatus[row]!]!,
      as_of: toIsoText(columns.quoteAtMs[row]!),
    });
  }
  return quotes;
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
