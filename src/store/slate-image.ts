// The published slate as plain values, one per fixture. It is saved before a restart and put back into an
// empty store afterwards.

import { STATUS_SCHEDULED } from '../domain/catalogue.ts';
import type { SlateReader } from './reader.ts';
import type { FixtureIdentity, FixtureState, OpeningRow } from './records.ts';
import { openingRows } from './writer/opening-table.ts';
import type { SlateWriter } from './writer/writer.ts';

/** Prices in ten-thousandths by outcome order, status and source time. */
type QuoteImage = readonly [key: number, a: number, b: number, c: number, status: number, atMs: number];

/** One fixture. Times are Unix ms, null where the store has none. */
export interface FixtureImage {
  readonly identity: Omit<FixtureIdentity, 'scheduledAtMs'>;
  readonly scheduledAtMs: number | null;
  readonly atMs: number;
  /** Null when the fixture never had a state. */
  readonly state: FixtureState | null;
  readonly quotes: readonly QuoteImage[];
  readonly openings: readonly OpeningRow[];
}

/** The fixture of a slot, or undefined when the slot is empty. */
export function imageOf(reader: SlateReader, slot: number): FixtureImage | undefined {
  const { columns } = reader;
  return reader.read(slot, (page): FixtureImage => {
    const entity = (row: number) => ({ number: columns.entityNumber[row]!, name: reader.name(row) });
    const scheduledAtMs = columns.scheduledAtMs[page]!;
    return {
      identity: {
        eventNumber: columns.eventNumber[page]!,
        sport: columns.sport[page]!,
        league: entity(columns.leagueEntity[page]!),
        home: entity(columns.homeEntity[page]!),
        away: entity(columns.awayEntity[page]!),
      },
      scheduledAtMs: Number.isNaN(scheduledAtMs) ? null : scheduledAtMs,
      // The time of the last sharp quote is not kept separately, so only the time that every tier may know is
      // saved.
      atMs: columns.commonMessageAtMs[page]!,
      state: stateOf(reader, page),
      quotes: quotesOf(reader, page),
      openings: openingRows(columns, slot * reader.openingsPerFixture, reader.openingCount(slot)),
    };
  });
}

/** Puts a fixture into a store that does not have it. Publishes nothing. @returns whether there was room */
export function putImage(writer: SlateWriter, image: FixtureImage): boolean {
  const { identity, scheduledAtMs, atMs, state, quotes, openings } = image;
  const slot = writer.putFixture({ ...identity, scheduledAtMs: scheduledAtMs ?? Number.NaN, atMs });
  if (slot < 0) return false;
  if (state !== null) writer.putState(slot, state);
  for (const quote of quotes) writer.quotes.putQuote(slot, ...quote);
  for (const opening of openings) writer.putOpening(slot, opening);
  return true;
}

function stateOf(reader: SlateReader, page: number): FixtureState | null {
  const { columns } = reader;
  const atMs = columns.stateAtMs[page]!;
  if (atMs === Number.NEGATIVE_INFINITY) return null;
  const pair = (home: number, away: number) => (home < 0 ? null : ([home, away] as const));
  return {
    status: columns.feedStatus[page] ?? STATUS_SCHEDULED,
    clock: reader.clock(page),
    score: pair(columns.scoreHome[page]!, columns.scoreAway[page]!),
    cards: pair(columns.cardsHome[page]!, columns.cardsAway[page]!),
    atMs,
  };
}

function quotesOf({ columns, quotesPerFixture }: SlateReader, page: number): QuoteImage[] {
  const first = page * quotesPerFixture;
  return Array.from({ length: columns.quoteCount[page]! }, (_, index): QuoteImage => {
    const row = first + index;
    return [
      columns.quoteKey[row]!,
      columns.priceE4A[row]!,
      columns.priceE4B[row]!,
      columns.priceE4C[row]!,
      columns.quoteStatus[row]!,
      columns.quoteAtMs[row]!,
    ];
  });
}
