// A bounded cache from a URL's exact text to its plan: the route and the validated input. Pollers request the
// same URLs repeatedly, and a plan saves them routing, decoding and validation. It never changes an answer: a
// request without a plan is processed in full, with the same result.
//
// A URL is added when it is requested for the second time. Eviction is CLOCK: in a full table, the new URL
// replaces one that was not used since its last check. If the next few were all used, the new URL is not
// added. No caller may own more than a share of the table. So a client that requests ever new URLs cannot
// evict the plans of others.

/**
 * URLs with a plan, per thread, at a few hundred bytes each. Full: an unused plan is evicted; if none is
 * found, the new URL is not added.
 */
const PLANS_MAX = 16_384;
/** Characters of a URL that can have a plan. Longer: requests for the URL are always processed in full. */
const URL_CHARS_MAX = 512;
/**
 * The share of all plans that one caller may own. Full: further URLs of this caller get no plan until one of
 * its plans is evicted.
 */
const OWNER_SHARE = 0.5;
/**
 * Hashes of URLs that were requested once, in sets of a few slots each. A newer hash replaces the oldest of
 * its set. With one slot in a set, two URLs that share the slot and are requested in turn would replace each
 * other for ever.
 */
const SIGHTS = 16_384;
const SIGHTS_PER_SET = 4;
/** Plans that are checked to find one that is no longer used. All used: the new URL is not added. */
const CHECKS_MAX = 8;

interface Entry<Plan> {
  readonly plan: Plan;
  readonly owner: string;
  wasUsed: boolean;
}

export class UrlCache<Plan> {
  readonly #max: number;
  readonly #ownerMax: number;
  /** In the order in which eviction checks them. */
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

  /**
   * Offers a URL that was just answered without a plan.
   * @param owner the caller; `plan` is called only if the URL is added
   */
  offer(url: string, owner: string, plan: () => Plan): void {
    if (url.length > URL_CHARS_MAX || this.#entries.has(url) || !this.#isSecondSight(url)) return;
    if ((this.#ownedCounts.get(owner) ?? 0) >= this.#ownerMax) return;
    if (this.#entries.size >= this.#max && !this.#dropUnused()) return;
    this.#entries.set(url, { plan: plan(), owner, wasUsed: false });
    this.#ownedCounts.set(owner, (this.#ownedCounts.get(owner) ?? 0) + 1);
  }

  #isSecondSight(url: string): boolean {
    const hash = Bun.hash.xxHash32(url) | 1; // never 0, which marks a free slot
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
    let checks = 0;
    for (const [url, entry] of this.#entries) {
      this.#entries.delete(url);
      if (!entry.wasUsed) {
        this.#disown(entry.owner);
        return true;
      }
      entry.wasUsed = false;
      this.#entries.set(url, entry);
      checks += 1;
      if (checks >= CHECKS_MAX) return false;
    }
    return false;
  }

  #disown(owner: string): void {
    const left = (this.#ownedCounts.get(owner) ?? 0) - 1;
    if (left > 0) this.#ownedCounts.set(owner, left);
    else this.#ownedCounts.delete(owner);
  }
}
