// The best price of each outcome since its opening, from the openings and the later prices that are known. A
// bookmaker's price is assumed to have stayed the same until the next one that is known.

import type { Outcome } from '../../../domain/catalogue.ts';

/** A bookmaker's prices at one line from an instant on. */
export interface StandingPrice {
  readonly bookmaker: string;
  /** Identifies the line within its fixture. */
  readonly line: string;
  /** Null while suspended. */
  readonly decimals: ReadonlyMap<Outcome, number> | null;
  /** When the step began, on this machine's clock. */
  readonly atMs: number;
}

/** The best price from an instant on. */
export interface BestPriceStep {
  readonly atMs: number;
  readonly decimal: number;
}

/**
 * Bookmakers that open within this time of the line's first one count as opening together: the later ones are
 * not a move.
 */
const TOGETHER_MS = 10 * 60_000;

/**
 * @param later prices after the openings, the current ones last
 * @returns steps by `<line> <outcome>`, in ascending time
 */
export function bestPriceSteps(
  openings: readonly StandingPrice[],
  later: readonly StandingPrice[],
): ReadonlyMap<string, readonly BestPriceStep[]> {
  const changesByLine = new Map<string, StandingPrice[]>();
  for (const [line, group] of Map.groupBy(openings, (opening) => opening.line)) {
    const firstMs = Math.min(...group.map(({ atMs }) => atMs));
    const changes = group.map((opening) =>
      opening.atMs - firstMs <= TOGETHER_MS ? { ...opening, atMs: firstMs } : opening,
    );
    changesByLine.set(line, changes);
  }
  // A line without any opening has no starting point, so it is left out.
  for (const price of later) changesByLine.get(price.line)?.push(price);
  const steps = new Map<string, BestPriceStep[]>();
  for (const [line, changes] of changesByLine) {
    for (const [outcome, path] of stepsOf(changes)) steps.set(`${line} ${outcome}`, path);
  }
  return steps;
}

function stepsOf(changes: readonly StandingPrice[]): ReadonlyMap<Outcome, BestPriceStep[]> {
  const steps = new Map<Outcome, BestPriceStep[]>();
  const held = new Map<string, ReadonlyMap<Outcome, number>>();
  // At equal times the opening comes before later prices, and the stable sort keeps that order.
  const sorted = changes.toSorted((one, other) => one.atMs - other.atMs);
  for (const [index, { atMs, bookmaker, decimals }] of sorted.entries()) {
    if (decimals === null) held.delete(bookmaker);
    else held.set(bookmaker, decimals);
    if (sorted[index + 1]?.atMs === atMs) continue;
    const best = new Map<Outcome, number>();
    for (const prices of held.values()) {
      for (const [outcome, decimal] of prices) {
        if (decimal > (best.get(outcome) ?? 1)) best.set(outcome, decimal);
      }
    }
    for (const [outcome, decimal] of best) {
      const path = steps.get(outcome);
      if (path === undefined) steps.set(outcome, [{ atMs, decimal }]);
      else if (path.at(-1)!.decimal !== decimal) path.push({ atMs, decimal });
    }
  }
  return steps;
}
