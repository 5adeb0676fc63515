// The suite that every storage of accounts and keys must pass.

import { defineAccountCases } from './repository/account-cases.ts';
import { defineAttemptCases } from './repository/attempt-cases.ts';
import { defineKeyCases } from './repository/key-cases.ts';
import type { Repositories } from './repository/records.ts';
import { defineSessionCases } from './repository/session-cases.ts';
import { defineSignUpCases } from './repository/sign-up-cases.ts';

/**
 * Registers the suite. `open` creates empty repositories, which each case disposes of. One storage runs the
 * whole suite; the others leave out the cases that do not depend on SQL.
 */
export function defineRepositorySuite(
  name: string,
  open: () => Promise<Repositories>,
  { isWhole }: { readonly isWhole: boolean },
): void {
  defineAccountCases(name, open);
  defineSessionCases(name, open);
  defineSignUpCases(name, open, isWhole);
  defineAttemptCases(name, open);
  defineKeyCases(name, open);
}
