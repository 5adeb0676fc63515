// The sessions that any thread of the process has found live, with the plan of their account, in shared
// memory. A browser sends its requests to whichever thread accepts its connection. Without this memory, a
// thread that has not used the session yet would make the first request wait as if it had no session.
//
// Each word has 30 bits of the session's hash and two of its plan. Other bits of the hash choose the word. A
// newer session replaces the older one in its word, but one of the free plan never one of a paid plan.

import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';

/** Words for sessions of paid plans, and as many for those of the free plan: a power of two. */
const PLACES = 8_192;
export const SEEN_SESSIONS_WORDS = 2 * PLACES;
const TIER_BITS = 3;

export class SeenSessions {
  readonly #words: Int32Array<SharedArrayBuffer>;

  constructor(words: Int32Array<SharedArrayBuffer>) {
    this.#words = words;
  }

  /** Remembers a live session. @param hash SHA-256 of the session token, in hexadecimal */
  note(hash: string, tier: TierKey): void {
    const { marker, place } = partsOf(hash);
    const index = tier === 'free' ? PLACES + place : place;
    const word = marker | TIER_KEYS.indexOf(tier);
    if (Atomics.load(this.#words, index) === word) return;
    this.forget(hash);
    Atomics.store(this.#words, index, word);
  }

  /** Forgets a session that has ended. */
  forget(hash: string): void {
    const { marker, place } = partsOf(hash);
    for (const index of [place, PLACES + place]) {
      const word = Atomics.load(this.#words, index);
      if ((word & ~TIER_BITS) === marker) Atomics.compareExchange(this.#words, index, word, 0);
    }
  }

  /** The plan that a session had when it was noted; null if it was not noted. */
  tierOf(hash: string): TierKey | null {
    const { marker, place } = partsOf(hash);
    for (const index of [place, PLACES + place]) {
      const word = Atomics.load(this.#words, index);
      if (word !== 0 && (word & ~TIER_BITS) === marker) return TIER_KEYS[word & TIER_BITS] ?? null;
    }
    return null;
  }
}

function partsOf(hash: string): { readonly marker: number; readonly place: number } {
  const marker = (Number.parseInt(hash.slice(0, 8), 16) | 0) & ~TIER_BITS;
  return { marker, place: Number.parseInt(hash.slice(8, 16), 16) & (PLACES - 1) };
}
