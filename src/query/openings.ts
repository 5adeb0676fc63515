// First-seen prices of a fixture, from the store's append-only rows: per current quote, and per market line first shown.

import { isoTextOrNull } from '../clock.ts';
import type { EventOpening, OpeningQuote } from '../contract/odds.ts';
import type { OddsFormat } from '../domain/catalogue.ts';
import type { SlateReader } from '../store/reader.ts';
import { bookMarketOf } from './current-quotes.ts';
import type { FixtureNow } from './fixture-view.ts';
import { type OddsFilter, passes } from './odds-filter.ts';
import { nameOfKey, pricesInFormat } from './odds-rows.ts';

/** One row of the opening table, with the fixture's sport that its outcomes follow from. */
export interface OpeningFact {
  readonly key: number;
  readonly sport: number;
  /** Ten-thousandths, by outcome order. */
  readonly pricesE4: readonly number[];
  readonly openedAtMs: number;
  readonly upstream: boolean;
}

/** For each current quote that passes the filter, the first price seen for that very key, if one is on file. */
export function eventOpening(reader: SlateReader, fixture: FixtureNow, filter: OddsFilter): EventOpening {
  const facts = reader.readEvent(fixture.view.eventNumber, (page, slot) =>
    currentOpenings(reader, { page, slot, filter }),
  );
  const opening = facts ?? [];
  return {
    event_id: fixture.view.id,
    source: openingSource(opening),
    opening: opening.map((fact) => toOpeningQuote(fact, filter.format)),
  };
}

/** For each book, market and period that passes the filter, the first line it ever showed, with its first prices. */
export function marketOpenings(reader: SlateReader, fixture: FixtureNow, filter: OddsFilter): OpeningFact[] {
  const facts = reader.readEvent(fixture.view.eventNumber, (page, slot) => {
    const firstByMarket = new Map<number, OpeningFact>();
    for (const fact of openingFacts(reader, page, slot)) {
      const bookMarket = bookMarketOf(fact.key);
      if (passes(filter, fact.key) && !firstByMarket.has(bookMarket)) firstByMarket.set(bookMarket, fact);
    }
    return [...firstByMarket].sort(([left], [right]) => left - right).map(([, fact]) => fact);
  });
  return facts ?? [];
}

/** Where openings come from: `upstream` when the feed sent every one of them, else `first_seen`. */
export function openingSource(openings: readonly OpeningFact[]): EventOpening['source'] {
  return openings.length > 0 && openings.every((opening) => opening.upstream) ? 'upstream' : 'first_seen';
}

function currentOpenings(
  reader: SlateReader,
  { page, slot, filter }: { page: number; slot: number; filter: OddsFilter },
): OpeningFact[] {
  const { quoteKey, quoteCount } = reader.columns;
  const factByKey = new Map<number, OpeningFact>();
  for (const fact of openingFacts(reader, page, slot)) factByKey.set(fact.key, fact);
  const base = page * reader.quotesPerFixture;
  const facts: OpeningFact[] = [];
  for (let row = base, end = base + quoteCount[page]!; row < end; row++) {
    const fact = factByKey.get(quoteKey[row]!);
    if (fact !== undefined && passes(filter, fact.key)) facts.push(fact);
  }
  return facts;
}

/** Every opening of a slot in the order they were first seen. Inside `SlateReader.read` only. */
function openingFacts(reader: SlateReader, page: number, slot: number): OpeningFact[] {
  const { columns } = reader;
  const sport = columns.sport[page]!;
  const base = slot * reader.openingsPerFixture;
  const facts: OpeningFact[] = [];
  for (let row = base, end = base + reader.openingCount(slot); row < end; row++) {
    facts.push({
      key: columns.openingKey[row]!,
      sport,
      pricesE4: [columns.openingE4A[row]!, columns.openingE4B[row]!, columns.openingE4C[row]!],
      openedAtMs: columns.openedAtMs[row]!,
      upstream: columns.openingUpstream[row] === 1,
    });
  }
  return facts;
}

function toOpeningQuote(fact: OpeningFact, format: OddsFormat): OpeningQuote {
  return {
    ...nameOfKey(fact.key),
    prices: pricesInFormat({ ...fact, format }),
    format,
    opened_at: isoTextOrNull(fact.openedAtMs),
  };
}
