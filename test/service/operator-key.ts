// One key of the operator, made and ended beside a running server.

import { join } from 'node:path';
import { createOperatorKey } from '../../src/accounts/key-service.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { SqliteKeyRepository } from '../../src/accounts/sqlite-key-repository.ts';
import { systemClock } from '../../src/clock.ts';
import { DATABASE_NAME, openDatabase } from '../../src/database.ts';
import { fillRandom } from '../../src/start/accounts.ts';

export interface OperatorKey {
  readonly text: string;
  revoke(): Promise<void>;
}

/** Makes an enterprise key. */
export async function createOperatorKeyBeside(dataDir: string): Promise<OperatorKey> {
  const database = openDatabase({
    path: join(dataDir, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: false,
    check: false,
    busyTimeoutMs: 5_000,
  });
  const keys = new SqliteKeyRepository(database);
  const shown = await createOperatorKey(
    { keys, clock: systemClock, fillRandom },
    { tier: 'enterprise', label: 'threads' },
  );
  return {
    text: shown.text,
    revoke: async () => {
      await keys.revokeKey(shown.record.keyId);
      database.close();
    },
  };
}
