// A map from Int32 to Int32, sorted by key, in two typed arrays. A Map or Set of 75 numbers takes ten
// kilobytes, this map about half a kilobyte. There are several per fixture, and as Maps they took fifty
// megabytes for a large slate.

const ENTRIES_FIRST = 16;

export class IntMap {
  #keys = new Int32Array(ENTRIES_FIRST);
  #values = new Int32Array(ENTRIES_FIRST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The keys in ascending order. The view is valid until the map changes. */
  get keys(): Int32Array {
    return this.#keys.subarray(0, this.#size);
  }

  /** The values in the order of their keys. The view is valid until the map changes. */
  get values(): Int32Array {
    return this.#values.subarray(0, this.#size);
  }

  has(key: number): boolean {
    const at = this.#placeOf(key);
    return at < this.#size && this.#keys[at] === key;
  }

  get(key: number): number | undefined {
    const at = this.#placeOf(key);
    return at < this.#size && this.#keys[at] === key ? this.#values[at] : undefined;
  }

  set(key: number, value: number): void {
    const at = this.#placeOf(key);
    if (at === this.#size || this.#keys[at] !== key) this.#insert(at, key);
    this.#values[at] = value;
  }

  /** @returns whether the map had the key */
  delete(key: number): boolean {
    const at = this.#placeOf(key);
    if (at === this.#size || this.#keys[at] !== key) return false;
    this.#keys.copyWithin(at, at + 1, this.#size);
    this.#values.copyWithin(at, at + 1, this.#size);
    this.#size -= 1;
    return true;
  }

  clear(): void {
    this.#size = 0;
  }

  copy(): IntMap {
    const copy = new IntMap();
    copy.#keys = this.#keys.slice();
    copy.#values = this.#values.slice();
    copy.#size = this.#size;
    return copy;
  }

  #insert(at: number, key: number): void {
    if (this.#size === this.#keys.length) {
      this.#keys = wider(this.#keys);
      this.#values = wider(this.#values);
    }
    this.#keys.copyWithin(at + 1, at, this.#size);
    this.#values.copyWithin(at + 1, at, this.#size);
    this.#keys[at] = key;
    this.#size += 1;
  }

  /** The index of the key, or the index at which to insert it. */
  #placeOf(key: number): number {
    const keys = this.#keys;
    let from = 0;
    let to = this.#size;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (keys[middle]! < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function wider(column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const wide = new Int32Array(Math.ceil(column.length * 1.5));
  wide.set(column);
  return wide;
}
