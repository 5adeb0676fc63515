// The messages of the feed bench, and the place where the store shows each. Quote number n belongs to fixture
// n modulo the number of fixtures, and its two prices encode n, so that a reader can check for every quote
// whether it has arrived.

import { MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import { BOOKMAKER_KEYS, MARKET_ASIAN_HANDICAP, PERIODS } from '../../src/domain/catalogue.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import type { SlateReader } from '../../src/store/reader.ts';

const FIXTURES = 500;
const LINES = [-1, -0.75, -0.5, -0.25, 0];
const BOOKMAKERS = 7;
const KEYS = LINES.length * BOOKMAKERS;
const PRICE_STEPS = 10_000;
const EVEN_E4 = 10_000;

export type Wire = Readonly<Record<string, unknown>>;

/**
 * A snapshot: all fixtures, then a quote for every line that the quotes will name, with prices that encode no
 * number.
 */
export function snapshotOf(baseMs: number, withMarks: boolean): Wire[] {
  const at = new Date(baseMs - MINUTE_MS).toISOString();
  const wires: Wire[] = Array.from({ length: FIXTURES }, (_, fixture) => ({
    type: 'event',
    at,
    event: eventOf(fixture),
    sport: 'football',
    league: { key: `l${fixture % 20}`, name: `League ${fixture % 20}` },
    home: { key: `h${fixture}`, name: `Home ${fixture}` },
    away: { key: `a${fixture}`, name: `Away ${fixture}` },
    scheduled_at: new Date(baseMs - MINUTE_MS - fixture * SECOND_MS).toISOString(),
  }));
  for (let index = 0; index < FIXTURES * KEYS; index++)
    wires.push({ ...quoteOf(index, at), prices: [1.01, 1.01] });
  return withMarks ? [{ type: 'snapshot_begin' }, ...wires, { type: 'snapshot_end' }] : wires;
}

/** Quote number n, without its sequence number. */
export function quoteOf(n: number, at: string): Wire {
  const key = Math.floor(n / FIXTURES) % KEYS;
  return {
    type: 'quote',
    at,
    event: eventOf(n % FIXTURES),
    bookmaker: BOOKMAKER_KEYS[key % BOOKMAKERS],
    market_type: 'asian_handicap',
    period: 'full_time',
    line: LINES[Math.floor(key / BOOKMAKERS)],
    prices: [
      (EVEN_E4 + 200 + (n % PRICE_STEPS)) / 10_000,
      (EVEN_E4 + 200 + Math.floor(n / PRICE_STEPS)) / 10_000,
    ],
    status: 'open',
  };
}

function eventOf(fixture: number): string {
  return `bench:fixture:${10_000 + fixture}`;
}

/** Searches the slate for quotes by their number. */
export class QuoteWatch {
  readonly #reader: SlateReader;
  readonly #slots: number[] = [];
  /**
   * The row of each key. It is the same in every page, because all fixtures have the same keys and pages are
   * sorted by key.
   */
  readonly #rows: number[];
  #next = 0;

  /** Create it only after the snapshot has been applied to the slate. */
  constructor(reader: SlateReader, baseMs: number) {
    this.#reader = reader;
    for (let slot = 0; slot < reader.slotCount(); slot++) {
      const kickoffMs = reader.read(slot, (page) => reader.columns.scheduledAtMs[page]!);
      if (kickoffMs !== undefined)
        this.#slots[Math.round((baseMs - MINUTE_MS - kickoffMs) / SECOND_MS)] = slot;
    }
    const keys = LINES.flatMap((line) =>
      Array.from({ length: BOOKMAKERS }, (_, bookmaker) =>
        packQuoteKey(MARKET_ASIAN_HANDICAP, PERIODS.indexOf('full_time'), line * 4, bookmaker),
      ),
    );
    const sorted = keys.toSorted((left, right) => left - right);
    this.#rows = keys.map((key) => sorted.indexOf(key));
  }

  /** Moves on past quotes that can be read, at most to `end`. @returns the first that cannot be read yet */
  advance(end: number): number {
    while (this.#next < end && this.#isReadable(this.#next)) this.#next++;
    return this.#next;
  }

  #isReadable(n: number): boolean {
    const row = this.#rows[Math.floor(n / FIXTURES) % KEYS]!;
    const held = this.#reader.read(this.#slots[n % FIXTURES]!, (page) => {
      const at = page * this.#reader.quotesPerFixture + row;
      const { priceE4A, priceE4B } = this.#reader.columns;
      return (priceE4B[at]! - EVEN_E4 - 200) * PRICE_STEPS + priceE4A[at]! - EVEN_E4 - 200;
    });
    return held !== undefined && held >= n;
  }
}
