// `overround keys ...`: manages the operator's keys. The commands can run while servers use the same data
// folder or, with DATABASE_URL, the same Postgres. A new key works at once. A revoked or rotated key stops
// working within 0.1 s, over Postgres within a second. Standard output carries only the key or the list.

import { toExpiry, toTier } from '../../../accounts/input.ts';
import {
  createOperatorKey,
  type OperatorKeyOptions,
  rotateOperatorKey,
  toKeyView,
} from '../../../accounts/keys/key-service.ts';
import { TIER_KEYS } from '../../../domain/tiers.ts';
import { withStorage } from '../../account-storage.ts';
import { type Command, type CommandInput, FOLDER_FLAG } from '../../command.ts';

export const keysCommands: readonly Command[] = [
  {
    name: 'keys create',
    summary: 'Creates a key and prints it, only this once',
    flags: {
      tier: { value: TIER_KEYS.join('|'), help: 'tier of the key', isRequired: true },
      label: { value: 'text', help: 'purpose of the key, as a note for people' },
      'expires-at': { value: 'instant', help: 'when it expires, such as 2027-01-01T00:00:00Z' },
      'allowed-addresses': {
        value: 'list',
        help: 'addresses and ranges it may be used from, comma-separated',
      },
      create: { help: 'creates the database if no server has used the folder yet' },
      ...FOLDER_FLAG,
    },
    run: async (input) => {
      const tier = toTier(input.flags.tier!);
      return await withKeys(input, async ({ operator, place }) => {
        const { text, record } = await createOperatorKey(operator, {
          tier,
          label: input.flags.label ?? '',
          expiresAtMs: toExpiry(input.flags['expires-at'] ?? null, input.clock.wallMs()),
          allowedAddresses: (input.flags['allowed-addresses'] ?? '').split(',').flatMap((part) => {
            const entry = part.trim();
            return entry === '' ? [] : [entry];
          }),
        });
        input.writeError(
          `Created ${record.keyId}, tier ${record.tier}, in ${place}; the key is shown only this once`,
        );
        input.writeOutput(text);
      });
    },
  },
  {
    name: 'keys list',
    summary: 'Prints a line of JSON for each key: its id and settings, but not the key itself',
    flags: FOLDER_FLAG,
    run: (input) =>
      withKeys(input, async ({ operator }) => {
        for (const key of await operator.keys.listAllKeys()) {
          input.writeOutput(JSON.stringify({ ...toKeyView(key), account_id: key.accountId }));
        }
      }),
  },
  {
    name: 'keys revoke',
    summary: 'Revokes a key for good',
    arguments: ['key_id'],
    flags: FOLDER_FLAG,
    run: (input) =>
      withKeys(input, async ({ operator, place }) => {
        const keyId = input.arguments.key_id!;
        const revoked = await operator.keys.revokeKey(keyId);
        if (revoked === null) throw new Error(`Cannot revoke key: there is no key '${keyId}' in ${place}`);
        input.writeError(`Revoked ${keyId} in ${place}`);
      }),
  },
  {
    name: 'keys rotate',
    summary: 'Replaces a key by a new one and prints it, only this once; the old one stops working',
    arguments: ['key_id'],
    flags: FOLDER_FLAG,
    run: (input) =>
      withKeys(input, async ({ operator, place }) => {
        const keyId = input.arguments.key_id!;
        const rotated = await rotateOperatorKey(operator, keyId);
        if (rotated === null) {
          throw new Error(`Cannot rotate key: '${keyId}' is not an active key in ${place}`);
        }
        input.writeError(`Rotated ${keyId} in ${place}; the new key is shown only this once`);
        input.writeOutput(rotated.text);
      }),
  },
];

interface OpenKeys {
  readonly operator: OperatorKeyOptions;
  /** Where the keys are: an absolute folder, or a Postgres address. */
  readonly place: string;
}

function withKeys(input: CommandInput, work: (keys: OpenKeys) => Promise<void>): Promise<number> {
  return withStorage(input, async ({ keys, place }) => {
    const operator = { keys, clock: input.clock, fillRandom: crypto.getRandomValues.bind(crypto) };
    await work({ operator, place });
  });
}
