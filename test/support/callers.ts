// The callers of tests: without a key, each time from a new address, or with the keys of one tier in turn, so
// that no budget runs out. The service must be started with TRUSTED_PROXIES=127.0.0.1, otherwise it ignores
// these addresses.

import { join } from 'node:path';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { createOperatorKey } from '../../src/accounts/keys/key-service.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { systemClock } from '../../src/clock.ts';
import { TIER_KEYS, type TierKey } from '../../src/domain/tiers.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';

export const CALLERS = ['keyless', ...TIER_KEYS] as const;
export type Caller = (typeof CALLERS)[number];

export const PROXY_SETTINGS = { TRUSTED_PROXIES: '127.0.0.1' } as const;

/** Creates operator keys while the server runs, as `bun run keys create` does. */
export async function createKeys(dataDir: string, tier: TierKey, count: number): Promise<string[]> {
  using keys = openKeys(dataDir);
  const texts: string[] = [];
  for (let index = 0; index < count; index++) texts.push((await keys.create(tier, `test ${index}`)).text);
  return texts;
}

/** An address of 10.0.0.0/8: a different one for each number below 2 to the power of 24. */
export function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

interface RevocableKey {
  readonly text: string;
  revoke(): Promise<void>;
}

/** Creates one enterprise key that the test can revoke while the server runs. */
export async function createRevocableKey(dataDir: string): Promise<RevocableKey> {
  using keys = openKeys(dataDir);
  const { text, record } = await keys.create('enterprise', 'revocable');
  return {
    text,
    revoke: async () => {
      using again = openKeys(dataDir);
      await again.repository.revokeKey(record.keyId);
    },
  };
}

function openKeys(dataDir: string) {
  const database = openDatabase({
    path: join(dataDir, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: true,
    check: false,
    busyTimeoutMs: 5_000,
  });
  const repository = new KeyRepository(sqliteSql(database));
  const options = { keys: repository, clock: systemClock, fillRandom };
  return {
    repository,
    create: (tier: TierKey, label: string) => createOperatorKey(options, { tier, label }),
    [Symbol.dispose]: () => database.close(),
  };
}

export class Callers {
  readonly #keys: Readonly<Record<TierKey, readonly string[]>>;
  /** The number of the next address. */
  #turn = 0;
  /**
   * The number of the next key, for each tier. A common number for all tiers would skip keys if a test calls
   * as several tiers in turn.
   */
  readonly #turns = new Map<TierKey, number>();

  private constructor(keys: Readonly<Record<TierKey, readonly string[]>>) {
    this.#keys = keys;
  }

  /** @param freeCount how many free keys to create; each admits a burst of 30 */
  static async create(dataDir: string, freeCount: number): Promise<Callers> {
    return new Callers({
      free: await createKeys(dataDir, 'free', freeCount),
      standard: await createKeys(dataDir, 'standard', 30),
      realtime: await createKeys(dataDir, 'realtime', 3),
      enterprise: await createKeys(dataDir, 'enterprise', 3),
    });
  }

  /** The headers of a caller: the next key of the tier, from a new address. */
  headersOf(caller: Caller): Record<string, string> {
    const headers = { 'x-forwarded-for': this.nextAddress() };
    if (caller === 'keyless') return headers;
    const keys = this.#keys[caller];
    const turn = this.#turns.get(caller) ?? 0;
    this.#turns.set(caller, turn + 1);
    return { ...headers, authorization: `Bearer ${keys[turn % keys.length]}` };
  }

  /** The next address of 10.0.0.0/8. None is repeated. */
  nextAddress(): string {
    this.#turn += 1;
    return addressOf(this.#turn);
  }

  /** Every key that was created, for tests that no answer contains a key. */
  get texts(): readonly string[] {
    return Object.values(this.#keys).flat();
  }
}
