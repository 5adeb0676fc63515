// Turns Betfair's historical stream files into ticks. A file has one message per line, read by the same code
// as the live stream. The best price to back becomes the exchange's price, so a file that has only last
// traded prices gives no ticks.

import { indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import { streamMessageOf } from '../../feed/betfair/messages.ts';
import { BETFAIR_EVENT_TYPES, BetfairBooks } from '../../feed/betfair/parse.ts';
import type { Draft, PolledQuote } from '../../feed/poll/drafts.ts';
import type { TickLine } from '../tick.ts';
import { absurdity, type ImportedTape, ImportRecorder } from './tape-recorder.ts';
import { namedPrices } from './the-odds-api.ts';

export interface BetfairImportOptions {
  /** The key of the exchange on the roster. */
  readonly bookmaker: string;
  /** Betfair's commission on winnings, 0 to 1. It is deducted from the prices. */
  readonly commission: number;
}

/** Reads the lines of files, each file in its own order. Make a new `BetfairImport` for each import. */
export class BetfairImport {
  readonly #options: BetfairImportOptions;
  readonly #recorder = new ImportRecorder();
  #books: BetfairBooks;
  /** By event key: the start that the event's markets stated last before play. */
  readonly #kickoffMs = new Map<string, number>();
  readonly #live = new Set<string>();

  constructor(options: BetfairImportOptions) {
    this.#options = options;
    this.#books = new BetfairBooks(options);
  }

  /** Adds one decoded line of a file. */
  add(value: unknown): void {
    const message = streamMessageOf(value);
    if (message?.op !== 'mcm') {
      this.#recorder.leaveOut('bad_row');
      return;
    }
    for (const reason of message.refused) this.#recorder.leaveOut(reason);
    for (const { id, runners } of message.markets) {
      if (runners.length === 0) continue;
      this.#traded.add(id);
      const isBacked = ({ available, best, bestDisplayed }: (typeof runners)[number]): boolean =>
        available.length + best.length + bestDisplayed.length > 0;
      if (runners.some(isBacked)) this.#backed.add(id);
    }
    for (const { definition } of message.markets) {
      if (definition === null) continue;
      const event = `betfair-${definition.eventId}`;
      if (!definition.isInPlay && !Number.isNaN(definition.marketAtMs) && !this.#live.has(event)) {
        this.#kickoffMs.set(event, definition.marketAtMs);
      }
      if (BETFAIR_EVENT_TYPES[definition.eventTypeId] === undefined) {
        this.#foreign.add(`other_sport event type ${definition.eventTypeId}`);
      }
    }
    for (const draft of this.#books.apply(message)) this.#draft(draft);
  }

  readonly #foreign = new Set<string>();
  /** Ids of the file's markets that have changes of runners. */
  readonly #traded = new Set<string>();
  /** Ids of the file's markets that have a price to back. */
  readonly #backed = new Set<string>();

  /** Call it at the end of a file: the last prices of its markets are not carried into the next file. */
  endFile(): void {
    for (const reason of this.#foreign) this.#recorder.leaveOut(reason);
    this.#foreign.clear();
    // Betfair's free files have only last traded prices.
    for (const id of this.#traded) if (!this.#backed.has(id)) this.#recorder.leaveOut('no_price_to_back');
    this.#traded.clear();
    this.#backed.clear();
    for (const reason of this.#books.leftOut.values()) this.#recorder.leaveOut(reason);
    this.#books = new BetfairBooks(this.#options);
  }

  finish(): ImportedTape {
    return this.#recorder.finish();
  }

  #draft(draft: Draft): void {
    if (draft.type === 'event') {
      const { event, sport, league, home, away, scheduledAtMs } = draft;
      const kickoffMs = this.#kickoffMs.get(event) ?? scheduledAtMs;
      const sportIndex = indexIn(SPORT_KEYS, sport);
      this.#recorder.fixture(
        { key: event, sport: sportIndex, sportKey: sport, league, home, away, kickoffMs },
        draft.atMs,
      );
    } else if (draft.type === 'state' && draft.status === 'live') {
      this.#live.add(draft.event);
      this.#recorder.live(draft.event, draft.atMs);
    } else if (draft.type === 'close') {
      this.#recorder.withdraw(draft.event, lineOf(draft.quote), draft.atMs);
    } else if (draft.type === 'quote') {
      this.#quote(draft.event, draft.quote, draft.atMs);
    }
  }

  #quote(event: string, quote: PolledQuote, atMs: number): void {
    const e4 = quote.prices.map((price) => Math.round(price * 10_000));
    const absurd = quote.status === 'open' ? absurdity(e4) : null;
    if (absurd !== null) {
      this.#recorder.leaveOut(absurd);
      this.#recorder.withdraw(event, lineOf(quote), atMs);
      return;
    }
    const { status, market } = quote;
    this.#recorder.put(event, { ...lineOf(quote), status, pricesE4: namedPrices(market, e4), atMs }, atMs);
  }
}

function lineOf({ bookmaker, market, period, line }: PolledQuote): TickLine {
  return { bookmaker, marketType: market, period, line };
}
