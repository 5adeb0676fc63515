// The plain values in wire messages: names, clocks, counts, words of fixed lists; times are in wire-time.ts.
// Used by the validator, and by sources that must check a value themselves. Pure; a value of another form is
// refused, never guessed.

import { indexIn } from '../domain/catalogue.ts';
import { CLOCK_BYTES_MAX, NAME_CHARS_MAX } from '../limits.ts';
import type { NamedKey } from './protocol.ts';

/** A decoded wire message before it is validated. */
export type Wire = Readonly<Record<string, unknown>>;

/** The highest number of goals, points or cards of one side; more is refused as an error of the source. */
const COUNT_MAX = 9_999;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const CONTROL = /[\u0000-\u001f\u007f]/;

const NO_WORD = -1;

/** A key with its name; null when one of them is missing or invalid. */
export function namedKey(value: unknown): NamedKey | null {
  if (typeof value !== 'object' || value === null) return null;
  const { key, name } = value as Wire;
  return isName(key) && isName(name) ? { key, name } : null;
}

/** Two counts, home first; undefined for anything else. */
export function countPair(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [home, away] = value as [unknown, unknown];
  return isCount(home) && isCount(away) ? [home, away] : undefined;
}

/** Whether a value is a name or a key: printable text that is not empty and not long. */
export function isName(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length > 0 && value.length <= NAME_CHARS_MAX && isPrintable(value)
  );
}

/** Whether a value is printable text that is short enough for a match clock. Its form is not checked. */
export function isClock(value: unknown): value is string {
  return typeof value === 'string' && Buffer.byteLength(value) <= CLOCK_BYTES_MAX && isPrintable(value);
}

/**
 * Whether text has no control characters and no unpaired surrogate. JSON can escape an unpaired surrogate,
 * but UTF-8 cannot encode it, so two names that differ only there would become the same.
 */
function isPrintable(text: string): boolean {
  return !CONTROL.test(text) && text.isWellFormed();
}

/** Whether a field is missing or null, which mean the same. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** A fixed list of words. */
export class Words {
  readonly #words: readonly string[];
  /** The word read last. It is kept, because consecutive messages mostly have the same word. */
  #last = '';
  #lastIndex = NO_WORD;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** Index of a word in the list, -1 when it is not in the list. */
  indexOf(value: unknown): number {
    if (value === this.#last) return this.#lastIndex;
    if (typeof value !== 'string') return NO_WORD;
    this.#lastIndex = indexIn(this.#words, value);
    this.#last = value;
    return this.#lastIndex;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= COUNT_MAX;
}
