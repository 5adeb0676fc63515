// `overround accounts plan`, `overround sessions list` and `end`: the operator sets the plan of an account,
// and lists and ends sessions, even while servers run. An ended session is refused by the next request to
// /platform. On /v1 it stops, or gets its new plan, as fast as a revoked key. Alert rules follow a plan
// within ten seconds.

import type { AccountRepository } from '../../../accounts/account-repository.ts';
import { toEmail, toTier } from '../../../accounts/input.ts';
import type { AccountRecord } from '../../../accounts/records.ts';
import { toIsoText } from '../../../clock.ts';
import { TIER_KEYS } from '../../../domain/tiers.ts';
import { withStorage } from '../../account-storage.ts';
import { type Command, FOLDER_FLAG, UsageError } from '../../command.ts';

export const accountsCommands: readonly Command[] = [
  {
    name: 'accounts plan',
    summary: `Sets the plan of an account (${TIER_KEYS.join(', ')}); keys above it are lowered to it`,
    arguments: ['email', 'plan'],
    flags: FOLDER_FLAG,
    examples: ['accounts plan person@example.com standard'],
    run: async (input) => {
      const plan = toTier(input.arguments.plan!);
      return await withStorage(input, async ({ accounts, place }) => {
        const account = await accountOf(accounts, input.arguments.email!, { action: 'set plan', place });
        await accounts.setPlan(account.id, plan);
        input.writeError(`Set the plan of ${account.email} from ${account.plan} to ${plan} in ${place}`);
      });
    },
  },
  {
    name: 'sessions list',
    summary: 'Lists the sessions of an account as JSON lines, most recently used first',
    arguments: ['email'],
    flags: FOLDER_FLAG,
    examples: ['sessions list person@example.com'],
    run: (input) =>
      withStorage(input, async ({ accounts, uses, place }) => {
        const account = await accountOf(accounts, input.arguments.email!, { action: 'list sessions', place });
        for (const session of await uses.list(account.id, input.clock.wallMs())) {
          input.writeOutput(
            JSON.stringify({
              client: session.client,
              created_at: toIsoText(session.createdAtMs),
              last_used_at: toIsoText(session.usedAtMs),
              expires_at: toIsoText(session.expiresAtMs),
            }),
          );
        }
      }),
  },
  {
    name: 'sessions end',
    summary: 'Ends all sessions of an account, or of all accounts; its password and keys stay',
    arguments: ['[email]'],
    flags: {
      all: { help: 'ends the sessions of all accounts' },
      ...FOLDER_FLAG,
    },
    examples: ['sessions end person@example.com', 'sessions end --all'],
    run: async (input) => {
      const { email } = input.arguments;
      if ((email === undefined) === (input.flags.all === undefined)) {
        throw new UsageError('Cannot end sessions: name the address of one account, or use --all');
      }
      return await withStorage(input, async ({ accounts, place }) => {
        if (email === undefined) {
          input.writeError(
            `Ended ${await accounts.sessions.deleteAllSessions()} sessions of all accounts in ${place}`,
          );
          return;
        }
        const account = await accountOf(accounts, email, { action: 'end sessions', place });
        // Keeps the session with an empty hash. There is no such session, so all sessions end.
        const ended = await accounts.sessions.deleteOtherSessions(account.id, '');
        input.writeError(`Ended ${ended} sessions of ${account.email} in ${place}`);
      });
    },
  },
];

/** @throws Error when no account has the address */
async function accountOf(
  accounts: AccountRepository,
  address: string,
  { action, place }: { readonly action: string; readonly place: string },
): Promise<AccountRecord> {
  const email = toEmail(address);
  const account = await accounts.findAccountByEmail(email);
  if (account === null) throw new Error(`Cannot ${action}: there is no account of '${email}' in ${place}`);
  return account;
}
