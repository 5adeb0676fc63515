// Caches answers with their ETag, so that the server need not send an unchanged answer again. Limited in
// entries and characters. When it is full, the least recently used answers are dropped.

export interface KeptAnswer {
  readonly etag: string;
  readonly text: string;
  readonly contentType: string;
}

export interface CacheLimits {
  readonly entriesMax: number;
  readonly charsMax: number;
}

export class EtagCache {
  /** In the order of use: the most recently used answer is last. */
  readonly #answers = new Map<string, KeptAnswer>();
  readonly #limits: CacheLimits;
  #chars = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** Number of characters in all cached bodies. */
  get chars(): number {
    return this.#chars;
  }

  get(url: string): KeptAnswer | null {
    const kept = this.#answers.get(url);
    if (kept === undefined) return null;
    this.#answers.delete(url);
    this.#answers.set(url, kept);
    return kept;
  }

  /** Caches an answer, unless it alone exceeds the limit. */
  set(url: string, answer: KeptAnswer): void {
    this.#drop(url);
    if (answer.text.length > this.#limits.charsMax) return;
    this.#answers.set(url, answer);
    this.#chars += answer.text.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limits.entriesMax && this.#chars <= this.#limits.charsMax) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    this.#chars -= this.#answers.get(url)?.text.length ?? 0;
    this.#answers.delete(url);
  }
}
