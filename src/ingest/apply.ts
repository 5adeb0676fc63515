// Applies each message, and the passing of time, to the slate. The ingest worker passes it well-formed
// messages in sequence, and publishes the result. A refusal is returned as the reason to count.

import { ALL_BOOKMAKERS_MASK, outcomesOf, STATUS_FINISHED } from '../domain/catalogue.ts';
import { finishedAtMs } from '../domain/match-status.ts';
import type { RejectReason } from '../domain/reject-reasons.ts';
import type {
  CloseMessage,
  EventMessage,
  FeedMessage,
  HeartbeatMessage,
  LiquidityMessage,
  QuoteMessage,
  ResultMessage,
  StateMessage,
} from '../feed/protocol.ts';
import { FINISHED_KEPT_MS } from '../limits.ts';
import { counterIndex } from '../store/counters.ts';
import { quoteKeyOf } from '../store/quote-key.ts';
import type { SlateReader } from '../store/reader.ts';
import { FIXTURE_TABLE_FULL, NAME_TABLE_FULL, PUT_APPLIED, PUT_FULL, PUT_OLDER } from '../store/records.ts';
import type { SlateWriter } from '../store/writer/writer.ts';
import { type ArchivePort, ArchiveRecorder } from './archive-recorder.ts';
import { FeedSequence } from './feed-sequence.ts';
import { FixtureNumbers, type FixtureRecord } from './fixture-numbers.ts';
import type { SlateOutlet } from './slate-outlet.ts';

/** How long after full time the result message may take before the last score is recorded in its place. */
const RESULT_GRACE_MS = 60_000;

const QUOTES_APPLIED = counterIndex('quotes_applied');
const QUOTES_OLDER = counterIndex('quotes_older');

export class Applier {
  /**
   * Decides whether a message may be applied, for the feed handler. During a snapshot it also records what
   * the applier has applied.
   */
  readonly sequence = new FeedSequence();
  readonly fixtures = new FixtureNumbers();
  readonly #recorder: ArchiveRecorder;
  readonly #writer: SlateWriter;
  /**
   * The time of the last heartbeat that confirmed some bookmakers, by their mask. Each source has one mask.
   */
  readonly #heartbeatAtMs = new Map<number, number>();
  /**
   * How many snapshots had begun when the last heartbeat came. A new snapshot may come from a source with
   * another clock.
   */
  #heartbeatOfSnapshot = 0;
  /** Is notified of fixtures that leave by time alone; set once, where the worker's parts are connected. */
  outlet: SlateOutlet | null = null;

  constructor(writer: SlateWriter, archive: ArchivePort) {
    this.#writer = writer;
    this.#recorder = new ArchiveRecorder(writer, archive);
    this.#recorder.alignOpenings();
  }

  /** Applies one message. @returns why it was refused, or null */
  apply(message: FeedMessage): RejectReason | null {
    if (message.type === 'event') return this.#event(message);
    if (message.type === 'heartbeat') return this.#heartbeat(message);
    if (!('event' in message)) return null; // the feed handler has dealt with hello and the snapshot marks
    const record = this.fixtures.get(message.event);
    if (record === undefined) return 'unknown_event';
    switch (message.type) {
      case 'quote':
        return this.#quote(record, message);
      case 'close':
        return this.#close(record, message);
      case 'state':
        return this.#state(record, message);
      case 'remove':
        return this.#leave(message.event, record);
      case 'result':
        return this.#result(record, message);
      case 'liquidity':
        return this.#liquidity(record, message);
    }
  }

  /**
   * Applies a heartbeat. A heartbeat for all fixtures is ignored unless it is newer than the last one for the
   * same bookmakers, so confirmed quotes stay confirmed. After the next snapshot any heartbeat counts again.
   */
  #heartbeat({ event, bookmakerMask, atMs }: HeartbeatMessage): RejectReason | null {
    const mask = bookmakerMask ?? ALL_BOOKMAKERS_MASK;
    if (event !== null) {
      const record = this.fixtures.get(event);
      if (record === undefined) return 'unknown_event';
      this.#writer.confirmFixture(record.slot, mask, atMs);
      return null;
    }
    const { snapshotCount } = this.sequence;
    if (snapshotCount !== this.#heartbeatOfSnapshot) this.#heartbeatAtMs.clear();
    this.#heartbeatOfSnapshot = snapshotCount;
    if (atMs <= (this.#heartbeatAtMs.get(mask) ?? Number.NEGATIVE_INFINITY)) return null;
    this.#heartbeatAtMs.set(mask, atMs);
    this.#writer.facts.setHeartbeatAt(atMs, mask);
    return null;
  }

  /** Ends the snapshot in progress. Fixtures that it did not name leave the slate. */
  endSnapshot(): void {
    for (const eventNumber of this.sequence.endSnapshot(this.#writer)) this.#removeEvent(eventNumber);
    this.#writer.facts.count('snapshots');
  }

  /**
   * Applies the passing of time: statuses change, a match that finished without a result gets its last score
   * as its result, and a finished fixture that the feed never removes leaves after FINISHED_KEPT_MS. Call it
   * every few seconds.
   */
  sweep(reader: SlateReader, nowMs: number): void {
    this.#writer.updateStatuses(nowMs);
    for (const record of [...this.fixtures.records()]) {
      const endedAtMs = reader.readEvent(record.eventNumber, (page) => finishedAtMs(reader.matchFacts(page)));
      if (endedAtMs === undefined || endedAtMs > nowMs) continue;
      if (nowMs >= endedAtMs + RESULT_GRACE_MS) this.#recorder.inferResult(record, endedAtMs);
      if (nowMs >= endedAtMs + FINISHED_KEPT_MS) this.#removeEvent(record.eventNumber);
    }
  }

  #removeEvent(eventNumber: number): void {
    const eventKey = this.fixtures.keyOf(eventNumber);
    const record = eventKey === undefined ? undefined : this.fixtures.get(eventKey);
    if (eventKey !== undefined && record !== undefined) {
      this.#leave(eventKey, record);
      this.outlet?.removed(eventKey);
    }
    // An earlier worker put this fixture on the slate, and no message of this worker has named it, so it has
    // no record.
    else if (this.#writer.slotOf(eventNumber) >= 0)
      this.#writer.removeFixture(this.#writer.slotOf(eventNumber));
  }

  /**
   * Removes a fixture from the slate. If the feed called the match finished, its last score is recorded
   * first.
   */
  #leave(eventKey: string, record: FixtureRecord): null {
    if (!Number.isNaN(record.finishedAtMs)) this.#recorder.inferResult(record, record.finishedAtMs);
    this.sequence.forgetEvent(record.eventNumber);
    this.#writer.removeFixture(record.slot);
    this.#writer.facts.liquidity.remove(record.eventNumber);
    this.fixtures.remove(eventKey);
    return null;
  }

  #event(message: EventMessage): RejectReason | null {
    const record = this.fixtures.describe(message);
    if (typeof record === 'string') return record;
    const isNew = this.#writer.slotOf(record.eventNumber) < 0;
    const { atMs, bookmakerMask } = message;
    const slot = this.#writer.putFixture({
      ...record,
      atMs,
      ...(bookmakerMask === undefined ? {} : { confirmerMask: bookmakerMask }),
    });
    if (slot === FIXTURE_TABLE_FULL) return 'fixture_table_full';
    if (slot === NAME_TABLE_FULL) return 'name_table_full';
    record.slot = slot;
    this.fixtures.keep(message, record);
    this.sequence.nameEvent(record.eventNumber);
    if (isNew) this.#recorder.restoreOpenings(record);
    return null;
  }

