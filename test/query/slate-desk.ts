// A slate with its use cases: wire messages go in, and queries are asked at any instant. Several football
// leagues may have the same name.

import fc from 'fast-check';
import type { Principal } from '../../src/domain/tiers.ts';
import { EventQueries } from '../../src/query/lists/events.ts';
import { LeagueFilter } from '../../src/query/lookup/league-filter.ts';
import { NameDirectory } from '../../src/query/lookup/name-directory.ts';
import { OddsQueries } from '../../src/query/odds/odds.ts';
import { OpeningQueries } from '../../src/query/odds/openings.ts';
import { Slate } from '../../src/query/slate/slate.ts';
import { DEFAULT_CAPACITY } from '../../src/store/layout.ts';
import { eventWire, helloWire, type WireMessage } from '../feed/wire.ts';
import { IngestDesk } from '../ingest/ingest-desk.ts';

/** A caller who sees the sharp bookmakers. */
export const SHARP: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
export const WINDOWS = { liveMs: 60_000, prematchMs: 300_000 };

/** Prices in ten-thousandths: usual ones, limits of the formats, withdrawn lines and the largest price. */
export const anyPriceE4: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 10_001, max: 200_000 }),
  fc.constantFrom(0, 1, 9_999, 10_000, 10_001, 19_999, 20_000, 20_001, 10_050, 2_000_000_000),
  fc.integer({ min: 0, max: 2_000_000_000 }),
);

export class SlateDesk {
  readonly ingest = new IngestDesk({
    capacity: {
      ...DEFAULT_CAPACITY,
      fixtures: 256,
      quotesPerFixture: 128,
      openingsPerFixture: 128,
      entities: 2_048,
    },
  });
  readonly slate = new Slate(this.ingest.reader, WINDOWS);
  readonly odds = new OddsQueries(this.ingest.reader);
  readonly openings = new OpeningQueries(this.ingest.reader);
  readonly names = new NameDirectory(this.slate);
  readonly events = new EventQueries(this.slate, new LeagueFilter(this.names));
  #seq = 0;

  get nowMs(): number {
    return this.ingest.nowMs;
  }

  /** A complete snapshot of these messages. */
  snapshot(...messages: readonly WireMessage[]): void {
    this.ingest.send(helloWire());
    this.send({ type: 'snapshot_begin' }, ...messages, { type: 'snapshot_end' });
  }

  /** Sends one batch. Each message gets the next sequence number, and arrives no earlier than its stamp. */
  send(...messages: readonly WireMessage[]): void {
    for (const { at } of messages) {
      if (typeof at === 'string') this.ingest.nowMs = Math.max(this.ingest.nowMs, Date.parse(at));
    }
    this.ingest.send(...messages.map((message) => ({ ...message, seq: ++this.#seq })));
  }
}

/** A fixture with its kickoff and league. */
export function fixtureWire(event: string, kickoff: string | null, fields: WireMessage = {}): WireMessage {
  return eventWire(0, event, { scheduled_at: kickoff, ...fields });
}
