// The addresses that live keys of paid plans were used from lately, in shared memory. HTTP threads note them,
// and the main thread reads them when too many connections are open: it closes those of other addresses first
// (platform/connection-choice.ts). The memory has a fixed number of places, and a hash of the address chooses
// the place. A newer address replaces an older one that is in the same place.

import { mixText } from '../domain/random.ts';
import { parseAddress } from '../ip-address.ts';

/** A power of two. */
const PLACES = 4_096;
/** Four words of the address as /proc/net/tcp6 shows it, then the Unix second at which it was noted. */
const STRIDE = 5;
const NOTED_AT_S = 4;
export const PAID_ADDRESSES_WORDS = PLACES * STRIDE;
/** An address is forgotten when no paid key was used from it for a day: a stream sends no further request. */
const LASTS_S = 86_400;
/** A thread notes an address again only after this time. */
const RENEW_AFTER_S = 60;
/** Maximum number of addresses whose time is remembered per thread. When it is reached, all are forgotten. */
const REMEMBERED_MAX = 1_024;
/** The third word of an IPv4 address that is mapped to IPv6. */
const MAPPED_IPV4_WORD = 0xffff_0000 | 0;

export class PaidAddresses {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #seed: number;
  readonly #notedAtS = new Map<string, number>();

  constructor(words: Int32Array<SharedArrayBuffer>, seed: number) {
    this.#words = words;
    this.#seed = seed;
  }

  /** Notes that a live key of a paid plan was used from an address. */
  note(address: string, nowS: number): void {
    const notedAtS = this.#notedAtS.get(address);
    if (notedAtS !== undefined && nowS - notedAtS < RENEW_AFTER_S) return;
    const bytes = bytesOf(address);
    if (bytes === null) return;
    if (this.#notedAtS.size >= REMEMBERED_MAX) this.#notedAtS.clear();
    this.#notedAtS.set(address, nowS);
    const place = (mixText(this.#seed, address) & (PLACES - 1)) * STRIDE;
    // If two threads write the same place, the words may be of two addresses. Then neither is protected until
    // it is noted again.
    for (const [index, word] of new Int32Array(bytes.buffer).entries()) {
      Atomics.store(this.#words, place + index, word);
    }
    Atomics.store(this.#words, place + NOTED_AT_S, nowS);
  }

  /** The addresses that were noted within a day, in the notation of /proc/net/tcp and of /proc/net/tcp6. */
  list(nowS: number): Set<string> {
    const texts = new Set<string>();
    for (let at = 0; at < PAID_ADDRESSES_WORDS; at += STRIDE) {
      if (nowS - Atomics.load(this.#words, at + NOTED_AT_S) > LASTS_S) continue;
      const words = [0, 1, 2, 3].map((index) => Atomics.load(this.#words, at + index));
      texts.add(words.map(hexOf).join(''));
      if (words[2] === MAPPED_IPV4_WORD) texts.add(hexOf(words[3]!));
    }
    return texts;
  }
}

/** The 16 bytes of an address, IPv4 mapped to IPv6; null for a text that is not an address. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  const address = parseAddress(text);
  if (address === null) return null;
  const own = address.toByteArray();
  return Uint8Array.from(own.length === 4 ? [...Array(10).fill(0), 255, 255, ...own] : own);
}

function hexOf(word: number): string {
  return (word >>> 0).toString(16).toUpperCase().padStart(8, '0');
}
