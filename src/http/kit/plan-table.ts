// What an URL means, decided once: its route and its input, by the URL as it came. Pollers ask for the same URLs again
// and again; a plan spares them routing, decoding and validation. It never changes an answer: what is not in the table
// goes the long way, with the same result.
//
// An URL enters when it is asked for a second time. In a full table the newcomer takes the place of one that was not
// used since the table looked at it last; when the next few were all used, the newcomer stays outside. No caller can own
// more than a share of the table. So whoever asks for ever new URLs pushes nobody out.

/** URLs with a plan, per thread: a few hundred bytes each. Full: as above. */
export const PLANS_MAX = 16_384;
/** Characters of an URL that has a plan. Longer: the long way. */
const URL_CHARS_MAX = 512;
/** Plans of one caller, a share of all. Full: further URLs of this caller go the long way until a plan of its is dropped. */
const OWNER_SHARE = 0.5;
/**
 * URLs seen once that are remembered, as hashes, in sets of a few places each. A newer one takes the place of the oldest of its
 * set. With one place a set, two URLs of the same place that are asked for in turn would push each other out for ever.
 */
const SIGHTS = 16_384;
const SIGHTS_PER_SET = 4;
/** Plans looked at to find one that is not used any more. All used: the newcomer stays outside. */
const LOOKS_MAX = 8;

interface Entry<Plan> {
  readonly plan: Plan;
  readonly owner: string;
  wasUsed: boolean;
}

export class PlanTable<Plan> {
  readonly #max: number;
  readonly #ownerMax: number;
  /** In the order in which they are looked at. */
  readonly #entries = new Map<string, Entry<Plan>>();
  readonly #ownedCounts = new Map<string, number>();
  readonly #sights = new Int32Array(SIGHTS);

  constructor(max = PLANS_MAX) {
    this.#max = max;
    this.#ownerMax = Math.max(1, Math.floor(max * OWNER_SHARE));
  }

  get size(): number {
    return this.#entries.size;
  }

  find(url: string): Plan | null {
    const entry = this.#entries.get(url);
    if (entry === undefined) return null;
    entry.wasUsed = true;
    return entry.plan;
  }

  /** An URL that was just answered the long way. @param owner who asked; `plan` is called when it enters */
  offer(url: string, owner: string, plan: () => Plan): void {
    if (url.length > URL_CHARS_MAX || this.#entries.has(url) || !this.#isSecondSight(url)) return;
    if ((this.#ownedCounts.get(owner) ?? 0) >= this.#ownerMax) return;
    if (this.#entries.size >= this.#max && !this.#dropUnused()) return;
    this.#entries.set(url, { plan: plan(), owner, wasUsed: false });
    this.#ownedCounts.set(owner, (this.#ownedCounts.get(owner) ?? 0) + 1);
  }

  #isSecondSight(url: string): boolean {
    const hash = Bun.hash.xxHash32(url) | 1; // never 0, which marks a free place
    const sights = this.#sights;
    const first = ((hash >>> 1) & (SIGHTS / SIGHTS_PER_SET - 1)) * SIGHTS_PER_SET;
    for (let place = first; place < first + SIGHTS_PER_SET; place += 1) {
      if (sights[place] === hash) return true;
    }
    sights.copyWithin(first + 1, first, first + SIGHTS_PER_SET - 1);
    sights[first] = hash;
    return false;
  }

  #dropUnused(): boolean {
    let looks = 0;
    for (const [url, entry] of this.#entries) {
      this.#entries.delete(url);
      if (!entry.wasUsed) {
        this.#disown(entry.owner);
        return true;
      }
      entry.wasUsed = false;
      this.#entries.set(url, entry);
      looks += 1;
      if (looks >= LOOKS_MAX) return false;
    }
    return false;
  }

  #disown(owner: string): void {
    const left = (this.#ownedCounts.get(owner) ?? 0) - 1;
    if (left > 0) this.#ownedCounts.set(owner, left);
    else this.#ownedCounts.delete(owner);
  }
}
