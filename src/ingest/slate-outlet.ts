// The worker's slate as a feed for others: fixtures read back from the published pages as messages of the
// protocol, and what is applied, batch by batch. It costs nothing without followers.

import { type Clock, toIsoText } from '../clock.ts';
import {
  BOOKMAKERS,
  isSharpBookmaker,
  outcomesOf,
  QUOTE_OPEN,
  QUOTE_SUSPENDED,
} from '../domain/catalogue.ts';
import type { Confirmations } from '../domain/signal-gate.ts';
import type { FeedOutlet, OutletListener } from '../feed/outlet.ts';
import type { FeedMessage, QuoteKeyFields, QuoteMessage, StateMessage } from '../feed/protocol.ts';
import { toWire } from '../feed/to-wire.ts';
import type { Wire } from '../feed/wire-values.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { SlateReader } from '../store/reader.ts';
import type { FixtureNumbers, FixtureRecord } from './fixture-numbers.ts';

export class SlateOutlet implements FeedOutlet {
  readonly #reader: SlateReader;
  readonly #fixtures: FixtureNumbers;
  readonly #clock: Clock;
  readonly #listeners = new Set<OutletListener>();
  #batch: Wire[] = [];
  #source = 'overround';
  #isComplete = false;

  constructor({ reader, fixtures, clock }: { reader: SlateReader; fixtures: FixtureNumbers; clock: Clock }) {
    this.#reader = reader;
    this.#fixtures = fixtures;
    this.#clock = clock;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  hello(): { source: string; at: string } {
    return { source: this.#source, at: toIsoText(this.#clock.wallMs()) };
  }

  eventKeys(): string[] {
    return Array.from(this.#fixtures.records(), ({ message }) => message.event);
  }

  follow(listener: OutletListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sets the name of the source whose messages follow. */
  heardFrom(source: string): void {
    this.#source = source;
  }

  /** Notes an applied message, which is sent with its batch. */
  applied(message: FeedMessage): void {
    if (this.#listeners.size > 0) this.#batch.push(toWire(message));
  }

  /** Notes that a fixture left the slate by time alone. */
  removed(event: string): void {
    this.applied({ type: 'remove', seq: 0, atMs: this.#clock.wallMs(), event });
  }

  /**
   * Notes that a snapshot is complete and published. The messages that wait are dropped, because the snapshot
   * includes them.
   */
  replaced(): void {
    this.#isComplete = true;
    this.#batch = [];
    for (const listener of this.#listeners) listener.replaced();
  }

  /** Sends the batch, which is published now, to followers. */
  flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    for (const listener of this.#listeners) listener.applied(batch);
  }

  fixture(eventKey: string): Wire[] {
    const record = this.#fixtures.get(eventKey);
    if (record === undefined) return [];
    const messages = this.#reader.readEvent(record.eventNumber, (page, slot) => [
      ...this.#identity(page, record),
      ...this.#lines(page, slot, record),
    ]);
    return [...(messages ?? []), ...(messages === undefined ? [] : this.#liquidity(record))].map(toWire);
  }

  /**
   * One heartbeat for each of several joined sources, with the time at which it last confirmed the open
   * quotes of its bookmakers; empty with a single source.
   */
  confirmations(): Wire[] {
    if (!this.#reader.isJoined()) return [];
    const heartbeats = heartbeatsOf(this.#reader.confirmations().subarray(0, BOOKMAKERS.length), null);
    return heartbeats.map(toWire);
  }

  #identity(page: number, record: FixtureRecord): FeedMessage[] {
    const { commonMessageAtMs, stateAtMs } = this.#reader.columns;
    // Every tier may see the time of these messages, so it must not be the time of a sharp quote.
    const atMs = commonMessageAtMs[page]!;
    const messages: FeedMessage[] = [{ ...record.message, atMs }];
    if (stateAtMs[page]! > Number.NEGATIVE_INFINITY) messages.push(...this.#states(page, record));
    messages.push(...this.#confirmations(page, record));
    const result = record.recordedResult;
    if (result?.source === 'final' && result.score !== null) {
      const { score, redCards, finishedAtMs } = result;
      const { event } = record.message;
      messages.push({
        type: 'result',
        seq: 0,
        atMs,
        event,
        score,
        redCards,
        finishedAtMs,
      });
    }
    return messages;
  }

  /** The liquidity of a fixture, one message for each exchange. */
  #liquidity({ eventNumber, message: { event } }: FixtureRecord): FeedMessage[] {
    return this.#reader.liquidityOf(eventNumber).map(({ bookmaker, currency, atMs, rows }) => ({
      ...{ type: 'liquidity', seq: 0, atMs, event, bookmaker, currency },
      rows: rows.map(({ quoteKey, sizes, matched }) => ({
        market: marketOfKey(quoteKey),
        period: periodOfKey(quoteKey),
        lineQuarters: lineQuartersOfKey(quoteKey),
        sizes,
        matched,
      })),
    }));
  }

  /**
   * Heartbeats that confirm quotes of this one fixture; none if its sources confirm only all fixtures
   * together.
   */
  #confirmations(page: number, { message: { event } }: FixtureRecord): FeedMessage[] {
    const own = this.#reader.ownConfirmationsOf(page);
    return own === null ? [] : heartbeatsOf(own, event);
  }

  /**
   * The state of a match as one to three messages. The store keeps when the status changed and when the clock
   * changed, and takes each time from the message that makes the change.
   */
  #states(page: number, record: FixtureRecord): StateMessage[] {
    const { columns } = this.#reader;
    const { feedStatus: status, feedStatusAtMs, clock, clockChangedAtMs } = this.#reader.matchFacts(page);
    const base = { type: 'state', seq: 0, event: record.message.event, score: null, cards: null } as const;
    const otherStatus = status === 0 ? 1 : 0;
    const otherClock = clock === null ? '-' : null;
    const isClockFirst = clockChangedAtMs < feedStatusAtMs;
    const changes: StateMessage[] = isClockFirst
      ? [
          { ...base, status: otherStatus, clock, atMs: clockChangedAtMs },
          { ...base, status, clock, atMs: feedStatusAtMs },
        ]
      : [
          { ...base, status, clock: otherClock, atMs: feedStatusAtMs },
          { ...base, status, clock, atMs: clockChangedAtMs },
        ];
    const score = pairOf(columns.scoreHome[page]!, columns.scoreAway[page]!);
    const cards = pairOf(columns.cardsHome[page]!, columns.cardsAway[page]!);
    const isOneMoment = feedStatusAtMs === clockChangedAtMs;
    return [
      ...(isOneMoment ? [] : changes),
      { ...base, status, clock, score, cards, atMs: columns.stateAtMs[page]! },
    ].filter(({ atMs }, index, { length }) => index === length - 1 || !Number.isNaN(atMs));
  }

  /** The openings in the order in which they were first seen, then each line as it is now. */
  #lines(page: number, slot: number, record: FixtureRecord): FeedMessage[] {
    const { columns, quotesPerFixture, openingsPerFixture } = this.#reader;
    const firstRow = page * quotesPerFixture;
    const rowByKey = new Map<number, number>();
    for (let row = firstRow; row < firstRow + columns.quoteCount[page]!; row++) {
      rowByKey.set(columns.quoteKey[row]!, row);
    }
    const messages: FeedMessage[] = [];
    const firstOpening = slot * openingsPerFixture;
    for (let index = 0; index < this.#reader.openingCount(slot); index++) {
      messages.push(...this.#opening(firstOpening + index, rowByKey, { record, page }));
    }
    for (const row of rowByKey.values()) messages.push(this.#quote(row, record));
    return messages;
  }

  /**
   * The messages that create an opening: a quote with its time, and a close if the line has left the slate.
   */
  #opening(
    opening: number,
    rowByKey: ReadonlyMap<number, number>,
    { record, page }: { readonly record: FixtureRecord; readonly page: number },
  ): FeedMessage[] {
    const { columns } = this.#reader;
    const key = columns.openingKey[opening]!;
    const fields = keyFields(key, record);
    const prices = pricesOf(record, key, [
      columns.openingE4A[opening]!,
      columns.openingE4B[opening]!,
      columns.openingE4C[opening]!,
    ]);
    const openedAtMs = columns.openedAtMs[opening]!;
    // For lines of other bookmakers, the time must not show when the sharp one sent something.
    const messageAtMs = isSharpBookmaker(fields.bookmaker)
      ? columns.lastMessageAtMs[page]!
      : columns.commonMessageAtMs[page]!;
    const row = rowByKey.get(key);
    const isUpstream = columns.openingUpstream[opening] === 1;
    // An opening from before a restart may be newer than a line that the source has not changed since. The
    // earlier of both times is used.
    const atMs = Math.min(openedAtMs, row === undefined ? messageAtMs : columns.quoteAtMs[row]!);
    const quote: QuoteMessage = {
      type: 'quote',
      seq: 0,
      atMs,
      ...fields,
      pricesE4: prices,
      status: isUpstream ? QUOTE_SUSPENDED : QUOTE_OPEN,
      openedAtMs: isUpstream ? openedAtMs : Number.NaN,
      openingPricesE4: isUpstream ? prices : null,
      openingLineQuarters: fields.lineQuarters,
    };
    if (row !== undefined) return [quote];
    // The close has the time of the last message, because a follower may hold a quote newer than the opening.
    return [quote, { type: 'close', seq: 0, atMs: messageAtMs, ...fields }];
  }

  #quote(row: number, record: FixtureRecord): QuoteMessage {
    const { columns } = this.#reader;
    const key = columns.quoteKey[row]!;
    const fields = keyFields(key, record);
    return {
      type: 'quote',
      seq: 0,
      atMs: columns.quoteAtMs[row]!,
      ...fields,
      pricesE4: pricesOf(record, key, [
        columns.priceE4A[row]!,
        columns.priceE4B[row]!,
        columns.priceE4C[row]!,
      ]),
      status: columns.quoteStatus[row]!,
      openedAtMs: Number.NaN,
      openingPricesE4: null,
      openingLineQuarters: fields.lineQuarters,
    };
  }
}

function keyFields(key: number, record: FixtureRecord): QuoteKeyFields {
  return {
    event: record.message.event,
    bookmaker: bookmakerOfKey(key),
    market: marketOfKey(key),
    period: periodOfKey(key),
    lineQuarters: lineQuartersOfKey(key),
  };
}

/** The prices of a quote: one for each outcome of the market. */
function pricesOf({ sport }: FixtureRecord, key: number, prices: readonly number[]): readonly number[] {
  return prices.slice(0, outcomesOf(sport, marketOfKey(key)).length);
}

/** Null while the feed has sent no counts. */
function pairOf(home: number, away: number): readonly [number, number] | null {
  return home < 0 ? null : [home, away];
}

/**
 * A heartbeat for each group of bookmakers that were confirmed at the same time.
 * @param event null for all fixtures
 */
function heartbeatsOf(confirmedAtMs: Confirmations, event: string | null): FeedMessage[] {
  const maskByTime = new Map<number, number>();
  confirmedAtMs.forEach((atMs, bookmaker) => {
    if (atMs > 0) maskByTime.set(atMs, (maskByTime.get(atMs) ?? 0) | (1 << bookmaker));
  });
  return Array.from(maskByTime, ([atMs, bookmakerMask]) => {
    return { type: 'heartbeat', seq: 0, atMs, event, bookmakerMask };
  });
}
