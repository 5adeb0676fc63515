// What a recording says about how its matches ended: closing prices, results and scores at half time.

import type { ArchivedResult } from '../archive/tables.ts';
import { STATUS_LIVE } from '../domain/catalogue.ts';
import { toScore } from '../domain/settlement.ts';
import type { FeedMessage, StateMessage } from '../feed/protocol.ts';
import type { Applier } from '../ingest/apply.ts';
import { packQuoteKey } from '../store/quote-key.ts';
import type { ClosedMatch } from './closing-forecasts.ts';
import { ClosingLines } from './closing-lines.ts';
import { HalfTimeScore } from './half-time-score.ts';
import type { MatchEnd } from './recorded-signal.ts';

export class MatchEnds {
  readonly #fixtures: Pick<Applier['fixtures'], 'get'>;
  readonly #keepsPrices: boolean;
  /** Closing lines by event number; `#results` and `#halfTimes` have the same keys. */
  readonly #closings = new Map<number, ClosingLines>();
  readonly #unsettled = new Set<ClosingLines>();
  readonly #results = new Map<number, ArchivedResult>();
  readonly #halfTimes = new Map<number, HalfTimeScore>();

  /**
   * @param fixtures those of the slate, by their keys in the feed
   * @param keepsPrices whether closing prices are wanted. The last price of every line is then kept
   */
  constructor(fixtures: Pick<Applier['fixtures'], 'get'>, keepsPrices: boolean) {
    this.#fixtures = fixtures;
    this.#keepsPrices = keepsPrices;
  }

  get closings(): ReadonlyMap<number, Pick<ClosingLines, 'frozen'>> {
    return this.#closings;
  }

  get results(): ReadonlyMap<number, ArchivedResult> {
    return this.#results;
  }

  /** What is known of a match so far. */
  of(eventNumber: number): MatchEnd {
    return {
      closing: this.#closings.get(eventNumber)?.frozen ?? null,
      score: toScore(this.#results.get(eventNumber)?.score ?? null),
      halfTimeScore: this.#halfTimes.get(eventNumber)?.score ?? null,
    };
  }

  /** Every match whose closing prices and score are known. */
  closedMatches(): ClosedMatch[] {
    return [...this.#results].flatMap(([eventNumber, { sport, score }]) => {
      const closing = this.#closings.get(eventNumber)?.frozen ?? null;
      if (sport === null || score === null || closing === null) return [];
      return [{ sport, closing, score: { home: score[0], away: score[1] } }];
    });
  }

  recordResult(result: ArchivedResult): void {
    this.#results.set(result.eventNumber, result);
  }

  /** When `advance` next has something to do, Unix ms; Infinity when it has nothing to do. */
  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const closing of this.#unsettled) nextMs = Math.min(nextMs, closing.nextMs);
    return nextMs;
  }

  /** Settles the closing prices that are due at `nowMs`. */
  advance(nowMs: number): void {
    for (const closing of this.#unsettled) closing.advance(nowMs);
  }

  /** Notes what applied messages say. Kickoffs come first, then prices. */
  take(applied: readonly FeedMessage[], nowMs: number): void {
    this.advance(nowMs);
    for (const message of applied) {
      if (message.type === 'event')
        this.#closingOf(message.event)?.kickoffStated(message.scheduledAtMs, nowMs);
      if (message.type === 'state' && message.status === STATUS_LIVE)
        this.#closingOf(message.event)?.live(nowMs);
    }
    for (const message of applied) if (message.type === 'state') this.#noteScore(message);
    for (const message of this.#keepsPrices ? applied : []) {
      if (message.type !== 'quote' && message.type !== 'close') continue;
      const closing = this.#closingOf(message.event);
      const { market, period, lineQuarters, bookmaker } = message;
      const key = packQuoteKey(market, period, lineQuarters, bookmaker);
      if (message.type === 'close') closing?.withdraw(key, nowMs);
      else closing?.put({ key, pricesE4: message.pricesE4, closedAtMs: message.atMs }, message.status, nowMs);
    }
    for (const closing of this.#unsettled) if (closing.frozen !== null) this.#unsettled.delete(closing);
  }

  #noteScore({ event, clock }: StateMessage): void {
    const fixture = this.#fixtures.get(event);
    // A message without a score leaves the fixture's last score, so this is null only before the first score.
    if (fixture === undefined || fixture.score === null) return;
    const { eventNumber, sport, score } = fixture;
    const held = this.#halfTimes.getOrInsertComputed(eventNumber, () => new HalfTimeScore(sport));
    held.put(clock, { home: score[0], away: score[1] });
  }

  #closingOf(event: string): ClosingLines | undefined {
    const eventNumber = this.#fixtures.get(event)?.eventNumber;
    if (eventNumber === undefined) return undefined;
    return this.#closings.getOrInsertComputed(eventNumber, () => {
      const closing = new ClosingLines();
      this.#unsettled.add(closing);
      return closing;
    });
  }
}
