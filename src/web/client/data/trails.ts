// How the best price of each outcome moved, for sparklines: from its opening to when this page began to look, as far as the
// API tells, and since then as the page saw it. Bounded: when a trail is full, every second point of it is dropped; when
// there are too many trails, the oldest goes.

import type { MirrorQuote, Outcome } from './mirror.ts';
import { type BestPriceStep, bestPriceSteps, type StandingPrice } from './opening-steps.ts';

export interface Trail {
  /** From the opening on, before the page looked; empty where no opening is known. */
  readonly before: readonly BestPriceStep[];
  /** As the page saw it; empty for a line that did not change meanwhile. */
  readonly seen: readonly BestPriceStep[];
}

const POINTS_MAX = 48;
const TRAILS_MAX = 48;

export class Trails {
  readonly #before = new Map<string, readonly BestPriceStep[]>();
  readonly #trails = new Map<string, BestPriceStep[]>();
  readonly #begun = new Set<string>();
  readonly #sinceMs: number;

  /** @param sinceMs when the page first saw the fixture */
  constructor(sinceMs: number) {
    this.#sinceMs = sinceMs;
  }

  /** The points of one outcome of a line, oldest first. */
  of(line: string, outcome: Outcome): Trail {
    const key = `${line} ${outcome}`;
    return { before: this.#before.get(key) ?? [], seen: this.#trails.get(key) ?? [] };
  }

  /** Takes over where prices began, and where they stand now. */
  opened(openings: readonly StandingPrice[], now: readonly StandingPrice[]): void {
    this.#before.clear();
    for (const [key, steps] of bestPriceSteps(openings, now)) {
      // What the page saw is in its trail. The server's clock is known to half a second only: a line that the page has
      // not seen to change keeps all its steps.
      const known = this.#trails.has(key) ? steps.filter(({ atMs }) => atMs <= this.#sinceMs) : steps;
      const before = known.slice(-POINTS_MAX);
      if (before.length > 0) this.#before.set(key, before);
    }
  }

  /** Notes how lines stood before they changed for the first time; most never change, and have no trail. */
  begin(quotes: Iterable<MirrorQuote>, lines: ReadonlySet<string>): void {
    const fresh = new Set([...lines].filter((line) => !this.#begun.has(line)));
    for (const line of fresh) this.#begun.add(line);
    this.record(quotes, fresh, this.#sinceMs);
  }

  /** Notes the best open prices of the lines that changed. */
  record(quotes: Iterable<MirrorQuote>, lines: ReadonlySet<string>, nowMs: number): void {
    if (lines.size === 0) return;
    const best = new Map<string, number>();
    for (const quote of quotes) {
      const line = `${quote.market_type} ${quote.period} ${quote.line}`;
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
