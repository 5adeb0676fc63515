// What a rule may see: what its account's plan includes.

import { type Principal, rulesOf, type TierKey } from '../domain/tiers.ts';

export function principalOf(plan: TierKey): Principal {
  return { tier: plan, seesSharp: rulesOf({ tier: plan }).seesSharp, keyId: null };
}
