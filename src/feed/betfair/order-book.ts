// The amounts that may be backed in one market, updated by the stream's changes: ladders by runner and
// handicap. Pure state.

import type { LevelPrice, MarketDefinition, PriceSize, RunnerChange } from './messages.ts';

interface Ladder {
  /** Size by price, of full ladders. */
  readonly available: Map<number, number>;
  /** Price and size by level, from subscriptions that send only the best prices. */
  readonly best: Map<number, LevelPrice>;
  readonly bestDisplayed: Map<number, LevelPrice>;
}

function newLadder(): Ladder {
  return { available: new Map(), best: new Map(), bestDisplayed: new Map() };
}

export class OrderBook {
  definition: MarketDefinition | null = null;
  /** The amount matched so far, null while Betfair has not sent it. */
  matched: number | null = null;
  readonly #ladders = new Map<string, Ladder>();

  /** Drops every price, because an image follows. */
  clear(): void {
    this.#ladders.clear();
  }

  apply({ id, handicap, available, best, bestDisplayed }: RunnerChange): void {
    const ladder = this.#ladders.getOrInsertComputed(runnerKey(id, handicap), newLadder);
    for (const { price, size } of available) {
      if (size === 0) ladder.available.delete(price);
      else ladder.available.set(price, size);
    }
    applyLevels(ladder.best, best);
    applyLevels(ladder.bestDisplayed, bestDisplayed);
  }

  /** The best price at which a runner can be backed, and how much at it; zeros when nobody offers one. */
  bestBack(id: number, handicap: number): PriceSize {
    const ladder = this.#ladders.get(runnerKey(id, handicap));
    if (ladder === undefined) return NO_OFFER;
    const available = [...ladder.available].map(([price, size]) => ({ price, size }));
    const best = highest([...available, ...ladder.best.values()]);
    // Displayed prices include stakes that Betfair matches across runners. They are used if there are no
    // others.
    return best.price === 0 ? highest([...ladder.bestDisplayed.values()]) : best;
  }
}

const NO_OFFER: PriceSize = { price: 0, size: 0 };

function highest(offers: readonly PriceSize[]): PriceSize {
  let best = NO_OFFER;
  for (const offer of offers) if (offer.price > best.price) best = offer;
  return best;
}

function applyLevels(levels: Map<number, LevelPrice>, changes: readonly LevelPrice[]): void {
  for (const change of changes) {
    if (change.size === 0) levels.delete(change.level);
    else levels.set(change.level, change);
  }
}

function runnerKey(id: number, handicap: number): string {
  return `${id}|${handicap}`;
}
