// Remembers what was made from texts that come again and again, such as names and headers.

export class TextMemory<Value> {
  readonly #known = new Map<string, Value>();
  readonly #textsMax: number;
  readonly #charsMax: number;

  /**
   * @param textsMax most texts that are remembered; when it is reached, all are forgotten
   * @param charsMax most characters of a remembered text; a longer one is never remembered
   */
  constructor(textsMax: number, charsMax = Number.POSITIVE_INFINITY) {
    this.#textsMax = textsMax;
    this.#charsMax = charsMax;
  }

  get(text: string): Value | undefined {
    return this.#known.get(text);
  }

  /** Remembers a value. @returns the value */
  put(text: string, value: Value): Value {
    if (text.length > this.#charsMax) return value;
    if (this.#known.size >= this.#textsMax) this.#known.clear();
    this.#known.set(text, value);
    return value;
  }
}
