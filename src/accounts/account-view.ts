// An account as its owner sees it.

import { toIsoText } from '../clock.ts';
import type { TierKey } from '../domain/tiers.ts';
import type { AccountRecord } from './repository.ts';

export interface AccountView {
  readonly id: string;
  readonly email: string;
  readonly plan: TierKey;
  readonly verified: boolean;
  readonly created_at: string;
}

/** What of an account its owner sees: no hash. */
export function toAccountView(account: AccountRecord): AccountView {
  return {
    id: account.id,
    email: account.email,
    plan: account.plan,
    verified: account.verifiedAtMs !== null,
    created_at: toIsoText(account.createdAtMs),
  };
}
