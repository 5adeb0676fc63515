// What each message does to the slate. Called by the ingest worker for messages that are in sequence and well-formed;
// publishes nothing itself. Refusals come back as the reason to count.

import { MARKET_1X2, outcomesOf, QUOTE_OPEN, STATUS_FINISHED } from '../domain/catalogue.ts';
import type { RejectReason } from '../domain/reject-reasons.ts';
import type {
  CloseMessage,
  EventMessage,
  FeedMessage,
  QuoteMessage,
  RemoveMessage,
  ResultMessage,
  StateMessage,
} from '../feed/protocol.ts';
import { packQuoteKey } from '../store/quote-key.ts';
import {
  FIXTURE_TABLE_FULL,
  NAME_TABLE_FULL,
  type OpeningRow,
  PUT_APPLIED,
  PUT_FULL,
  PUT_OLDER,
  type SlateWriter,
} from '../store/writer.ts';
import { FixtureBook, type FixtureRecord } from './fixture-book.ts';
import { SnapshotScope } from './snapshot-scope.ts';

/** A finished match as the archive keeps it. */
export interface FinishedMatch {
  readonly fixture: FixtureRecord;
  readonly score: readonly [number, number] | null;
  readonly redCards: readonly [number, number] | null;
  readonly finishedAtMs: number;
  /** False when the feed sent no result and the last score stands in. */
  readonly isFinal: boolean;
}

/** What outlives the slate, as ingest needs it. */
export interface ArchivePort {
  /** Openings recorded before this start, in the order they were first seen. */
  openingsOf(eventNumber: number): readonly OpeningRow[];
  recordOpening(eventNumber: number, opening: OpeningRow): void;
  recordResult(match: FinishedMatch): void;
}

export class Applier {
  readonly fixtures = new FixtureBook();
  readonly snapshot = new SnapshotScope();
  readonly #writer: SlateWriter;
  readonly #archive: ArchivePort;

  constructor(writer: SlateWriter, archive: ArchivePort) {
    this.#writer = writer;
    this.#archive = archive;
  }

  /** Applies one message. @returns why it was refused, or null */
  apply(message: FeedMessage): RejectReason | null {
    switch (message.type) {
      case 'quote':
        return this.#quote(message);
      case 'close':
        return this.#close(message);
      case 'state':
        return this.#state(message);
      case 'event':
        return this.#event(message);
      case 'remove':
        return this.#remove(message);
      case 'result':
        return this.#result(message);
      case 'heartbeat':
        this.#writer.setHeartbeatAt(message.atMs);
        return null;
      default:
        return null; // hello and snapshot marks are the sequence's
    }
  }

