// The best price of an outcome since this page looked, as a small line of steps.

import type { TrailPoint } from '../data/trails.ts';

const WIDTH = 64;
const HEIGHT = 16;
const INSET = 2;

export function Sparkline({ points }: { readonly points: readonly TrailPoint[] }) {
  const path = points.length < 2 ? `M${INSET},${HEIGHT / 2}H${WIDTH - INSET}` : stepsOf(points);
  return (
    <svg
      class={points.length < 2 ? 'sparkline flat' : 'sparkline'}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** Steps, not slopes: a price holds until it changes. The last point is now. */
function stepsOf(points: readonly TrailPoint[]): string {
  const firstMs = points[0]!.atMs;
  const spanMs = Math.max(1, points.at(-1)!.atMs - firstMs);
  const prices = points.map(({ decimal }) => decimal);
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low || 1;
  const x = (atMs: number): string =>
    (INSET + ((atMs - firstMs) / spanMs) * (WIDTH - 2 * INSET - 6)).toFixed(1);
  const y = (decimal: number): string =>
    (HEIGHT - INSET - ((decimal - low) / span) * (HEIGHT - 2 * INSET)).toFixed(1);
  const steps = points.slice(1).map(({ atMs, decimal }) => `H${x(atMs)}V${y(decimal)}`);
  return `M${INSET},${y(prices[0]!)}${steps.join('')}H${WIDTH - INSET}`;
}
