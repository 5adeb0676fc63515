// The tiers and what each may do (docs/decisions.md#keys-and-limits), once. A principal is who a request counts as.

// `tickMs`: the fastest pace of a stream; `streams`: how many a key may have open.
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

/** Keyless callers are served the free tier with a daily cap of their own, per client address. */
export const KEYLESS_REQUESTS_PER_DAY = 200;

/** Streams a client address may have open without a key. */
export const KEYLESS_STREAMS = 1;

/** Who a request counts as. `keyId` is null for keyless callers. */
export interface Principal {
  readonly tier: TierKey;
  readonly seesSharp: boolean;
  readonly keyId: string | null;
}

/** What the principal's tier may do. */
export function rulesOf({ tier }: Pick<Principal, 'tier'>): (typeof TIERS)[number] {
  return TIERS[TIER_KEYS.indexOf(tier)]!;
}

/** The principal of a caller without a key. */
export const KEYLESS: Principal = { tier: 'free', seesSharp: false, keyId: null };
