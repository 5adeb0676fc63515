// The best price of each outcome from its opening on, as far as openings and current prices tell: a bookmaker's price is
// taken to have stood at its opening until its last message, and where it stands now since then.

import type { Outcome } from '../../../domain/catalogue.ts';

/** Prices of a bookmaker at a line from then on. */
export interface StandingPrice {
  readonly bookmaker: string;
  /** Names the line within its fixture. */
  readonly line: string;
  /** Null while they are suspended. */
  readonly decimals: ReadonlyMap<Outcome, number> | null;
  /** On this machine's clock. */
  readonly atMs: number;
}

/** The best price from then on. */
export interface BestPriceStep {
  readonly atMs: number;
  readonly decimal: number;
}

/** Bookmakers whose openings lie this near to the first one of the line opened together: that one came later is no move. */
const TOGETHER_MS = 10 * 60_000;

/** @returns by line and outcome, `<line> <outcome>`; ascending in time */
export function bestPriceSteps(
  openings: readonly StandingPrice[],
  now: readonly StandingPrice[],
): ReadonlyMap<string, readonly BestPriceStep[]> {
  const changesByLine = new Map<string, StandingPrice[]>();
  for (const [line, group] of Map.groupBy(openings, (opening) => opening.line)) {
    const firstMs = Math.min(...group.map(({ atMs }) => atMs));
    const changes = group.map((opening) =>
      opening.atMs - firstMs <= TOGETHER_MS ? { ...opening, atMs: firstMs } : opening,
    );
    changesByLine.set(line, changes);
  }
  // A line that nobody opened is of no use here: it has no beginning.
  for (const price of now) changesByLine.get(price.line)?.push(price);
  const steps = new Map<string, BestPriceStep[]>();
  for (const [line, changes] of changesByLine) {
    for (const [outcome, path] of stepsOf(changes)) steps.set(`${line} ${outcome}`, path);
  }
  return steps;
}

function stepsOf(changes: readonly StandingPrice[]): ReadonlyMap<Outcome, BestPriceStep[]> {
  const steps = new Map<Outcome, BestPriceStep[]>();
  const held = new Map<string, ReadonlyMap<Outcome, number>>();
  // An opening and a current price of one instant stand in this order already; the sort keeps it.
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
