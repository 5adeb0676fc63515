// Prices as people say them: "7/4", "evens", "six to four". They are rewritten as decimal prices before the
// words for a market are read.

const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER = `\\d{1,3}|${NUMBERS.join('|')}`;
/**
 * "7/4", if it is not part of a line ("2.5/3") or of a full date. "100-30" does not match, because it is more
 * often a score or a date.
 */
const FRACTION = /(?<![\w.,/+-])(\d{1,3})\/(\d{1,2})(?![\w/]|[.,]\d)/;
const IN_WORDS = new RegExp(`(?<![\\w.,/+-])(${NUMBER})(?: to |-to-)(${NUMBER})(?![\\w/]|[.,]\\d)`, 'i');
const EVENS = /(?<![\w-])(?:evens|even money|even odds|evs)(?![\w-])/i;
/** A decimal price has four decimals. */
const UNIT = 10_000;

/** The text with its first fractional price as a decimal one; null if it has none. */
export function withDecimalPrice(text: string): string | null {
  for (const pattern of [FRACTION, IN_WORDS]) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const decimal = 1 + countOf(match[1]!) / countOf(match[2]!);
    if (!Number.isFinite(decimal) || decimal <= 1) continue;
    return replaced(text, match, decimal);
  }
  const evens = EVENS.exec(text);
  return evens === null ? null : replaced(text, evens, 2);
}

function replaced(text: string, match: RegExpExecArray, decimal: number): string {
  const rounded = Math.round(decimal * UNIT) / UNIT;
  // A number with a decimal point is read neither as a count nor as a part of a name.
  const written = Number.isInteger(rounded) ? `${rounded}.0` : String(rounded);
  return text.slice(0, match.index) + written + text.slice(match.index + match[0].length);
}

function countOf(written: string): number {
  const at = NUMBERS.indexOf(written.toLowerCase());
  return at === -1 ? Number(written) : at + 1;
}
