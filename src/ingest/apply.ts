// What each message does to the slate. Called by the ingest worker for messages that are in sequence and well-formed;
// publishes nothing itself. Refusals come back as the reason to count.

import { outcomesOf, STATUS_FINISHED } from '../domain/catalogue.ts';
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
} from '../store/records.ts';
import type { SlateWriter } from '../store/writer.ts';
import { FixtureBook, type FixtureRecord, type RecordedResult } from './fixture-book.ts';
import { openingOf } from './quote-opening.ts';
import { SnapshotScope } from './snapshot-scope.ts';

/** A finished match as the archive keeps it. */
export interface FinishedMatch extends RecordedResult {
  readonly fixture: FixtureRecord;
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
    const eventKey = this.fixtures.keyOf(eventNumber);
    const record = eventKey === undefined ? undefined : this.fixtures.get(eventKey);
    if (eventKey !== undefined && record !== undefined) this.#leave(eventKey, record);
    // A fixture that a former worker put and no message has named since.
    else if (this.#writer.slotOf(eventNumber) >= 0)
      this.#writer.removeFixture(this.#writer.slotOf(eventNumber));
  }

  /**
   * The last score stands in for the result of a match that is over, until the feed sends one. Asked again it records
   * what has changed: a match that seemed over may have gone on.
   */
  inferResult(fixture: FixtureRecord, finishedAtMs: number): void {
    const { recordedResult: held, score, cards: redCards } = fixture;
    if (held?.isFinal === true) return;
    const isSame = held?.finishedAtMs === finishedAtMs && held.score === score && held.redCards === redCards;
    if (!isSame) this.#recordResult({ fixture, score, redCards, finishedAtMs, isFinal: false });
  }

  #recordResult(match: FinishedMatch): void {
    match.fixture.recordedResult = match;
    this.#archive.recordResult(match);
    this.#writer.count('results');
  }

  /** The fixture leaves the slate. A match that the feed called finished leaves its score behind. */
  #leave(eventKey: string, record: FixtureRecord): void {
    if (!Number.isNaN(record.finishedAtMs)) this.inferResult(record, record.finishedAtMs);
    this.snapshot.remove(record.eventNumber);
    this.#writer.removeFixture(record.slot);
    this.fixtures.remove(eventKey);
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
    this.fixtures.keep(message, record);
    this.snapshot.event(record.eventNumber);
    if (isNew) this.#restoreOpenings(record);
    return null;
  }

  #state(message: StateMessage): RejectReason | null {
    const record = this.fixtures.get(message.event);
    if (record === undefined) return 'unknown_event';
    const put = this.#writer.putState(record.slot, message);
    if (put !== PUT_APPLIED) return null;
    // The same counts keep their array, so that equality is identity.
    if (!isSamePair(record.score, message.score)) record.score = message.score;
    if (!isSamePair(record.cards, message.cards)) record.cards = message.cards;
    if (message.status !== STATUS_FINISHED) record.finishedAtMs = Number.NaN;
    else if (Number.isNaN(record.finishedAtMs)) record.finishedAtMs = message.atMs;
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
    this.#leave(message.event, record);
    return null;
  }

  #result(message: ResultMessage): RejectReason | null {
    const record = this.fixtures.get(message.event);
    if (record === undefined) return 'unknown_event';
    this.#recordResult({
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
    const opening = openingOf(key, message);
    if (opening === null) return null;
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

/** Whether a state's counts say nothing new; null keeps the last known. */
function isSamePair(held: readonly [number, number] | null, next: readonly [number, number] | null): boolean {
  return next === null || (held !== null && held[0] === next[0] && held[1] === next[1]);
}

function keyOf({ market, period, lineQuarters, bookmaker }: QuoteMessage | CloseMessage): number {
  return packQuoteKey(market, period, lineQuarters, bookmaker);
}
