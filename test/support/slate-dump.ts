// The whole content of a store as plain values. It is read column by column, without code of replication.

import { SlateReader } from '../../src/store/reader.ts';

type SlateDump = Readonly<Record<string, unknown>>;

/** Every fixture by its number: identity, state with its stamps, quotes and openings, but no versions. */
export function dumpSlate(buffer: SharedArrayBuffer): SlateDump {
  const reader = new SlateReader(buffer);
  const fixtures: [string, unknown][] = [];
  for (let slot = 0; slot < reader.slotCount(); slot++) {
    const fixture = reader.read(slot, (page) => dumpFixture(reader, page, slot));
    if (fixture !== undefined) fixtures.push(fixture);
  }
  return Object.fromEntries(fixtures.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function dumpFixture(reader: SlateReader, page: number, slot: number): [string, unknown] {
  const { columns } = reader;
  const quotes: unknown[] = [];
  const firstRow = page * reader.quotesPerFixture;
  for (let row = firstRow; row < firstRow + columns.quoteCount[page]!; row++) {
    quotes.push([
      columns.quoteKey[row],
      columns.priceE4A[row],
      columns.priceE4B[row],
      columns.priceE4C[row],
      columns.quoteStatus[row],
      columns.quoteAtMs[row],
    ]);
  }
  const openings: unknown[] = [];
  const firstOpening = slot * reader.openingsPerFixture;
  for (let row = firstOpening; row < firstOpening + reader.openingCount(slot); row++) {
    openings.push([
      columns.openingKey[row],
      columns.openingE4A[row],
      columns.openingE4B[row],
      columns.openingE4C[row],
      columns.openingUpstream[row],
      columns.openedAtMs[row],
    ]);
  }
  const fixture = {
    names: [columns.leagueEntity, columns.homeEntity, columns.awayEntity].map((column) =>
      reader.name(column[page]!),
    ),
    facts: reader.matchFacts(page),
    stamps: [columns.stateAtMs[page], columns.lastMessageAtMs[page]],
    counts: [
      columns.scoreHome[page],
      columns.scoreAway[page],
      columns.cardsHome[page],
      columns.cardsAway[page],
    ],
    quotes,
    openings,
  };
  return [String(columns.eventNumber[page]), fixture];
}
