// The scales of the chart: from times and prices to pixels, and the lines of its grid.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../clock.ts';

export const HEIGHT = 280;
export const LEFT = 52;
export const RIGHT = 12;
export const TOP = 16;
export const BOTTOM = 24;
/** About how many steps the price axis has. */
const ROWS = 6;
const COLUMN_PX = 120;
/** The steps between two labels of the time axis; beyond the last one, its multiples. */
const TIME_STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR_MS),
] as const;

/** What the scale needs of a line of the chart; the key `fair` is for the fair price. */
export interface ScaledLine {
  readonly key: string;
  readonly points: readonly PricedPoint[];
}

interface PricedPoint {
  readonly atMs: number;
  readonly price: number | null;
}

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Scale {
  readonly x: (atMs: number) => number;
  readonly y: (price: number) => number;
  readonly timeOf: (x: number) => number;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

/** @param shown the lines in sight */
export function scaleOf(shown: readonly ScaledLine[], range: Range, width: number): Scale {
  const { fromMs, toMs } = range;
  const { low, high } = extentOf(shown, range);
  const margin = (high - low) * 0.08 || low * 0.02;
  const step = roundStep((high - low + 2 * margin) / ROWS);
  const first = Math.floor((low - margin) / step);
  const last = Math.ceil((high + margin) / step);
  // No price is below one.
  const [bottom, top] = [Math.max(1, first * step), last * step];
  const spanMs = Math.max(1, toMs - fromMs);
  const wide = width - LEFT - RIGHT;
  const tall = HEIGHT - TOP - BOTTOM;
  const stepMs = timeStep(spanMs / Math.max(3, Math.floor(wide / COLUMN_PX)));
  const firstMs = Math.ceil(fromMs / stepMs) * stepMs;
  return {
    x: (atMs) => Math.round((LEFT + ((atMs - fromMs) / spanMs) * wide) * 10) / 10,
    y: (price) => Math.round((TOP + ((top - price) / (top - bottom)) * tall) * 10) / 10,
    timeOf: (x) => fromMs + ((x - LEFT) / wide) * spanMs,
    rows: Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step).filter(
      (price) => price >= bottom,
    ),
    columns: Array.from(
      { length: Math.max(0, Math.floor((toMs - firstMs) / stepMs) + 1) },
      (_, index) => firstMs + index * stepMs,
    ),
  };
}

/** The smallest step that is at least `least` and is 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((times) => times * power >= least * 0.999) ?? 10);
}

function timeStep(leastMs: number): number {
  const longestMs = TIME_STEPS_MS.at(-1)!;
  return TIME_STEPS_MS.find((ms) => ms >= leastMs) ?? Math.ceil(leastMs / longestMs) * longestMs;
}

/** The factor by which one bookmaker alone may extend the price range of all others. */
const ALONE_MAX = 1.5;
/** The factor by which the fair price may extend the price range of the bookmakers. */
const FAIR_MAX = 1.15;

interface Extent {
  readonly low: number;
  readonly high: number;
}

/**
 * The prices that the chart shows. A single bookmaker's price far from all others, such as the last one that
 * is open while the others suspend, is cut off, so that it does not flatten all other lines.
 */
function extentOf(shown: readonly ScaledLine[], range: Range): Extent {
  const extents = shown
    .filter(({ key }) => key !== 'fair')
    .flatMap(({ points }) => ownExtent(points, range) ?? []);
  const fair = ownExtent(shown.find(({ key }) => key === 'fair')?.points ?? [], range);
  if (extents.length === 0) return fair ?? { low: 1, high: 2 };
  const lows = extents.map(({ low }) => low).sort((one, other) => one - other);
  const highs = extents.map(({ high }) => high).sort((one, other) => other - one);
  const low = Math.max(lows[0]!, (lows[1] ?? lows[0]!) / ALONE_MAX);
  const high = Math.min(highs[0]!, (highs[1] ?? highs[0]!) * ALONE_MAX);
  return {
    low: Math.min(low, Math.max(fair?.low ?? low, low / FAIR_MAX)),
    high: Math.max(high, Math.min(fair?.high ?? high, high * FAIR_MAX)),
  };
}

/** The lowest and the highest price of one line; null without an open price in the range. */
function ownExtent(points: readonly PricedPoint[], { fromMs, toMs }: Range): Extent | null {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const [index, { atMs, price }] of points.entries()) {
    const isInRange = atMs <= toMs && (points[index + 1]?.atMs ?? toMs) >= fromMs;
    if (price === null || !isInRange) continue;
    low = Math.min(low, price);
    high = Math.max(high, price);
  }
  return high === 0 ? null : { low, high };
}

/**
 * Draws prices as steps: each holds until the next. A null ends the line, and the next price begins a new
 * one.
 */
export function stepPath(
  points: readonly PricedPoint[],
  { x, y }: Pick<Scale, 'x' | 'y'>,
  toMs: number,
): string {
  let path = '';
  let isOpen = false;
  for (const { atMs, price } of points) {
    if (isOpen) path += `H${x(atMs)}`;
    if (price !== null) path += isOpen ? `V${y(price)}` : `M${x(atMs)},${y(price)}`;
    isOpen = price !== null;
  }
  return isOpen ? `${path}H${x(Math.max(toMs, points.at(-1)!.atMs))}` : path;
}
