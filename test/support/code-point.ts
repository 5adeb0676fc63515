import fc from 'fast-check';

const CODE_POINTS = 0x11_0000;
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any code point except the surrogates, for random texts. The same values as fast-check's `unit: 'binary'`,
 * which first builds a table of all of them and so costs each process most of a second.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(CODE_POINTS - SURROGATES - 1)
  .map((nth) => String.fromCodePoint(nth < FIRST_SURROGATE ? nth : nth + SURROGATES));
