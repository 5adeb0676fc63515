// `overround accounts plan`: the operator sets the plan of an account, even while servers run. Its rules of
// alerts follow within ten seconds, its sessions and lowered keys as fast as a revoked key.

import { toEmail, toTier } from '../../accounts/input.ts';
import { TIER_KEYS } from '../../domain/tiers.ts';
import { withStorage } from '../account-storage.ts';
import { type Command, SETTING_FLAGS } from '../command.ts';

export const accountsCommands: readonly Command[] = [
  {
    name: 'accounts plan',
    summary: `Sets the plan of an account (${TIER_KEYS.join(', ')}); keys above it are lowered to it`,
    arguments: ['email', 'plan'],
    flags: { 'data-dir': SETTING_FLAGS['data-dir'] },
    examples: ['accounts plan person@example.com standard'],
    run: async (input) => {
      const plan = toTier(input.arguments.plan!);
      return await withStorage(input, async ({ accounts, place }) => {
        const email = toEmail(input.arguments.email!);
        const account = await accounts.findAccountByEmail(email);
        if (account === null) {
          throw new Error(`Cannot set plan: there is no account of '${email}' in ${place}`);
        }
        await accounts.setPlan(account.id, plan);
        input.writeError(`Set the plan of ${account.email} from ${account.plan} to ${plan} in ${place}`);
      });
    },
  },
];
