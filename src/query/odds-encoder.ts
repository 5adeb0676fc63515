// One fixture's odds straight from columns to JSON bytes: the miss path of the hottest route. A quote is a prepared
// head (all that its key says), prices and a stamp; no object and no string is made per quote. One per thread.

import {
  MARKET_TYPES,
  ODDS_FORMATS,
  type OddsFormat,
  OUTCOMES_MAX,
  outcomesOf,
  QUOTE_STATUSES,
  SPORTS,
} from '../domain/catalogue.ts';
import { malayDecimalsOf, priceInFormat } from '../domain/odds-format.ts';
import { assert } from '../errors.ts';
import { bookmakerOfKey, marketOfKey } from '../store/quote-key.ts';
import type { QuoteRows, SlateColumns, SlateReader } from '../store/reader.ts';
import { type FixtureNow, freshnessOf } from './fixture-view.ts';
import {
  DayFragments,
  INSTANT_CHARS,
  putAscii,
  putBytes,
  putInstant,
  putTenThousandths,
} from './json-bytes.ts';
import { nameOfKey } from './odds.ts';
import { type OddsFilter, passes } from './odds-filter.ts';

/** Prepared heads kept. Full: all are dropped and made anew, which is cheap and never happens on real slates. */
const HEADS_MAX = 20_000;
const COMMA = 44;
const MINUS = 45;
const QUOTE = 34;
const CLOSING_BRACE = 125;

/** Room for what stands around the quotes, and for one quote of the longest kind; asserted where heads are made. */
const BLOCK_BYTES_MAX = 256;
const QUOTE_BYTES_MAX = 512;
/** Longest text of a price in any format; others than decimal are numbers as JavaScript writes them. */
const FORMATTED_CHARS_MAX = 32;
/** Labels, tail and end of a quote. */
const AROUND_PRICES_BYTES_MAX = 128;

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

export class OddsEncoder {
  readonly #reader: SlateReader;
  #bytes = new Uint8Array(64 * 1024);
  /** By sport: all that stands before the first price of a quote, by its key. */
  readonly #headsBySport: readonly Map<number, Uint8Array>[] = SPORTS.map(() => new Map());
  /** By sport and market: what stands before each further price. */
  readonly #labelsBySport: readonly (readonly (readonly Uint8Array[])[])[];
  /** By format, and in there by quote status: what stands between the prices and the stamp's time of day. */
  readonly #tails: ReadonlyMap<OddsFormat, DayFragments>;
  readonly #asOf = new DayFragments(['']);

