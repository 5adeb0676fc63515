// The expectation of an oracle about an answer: plain values, numbers that were rounded once at the end, and
// sentences whose wording no rule fixes. `differences` reports every field in which an answer differs from
// it.

/** A number that the answer shows with at most this many decimals, and its exact value. */
export class Rounded {
  readonly exact: number;
  readonly decimals: number;

  constructor(exact: number, decimals: number) {
    this.exact = exact;
    this.decimals = decimals;
  }
}

/** A number within inclusive bounds, or null. It is for rules that define nothing more exact. */
export class NullOrBetween {
  readonly low: number;
  readonly high: number;

  constructor(low: number, high: number) {
    this.low = low;
    this.high = high;
  }
}

/**
 * A sentence for people, in any wording: it begins with a capital letter, ends with a punctuation mark, and
 * contains these words.
 */
export class Sentence {
  readonly words: readonly string[];

  constructor(...words: readonly string[]) {
    this.words = words;
  }
}

/**
 * The sum of the rounding errors of an answer and of the oracle, far below half of the last shown decimal.
 */
const SLACK = 1e-9;

/** @returns one line per difference; missing and additional fields count as differences */
export function differences(expected: unknown, actual: unknown, path = '$'): string[] {
  if (expected instanceof Rounded) return roundedDifferences(expected, actual, path);
  if (expected instanceof NullOrBetween) {
    const isWithin =
      actual === null || (typeof actual === 'number' && actual >= expected.low && actual <= expected.high);
    return isWithin ? [] : [`${path}: ${show(actual)}, expected null or ${expected.low} to ${expected.high}`];
  }
  if (expected instanceof Sentence) return sentenceDifferences(expected, actual, path);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path}: ${show(actual)} is no list`];
    if (actual.length !== expected.length) {
      return [`${path}: ${actual.length} elements, expected ${expected.length}`];
    }
    return expected.flatMap((value, index) => differences(value, actual[index], `${path}[${index}]`));
  }
  if (typeof expected === 'object' && expected !== null) return objectDifferences(expected, actual, path);
  return Object.is(expected, actual) ? [] : [`${path}: ${show(actual)}, expected ${show(expected)}`];
}

function objectDifferences(expected: object, actual: unknown, path: string): string[] {
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) {
    return [`${path}: ${show(actual)} is no object`];
  }
  const fields = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...fields].flatMap((field) => {
    if (!Object.hasOwn(actual, field)) return [`${path}.${field}: missing`];
    if (!Object.hasOwn(expected, field)) return [`${path}.${field}: not expected`];
    const pair = [expected, actual].map((value) => (value as Record<string, unknown>)[field]);
    return differences(pair[0], pair[1], `${path}.${field}`);
  });
}

function roundedDifferences({ exact, decimals }: Rounded, actual: unknown, path: string): string[] {
  if (typeof actual !== 'number') return [`${path}: ${show(actual)} is no number`];
  const isNear = Math.abs(actual - exact) <= 0.5 * 10 ** -decimals + SLACK * Math.max(1, Math.abs(exact));
  const isRound = Number(actual.toFixed(decimals)) === actual;
  return isNear && isRound ? [] : [`${path}: ${actual}, expected ${exact} at ${decimals} decimals`];
}

function sentenceDifferences({ words }: Sentence, actual: unknown, path: string): string[] {
  if (typeof actual !== 'string') return [`${path}: ${show(actual)} is no text`];
  const problems: string[] = [];
  if (!/^[\p{Lu}\p{Nd}"]/u.test(actual)) problems.push(`${path}: "${actual}" starts small`);
  if (!/[.?]$/.test(actual)) problems.push(`${path}: "${actual}" does not end`);
  if (/undefined|NaN|null|Infinity|\[object| {2}/.test(actual)) problems.push(`${path}: "${actual}"`);
  for (const word of words) {
    if (!actual.includes(word)) problems.push(`${path}: "${actual}" does not say ${word}`);
  }
  return problems;
}

function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text === undefined ? 'undefined' : text.slice(0, 120);
}
