// The simple versions that the domain benches compare with ours: floats and toFixed, BigInt, bisection, a
// grid of objects.

import type { OddsFormat } from '../src/domain/catalogue.ts';
import type { ScorelineMarkets } from '../src/domain/scoreline.ts';

const MASK = 0xffff_ffff_ffff_ffffn;

/** The odds table in floating point, rounded by toFixed: off by one at some ties. */
export function naiveFormat(decimal: number, format: OddsFormat): number {
  const net = decimal - 1;
  switch (format) {
    case 'decimal':
      return Number(decimal.toFixed(4));
    case 'hk':
      return Number(net.toFixed(4));
    case 'malay':
      return Number((net <= 1 ? net : -1 / net).toFixed(3));
    case 'indonesian':
      return Number((net >= 1 ? net : -1 / net).toFixed(3));
    case 'american':
      return Number((net >= 1 ? 100 * net : -100 / net).toFixed(0));
    case 'probability':
      return Number((1 / decimal).toFixed(4));
  }
}

/** FNV-1a 64, fmix64 and the top 52 bits, in BigInt. */
export function naiveHash52(text: string): number {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  hash ^= hash >> 33n;
  hash = (hash * 0xff51afd7ed558ccdn) & MASK;
  hash ^= hash >> 33n;
  hash = (hash * 0xc4ceb9fe1a85ec53n) & MASK;
  hash ^= hash >> 33n;
  return Number(hash >> 12n);
}

/** The power method by bisection on k. */
export function naivePower(decimals: readonly number[]): number[] {
  let low = 1;
  let high = 8;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (decimals.reduce((sum, decimal) => sum + (1 / decimal) ** middle, 0) > 1) low = middle;
    else high = middle;
  }
  return decimals.map((decimal) => (1 / decimal) ** low);
}

interface Cell {
  readonly margin: number;
  readonly total: number;
  readonly probability: number;
}

/** A grid of cell objects with the Dixon-Coles adjustment. */
function gridOf(lambdaHome: number, lambdaAway: number, rho: number): Cell[] {
  const cells: Cell[] = [];
  let homeProbability = Math.exp(-lambdaHome);
  for (let home = 0; home < 16; home++) {
    let probability = homeProbability * Math.exp(-lambdaAway);
    for (let away = 0; away < 16; away++) {
      let tau = 1;
      if (home === 0 && away === 0) tau = 1 - lambdaHome * lambdaAway * rho;
      else if (home === 0 && away === 1) tau = 1 + lambdaHome * rho;
      else if (home === 1 && away === 0) tau = 1 + lambdaAway * rho;
      else if (home === 1 && away === 1) tau = 1 - rho;
      cells.push({ margin: home - away, total: home + away, probability: probability * tau });
      probability *= lambdaAway / (away + 1);
    }
    homeProbability *= lambdaHome / (home + 1);
  }
  return cells;
}

/** Rates and rho of a match at 0-0, by Newton's method with numerical derivatives over whole grids. */
export function naiveScorelineFit(markets: ScorelineMarkets): number[] {
  const { result, totals } = markets;
  const { lineQuarters, over } = totals;
  const lines = lineQuarters % 2 === 0 ? [lineQuarters] : [lineQuarters - 1, lineQuarters + 1];
  function residuals(values: readonly number[]): number[] {
    let home = 0;
    let draw = 0;
    let total = 0;
    for (const cell of gridOf(values[0]!, values[1]!, values[2]!)) {
      if (cell.margin > 0) home += cell.probability;
      if (cell.margin === 0) draw += cell.probability;
      for (const line of lines) {
        if (cell.total * 4 > line) total += (cell.probability * (1 - over)) / lines.length;
        if (cell.total * 4 < line) total -= (cell.probability * over) / lines.length;
      }
    }
    return [home - result!.home, draw - result!.draw, total];
  }
  let values = [lineQuarters / 8, lineQuarters / 8, 0];
  for (let step = 0; step < 20; step++) {
    const current = residuals(values);
    if (Math.max(...current.map(Math.abs)) < 1e-10) break;
    const columns = values.map((_, index) => {
      const moved = values.map((value, other) => (other === index ? value + 1e-6 : value));
      return residuals(moved).map((value, row) => (value - current[row]!) / 1e-6);
    });
    const delta = cramer(columns, current);
    values = values.map((value, index) =>
      index < 2 ? Math.max(0.01, value - delta[index]!) : value - delta[index]!,
    );
  }
  return values;
}

function cramer(columns: readonly number[][], right: readonly number[]): number[] {
  const whole = determinant(columns);
  return columns.map(
    (_, index) => determinant(columns.map((column, other) => (other === index ? right : column))) / whole,
  );
}

function determinant([a, b, c]: readonly (readonly number[])[]): number {
  return (
    a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!) -
    b![0]! * (a![1]! * c![2]! - a![2]! * c![1]!) +
    c![0]! * (a![1]! * b![2]! - a![2]! * b![1]!)
  );
}
