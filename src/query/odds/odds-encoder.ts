// Encodes one fixture's odds straight from columns to JSON bytes, for cache misses of the busiest route. A
// quote is a prepared head (everything that follows from its key), prices and a stamp; no object and no
// string is created per quote. One per thread.

import type { BatchOddsEntry } from '../../contract/odds.ts';
import {
  BOOKMAKERS,
  MARKET_TYPES,
  ODDS_FORMATS,
  type OddsFormat,
  outcomesOf,
  SHOWN_QUOTE_STATUSES,
  SPORTS,
} from '../../domain/catalogue.ts';
import { malayDecimalsOf } from '../../domain/odds-format.ts';
import { bookmakerOfKey, marketOfKey } from '../../store/quote-key.ts';
import type { QuoteRows, SlateColumns, SlateReader } from '../../store/reader.ts';
import { DayTexts, putAscii, putInstant } from '../json/json-bytes.ts';
import { PriceTexts } from '../json/price-texts.ts';
import { QUOTE_BYTES_MAX, QuoteHeads } from '../json/quote-heads.ts';
import { TextTable } from '../json/text-table.ts';
import { type FixtureNow, freshnessOf } from '../slate/fixture-view.ts';
import { type OddsFilter, passes } from './odds-filter.ts';

/** Room for the JSON around the quotes. */
const BLOCK_BYTES_MAX = 256;

/** Columns of quotes: those of the store, or of a copy. */
type QuoteColumns = Pick<SlateColumns, keyof QuoteRows>;

/** Rows of one fixture. */
export interface EncodedRows {
  readonly columns: QuoteColumns;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly firstRow: number;
  readonly endRow: number;
}

/** A fixture of a batch, or the reason why it is missing. */
export interface BatchEntry {
  /** The text that the client sent, which may be any. */
  readonly eventId: string;
  readonly fixture: FixtureNow | null;
  readonly error: BatchOddsEntry['error'];
}

export class OddsEncoder {
  readonly #reader: SlateReader;
  #bytes = new Uint8Array(64 * 1024);
  #view = new DataView(this.#bytes.buffer);
  /**
   * For each sport: the JSON before the first price of a quote, by its key. These tables and those of the
   * prices take much memory, so each is made at its first use.
   */
  readonly #headsBySport = new Map<number, QuoteHeads>();
  /** For each sport and market: the JSON before each further price. */
  readonly #labelsBySport: readonly (readonly (readonly number[])[])[];
  /** For each format, then quote status: the JSON between the prices and the stamp's time of day. */
  readonly #tails: ReadonlyMap<OddsFormat, DayTexts>;
  readonly #asOf = new DayTexts(['']);
  /**
   * The cached texts of prices by format, then by bookmaker, because malay prices differ between bookmakers.
   */
  readonly #priceTexts = new Map<OddsFormat, readonly PriceTexts[]>();