  /** Ends the open snapshot: what it did not name leaves the slate. */
  endSnapshot(): void {
    if (!this.snapshot.isOpen) return;
    for (const eventNumber of this.snapshot.end(this.#writer)) this.removeEvent(eventNumber);
    this.#writer.count('snapshots');
  }

  /** Takes an event off the slate, by number. */
  removeEvent(eventNumber: number): void {
    const slot = this.#writer.slotOf(eventNumber);
    if (slot >= 0) this.#writer.removeFixture(slot);
    const eventKey = this.fixtures.keyOf(eventNumber);
    if (eventKey !== undefined) this.fixtures.remove(eventKey);
  }

  /** Stores a result once; a final one replaces an inferred one. */
  recordResult(match: FinishedMatch): void {
    match.fixture.resultRecorded = true;
    this.#archive.recordResult(match);
    this.#writer.count('results');
  }

  #event(message: EventMessage): RejectReason | null {
    const record = this.fixtures.describe(message);
    if (typeof record === 'string') return record;
    const isNew = this.#writer.slotOf(record.eventNumber) < 0;
    const slot = this.#writer.putFixture({
      eventNumber: record.eventNumber,
      sport: record.sport,
      league: record.league,
      home: record.home,
      away: record.away,
      scheduledAtMs: record.scheduledAtMs,
      atMs: message.atMs,
    });
    if (slot === FIXTURE_TABLE_FULL) return 'fixture_table_full';
    if (slot === NAME_TABLE_FULL) return 'name_table_full';
    record.slot = slot;
    this.fixtures.keep(message.event, record);
    this.snapshot.event(record.eventNumber);
    if (isNew) this.#restoreOpenings(record);
    return null;
  }

  #state(message: StateMessage): RejectReason | null {
    const record = this.fixtures.get(message.event);
    if (record === undefined) return 'unknown_event';
    const put = this.#writer.putState(record.slot, message);
    if (put === PUT_APPLIED) {
      record.score = message.score ?? record.score;
      record.cards = message.cards ?? record.cards;
    }
    return null;
  }

  #quote(message: QuoteMessage): RejectReason | null {
    const record = this.fixtures.get(message.event);
    if (record === undefined) return 'unknown_event';
    const { pricesE4, openingPricesE4 } = message;
    const outcomeCount = outcomesOf(record.sport, message.market).length;
    if (pricesE4.length !== outcomeCount) return 'bad_outcomes';
    if (openingPricesE4 !== null && openingPricesE4.length !== outcomeCount) return 'bad_outcomes';
    const key = keyOf(message);
    const put = this.#writer.putQuote(
      record.slot,
      key,
      pricesE4[0]!,
      pricesE4[1]!,
      pricesE4[2] ?? 0,
      message.status,
      message.atMs,
    );
    if (put === PUT_FULL) return 'quote_table_full';
    this.snapshot.quote(record.eventNumber, key);
    if (put === PUT_OLDER) {
      this.#writer.count('quotes_older');
      return null;
    }
    this.#writer.count('quotes_applied');
    return record.openingKeys.has(key) ? null : this.#opening(record, key, message);
  }

  #close(message: CloseMessage): RejectReason | null {
    const record = this.fixtures.get(message.event);
    if (record === undefined) return 'unknown_event';
    const closed = this.#writer.closeQuote(record.slot, keyOf(message), message.atMs);
    if (closed === PUT_OLDER) this.#writer.count('quotes_older');
    return null;
  }

  #remove(message: RemoveMessage): RejectReason | null {
    const record = this.fixtures.get(message.event);
    if (record === undefined) return 'unknown_event';
    this.snapshot.remove(record.eventNumber);
    this.#writer.removeFixture(record.slot);
    this.fixtures.remove(message.event);
    return null;
  }

  #result(message: ResultMessage): RejectReason | null {
    const record = this.fixtures.get(message.event);
    if (record === undefined) return 'unknown_event';
    this.recordResult({
      fixture: record,
      score: message.score,
      redCards: message.redCards,
      finishedAtMs: message.finishedAtMs,
      isFinal: true,
    });
    // A result says that the match is over, whether or not a state said so before.
    this.#writer.finishFixture(record.slot, {
      status: STATUS_FINISHED,
      clock: null,
      score: message.score,
      cards: message.redCards,
      atMs: message.atMs,
    });
    return null;
  }

  #opening(record: FixtureRecord, key: number, message: QuoteMessage): RejectReason | null {
    const upstream = message.openingPricesE4 !== null;
    const pricesE4 = message.openingPricesE4 ?? message.pricesE4;
    // A pulled line has no first price yet.
    if (pricesE4.some((price) => price <= 10_000)) return null;
    if (!upstream && message.status !== QUOTE_OPEN) return null;
    const opening: OpeningRow = {
      key,
      a: pricesE4[0]!,
      b: pricesE4[1]!,
      c: pricesE4[2] ?? 0,
      openedAtMs: Number.isNaN(message.openedAtMs) ? message.atMs : message.openedAtMs,
      upstream,
    };
    record.openingKeys.add(key);
    const put = this.#writer.putOpening(record.slot, opening);
    if (put === PUT_FULL) return 'opening_table_full';
    if (put === PUT_APPLIED) {
      this.#archive.recordOpening(record.eventNumber, opening);
      this.#writer.count('openings_recorded');
    }
    return null;
  }

  #restoreOpenings(record: FixtureRecord): void {
    for (const opening of this.#archive.openingsOf(record.eventNumber)) {
      record.openingKeys.add(opening.key);
      if (this.#writer.putOpening(record.slot, opening) === PUT_APPLIED)
        this.#writer.count('openings_restored');
    }
  }
}

function keyOf(message: QuoteMessage | CloseMessage): number {
  const lineQuarters = message.market === MARKET_1X2 ? 0 : message.lineQuarters;
  return packQuoteKey(message.market, message.period, lineQuarters, message.bookmaker);
}
