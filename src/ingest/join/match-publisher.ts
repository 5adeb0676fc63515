// Publishes a match to the slate: its description, state, result and quotes, each once and again when it
// changes. Quotes that their source no longer confirms are published as withheld.

import { QUOTE_OPEN, QUOTE_WITHHELD } from '../../domain/catalogue.ts';
import type { RejectReason } from '../../domain/reject-reasons.ts';
import type { CloseMessage, FeedMessage, QuoteMessage } from '../../feed/protocol.ts';
import { quoteKeyOf } from '../../store/quote-key.ts';
import type { Applier } from '../apply.ts';
import type { SlateOutlet } from '../slate-outlet.ts';
import type { Freshness } from './freshness.ts';
import type { Match, Shown } from './match.ts';
import type { SourceFixture, SourceSlate } from './source-slate.ts';

export interface MatchPublisherOptions {
  readonly applier: Applier;
  readonly outlet: SlateOutlet;
  readonly freshness: Freshness;
  /** In the order of FEED. */
  readonly sources: readonly SourceSlate[];
  /** Called when the slate refuses a message that joining has created. */
  readonly reject: (reason: RejectReason, type: string) => void;
  /** Sends the score of a match to a source that has none of its own, in that source's order of sides. */
  readonly sendScore: (source: number, event: string, score: readonly [number, number]) => void;
}

/** A quote that a source has sent for one of its fixtures. */
interface SentQuote {
  readonly fixture: SourceFixture;
  readonly quote: QuoteMessage;
}
interface SentClose {
  readonly fixture: SourceFixture;
  readonly close: CloseMessage;
}

export class MatchPublisher {
  readonly #options: MatchPublisherOptions;

  constructor(options: MatchPublisherOptions) {
    this.#options = options;
  }

  /**
   * Publishes what has changed in a match since it was last published, and closes lines that it no longer
   * has.
   * @param isDescribed whether a source has just described the match. Then the stamp is updated even if
   * nothing else changes
   */
  sync(match: Match, isDescribed: boolean): RejectReason | null {
    if (match.isExpired) return null;
    const event = match.event();
    const { shown } = match;
    if (shown === null || isDescribed || !match.isDescribedBy(shown.event)) {
      const reason = this.publish(event);
      if (reason !== null) return reason;
    }
    const now: Shown = shown ?? {
      event,
      state: null,
      result: null,
      quotes: new Map(),
      confirmedAtMs: new Map(),
    };
    now.event = event;
    match.shown = now;
    this.state(match, now, null);
    const wanted = new Map<number, QuoteMessage>();
    for (const { fixture } of match.members) {
      for (const quote of fixture.quotes.values()) {
        const message = match.quoteOf(fixture, quote);
        wanted.set(quoteKeyOf(message), this.#judged(message, fixture, match));
      }
    }
    for (const [key, quote] of [...now.quotes]) {
      if (wanted.has(key)) continue;
      now.quotes.delete(key);
      const { bookmaker, market, period, lineQuarters, atMs } = quote;
      this.publish({
        type: 'close',
        seq: 0,
        atMs,
        event: match.key,
        bookmaker,
        market,
        period,
        lineQuarters,
      });
    }
    for (const [key, quote] of wanted) {
      if (!isShownAs(now.quotes.get(key), quote)) this.report(this.#quote(now, quote), 'quote');
    }
    this.result(match, now);
    if (shown === null || !isDescribed) this.#measure(match);
    for (const { fixture } of match.members) this.confirmed(match, now, fixture);
    return null;
  }

  /** Publishes the liquidity of all fixtures of a match. */
  #measure(match: Match): void {
    for (const { fixture } of match.members) {
      for (const liquidity of fixture.liquidity?.values() ?? []) {
        this.report(this.publish(match.liquidityOf(fixture, liquidity)), 'liquidity');
      }
    }
  }

  /** Publishes a quote that its source has just sent. @returns why the slate refuses it, or null */
  quoted(match: Match, shown: Shown, { fixture, quote }: SentQuote): RejectReason | null {
    return this.#quote(shown, this.#judged(match.quoteOf(fixture, quote), fixture, match));
  }

  closed(match: Match, shown: Shown, { fixture, close }: SentClose): void {
    const message = match.closeOf(fixture, close);
    shown.quotes.delete(quoteKeyOf(message));
    this.publish(message);
  }

  #quote(shown: Shown, quote: QuoteMessage): RejectReason | null {
    const reason = this.publish(quote);
    if (reason === null) shown.quotes.set(quoteKeyOf(quote), quote);
    else shown.quotes.delete(quoteKeyOf(quote));
    return reason;
  }

  /**
   * The quote as it may be shown: withheld when its source has not confirmed it within the freshness window.
   */
  #judged(quote: QuoteMessage, { source, confirmedAtMs }: SourceFixture, match: Match): QuoteMessage {
    if (quote.status !== QUOTE_OPEN) return quote;
    const heardAtMs = Math.max(quote.atMs, confirmedAtMs);
    const isFresh = this.#options.freshness.isFresh(this.#options.sources[source]!, heardAtMs, match);
    return isFresh ? quote : { ...quote, status: QUOTE_WITHHELD };
  }

  /**
   * Publishes the state of a match if it has changed, or if `by` provides it, and sends the score to sources
   * without a score of their own.
   * @param by the source that has just sent something about the match; null if none has
   */
  state(match: Match, shown: Shown, by: number | null): void {
    const isAlive = (source: number): boolean =>
      this.#options.freshness.isAlive(this.#options.sources[source]!);
    const state = match.state(isAlive);
    if (state !== null && (by === state.giver || !match.isStateShown(state.message))) {
      shown.state = state.message;
      this.publish(state.message);
    }
    for (const { source, event, score } of match.scoresToSend())
      this.#options.sendScore(source, event, score);
  }

  /**
   * Publishes the time at which a source last confirmed its quotes of this match, and shows its withheld
   * quotes again.
   */
  confirmed(match: Match, shown: Shown, fixture: SourceFixture): void {
    const { confirmedAtMs, bookmakerMask, source } = fixture;
    if (confirmedAtMs <= (shown.confirmedAtMs.get(source) ?? Number.NEGATIVE_INFINITY)) return;
    shown.confirmedAtMs.set(source, confirmedAtMs);
    this.publish({ type: 'heartbeat', seq: 0, atMs: confirmedAtMs, event: match.key, bookmakerMask });
    for (const quote of fixture.quotes.values()) {
      const message = this.#judged(match.quoteOf(fixture, quote), fixture, match);
      if (!isShownAs(shown.quotes.get(quoteKeyOf(message)), message))
        this.report(this.#quote(shown, message), 'quote');
    }
  }

  /** Publishes the result when it has changed. */
  result(match: Match, shown: Shown): void {
    const result = match.result();
    if (result === null || Bun.deepEquals(result, shown.result)) return;
    shown.result = result;
    this.publish(result);
  }

  /** Sends a message to the slate and its followers. @returns why the slate refuses it, or null */
  publish(message: FeedMessage): RejectReason | null {
    const reason = this.#options.applier.apply(message);
    if (reason === null) this.#options.outlet.applied(message);
    return reason;
  }

  /** Counts a refusal. */
  report(reason: RejectReason | null, type: string): void {
    if (reason !== null) this.#options.reject(reason, type);
  }
}

function isShownAs(shown: QuoteMessage | undefined, quote: QuoteMessage): boolean {
  return (
    shown !== undefined &&
    shown.atMs === quote.atMs &&
    shown.status === quote.status &&
    shown.pricesE4.every((price, index) => price === quote.pricesE4[index])
  );
}