  constructor(reader: SlateReader) {
    this.#reader = reader;
    this.#labelsBySport = SPORTS.map((_, sport) =>
      MARKET_TYPES.map((_type, market) => labelsOf(sport, market)),
    );
    this.#tails = new Map(ODDS_FORMATS.map((format) => [format, tailsOf(format)]));
  }

  /**
   * The OddsBlock of a fixture as JSON bytes, equal to `JSON.stringify(oddsBlock(...))`.
   * @returns bytes of this encoder, good until its next call
   */
  encode(fixture: FixtureNow, filter: OddsFilter): Uint8Array<ArrayBuffer> {
    const reader = this.#reader;
    const length =
      reader.readEvent(fixture.view.eventNumber, (page) => {
        this.#reserve(reader.columns.quoteCount[page]!);
        const firstRow = page * reader.quotesPerFixture;
        const endRow = firstRow + reader.columns.quoteCount[page]!;
        const rows = { columns: reader.columns, sport: reader.columns.sport[page]!, firstRow, endRow };
        return this.#end(this.#quotes(this.#begin(fixture, filter), rows, filter));
      }) ?? this.#end(this.#begin(fixture, filter)); // the fixture has left the slate: a block without quotes
    return this.#bytes.subarray(0, length);
  }

  /**
   * The quotes of some rows that pass the filter, as the inside of a JSON array.
   * @param since rows that have not changed since this version are left out; -1 for none
   * @returns bytes of this encoder, good until its next call
   */
  quotes(rows: EncodedRows, filter: OddsFilter, since: number): Uint8Array {
    this.#reserve(rows.endRow - rows.firstRow);
    return this.#bytes.subarray(0, this.#quotes(0, rows, filter, since));
  }

  #begin(fixture: FixtureNow, { showsSharp }: OddsFilter): number {
    const { view } = fixture;
    const { asOfMs, stale } = freshnessOf(fixture, showsSharp);
    const bytes = this.#bytes;
    const at = putAscii(bytes, 0, `{"event_id":"${view.id}","as_of":"`);
    return putBytes(bytes, putInstant(bytes, at, asOfMs, this.#asOf, 0), stale ? BLOCK_STALE : BLOCK_FRESH);
  }

  #end(at: number): number {
    return putBytes(this.#bytes, at, BLOCK_END);
  }

  /** Room for a page of this many quotes. */
  #reserve(quoteCount: number): void {
    const needed = BLOCK_BYTES_MAX + quoteCount * QUOTE_BYTES_MAX;
    if (needed > this.#bytes.length) this.#bytes = new Uint8Array(needed);
  }

  /** Writes the quotes of some rows that pass the filter from `start` on. @returns the place after the last */
  #quotes(start: number, rows: EncodedRows, filter: OddsFilter, since = -1): number {
    const { columns, sport, firstRow, endRow } = rows;
    const { quoteKey, quoteStatus, quoteAtMs, quoteVersion, priceE4A, priceE4B, priceE4C } = columns;
    const bytes = this.#bytes;
    const { format } = filter;
    const isDecimal = format === 'decimal';
    const labelsByMarket = this.#labelsBySport[sport]!;
    const heads = this.#headsBySport[sport]!;
    const tails = this.#tails.get(format)!;
    let at = start;
    for (let row = firstRow; row < endRow; row++) {
      const key = quoteKey[row]!;
      if (!passes(filter, key)) continue;
      if (since >= 0 && quoteVersion[row]! <= since) continue;
      if (at !== start) bytes[at++] = COMMA;
      at = putBytes(bytes, at, heads.get(key) ?? makeHead(heads, sport, key));
      const labels = labelsByMarket[marketOfKey(key)]!;
      if (isDecimal) {
        at = putTenThousandths(bytes, at, priceE4A[row]!);
        at = putTenThousandths(bytes, putBytes(bytes, at, labels[0]!), priceE4B[row]!);
        if (labels.length === 2) {
          at = putTenThousandths(bytes, putBytes(bytes, at, labels[1]!), priceE4C[row]!);
        }
      } else {
        at = this.#formatted(at, columns, { row, labels, format });
      }
      at = putInstant(bytes, at, quoteAtMs[row]!, tails, quoteStatus[row]!);
      bytes[at++] = QUOTE;
      bytes[at++] = CLOSING_BRACE;
    }
    return at;
  }

  #formatted(
    start: number,
    { priceE4A, priceE4B, priceE4C, quoteKey }: QuoteColumns,
    { row, labels, format }: { row: number; labels: readonly Uint8Array[]; format: OddsFormat },
  ): number {
    const bytes = this.#bytes;
    const malayDecimals = format === 'malay' ? malayDecimalsOf(bookmakerOfKey(quoteKey[row]!)) : 0;
    let at = putPrice(bytes, start, priceInFormat(priceE4A[row]!, format, malayDecimals), format);
    at = putBytes(bytes, at, labels[0]!);
    at = putPrice(bytes, at, priceInFormat(priceE4B[row]!, format, malayDecimals), format);
    if (labels.length === 1) return at;
    at = putBytes(bytes, at, labels[1]!);
    return putPrice(bytes, at, priceInFormat(priceE4C[row]!, format, malayDecimals), format);
  }
}

/**
 * A price as `String` writes it, which is slow where there are decimals: there are four at most. American prices are whole
 * and may be too large for ten-thousandths.
 */
function putPrice(bytes: Uint8Array, start: number, price: number, format: OddsFormat): number {
  if (format === 'american') return putAscii(bytes, start, String(price));
  let at = start;
  if (price < 0) bytes[at++] = MINUS;
  return putTenThousandths(bytes, at, Math.round(Math.abs(price) * 10_000));
}

const ENCODER = new TextEncoder();
const BLOCK_FRESH = ENCODER.encode('","stale":false,"odds":[');
const BLOCK_STALE = ENCODER.encode('","stale":true,"odds":[');
const BLOCK_END = ENCODER.encode(']}');

function labelsOf(sport: number, market: number): readonly Uint8Array[] {
  return outcomesOf(sport, market)
    .slice(1)
    .map((outcome) => ENCODER.encode(`,"${outcome}":`));
}

function makeHead(heads: Map<number, Uint8Array>, sport: number, key: number): Uint8Array {
  if (heads.size === HEADS_MAX) heads.clear();
  const name = JSON.stringify(nameOfKey(key)).slice(0, -1);
  const head = ENCODER.encode(`${name},"prices":{"${outcomesOf(sport, marketOfKey(key))[0]!}":`);
  const pricesAndStamp = OUTCOMES_MAX * FORMATTED_CHARS_MAX + INSTANT_CHARS + AROUND_PRICES_BYTES_MAX;
  assert(
    head.length + pricesAndStamp <= QUOTE_BYTES_MAX,
    'the room reserved for a quote holds the longest one',
  );
  heads.set(key, head);
  return head;
}

function tailsOf(format: OddsFormat): DayFragments {
  return new DayFragments(
    QUOTE_STATUSES.map((status) => `},"format":"${format}","status":"${status}","as_of":"`),
  );
}
