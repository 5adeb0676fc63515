// A 64-bit counter in two Int32 words, low word first. Adding costs one atomic operation, or two with a
// carry.

const WORD = 2 ** 32;

/** Adds `amount`, an integer from 0 to 2^31 - 1, to the counter at `index`. Any thread may call this. */
export function addWide(words: Int32Array, index: number, amount: number): void {
  const before = Atomics.add(words, index, amount) >>> 0;
  if (before + amount >= WORD) Atomics.add(words, index + 1, 1);
}

/** The counter's value. During a carry, one read may return a value that is 2^32 too low. */
export function readWide(words: Int32Array, index: number): number {
  for (;;) {
    const high = Atomics.load(words, index + 1);
    const low = Atomics.load(words, index) >>> 0;
    if (Atomics.load(words, index + 1) === high) return (high >>> 0) * WORD + low;
  }
}

/**
 * Raises the word at `index` to `value`, an integer from 0 to 2^31 - 1, unless it is higher already. Any
 * thread may call this.
 */
export function raiseWord(words: Int32Array, index: number, value: number): void {
  for (;;) {
    const before = Atomics.load(words, index);
    if (before >= value || Atomics.compareExchange(words, index, before, value) === before) return;
  }
}
