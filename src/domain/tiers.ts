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
  /** Whether the key belongs to an account; no if absent. */
  readonly isOfAccount?: boolean;
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
