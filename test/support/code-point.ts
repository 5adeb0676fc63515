// Any character, as the unit of random texts.

import fc from 'fast-check';

const CODE_POINTS = 0x11_0000;
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * What fast-check calls `unit: 'binary'`: any code point but the surrogates. Its own needs a table of all of
 * them, which takes most of a second of each process.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(CODE_POINTS - SURROGATES - 1)
  .map((nth) => String.fromCodePoint(nth < FIRST_SURROGATE ? nth : nth + SURROGATES));
