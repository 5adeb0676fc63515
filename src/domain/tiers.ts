// The only definition of the tiers and their limits (docs/reference/decisions.md#keys-and-limits). A
// principal is the caller that a request is counted for.

// `tickMs`: the shortest tick of a stream; `streams`: how many streams a key may have open.
export const TIERS = [
  { key: 'free', perMinute: 60, burst: 30, seesSharp: false, perDay: 5_000, tickMs: 5_000, streams: 1 },
  { key: 'standard', perMinute: 600, burst: 120, seesSharp: true, perDay: null, tickMs: 1_000, streams: 5 },
  { key: 'realtime', perMinute: 6_000, burst: 600, seesSharp: true, perDay: null, tickMs: 100, streams: 50 },
  {
    key: 'enterprise',
    perMinute: 60_000,
    burst: 2_000,
    seesSharp: true,
    perDay: null,
    tickMs: 20,
    streams: 500,
  },
] as const;

export type TierKey = (typeof TIERS)[number]['key'];
export const TIER_KEYS: readonly TierKey[] = TIERS.map((tier) => tier.key);

/** Callers without a key get the free tier, with a daily limit of their own per client address. */
export const KEYLESS_REQUESTS_PER_DAY = 200;

/** How many streams a client address without a key may have open. */
export const KEYLESS_STREAMS = 1;

/** The caller that a request is counted for. `keyId` is null for callers without a key. */
export interface Principal {
  readonly tier: TierKey;
  readonly seesSharp: boolean;
  readonly keyId: string | null;
  /** Whether the key belongs to an account. If absent, it does not. */
  readonly isOfAccount?: boolean;
  /**
   * The account of a key or a session. If the key belongs to no account, or if this field is absent, the key
   * itself.
   */
  readonly ownerId?: string;
}

/** What decides the class of a caller. Callers of one class share limits. */
export interface CallerClass {
  readonly hasKey: boolean;
  /** Whether the key is of the free plan, which anybody can get. If absent, it is not. */
  readonly isFree?: boolean;
}

/** Callers without a key, with a key of a paid plan, and with one of the free plan. */
export const CALLER_CLASSES = ['keyless', 'paid', 'free'] as const;

export function classOf({ hasKey, isFree = false }: CallerClass): (typeof CALLER_CLASSES)[number] {
  return !hasKey ? 'keyless' : isFree ? 'free' : 'paid';
}

/** The part of a principal that decides what it shares with other callers. */
export type SharingPrincipal = Pick<Principal, 'keyId' | 'tier' | 'ownerId'>;

/**
 * The class of a caller with a key, and the name that its share of a limit is counted under. That name is the
 * account that owns the key, so twenty keys of one account get no more than one key. A key without an account
 * is its own name. Null for a caller without a key.
 */
export function sharerOf(principal: SharingPrincipal): Required<CallerClass & { name: string }> | null {
  const { keyId, tier, ownerId } = principal;
  if (keyId === null) return null;
  return { name: ownerId ?? keyId, hasKey: true, isFree: tier === 'free' };
}

/** The limits of the principal's tier. */
export function rulesOf({ tier }: Pick<Principal, 'tier'>): (typeof TIERS)[number] {
  return TIERS[TIER_KEYS.indexOf(tier)]!;
}

/** What an account with this plan may see, without a key. */
export function principalOf(plan: TierKey): Principal {
  return { tier: plan, seesSharp: rulesOf({ tier: plan }).seesSharp, keyId: null };
}

/** The principal of all callers without a key. */
export const KEYLESS: Principal = { tier: 'free', seesSharp: false, keyId: null };