  constructor(reader: SlateReader) {
    this.#reader = reader;
    this.#labelsBySport = SPORTS.map((_, sport) =>
      MARKET_TYPES.map((_type, market) => labelsOf(sport, market)),
    );
    this.#tails = new Map(ODDS_FORMATS.map((format) => [format, tailsOf(format)]));
  }

  /**
   * The OddsBlock of a fixture as JSON bytes, equal to `JSON.stringify` of `OddsQueries.block`.
   * @returns bytes of this encoder, valid until its next call
   */
  encode(fixture: FixtureNow, filter: OddsFilter): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#block(0, fixture, filter));
  }

  /**
   * A BatchOdds as JSON bytes: a block for each fixture, in order, and the error of each that was not found.
   * @returns bytes of this encoder, valid until its next call
   */
  batch(entries: readonly BatchEntry[], filter: OddsFilter): Uint8Array<ArrayBuffer> {
    const okCount = entries.filter(({ fixture }) => fixture !== null).length;
    let at = putAscii(this.#bytes, 0, `{"count":${entries.length},"ok_count":${okCount},"data":[`);
    entries.forEach(({ eventId, fixture, error }, index) => {
      const head = `${index > 0 ? ',' : ''}{"event_id":${JSON.stringify(eventId)},"odds":`;
      const tail = `,"error":${JSON.stringify(error)}}`;
      at = this.#text(at, head);
      at = fixture === null ? this.#text(at, 'null') : this.#block(at, fixture, filter);
      at = this.#text(at, tail);
    });
    return this.#bytes.subarray(0, this.#text(at, ']}'));
  }

  /**
   * The quotes in a range of rows that pass the filter, as the inside of a JSON array.
   * @param since rows that have not changed since this version are left out; -1 for none
   * @returns bytes of this encoder, valid until its next call
   */
  quotes(rows: EncodedRows, filter: OddsFilter, since: number): Uint8Array {
    this.#reserveQuotes(0, rows.endRow - rows.firstRow);
    return this.#bytes.subarray(0, this.#quotes(0, rows, filter, since));
  }

  /**
   * Writes the block of a fixture from the page that the fixture was read from, so that its quotes belong to
   * its version even if the fixture has changed or left since. If that page was reused meanwhile, the
   * fixture's newest page is read instead.
   * @returns the offset after it
   */
  #block(start: number, fixture: FixtureNow, filter: OddsFilter): number {
    const reader = this.#reader;
    const { columns, quotesPerFixture } = reader;
    const { eventNumber, page, generation } = fixture.view;
    const encode = (from: number): number => {
      const quoteCount = columns.quoteCount[from]!;
      this.#reserveQuotes(start, quoteCount);
      const firstRow = from * quotesPerFixture;
      const rows = { columns, sport: columns.sport[from]!, firstRow, endRow: firstRow + quoteCount };
      return this.#end(this.#quotes(this.#begin(start, fixture, filter), rows, filter));
    };
    return (
      reader.readPage(page, generation, encode) ??
      reader.readEvent(eventNumber, encode) ??
      this.#end(this.#begin(start, fixture, filter)) // the fixture has left the slate: a block without quotes
    );
  }

  #begin(start: number, fixture: FixtureNow, filter: OddsFilter): number {
    this.#reserve(start + BLOCK_BYTES_MAX);
    const { view } = fixture;
    const { asOfMs, stale } = freshnessOf(fixture, filter);
    const at = putAscii(this.#bytes, start, `{"event_id":"${view.id}","as_of":"`);
    const end = putInstant(this.#view, at, asOfMs, this.#asOf, 0);
    return TEXTS.put(this.#view, end, stale ? BLOCK_STALE : BLOCK_FRESH);
  }

  #end(at: number): number {
    return TEXTS.put(this.#view, at, BLOCK_END);
  }

  /** Any text, as UTF-8. */
  #text(at: number, text: string): number {
    this.#reserve(at + 3 * text.length); // UTF-8 takes at most 3 bytes for a UTF-16 unit
    return at + ENCODER.encodeInto(text, this.#bytes.subarray(at)).written;
  }

  /** Reserves room for a block of this many quotes from `start` on. */
  #reserveQuotes(start: number, quoteCount: number): void {
    this.#reserve(start + BLOCK_BYTES_MAX + quoteCount * QUOTE_BYTES_MAX);
  }

  /** Reserves room for this many bytes and keeps what was written. */
  #reserve(byteCount: number): void {
    if (byteCount <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(byteCount, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /**
   * Writes those quotes of a range of rows that pass the filter. The first begins at offset `start`.
   * @returns the offset after the last
   */
  #quotes(start: number, rows: EncodedRows, filter: OddsFilter, since = -1): number {
    const { columns, sport, firstRow, endRow } = rows;
    const { quoteKey, quoteStatus, quoteAtMs, quoteVersion, priceE4A, priceE4B, priceE4C } = columns;
    const view = this.#view;
    const { format } = filter;
    const texts = this.#priceTexts.getOrInsertComputed(format, priceTextsOf);
    const labelsByMarket = this.#labelsBySport[sport]!;
    const heads = this.#headsBySport.getOrInsertComputed(sport, headsOf);
    const tails = this.#tails.get(format)!;
    let at = start;
    for (let row = firstRow; row < endRow; row++) {
      const key = quoteKey[row]!;
      if (!passes(filter, key)) continue;
      if (since >= 0 && quoteVersion[row]! <= since) continue;
      at = heads.put(view, at, key);
      const labels = labelsByMarket[marketOfKey(key)]!;
      const prices = texts[bookmakerOfKey(key)]!;
      at = prices.put(view, at, priceE4A[row]!);
      at = prices.put(view, TEXTS.put(view, at, labels[0]!), priceE4B[row]!);
      if (labels.length === 2) at = prices.put(view, TEXTS.put(view, at, labels[1]!), priceE4C[row]!);
      at = putInstant(view, at, quoteAtMs[row]!, tails, quoteStatus[row]!);
      at = TEXTS.put(view, at, QUOTE_END);
    }
    return at === start ? at : at - 1; // no comma after the last
  }
}

const ENCODER = new TextEncoder();
const TEXTS = new TextTable();
const BLOCK_FRESH = TEXTS.add('","stale":false,"odds":[');
const BLOCK_STALE = TEXTS.add('","stale":true,"odds":[');
const BLOCK_END = TEXTS.add(']}');
const QUOTE_END = TEXTS.add('"},');

function labelsOf(sport: number, market: number): readonly number[] {
  return outcomesOf(sport, market)
    .slice(1)
    .map((outcome) => TEXTS.add(`,"${outcome}":`));
}

function headsOf(sport: number): QuoteHeads {
  return new QuoteHeads(sport);
}

function priceTextsOf(format: OddsFormat): readonly PriceTexts[] {
  const byDecimals = new Map<number, PriceTexts>();
  return BOOKMAKERS.map((_, bookmaker) => {
    const malayDecimals = format === 'malay' ? malayDecimalsOf(bookmaker) : 0;
    return byDecimals.getOrInsertComputed(malayDecimals, () => new PriceTexts(format, malayDecimals));
  });
}

function tailsOf(format: OddsFormat): DayTexts {
  return new DayTexts(
    SHOWN_QUOTE_STATUSES.map((status) => `},"format":"${format}","status":"${status}","as_of":"`),
  );
}
