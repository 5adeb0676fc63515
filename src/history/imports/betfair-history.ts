// Turns Betfair's historical stream files into ticks. A file has one message per line, read by the same code
// as the live stream. The best price to back becomes the exchange's price, so a file that has only last
// traded prices gives no ticks.

import { indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import { type MarketDefinition, streamMessageOf } from '../../feed/betfair/messages.ts';
import { BETFAIR_EVENT_TYPES, BetfairBooks, type BetfairParseOptions } from '../../feed/betfair/parse.ts';
import type { Draft, PolledQuote } from '../../feed/poll/drafts.ts';
import type { TickLine } from '../tick.ts';
import type { ImportedTape } from './imported-tape.ts';
import { absurdity, namedPrices } from './prices.ts';
import { ImportRecorder } from './tape-recorder.ts';

type EventDraft = Extract<Draft, { readonly type: 'event' }>;

/** Times are Unix ms. */
interface StatedKickoff {
  readonly kickoffMs: number;
  readonly statedAtMs: number;
}

/** Reads the lines of files, each file in its own order. Make a new `BetfairImport` for each import. */
export class BetfairImport {
  readonly #options: BetfairParseOptions;
  readonly #recorder = new ImportRecorder();
  #books: BetfairBooks;
  /** The kickoff that an event's markets stated last before play, and when they stated it; by event key. */
  readonly #stated = new Map<string, StatedKickoff>();
  /** When an event was first seen in play, Unix ms; by event key. */
  readonly #liveFromMs = new Map<string, number>();
  /** The content of the present file about each event, by event key. */
  readonly #events = new Map<string, EventDraft>();
  /** When a file last named an event, Unix ms; by event key. */
  readonly #namedMs = new Map<string, number>();

  constructor(options: BetfairParseOptions) {
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
    const restated = new Set<string>();
    for (const { definition } of message.markets) {
      if (definition === null) continue;
      const event = `betfair-${definition.eventId}`;
      if (this.#isStatement(definition, message.publishedAtMs)) {
        this.#stated.set(event, { kickoffMs: definition.marketAtMs, statedAtMs: message.publishedAtMs });
        restated.add(event);
      }
      if (BETFAIR_EVENT_TYPES[definition.eventTypeId] === undefined) {
        this.#foreign.add(`other_sport event type ${definition.eventTypeId}`);
      }
    }
    for (const draft of this.#books.apply(message)) this.#draft(draft);
    for (const event of restated) this.#restate(event);
  }

  readonly #foreign = new Set<string>();
  /** Ids of the file's markets that have changes of runners. */
  readonly #traded = new Set<string>();
  /** Ids of the file's markets that have a price to back. */
  readonly #backed = new Set<string>();

  /**
   * Call it at the end of a file, so that the last prices of its markets are not carried into the next file.
   */
  endFile(): void {
    for (const reason of this.#foreign) this.#recorder.leaveOut(reason);
    this.#foreign.clear();
    // Betfair's free files have only last traded prices. Markets without a price to back are counted.
    for (const id of this.#traded) if (!this.#backed.has(id)) this.#recorder.leaveOut('no_price_to_back');
    this.#traded.clear();
    this.#backed.clear();
    this.#events.clear();
    for (const reason of this.#books.leftOut.values()) this.#recorder.leaveOut(reason);
    this.#books = new BetfairBooks(this.#options);
  }

  finish(): ImportedTape {
    return this.#recorder.finish();
  }

  /** Whether a definition states the kickoff before play, and is not older than the known statement. */
  #isStatement({ eventId, isInPlay, marketAtMs }: MarketDefinition, atMs: number): boolean {
    if (isInPlay || Number.isNaN(marketAtMs)) return false;
    const event = `betfair-${eventId}`;
    const liveFromMs = this.#liveFromMs.get(event) ?? Number.POSITIVE_INFINITY;
    return atMs < liveFromMs && atMs >= (this.#stated.get(event)?.statedAtMs ?? Number.NEGATIVE_INFINITY);
  }

  /** Records the kickoff stated last, because a file's drafts have only the first one. */
  #restate(event: string): void {
    const draft = this.#events.get(event);
    if (draft === undefined) return;
    const { statedAtMs } = this.#stated.get(event)!;
    // Another file may have named the event later, in play and so without a kickoff. The recorder drops a
    // statement that is older than its last one, so the later of both times is given.
    this.#name(draft, Math.max(statedAtMs, this.#namedMs.get(event) ?? statedAtMs));
  }

  #name({ event, sport, league, home, away, scheduledAtMs }: EventDraft, atMs: number): void {
    const kickoffMs = this.#stated.get(event)?.kickoffMs ?? scheduledAtMs;
    this.#recorder.fixture(
      {
        ...{ key: event, sport: indexIn(SPORT_KEYS, sport) },
        ...{ league, home, away, kickoffMs },
      },
      atMs,
    );
    this.#namedMs.set(event, Math.max(atMs, this.#namedMs.get(event) ?? atMs));
  }

  #draft(draft: Draft): void {
    if (draft.type === 'event') {
      this.#events.set(draft.event, draft);
      this.#name(draft, draft.atMs);
    } else if (draft.type === 'state' && draft.status === 'live') {
      const liveFromMs = this.#liveFromMs.get(draft.event) ?? draft.atMs;
      this.#liveFromMs.set(draft.event, Math.min(draft.atMs, liveFromMs));
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
