// Figures of a whole fixture, for sorting: the largest edge of a best price, and the largest movement. Each
// is kept until the fixture changes.

import type { Fixture } from '../mirror.ts';
import { parameter } from '../view.ts';
import { type GridOptions, marketGrids } from './market-lines.ts';

interface Kept {
  readonly version: number;
  readonly view: string;
  readonly figure: number;
}

const edges = new WeakMap<Fixture, Kept>();
const movements = new WeakMap<Fixture, Kept>();

/**
 * The largest edge of a fixture in percent, over the first line of each market; minus infinity without a fair
 * price.
 */
export function bestEdge(fixture: Fixture, options: GridOptions): number {
  return kept(edges, fixture, options, () => {
    let highest = Number.NEGATIVE_INFINITY;
    for (const { lines } of marketGrids(fixture, options)) {
      const { best, fair } = lines[0]!;
      for (const [outcome, { bookmaker, decimal }] of best) {
        highest = Math.max(highest, fair?.edgePct(bookmaker, outcome, decimal) ?? highest);
      }
    }
    return highest;
  });
}

/**
 * The largest move of a best price since its opening, up or down, as the logarithm of the price ratio; 0 when
 * the page knows of none.
 */
export function movement(fixture: Fixture, options: GridOptions): number {
  return kept(movements, fixture, options, () => {
    let highest = 0;
    for (const { lines } of marketGrids(fixture, options)) {
      const { key, outcomes } = lines[0]!;
      for (const outcome of outcomes) {
        const { before, seen } = fixture.trails.of(key, outcome);
        const first = (before[0] ?? seen[0])?.decimal;
        const last = (seen.at(-1) ?? before.at(-1))?.decimal;
        if (first !== undefined && last !== undefined) {
          highest = Math.max(highest, Math.abs(Math.log(last / first)));
        }
      }
    }
    return highest;
  });
}

function kept(
  known: WeakMap<Fixture, Kept>,
  fixture: Fixture,
  { market, books }: GridOptions,
  compute: () => number,
): number {
  const version = fixture.version.peek();
  const view = `${market} ${parameter('reference')} ${books === undefined ? '' : [...books].join()}`;
  const former = known.get(fixture);
  if (former?.version === version && former.view === view) return former.figure;
  const figure = compute();
  known.set(fixture, { version, view, figure });
  return figure;
}
