// The amounts that may be backed in one market, updated by the stream's changes: ladders by runner and
// handicap. Pure state.

import type { LevelPrice, MarketDefinition, RunnerChange } from './messages.ts';

interface Ladder {
  /** Size by price, of full ladders. */
  readonly available: Map<number, number>;
  /** Price and size by level, of the subscriptions that send best prices only. */
  readonly best: Map<number, LevelPrice>;
  readonly bestDisplayed: Map<number, LevelPrice>;
}

export class OrderBook {
  definition: MarketDefinition | null = null;
  readonly #ladders = new Map<string, Ladder>();

  /** Drops every price, because an image follows. */
  clear(): void {
    this.#ladders.clear();
  }

  apply({ id, handicap, available, best, bestDisplayed }: RunnerChange): void {
    const key = runnerKey(id, handicap);
    let ladder = this.#ladders.get(key);
    if (ladder === undefined) {
      ladder = { available: new Map(), best: new Map(), bestDisplayed: new Map() };
      this.#ladders.set(key, ladder);
    }
    for (const { price, size } of available) {
      if (size === 0) ladder.available.delete(price);
      else ladder.available.set(price, size);
    }
    applyLevels(ladder.best, best);
    applyLevels(ladder.bestDisplayed, bestDisplayed);
  }

  /** The best price at which a runner can be backed, 0 when nobody offers one. */
  bestBack(id: number, handicap: number): number {
    const ladder = this.#ladders.get(runnerKey(id, handicap));
    if (ladder === undefined) return 0;
    let best = 0;
    for (const price of ladder.available.keys()) best = Math.max(best, price);
    for (const { price } of ladder.best.values()) best = Math.max(best, price);
    // Displayed prices include stakes that Betfair matches across runners. They are used only if it sends no
    // others.
    if (best === 0) for (const { price } of ladder.bestDisplayed.values()) best = Math.max(best, price);
    return best;
  }
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
