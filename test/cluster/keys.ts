import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { createOperatorKey } from '../../src/accounts/keys/key-service.ts';
import { systemClock } from '../../src/clock.ts';
import type { TierKey } from '../../src/domain/tiers.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { PostgresPool } from '../../src/storage/postgres.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';

/** Makes one key of a cluster for each of these tiers. */
export async function makeKeys(databaseUrl: string, tiers: readonly TierKey[]): Promise<string[]> {
  const pool = new PostgresPool({ url: databaseUrl, connections: 1 });
  const operator = { keys: new KeyRepository(postgresSql(pool)), clock: systemClock, fillRandom };
  const texts: string[] = [];
  for (const tier of tiers) {
    texts.push((await createOperatorKey(operator, { tier, label: tier })).text);
  }
  await pool.close();
  return texts;
}
