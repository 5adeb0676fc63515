// The suite that every storage of accounts and keys must pass.

import { defineAccountCases } from './repository/account-cases.ts';
import { defineAttemptCases } from './repository/attempt-cases.ts';
import { defineKeyCases } from './repository/key-cases.ts';
import type { Repositories } from './repository/records.ts';
import { defineSessionCases } from './repository/session-cases.ts';

/** Registers the suite. `open` makes empty repositories; closing is theirs. */
export function defineRepositorySuite(name: string, open: () => Promise<Repositories>): void {
  defineAccountCases(name, open);
  defineSessionCases(name, open);
  defineAttemptCases(name, open);
  defineKeyCases(name, open);
}
