// Slates for the scoring tests: pages written by the real writer from plain quote objects.

import { createStore, type StoreCapacity } from '../../src/store/layout.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';

export interface PlainQuote {
  readonly market: number;
  readonly period: number;
  readonly lineQuarters: number;
  readonly bookmaker: number;
  readonly pricesE4: readonly number[];
  readonly status: number;
  /** The source time of the quote's message; default: that of its fixture. */
  readonly atMs?: number;
}

export interface PlainFixture {
  readonly eventNumber: number;
  readonly sport: number;
  readonly quotes: readonly PlainQuote[];
}

export interface Slate {
  readonly buffer: SharedArrayBuffer;
  readonly writer: SlateWriter;
  readonly reader: SlateReader;
}

const CAPACITY: StoreCapacity = {
  fixtures: 512,
  quotesPerFixture: 128,
  openingsPerFixture: 1,
  entities: 8,
  arenaBytes: 256,
  gracePublishes: 64,
  departures: 64,
};

export function emptySlate(capacity: Partial<StoreCapacity> = {}): Slate {
  const buffer = createStore(0, { ...CAPACITY, ...capacity });
  return { buffer, writer: new SlateWriter(buffer), reader: new SlateReader(buffer) };
}

/** Writes a fixture with its quotes and publishes them. */
export function publishFixture(writer: SlateWriter, fixture: PlainFixture, atMs = 1): void {
  const slot = writer.putFixture({
    eventNumber: fixture.eventNumber,
    sport: fixture.sport,
    league: { number: 1, name: 'League' },
    home: { number: 2, name: 'Home' },
    away: { number: 3, name: 'Away' },
    scheduledAtMs: 0,
    atMs,
  });
  for (const quote of fixture.quotes) {
    const [a = 0, b = 0, c = 0] = quote.pricesE4;
    const key = packQuoteKey(quote.market, quote.period, quote.lineQuarters, quote.bookmaker);
    writer.quotes.putQuote(slot, key, a, b, c, quote.status, quote.atMs ?? atMs);
  }
  writer.publish(0);
}

export function slateOf(fixtures: readonly PlainFixture[], capacity: Partial<StoreCapacity> = {}): Slate {
  // A property makes thousands of slates; a store of the default size costs more than the kernel under test.
  const slate = emptySlate({ fixtures: Math.max(16, 2 * fixtures.length), gracePublishes: 8, ...capacity });
  for (const fixture of fixtures) publishFixture(slate.writer, fixture);
  return slate;
}
