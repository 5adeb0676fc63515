// The error that is thrown when a run gives a wrong result.

import { deepEquals } from 'bun';

export class Broken extends Error {}

/** @throws Broken unless both are the same value */
export function same(what: string, seen: unknown, expected: unknown): void {
  if (deepEquals(seen, expected)) return;
  throw new Broken(`${what}\n    seen:     ${textOf(seen)}\n    expected: ${textOf(expected)}`);
}

/** @throws Broken unless `isSo` */
export function holds(what: string, isSo: boolean): void {
  if (!isSo) throw new Broken(what);
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))).slice(0, 2_000);
}
