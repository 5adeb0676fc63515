// What of a match is said to the slate, and when: its description, state, result and quotes, each once and again when it
// changes. Quotes that their source no longer confirms are said as withheld.

import { QUOTE_OPEN, QUOTE_WITHHELD } from '../../domain/catalogue.ts';
import type { RejectReason } from '../../domain/reject-reasons.ts';
import type { CloseMessage, FeedMessage, QuoteMessage } from '../../feed/protocol.ts';
import type { Applier } from '../apply.ts';
import type { SlateOutlet } from '../slate-outlet.ts';
import type { Freshness } from './freshness.ts';
import type { Match, Shown } from './match.ts';
import { packedKey, type SourceFixture, type SourceSlate } from './source-slate.ts';

export interface MatchTellerOptions {
  readonly applier: Applier;
  readonly outlet: SlateOutlet;
  readonly freshness: Freshness;
  /** In the order of FEED. */
  readonly sources: readonly SourceSlate[];
  /** Called when the slate refuses a message that joining has made. */
  readonly reject: (reason: RejectReason, type: string) => void;
  /** The score of a match, for a source that has none of its own, in its order of sides. */
  readonly tellScore: (source: number, event: string, score: readonly [number, number]) => void;
}

/** What a source has said of one of its fixtures. */
interface SaidQuote {
  readonly fixture: SourceFixture;
  readonly quote: QuoteMessage;
}
interface SaidClose {
  readonly fixture: SourceFixture;
  readonly close: CloseMessage;
}

export class MatchTeller {
  readonly #options: MatchTellerOptions;

  constructor(options: MatchTellerOptions) {
    this.#options = options;
  }

  /**
   * Says what of a match is not on the slate yet.
   * @param isDescribed whether a source has just described it: its stamp moves on also when nothing else does
   */
  sync(match: Match, isDescribed: boolean): RejectReason | null {
    if (match.isExpired) return null;
    const event = match.event();
    const { shown } = match;
    if (shown === null || isDescribed || !match.isDescribedBy(shown.event)) {
      const reason = this.say(event);
      if (reason !== null) return reason;
    }
    const now: Shown = shown ?? { event, state: null, result: null, quotes: new Map() };
    now.event = event;
    match.shown = now;
    this.state(match, now, null);
    const wanted = new Map<number, QuoteMessage>();
    for (const { fixture } of match.members) {
      for (const quote of fixture.quotes.values()) {
        const message = match.quoteOf(fixture, quote);
        wanted.set(packedKey(message), this.#judged(message, fixture, match));
      }
    }
    for (const [key, quote] of [...now.quotes]) {
      if (wanted.has(key)) continue;
      now.quotes.delete(key);
      const { bookmaker, market, period, lineQuarters, atMs } = quote;
      this.say({ type: 'close', seq: 0, atMs, event: match.key, bookmaker, market, period, lineQuarters });
    }
    for (const [key, quote] of wanted) {
      if (!isShownAs(now.quotes.get(key), quote)) this.report(this.#quote(now, quote), 'quote');
    }
    this.result(match, now);
    return null;
  }

  /** Says a quote that its source has just said. @returns why the slate refuses it, or null */
  quoted(match: Match, shown: Shown, { fixture, quote }: SaidQuote): RejectReason | null {
    return this.#quote(shown, this.#judged(match.quoteOf(fixture, quote), fixture, match));
  }

  closed(match: Match, shown: Shown, { fixture, close }: SaidClose): void {
    const message = match.closeOf(fixture, close);
    shown.quotes.delete(packedKey(message));
    this.say(message);
  }

  #quote(shown: Shown, quote: QuoteMessage): RejectReason | null {
    const reason = this.say(quote);
    if (reason === null) shown.quotes.set(packedKey(quote), quote);
    else shown.quotes.delete(packedKey(quote));
    return reason;
  }

  /** The quote as it may be shown: withheld when its source has not confirmed it within the freshness window. */
  #judged(quote: QuoteMessage, { source, message }: SourceFixture, match: Match): QuoteMessage {
    if (quote.status !== QUOTE_OPEN) return quote;
    const saidAtMs = Math.max(quote.atMs, message.atMs);
    const isFresh = this.#options.freshness.isFresh(this.#options.sources[source]!, saidAtMs, match);
    return isFresh ? quote : { ...quote, status: QUOTE_WITHHELD };
  }

  /** @param by the source that has just said something of it; null when only a change is worth saying */
  state(match: Match, shown: Shown, by: number | null): void {
    const isAlive = (source: number): boolean =>
      this.#options.freshness.isAlive(this.#options.sources[source]!);
    const state = match.state(isAlive);
    if (state !== null && (by === state.giver || !match.isStateShown(state.message))) {
      shown.state = state.message;
      this.say(state.message);
    }
    for (const { source, event, score } of match.scoresToTell())
      this.#options.tellScore(source, event, score);
  }

  /** Says the result, when it is news. */
  result(match: Match, shown: Shown): void {
    const result = match.result();
    if (result === null || Bun.deepEquals(result, shown.result)) return;
    shown.result = result;
    this.say(result);
  }

  /** Says it to the slate and to whoever follows that. @returns why the slate refuses it, or null */
  say(message: FeedMessage): RejectReason | null {
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
