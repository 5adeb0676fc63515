// The simple versions that the domain benches compare with ours: floats and toFixed, BigInt, bisection.

import type { OddsFormat } from '../src/domain/catalogue.ts';

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
