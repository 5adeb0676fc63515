// The hash behind entity ids: FNV-1a 64 over UTF-8, MurmurHash3's fmix64 finaliser, top 52 bits. Ids are made from it,
// so it may never change; the golden vectors in test/domain/ids.test.ts hold it. In 32-bit halves, without BigInt.

const encoder = new TextEncoder();

/** Exclusive upper bound of an entity number: 2^52. */
export const ENTITY_NUMBER_LIMIT = 2 ** 52;

/**
 * 52-bit hash of `text`: FNV-1a 64 (Fowler, Noll, Vo; draft-eastlake-fnv) over its UTF-8 bytes, then fmix64 of
 * MurmurHash3 (Appleby), which spreads every bit, so that the top 52 bits are as good as any.
 * @returns an integer, 0 to 2^52 - 1
 */
export function hash52(text: string): number {
  const bytes = encoder.encode(text);
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let index = 0; index < bytes.length; index++) {
    low = (low ^ bytes[index]!) >>> 0;
    // The FNV prime is 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  low = (low ^ (high >>> 1)) >>> 0;
  high = (highWord(low, 0xed558ccd) + Math.imul(high, 0xed558ccd) + Math.imul(low, 0xff51afd7)) >>> 0;
  low = Math.imul(low, 0xed558ccd) >>> 0;
  low = (low ^ (high >>> 1)) >>> 0;
  high = (highWord(low, 0x1a85ec53) + Math.imul(high, 0x1a85ec53) + Math.imul(low, 0xc4ceb9fe)) >>> 0;
  low = Math.imul(low, 0x1a85ec53) >>> 0;
  low = (low ^ (high >>> 1)) >>> 0;
  return high * 0x10_0000 + (low >>> 12);
}

/** Upper 32 bits of the 64-bit product of two unsigned 32-bit numbers, by 16-bit limbs. */
function highWord(left: number, right: number): number {
  const leftLow = left & 0xffff;
  const leftHigh = left >>> 16;
  const rightLow = right & 0xffff;
  const rightHigh = right >>> 16;
  const first = leftHigh * rightLow + ((leftLow * rightLow) >>> 16);
  const second = leftLow * rightHigh + (first & 0xffff);
  return leftHigh * rightHigh + Math.floor(first / 0x1_0000) + Math.floor(second / 0x1_0000);
}
