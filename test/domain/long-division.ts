// An oracle that computes on decimal text with BigInt fractions.

/** The numerator over 10^12 of an unsigned decimal text without exponent. */
export function unitsOf(text: string): bigint {
  const [whole, rest = ''] = text.split('.');
  return BigInt(whole! + rest.padEnd(12, '0'));
}
export const ONE = 10n ** 12n;

/** |top / bottom| rounded half up to `decimals`, as text, by long division of BigInts. */
export function divide(top: bigint, bottom: bigint, decimals: number): string {
  const scaled = top * 10n ** BigInt(decimals);
  let units = scaled / bottom;
  if ((scaled % bottom) * 2n >= bottom) units += 1n;
  const digits = String(units).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
}
