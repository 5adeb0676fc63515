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
import { FIXTURE_TABLE_FULL, NAME_TABLE_FULL, PUT_APPLIED, PUT_FULL, PUT_OLDER } from '../store/records.ts';
import type { SlateWriter } from '../store/writer.ts';
import type { ArchivePort } from './archive-port.ts';
import { ArchiveRecorder } from './archive-recorder.ts';
import { FixtureBook, type FixtureRecord } from './fixture-book.ts';
import { SnapshotScope } from './snapshot-scope.ts';

export class Applier {
  readonly fixtures = new FixtureBook();
  readonly snapshot = new SnapshotScope();
  readonly recorder: ArchiveRecorder;
  readonly #writer: SlateWriter;

  constructor(writer: SlateWriter, archive: ArchivePort) {
    this.#writer = writer;
    this.recorder = new ArchiveRecorder(writer, archive);
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

  /** The fixture leaves the slate. A match that the feed called finished leaves its score behind. */
  #leave(eventKey: string, record: FixtureRecord): void {
    if (!Number.isNaN(record.finishedAtMs)) this.recorder.inferResult(record, record.finishedAtMs);
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
    if (isNew) this.recorder.restoreOpenings(record);
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
    return record.openingKeys.has(key) ? null : this.recorder.recordOpening(record, key, message);
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
    this.recorder.recordResult({
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
}

/** Whether a state's counts say nothing new; null keeps the last known. */
function isSamePair(held: readonly [number, number] | null, next: readonly [number, number] | null): boolean {
  return next === null || (held !== null && held[0] === next[0] && held[1] === next[1]);
}

function keyOf({ market, period, lineQuarters, bookmaker }: QuoteMessage | CloseMessage): number {
  return packQuoteKey(market, period, lineQuarters, bookmaker);
}
