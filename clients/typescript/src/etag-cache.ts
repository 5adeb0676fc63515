// Answers that are kept with their ETag, so that an unchanged one is not sent again. Bounded in entries and characters:
// when it is full, what was not used for longest goes.

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
  /** In order of use, the last used last. */
  readonly #answers = new Map<string, KeptAnswer>();
  readonly #limits: CacheLimits;
  #chars = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** Characters of all bodies that are kept. */
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

  /** Keeps an answer; one that alone is above the limit is not kept. */
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
