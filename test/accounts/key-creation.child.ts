// Creates keys as fast as it can and acknowledges each on standard output, until it is killed. It rotates
// every second key immediately, and acknowledges the new text too. Argument: DATA_DIR.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { createOperatorKey, rotateOperatorKey } from '../../src/accounts/keys/key-service.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { systemClock } from '../../src/clock.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';

const database = openDatabase({
  path: join(Bun.argv[2] ?? '', DATABASE_NAME),
  schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
  create: true,
  durability: 'power',
});
const options = { keys: new KeyRepository(sqliteSql(database)), clock: systemClock, fillRandom };
for (let round = 0; ; round++) {
  const { text, record } = await createOperatorKey(options, { tier: 'free', label: String(round) });
  writeSync(1, `created ${text}\n`);
  if (round % 2 === 0) continue;
  writeSync(1, `rotating ${text}\n`);
  const rotated = await rotateOperatorKey(options, record.keyId);
  writeSync(1, `rotated ${rotated?.text} ${text}\n`);
}
