// The best price of an outcome since its opening, as a small step line: pale before the page was opened, dark
// since then. A price that never moved has no drawing; the style sheet marks its empty cell.

import type { BestPriceStep } from '../data/opening-steps.ts';
import type { Trail } from '../data/trails.ts';

const WIDTH = 64;
const HEIGHT = 16;
const INSET = 2;
/** Share of the width for the time before the page was opened, when both parts have points. */
const BEFORE_SHARE = 0.5;
/** Length of the last step, so that a move that has just happened is visible. */
const TAIL = 6;

export function Sparkline({ trail: { before, seen } }: { readonly trail: Trail }) {
  const all = [...before, ...seen];
  const prices = all.map(({ decimal }) => decimal);
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low;
  if (all.length === 0 || span === 0) return null;
  const y = (decimal: number): string =>
    (HEIGHT - INSET - ((decimal - low) / span) * (HEIGHT - 2 * INSET)).toFixed(1);
  const isSplit = before.length > 0 && seen.length > 0;
  const middle = isSplit ? WIDTH * BEFORE_SHARE : before.length > 0 ? WIDTH - INSET : INSET;
  return (
    <svg class="sparkline" width={WIDTH} height={HEIGHT} aria-hidden="true">
      {before.length > 0 && <path class="before" d={stepsOf(before, { from: INSET, to: middle, y })} />}
      {seen.length > 0 && (
        <path d={stepsOf(seen, { from: middle, to: WIDTH - INSET, y, after: before.at(-1) })} />
      )}
    </svg>
  );
}

interface StepArea {
  readonly from: number;
  readonly to: number;
  readonly y: (decimal: number) => string;
  /** The step before this part of the line; the line starts at its price. */
  readonly after?: BestPriceStep | undefined;
}

/** Steps, not slopes: a price holds until it changes. */
function stepsOf(points: readonly BestPriceStep[], { from, to, y, after }: StepArea): string {
  const firstMs = points[0]!.atMs;
  const spanMs = Math.max(1, points.at(-1)!.atMs - firstMs);
  const x = (atMs: number): string => (from + ((atMs - firstMs) / spanMs) * (to - from - TAIL)).toFixed(1);
  const start = y((after ?? points[0]!).decimal);
  const steps = points.slice(1).map(({ atMs, decimal }) => `H${x(atMs)}V${y(decimal)}`);
  return `M${from},${start}V${y(points[0]!.decimal)}${steps.join('')}H${to}`;
}
