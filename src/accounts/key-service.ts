// Keys of an account: create, list, rotate, revoke, usage. A key's text is in the answer that makes it and nowhere
// else. What belongs to somebody else is not there: 404.

import { type Clock, toIsoText } from '../clock.ts';
import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import { takeAttempt } from './attempts.ts';
import { checkLabel, toTier } from './input.ts';
import { ACTIVE_KEYS_PER_ACCOUNT_MAX, ATTEMPT_LIMITS } from './limits.ts';
import type { AccountRepository, KeyRecord, KeyRepository, KeySecret } from './repository.ts';
import { createKeyId, type FillRandom } from './secrets.ts';
import type { Session } from './session.ts';
import type { KeyUsage, UsageReader } from './usage.ts';

/** A new key: its text, and what is stored of it. */
export interface MintedKey extends KeySecret {
  readonly text: string;
}

export interface KeyServiceOptions {
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly usage: UsageReader;
  readonly clock: Clock;
  readonly fillRandom: FillRandom;
  readonly mintKey: () => MintedKey;
  /** Told after a key died or changed, so that threads forget it before the next look at the database. */
  readonly onKeysChanged: () => void;
}

/** A key as its owner sees it. */
export interface KeyView {
  readonly key_id: string;
  readonly label: string;
  readonly tier: TierKey;
  readonly last4: string;
  readonly status: 'active' | 'revoked';
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface KeyWithSecret extends KeyView {
  readonly key: string;
}

export class KeyService {
  readonly #options: KeyServiceOptions;

  constructor(options: KeyServiceOptions) {
    this.#options = options;
  }

  async list(session: Session): Promise<{ keys: KeyView[] }> {
    const keys = await this.#options.keys.listKeysOf(session.account.id);
    return { keys: keys.map(toKeyView) };
  }

  /**
   * Makes a key, which works at once.
   * @throws ServiceError invalid_request for an unknown tier, forbidden for an unverified account, plan_limit for a tier
   * above the plan or too many keys, rate_limit_exceeded; ValidationError for a bad label
   */
  async create(
    body: { readonly label?: string; readonly tier?: string },
    session: Session,
  ): Promise<KeyWithSecret> {
    const { accounts, keys, clock, fillRandom, mintKey } = this.#options;
    const label = body.label ?? '';
    checkLabel(label);
    const tier = toTier(body.tier ?? 'free');
    const { account } = session;
    if (account.verifiedAtMs === null) {
      throw new ServiceError('forbidden', 'Cannot create key: the account is not verified', {
        fix: 'Enter the code of the mail with POST /platform/verify',
      });
    }
    if (TIER_KEYS.indexOf(tier) > TIER_KEYS.indexOf(account.plan)) {
      throw new ServiceError(
        'plan_limit',
        `Cannot create key: tier '${tier}' is above plan '${account.plan}'`,
        {
          fix: `Ask for tier '${account.plan}' or below, or change the plan`,
        },
      );
    }
    await takeAttempt(accounts, {
      subject: `create key ${account.id}`,
      limit: ATTEMPT_LIMITS.createKeyPerAccount,
      nowMs: clock.wallMs(),
    });
    const { text, hash, lastFour } = mintKey();
    const key = await keys.createKey({
      keyId: createKeyId(fillRandom),
      accountId: account.id,
      label,
      tier,
      hash,
      lastFour,
      createdAtMs: clock.wallMs(),
    });
    if (key === null) {
      throw new ServiceError(
        'plan_limit',
        `Cannot create key: the account has ${ACTIVE_KEYS_PER_ACCOUNT_MAX} active keys`,
        { fix: 'Revoke a key that is no longer used' },
      );
    }
    return { ...toKeyView(key), key: text };
  }

  /**
   * Gives a key a new text; the old one dies at once. Id, label, tier, usage and daily count stay.
   * @throws ServiceError not_found, invalid_request for a revoked key
   */
  async rotate(keyId: string, session: Session): Promise<KeyWithSecret> {
    await this.#ownKey(keyId, session);
    const { text, hash, lastFour } = this.#options.mintKey();
    const key = await this.#options.keys.rotateKey(keyId, { hash, lastFour });
    if (key === null) {
      throw new ServiceError('invalid_request', 'Cannot rotate key: it is revoked', {
        fix: 'Create a new key with POST /platform/keys',
      });
    }
    this.#options.onKeysChanged();
    return { ...toKeyView(key), key: text };
  }

  /** Revokes a key for good; it stops on every thread within 100 ms. @throws ServiceError not_found */
  async revoke(keyId: string, session: Session): Promise<KeyView> {
    await this.#ownKey(keyId, session);
    const key = await this.#options.keys.revokeKey(keyId);
    if (key === null) throw refuseForeign();
    this.#options.onKeysChanged();
    return toKeyView(key);
  }

  /** Usage of each key since the server started, and of all together. */
  async usage(session: Session): Promise<{ account: KeyUsage; keys: { key_id: string; usage: KeyUsage }[] }> {
    const { keys, usage } = this.#options;
    const records = await keys.listKeysOf(session.account.id);
    return {
      account: usage.usageOfKeys(records.map((key) => key.number)),
      keys: records.map((key) => ({ key_id: key.keyId, usage: usage.usageOfKey(key.number) })),
    };
  }

  async #ownKey(keyId: string, session: Session): Promise<KeyRecord> {
    const key = await this.#options.keys.findKey(keyId);
    if (key === null || key.accountId !== session.account.id) throw refuseForeign();
    return key;
  }
}

/** What of a key its owner sees: no hash. */
export function toKeyView(key: KeyRecord): KeyView {
  return {
    key_id: key.keyId,
    label: key.label,
    tier: key.tier,
    last4: key.lastFour,
    status: key.status,
    created_at: toIsoText(key.createdAtMs),
    last_used_at: key.lastUsedAtMs === null ? null : toIsoText(key.lastUsedAtMs),
  };
}

function refuseForeign(): ServiceError {
  return new ServiceError('not_found', 'Cannot find key: the account has no key with this id', {
    fix: 'List the keys with GET /platform/keys',
  });
}
