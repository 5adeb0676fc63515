// The plain values inside wire messages: names, clocks, counts, words of closed lists. Pure; each says no rather than
// guess.

import { indexIn } from '../domain/catalogue.ts';
import { CLOCK_BYTES_MAX, NAME_CHARS_MAX } from '../limits.ts';
import type { NamedKey } from './protocol.ts';

/** A decoded wire message before it is validated. */
export type Wire = Readonly<Record<string, unknown>>;

/** Goals, points or cards of one side: any more is garbage. */
const COUNT_MAX = 9_999;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const CONTROL = /[\u0000-\u001f\u007f]/;

/** A key with its name, or null. */
export function namedKey(value: unknown): NamedKey | null {
  if (typeof value !== 'object' || value === null) return null;
  const { key, name } = value as Wire;
  return isName(key) && isName(name) ? { key, name } : null;
}

/** Two counts, home first, or undefined. */
export function countPair(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [home, away] = value as [unknown, unknown];
  return isCount(home) && isCount(away) ? [home, away] : undefined;
}

/** Whether a value is a name or a key: text that is not empty, not long and without control characters. */
export function isName(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length > 0 && value.length <= NAME_CHARS_MAX && !CONTROL.test(value)
  );
}

/** Whether a value is clock text. */
export function isClock(value: unknown): value is string {
  return typeof value === 'string' && Buffer.byteLength(value) <= CLOCK_BYTES_MAX && !CONTROL.test(value);
}

/** Whether a field was left out, which null says too. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Index of a word in a closed list, -1 when it is no word of it. */
export function wordIndex(words: readonly string[], value: unknown): number {
  return typeof value === 'string' ? indexIn(words, value) : -1;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= COUNT_MAX;
}
