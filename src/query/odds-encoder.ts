// One fixture's odds straight from columns to JSON bytes: the miss path of the hottest route. A quote is a prepared
// head (all that its key says), prices and a stamp; no object and no string is made per quote. One per thread.

import { ODDS_FORMATS, type OddsFormat, outcomesOf, QUOTE_STATUSES } from '../domain/catalogue.ts';
import { malayDecimalsOf, priceInFormat } from '../domain/odds-format.ts';
import { bookmakerOfKey, marketOfKey } from '../store/quote-key.ts';
import type { SlateReader } from '../store/reader.ts';
import type { FixtureNow } from './fixture-view.ts';
import { JsonBytes } from './json-bytes.ts';
import { type OddsFilter, passes } from './odds-filter.ts';
import { nameOfKey } from './odds-rows.ts';

/** Prepared heads kept. Full: all are dropped and made anew, which is cheap and never happens on real slates. */
const HEADS_MAX = 20_000;
const COMMA = 44;

export class OddsEncoder {
  readonly #reader: SlateReader;
  readonly #out = new JsonBytes();
  /** By sport: all that stands before the first price of a quote, by its key. */
  readonly #headsBySport: readonly Map<number, Uint8Array>[] = [new Map(), new Map()];
  /** By sport and market: what stands before each further price. */
  readonly #labelsBySport: readonly (readonly (readonly Uint8Array[])[])[];
  /** By format and quote status: what stands between the prices and the stamp. */
  readonly #tails: ReadonlyMap<OddsFormat, readonly Uint8Array[]>;

  constructor(reader: SlateReader) {
    this.#reader = reader;
    this.#labelsBySport = [0, 1].map((sport) => [0, 1, 2].map((market) => labelsOf(sport, market)));
    this.#tails = new Map(ODDS_FORMATS.map((format) => [format, tailsOf(format)]));
  }

  /** The OddsBlock of a fixture as JSON bytes, equal to `JSON.stringify(oddsBlock(...))`. */
  encode(fixture: FixtureNow, filter: OddsFilter): Uint8Array<ArrayBuffer> {
    return (
      this.#reader.readEvent(fixture.view.eventNumber, (page) => {
        this.#begin(fixture);
        this.#quotes(page, filter);
        this.#out.bytes(BLOCK_END);
        return this.#out.toBytes();
      }) ?? this.#empty(fixture)
    );
  }

  #begin(fixture: FixtureNow): void {
    const out = this.#out;
    out.clear();
    out.ascii(`{"event_id":"${fixture.view.id}","as_of":"`);
    out.instant(fixture.asOfMs);
    out.bytes(fixture.stale ? BLOCK_STALE : BLOCK_FRESH);
  }

  #empty(fixture: FixtureNow): Uint8Array<ArrayBuffer> {
    this.#begin(fixture);
    this.#out.bytes(BLOCK_END);
    return this.#out.toBytes();
  }

  #quotes(page: number, filter: OddsFilter): void {
    const { quoteKey, quoteStatus, quoteAtMs, quoteCount, sport } = this.#reader.columns;
    const out = this.#out;
    const labelsByMarket = this.#labelsBySport[sport[page]!]!;
    const heads = this.#headsBySport[sport[page]!]!;
    const tails = this.#tails.get(filter.format)!;
    const base = page * this.#reader.quotesPerFixture;
    let isFirst = true;
    for (let row = base, end = base + quoteCount[page]!; row < end; row++) {
      const key = quoteKey[row]!;
      if (!passes(filter, key)) continue;
      if (!isFirst) out.code(COMMA);
      isFirst = false;
      out.bytes(heads.get(key) ?? makeHead(heads, sport[page]!, key));
      this.#prices(row, key, labelsByMarket[marketOfKey(key)]!, filter.format);
      out.bytes(tails[quoteStatus[row]!]!);
      out.instant(quoteAtMs[row]!);
      out.bytes(QUOTE_END);
    }
  }

  #prices(row: number, key: number, labels: readonly Uint8Array[], format: OddsFormat): void {
    const { priceE4A, priceE4B, priceE4C } = this.#reader.columns;
    const out = this.#out;
    if (format === 'decimal') {
      out.tenThousandths(priceE4A[row]!);
      out.bytes(labels[0]!);
      out.tenThousandths(priceE4B[row]!);
      if (labels.length === 1) return;
      out.bytes(labels[1]!);
      out.tenThousandths(priceE4C[row]!);
      return;
    }
    const malayDecimals = format === 'malay' ? malayDecimalsOf(bookmakerOfKey(key)) : 0;
    out.ascii(String(priceInFormat(priceE4A[row]!, format, malayDecimals)));
    out.bytes(labels[0]!);
    out.ascii(String(priceInFormat(priceE4B[row]!, format, malayDecimals)));
    if (labels.length === 1) return;
    out.bytes(labels[1]!);
    out.ascii(String(priceInFormat(priceE4C[row]!, format, malayDecimals)));
  }
}

const ENCODER = new TextEncoder();
const BLOCK_FRESH = ENCODER.encode('","stale":false,"odds":[');
const BLOCK_STALE = ENCODER.encode('","stale":true,"odds":[');
const BLOCK_END = ENCODER.encode(']}');
const QUOTE_END = ENCODER.encode('"}');

function labelsOf(sport: number, market: number): readonly Uint8Array[] {
  return outcomesOf(sport, market)
    .slice(1)
    .map((outcome) => ENCODER.encode(`,"${outcome}":`));
}

function makeHead(heads: Map<number, Uint8Array>, sport: number, key: number): Uint8Array {
  if (heads.size === HEADS_MAX) heads.clear();
  const name = JSON.stringify(nameOfKey(key)).slice(0, -1);
  const head = ENCODER.encode(`${name},"prices":{"${outcomesOf(sport, marketOfKey(key))[0]!}":`);
  heads.set(key, head);
  return head;
}

function tailsOf(format: OddsFormat): readonly Uint8Array[] {
  return QUOTE_STATUSES.map((status) =>
    ENCODER.encode(`},"format":"${format}","status":"${status}","as_of":"`),
  );
}
