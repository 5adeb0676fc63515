// Keys of the operator, made on the command line or at the first development start; they belong to no account.

import type { Clock } from '../clock.ts';
import type { TierKey } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import { checkLabel } from './input.ts';
import type { MintedKey } from './key-service.ts';
import type { KeyRecord, KeyRepository } from './repository.ts';
import { createKeyId, type FillRandom } from './secrets.ts';

export interface OperatorKeyOptions {
  readonly keys: KeyRepository;
  readonly clock: Clock;
  readonly fillRandom: FillRandom;
  readonly mintKey: () => MintedKey;
}

/** A key's text, shown once, with its record. */
export interface ShownKey {
  readonly text: string;
  readonly record: KeyRecord;
}

/** Makes a key of any tier. When it resolves the key is on disk. @throws ValidationError for a bad label */
export async function createOperatorKey(
  options: OperatorKeyOptions,
  wanted: { readonly tier: TierKey; readonly label: string },
): Promise<ShownKey> {
  checkLabel(wanted.label);
  const { text, hash, lastFour } = options.mintKey();
  const record = await options.keys.createKey({ ...newKey(options), ...wanted, hash, lastFour });
  assert(record !== null, "the operator's keys have no limit");
  return { text, record };
}

/**
 * Makes one enterprise key when no key is active, so that the first curl of a developer sees the sharp book.
 * @returns null when there is a key already
 */
export async function ensureDevelopmentKey(options: OperatorKeyOptions): Promise<ShownKey | null> {
  const { text, hash, lastFour } = options.mintKey();
  const record = await options.keys.createFirstKey({
    ...newKey(options),
    tier: 'enterprise',
    label: 'development',
    hash,
    lastFour,
  });
  return record === null ? null : { text, record };
}

/** Gives a key a new text; null when there is no active key with this id. */
export async function rotateOperatorKey(
  options: OperatorKeyOptions,
  keyId: string,
): Promise<ShownKey | null> {
  const { text, hash, lastFour } = options.mintKey();
  const record = await options.keys.rotateKey(keyId, { hash, lastFour });
  return record === null ? null : { text, record };
}

function newKey(options: OperatorKeyOptions): { keyId: string; accountId: null; createdAtMs: number } {
  return { keyId: createKeyId(options.fillRandom), accountId: null, createdAtMs: options.clock.wallMs() };
}
