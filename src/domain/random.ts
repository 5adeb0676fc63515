// Reproducible random numbers: a stateless hash for values that depend only on their inputs, and a small
// generator for sequences. Not suitable for secrets. Also the distribution function of normal numbers.

const UINT32 = 4_294_967_296;

/**
 * Mixes one more 32-bit word into a hash (round and finaliser of MurmurHash3). @returns an unsigned 32-bit
 * integer
 */
export function mixHash(hash: number, word: number): number {
  let k = Math.imul(word | 0, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  let h = (hash | 0) ^ k;
  h = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Mixes a text into a hash, by UTF-16 code unit. @returns an unsigned 32-bit integer */
export function mixText(hash: number, text: string): number {
  let h = mixHash(hash, text.length);
  for (let i = 0; i < text.length; i++) h = mixHash(h, text.charCodeAt(i));
  return h;
}

/** Maps a hash to a number in [0, 1). */
export function hashUnit(hash: number): number {
  return hash / UINT32;
}

/** A seeded sequence: the same seed gives the same sequence on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param seed any integer; only its low 32 bits matter */
  constructor(seed: number) {
    this.#a = mixHash(0x9e3779b9, seed);
    this.#b = mixHash(this.#a, seed);
    this.#c = mixHash(this.#b, seed);
  }

  /** An unsigned 32-bit integer (sfc32 of PractRand). */
  uint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number in [0, 1). */
  unit(): number {
    return this.uint32() / UINT32;
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** An integer in [0, count). */
  index(count: number): number {
    return Math.floor(this.unit() * count);
  }

  /** An exponentially distributed waiting time with the given mean. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.unit());
  }

  /** Shuffles in place (Fisher-Yates). */
  shuffle<T>(items: T[]): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.index(i + 1);
      const held = items[i] as T;
      items[i] = items[j] as T;
      items[j] = held;
    }
  }
}

/**
 * P(a standard normal number is below x), by Abramowitz and Stegun 26.2.17; wrong by less than 7.5e-8.
 */
export function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI)) * series;
  return x >= 0 ? 1 - tail : tail;
}

/** The x for which `normalBelow(x)` is `probability`, by bisection. */
export function normalQuantile(probability: number): number {
  let low = -8;
  let high = 8;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
