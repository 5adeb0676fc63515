// The movement of each outcome's best price, for sparklines. Before the page was opened, it is what the API
// knows, from the opening on; since then, it is what the page saw. A trail at its limit drops every second
// point. If there are too many trails, the oldest is dropped.

import type { Outcome } from '../../../domain/catalogue.ts';
import { type BestPriceStep, bestPriceSteps, type StandingPrice } from './opening-steps.ts';
import { lineKey, type MirrorQuote } from './quote.ts';

export interface Trail {
  /** From the opening to when the page was opened; empty when no opening is known. */
  readonly before: readonly BestPriceStep[];
  /** Steps of the best price since the page was opened; empty if the line has not changed since then. */
  readonly seen: readonly BestPriceStep[];
}

const POINTS_MAX = 48;
const TRAILS_MAX = 48;

export class Trails {
  readonly #before = new Map<string, readonly BestPriceStep[]>();
  readonly #trails = new Map<string, BestPriceStep[]>();
  readonly #begun = new Set<string>();
  readonly #sinceMs: number;

  /** @param sinceMs when the page first received the fixture */
  constructor(sinceMs: number) {
    this.#sinceMs = sinceMs;
  }

  /** The points of one outcome of a line, oldest first. */
  of(line: string, outcome: Outcome): Trail {
    const key = `${line} ${outcome}`;
    return { before: this.#before.get(key) ?? [], seen: this.#trails.get(key) ?? [] };
  }

  /** Stores the opening prices and later ones, the current prices last. */
  opened(openings: readonly StandingPrice[], later: readonly StandingPrice[]): void {
    this.#before.clear();
    for (const [key, steps] of bestPriceSteps(openings, later)) {
      // Drop the steps since the page was opened if the page has recorded them itself in a trail. A line
      // without a trail has not changed since then, so all its steps are older. They are all kept, because
      // the times of the server are known only to half a second.
      const known = this.#trails.has(key) ? steps.filter(({ atMs }) => atMs <= this.#sinceMs) : steps;
      const before = known.slice(-POINTS_MAX);
      if (before.length > 0) this.#before.set(key, before);
    }
  }

  /**
   * Records the prices that lines had before their first change. Most lines never change, and have no trail.
   */
  begin(quotes: Iterable<MirrorQuote>, lines: ReadonlySet<string>): void {
    const fresh = new Set([...lines].filter((line) => !this.#begun.has(line)));
    for (const line of fresh) this.#begun.add(line);
    this.record(quotes, fresh, this.#sinceMs);
  }

  /** Records the best open prices of the lines that changed. */
  record(quotes: Iterable<MirrorQuote>, lines: ReadonlySet<string>, nowMs: number): void {
    if (lines.size === 0) return;
    const best = new Map<string, number>();
    for (const quote of quotes) {
      const line = lineKey(quote);
      if (quote.status !== 'open' || !lines.has(line)) continue;
      for (const [outcome, decimal] of quote.decimals) {
        const key = `${line} ${outcome}`;
        if (decimal > (best.get(key) ?? 1)) best.set(key, decimal);
      }
    }
    for (const [key, decimal] of best) this.#push(key, { atMs: nowMs, decimal });
  }

  #push(key: string, point: BestPriceStep): void {
    const trail = this.#trails.get(key);
    if (trail === undefined) {
      if (this.#trails.size >= TRAILS_MAX) {
        for (const oldest of this.#trails.keys()) {
          this.#trails.delete(oldest);
          break;
        }
      }
      this.#trails.set(key, [point]);
      return;
    }
    if (trail.at(-1)?.decimal === point.decimal) return;
    if (trail.length >= POINTS_MAX) {
      const thinned = trail.filter((_, index) => index % 2 === 0);
      trail.length = 0;
      trail.push(...thinned);
    }
    trail.push(point);
  }
}
