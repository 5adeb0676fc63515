// A bounded cache from a URL's exact text to its plan: the route and the validated input. Pollers request the
// same URLs repeatedly, and a plan saves them routing, decoding and validation. It never changes an answer: a
// request without a plan is processed in full, with the same result.
//
// A URL is added when it is requested for the second time. Eviction is CLOCK: in a full table, the new URL
// replaces one that was not used since its last check. If the next few were all used, the new URL is not
// added. No caller may own more than a share of the table, and callers that pay nothing own at most half of
// it together. So clients that request ever new URLs cannot evict the plans that others use.

/**
 * Maximum number of URLs with a plan, per thread, at a few hundred bytes each. When it is reached, an unused
 * plan is evicted; if none is found, the new URL is not added.
 */
const PLANS_MAX = 16_384;
/**
 * Maximum length of a URL that can have a plan, in characters. Requests for a longer URL are always processed
 * in full.
 */
const URL_CHARS_MAX = 512;
/**
 * The share of the table that one account with paid keys may own, and that all callers who pay nothing may
 * own together. When it is used up, further URLs of these callers are not added until one of their URLs is
 * evicted.
 */
const OWNER_SHARE = 0.5;
/**
 * The share of the table that one account with free keys may own, or all callers without a key together. When
 * it is used up, further URLs of these callers are not added until one of their URLs is evicted.
 */
const UNPAID_OWNER_SHARE = 0.25;
/** The name under which the plans of all callers who pay nothing are counted. */
const UNPAID = 'unpaid';
/**
 * Hashes of URLs that were requested once, in sets of a few slots each. A newer hash replaces the oldest of
 * its set. With one slot in a set, two URLs that share the slot and are requested in turn would replace each
 * other for ever.
 */
const SIGHTS = 16_384;
const SIGHTS_PER_SET = 4;
/**
 * Maximum number of plans that are checked to find one that is no longer used. If all of them are used, the
 * new URL is not added.
 */
const CHECKS_MAX = 8;

/** What is stored for a URL. */
export interface Evictable {
  /**
   * Whether the plan was used since eviction last checked it. Set this when the plan has served a request.
   */
  wasUsed: boolean;
}

/** The caller whose requests added a plan. */
export interface PlanOwner {
  /** The account of the key, or a key without an account. */
  readonly name: string;
  readonly isPaid: boolean;
}

interface Entry<Plan> {
  readonly plan: Plan;
  readonly owner: PlanOwner;
}

export class UrlCache<Plan extends Evictable> {
  readonly #max: number;
  readonly #ownerMax: number;
  readonly #unpaidOwnerMax: number;
  /** In the order in which eviction checks them. */
  readonly #entries = new Map<string, Entry<Plan>>();
  readonly #ownedCounts = new Map<string, number>();
  readonly #sights = new Int32Array(SIGHTS);

  constructor(max = PLANS_MAX) {
    this.#max = max;
    this.#ownerMax = Math.max(1, Math.floor(max * OWNER_SHARE));
    this.#unpaidOwnerMax = Math.max(1, Math.floor(max * UNPAID_OWNER_SHARE));
  }

  get size(): number {
    return this.#entries.size;
  }

  find(url: string): Plan | null {
    return this.#entries.get(url)?.plan ?? null;
  }

  /**
   * Offers a URL that was just answered without a plan.
   * @param plan called only if the URL is added
   */
  offer(url: string, owner: PlanOwner, plan: () => Plan): void {
    if (url.length > URL_CHARS_MAX || this.#entries.has(url) || !this.#isSecondSight(url)) return;
    if (this.#ownsAll(owner)) return;
    if (this.#entries.size >= this.#max && !this.#dropUnused()) return;
    this.#entries.set(url, { plan: plan(), owner });
    this.#own(owner, 1);
  }

  /** Whether the owner has as many plans as it may have. */
  #ownsAll({ name, isPaid }: PlanOwner): boolean {
    const owned = this.#ownedCounts.get(name) ?? 0;
    if (isPaid) return owned >= this.#ownerMax;
    return owned >= this.#unpaidOwnerMax || (this.#ownedCounts.get(UNPAID) ?? 0) >= this.#ownerMax;
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
      if (!entry.plan.wasUsed) {
        this.#own(entry.owner, -1);
        return true;
      }
      entry.plan.wasUsed = false;
      this.#entries.set(url, entry);
      checks += 1;
      if (checks >= CHECKS_MAX) return false;
    }
    return false;
  }

  /** Adds to the counts of the owner's plans. */
  #own({ name, isPaid }: PlanOwner, added: number): void {
    for (const counted of isPaid ? [name] : [name, UNPAID]) {
      const count = (this.#ownedCounts.get(counted) ?? 0) + added;
      if (count > 0) this.#ownedCounts.set(counted, count);
      else this.#ownedCounts.delete(counted);
    }
  }
}
