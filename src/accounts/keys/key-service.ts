// API keys of accounts (create, list, rotate, revoke, usage), and the operator's keys, which belong to no
// account. The full text of a key appears only in the answer that creates or rotates it. A request for a key
// of another account gets 404.

import type { Static } from '@sinclair/typebox';
import { type Clock, DAY_MS, toIsoText } from '../../clock.ts';
import type { UsageCounters } from '../../contract/operations.ts';
import type { AccountUsageAnswer, Key, KeysAnswer, KeyWithSecret } from '../../contract/platform.ts';
import { assert, ServiceError } from '../../errors.ts';
import { type Attempts, takeAttempt } from '../credentials/attempts.ts';
import { type FillRandom, mintKey, randomId } from '../credentials/secrets.ts';
import { checkAllowedAddresses, checkLabel, checkTierOfKey, toExpiry, toTier } from '../input.ts';
import { ACTIVE_KEYS_PER_ACCOUNT_MAX } from '../limits.ts';
import type { KeyRecord, NewKey } from '../records.ts';
import type { Session } from '../sessions/session.ts';
import type { KeyRepository } from './key-repository.ts';

/** Usage counts of keys. Access control counts and implements this. */
export interface UsageReader {
  /** Total usage of these keys since counting began; zeros when none was used. */
  usageOfKeys(keyNumbers: readonly number[]): Static<typeof UsageCounters>;
}

export interface OperatorKeyOptions {
  readonly keys: KeyRepository;
  readonly clock: Clock;
  readonly fillRandom: FillRandom;
}

export interface KeyServiceOptions extends OperatorKeyOptions {
  readonly attempts: Attempts;
  readonly usage: UsageReader;
  /**
   * Called after a key was revoked or changed, so that threads drop it before the next check of the database.
   */
  readonly onKeysChanged: () => void | Promise<void>;
}

/** When, and from which addresses, a key works. */
type KeyBounds = Pick<NewKey, 'expiresAtMs' | 'allowedAddresses'>;
const UNBOUND: KeyBounds = { expiresAtMs: null, allowedAddresses: [] };

/** A key's full text, shown once, with its record. */
export interface ShownKey {
  readonly text: string;
  readonly record: KeyRecord;
}

export class KeyService {
  readonly #options: KeyServiceOptions;

  constructor(options: KeyServiceOptions) {
    this.#options = options;
  }

  async list(session: Session): Promise<Static<typeof KeysAnswer>> {
    const keys = await this.#options.keys.listKeysOf(session.account.id);
    return { keys: keys.map(toKeyView) };
  }

  /**
   * Creates a key, which works at once.
   * @throws ServiceError invalid_request for an unknown tier, forbidden for an unverified account, plan_limit
   * for a tier above the plan or too many keys, rate_limit_exceeded; ValidationError for a bad label, address
   * or expiry
   */
  async create(
    body: {
      readonly label?: string;
      readonly tier?: string;
      readonly expires_at?: string;
      readonly allowed_addresses?: readonly string[];
    },
    session: Session,
  ): Promise<Static<typeof KeyWithSecret>> {
    const { keys, clock } = this.#options;
    const label = body.label ?? '';
    checkLabel(label);
    const tier = toTier(body.tier ?? 'free');
    const allowedAddresses = body.allowed_addresses ?? [];
    checkAllowedAddresses(allowedAddresses);
    const expiresAtMs = toExpiry(body.expires_at ?? null, clock.wallMs());
    const { account } = session;
    if (account.verifiedAtMs === null) {
      throw new ServiceError('forbidden', 'Cannot create key: the account is not verified', {
        fix: 'Enter the code from the mail with POST /platform/verify',
      });
    }
    checkTierOfKey(tier, account.plan);
    await takeAttempt(this.#options, 'createKeyPerAccount', `create key ${account.id}`);
    const { text, key } = createKey(this.#options, {
      accountId: account.id,
      label,
      tier,
      expiresAtMs,
      allowedAddresses,
    });
    const record = await keys.createKey(key);
    if (record === null) {
      throw new ServiceError(
        'plan_limit',
        `Cannot create key: the account has ${ACTIVE_KEYS_PER_ACCOUNT_MAX} active keys`,
        { fix: 'Revoke a key that is no longer used' },
      );
    }
    return { ...toKeyView(record), key: text };
  }

