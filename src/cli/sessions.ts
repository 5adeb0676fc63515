// `overround sessions end`: the operator ends sessions of people, beside running servers. They count nowhere from the
// next request to /platform on; on /v1 they stop as a revoked key does.

import { toEmail } from '../accounts/input.ts';
import { withStorage } from './account-storage.ts';
import { type Command, SETTING_FLAGS, UsageError } from './command.ts';

export const sessionsCommands: readonly Command[] = [
  {
    name: 'sessions end',
    summary: 'Ends all sessions of an account, or of all accounts; its password and keys stay',
    arguments: ['[email]'],
    flags: {
      all: { help: 'of all accounts, in place of one' },
      'data-dir': SETTING_FLAGS['data-dir'],
    },
    examples: ['sessions end person@example.com', 'sessions end --all'],
    run: async (input) => {
      const { email } = input.arguments;
      if ((email === undefined) === (input.flags.all === undefined)) {
        throw new UsageError('Cannot end sessions: it takes the address of one account, or --all');
      }
      return await withStorage(input, async ({ accounts, place }) => {
        if (email === undefined) {
          input.writeError(
            `Ended ${await accounts.deleteAllSessions()} sessions of all accounts in ${place}`,
          );
          return;
        }
        const account = await accounts.findAccountByEmail(toEmail(email));
        if (account === null) {
          throw new Error(`Cannot end sessions: there is no account of '${email}' in ${place}`);
        }
        // No session has an empty hash, so none is left out.
        const ended = await accounts.deleteOtherSessions(account.id, '');
        input.writeError(`Ended ${ended} sessions of ${account.email} in ${place}`);
      });
    },
  },
];