  #state(record: FixtureRecord, message: StateMessage): null {
    const put = this.#writer.putState(record.slot, message);
    if (put !== PUT_APPLIED) return null;
    // Counts that have not changed keep their array, so that inferResult can compare arrays by identity.
    if (!isSamePair(record.score, message.score)) record.score = message.score;
    if (!isSamePair(record.cards, message.cards)) record.cards = message.cards;
    if (message.status !== STATUS_FINISHED) record.finishedAtMs = Number.NaN;
    else if (Number.isNaN(record.finishedAtMs)) record.finishedAtMs = message.atMs;
    return null;
  }

  #quote(record: FixtureRecord, message: QuoteMessage): RejectReason | null {
    const { pricesE4, openingPricesE4 } = message;
    const outcomeCount = outcomesOf(record.sport, message.market).length;
    if (pricesE4.length !== outcomeCount) return 'bad_outcomes';
    if (openingPricesE4 !== null && openingPricesE4.length !== outcomeCount) return 'bad_outcomes';
    const key = quoteKeyOf(message);
    const put = this.#writer.quotes.putQuote(
      record.slot,
      key,
      pricesE4[0]!,
      pricesE4[1]!,
      pricesE4[2] ?? 0,
      message.status,
      message.atMs,
    );
    if (put === PUT_FULL) return 'quote_table_full';
    this.sequence.nameQuote(record.eventNumber, key);
    if (put === PUT_OLDER) {
      this.#writer.facts.tally(QUOTES_OLDER);
      return null;
    }
    this.#writer.facts.tally(QUOTES_APPLIED);
    if (openingPricesE4 !== null && message.openingLineQuarters !== message.lineQuarters) {
      // The market's opening is recorded first, because the first recorded line counts as the line that the
      // market opened at.
      const openingKey = quoteKeyOf({ ...message, lineQuarters: message.openingLineQuarters });
      const refused = this.#recorder.recordOpeningLine(record, openingKey, message);
      if (refused !== null) return refused;
    }
    return this.#recorder.recordOpening(record, key, message);
  }

  #close(record: FixtureRecord, message: CloseMessage): null {
    const put = this.#writer.quotes.closeQuote(record.slot, quoteKeyOf(message), message.atMs);
    if (put === PUT_OLDER) this.#writer.facts.tally(QUOTES_OLDER);
    return null;
  }

  #liquidity(
    record: FixtureRecord,
    { bookmaker, currency, atMs, rows }: LiquidityMessage,
  ): RejectReason | null {
    const isWhole = rows.every(
      ({ market, sizes }) => sizes.length === outcomesOf(record.sport, market).length,
    );
    if (!isWhole) return 'bad_outcomes';
    this.#writer.facts.liquidity.put(record.eventNumber, {
      bookmaker,
      currency,
      atMs,
      rows: rows.map(({ market, period, lineQuarters, sizes, matched }) => ({
        quoteKey: quoteKeyOf({ market, period, lineQuarters, bookmaker }),
        sizes,
        matched,
      })),
    });
    return null;
  }

  #result(record: FixtureRecord, message: ResultMessage): null {
    const { score, redCards, finishedAtMs: endedAtMs, atMs } = message;
    this.#recorder.recordResult(record, { score, redCards, finishedAtMs: endedAtMs, source: 'final' });
    // A result means that the match is over, whether or not an earlier state said so.
    const state = { status: STATUS_FINISHED, clock: null, score, cards: redCards, atMs };
    this.#writer.finishFixture(record.slot, state);
    return null;
  }
}

/**
 * Whether a state message leaves the counts as they are. Then it has the same counts, or null, which means
 * that they have not changed.
 */
function isSamePair(held: readonly [number, number] | null, next: readonly [number, number] | null): boolean {
  return next === null || (held !== null && held[0] === next[0] && held[1] === next[1]);
}