  /**
   * Gives a key a new text; the old text stops working on every thread of this process within 100 ms. Id,
   * label, tier, usage and daily count stay.
   * @throws ServiceError not_found, invalid_request for a revoked key, rate_limit_exceeded
   */
  async rotate(keyId: string, session: Session): Promise<Static<typeof KeyWithSecret>> {
    await this.#requireOwn(keyId, session);
    await takeAttempt(this.#options, 'changesPerAccount', `rotate key ${session.account.id}`);
    const shown = await rotateOperatorKey(this.#options, keyId);
    if (shown === null) {
      throw new ServiceError('invalid_request', 'Cannot rotate key: it is revoked', {
        fix: 'Create a new key with POST /platform/keys',
      });
    }
    await this.#options.onKeysChanged();
    return { ...toKeyView(shown.record), key: shown.text };
  }

  /**
   * Revokes a key for good; it stops working on every thread of this process within 100 ms. If it is revoked
   * already, nothing changes, and threads need not read their keys again.
   * @throws ServiceError not_found
   */
  async revoke(keyId: string, session: Session): Promise<Static<typeof Key>> {
    const present = await this.#requireOwn(keyId, session);
    if (present.status === 'revoked') return toKeyView(present);
    const key = await this.#options.keys.revokeKey(keyId);
    if (key === null) throw refuseForeign();
    await this.#options.onKeysChanged();
    return toKeyView(key);
  }

  /** Usage since the server started, per key and in total, and requests per day. */
  async usage(session: Session): Promise<Static<typeof AccountUsageAnswer>> {
    const { keys, usage } = this.#options;
    const records = await keys.listKeysOf(session.account.id);
    const days = await keys.listUsageDaysOf(session.account.id);
    return {
      account: usage.usageOfKeys(records.map((key) => key.number)),
      keys: records.map((key) => ({ key_id: key.keyId, usage: usage.usageOfKeys([key.number]) })),
      days: days.map(({ keyId, day, requests }) => ({
        date: toIsoText(day * DAY_MS).slice(0, 10),
        key_id: keyId,
        requests,
      })),
    };
  }

  async #requireOwn(keyId: string, session: Session): Promise<KeyRecord> {
    const key = await this.#options.keys.findKey(keyId);
    if (key === null || key.accountId !== session.account.id) throw refuseForeign();
    return key;
  }
}

/**
 * Creates a key of the operator, of any tier. When this resolves, the key is on disk. @throws ValidationError
 * for a bad label or address
 */
export async function createOperatorKey(
  options: OperatorKeyOptions,
  wanted: Pick<NewKey, 'tier' | 'label'> & Partial<KeyBounds>,
): Promise<ShownKey> {
  checkLabel(wanted.label);
  checkAllowedAddresses(wanted.allowedAddresses ?? []);
  const { text, key } = createKey(options, { accountId: null, ...UNBOUND, ...wanted });
  const record = await options.keys.createKey(key);
  assert(record !== null, "the operator's keys have no limit");
  return { text, record };
}

/** Label of the key that the first start in development creates. */
export const DEVELOPMENT_KEY_LABEL = 'development';

/**
 * Creates one enterprise key when no key is active, so that a developer's first curl shows the sharp book
 * too.
 * @returns null when there is an active key already
 */
export async function ensureDevelopmentKey(options: OperatorKeyOptions): Promise<ShownKey | null> {
  const { text, key } = createKey(options, {
    accountId: null,
    tier: 'enterprise',
    label: DEVELOPMENT_KEY_LABEL,
    ...UNBOUND,
  });
  const record = await options.keys.createFirstKey(key);
  return record === null ? null : { text, record };
}

/** Gives any key a new text, even one of an account; null when there is no active key with this id. */
export async function rotateOperatorKey(
  options: OperatorKeyOptions,
  keyId: string,
): Promise<ShownKey | null> {
  const { text, ...secret } = mintKey(options.fillRandom);
  const record = await options.keys.rotateKey(keyId, secret);
  return record === null ? null : { text, record };
}

/** A key as its owner sees it, without the hash. */
export function toKeyView(key: KeyRecord): Static<typeof Key> {
  return {
    key_id: key.keyId,
    label: key.label,
    tier: key.tier,
    last4: key.lastFour,
    status: key.status,
    created_at: toIsoText(key.createdAtMs),
    last_used_at: key.lastUsedAtMs === null ? null : toIsoText(key.lastUsedAtMs),
    expires_at: key.expiresAtMs === null ? null : toIsoText(key.expiresAtMs),
    allowed_addresses: [...key.allowedAddresses],
  };
}

function createKey(
  { clock, fillRandom }: OperatorKeyOptions,
  wanted: Pick<NewKey, 'accountId' | 'label' | 'tier' | keyof KeyBounds>,
): { text: string; key: NewKey } {
  const { text, ...secret } = mintKey(fillRandom);
  return {
    text,
    key: { ...wanted, ...secret, keyId: randomId(fillRandom, 'key_'), createdAtMs: clock.wallMs() },
  };
}

function refuseForeign(): ServiceError {
  return new ServiceError('not_found', 'Cannot find key: the account has no key with this id', {
    fix: 'List the keys with GET /platform/keys',
  });
}
