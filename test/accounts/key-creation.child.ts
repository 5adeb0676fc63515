// Creates keys as fast as it can and acknowledges each on standard output, to be killed at any moment. Every other
// key is rotated at once, and the rotated text acknowledged too. Argument: DATA_DIR.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createOperatorKey, rotateOperatorKey } from '../../src/accounts/key-service.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { SqliteKeyRepository } from '../../src/accounts/sqlite-key-repository.ts';
import { systemClock } from '../../src/clock.ts';
import { DATABASE_NAME, openDatabase } from '../../src/database.ts';

const database = openDatabase({
  path: join(Bun.argv[2] ?? '', DATABASE_NAME),
  schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
  create: true,
  durability: 'power',
});
const fillRandom = (bytes: Uint8Array<ArrayBuffer>): unknown => crypto.getRandomValues(bytes);
const options = {
  keys: new SqliteKeyRepository(database),
  clock: systemClock,
  fillRandom,
};
for (let round = 0; ; round++) {
  const { text, record } = await createOperatorKey(options, { tier: 'free', label: String(round) });
  writeSync(1, `created ${text}\n`);
  if (round % 2 === 0) continue;
  writeSync(1, `rotating ${text}\n`);
  const rotated = await rotateOperatorKey(options, record.keyId);
  writeSync(1, `rotated ${rotated?.text} ${text}\n`);
}
