// A server's keeper and gate in a process of their own, which the test kills. It sends twenty keyless
// requests every five milliseconds, from 1,400 addresses, and prints how many were admitted. Argument:
// DATA_DIR.

import { join } from 'node:path';
import { CountStore } from '../../src/access/counts/count-store.ts';
import { DAILY_COUNTS_SCHEMA } from '../../src/access/counts/daily-counts.ts';
import { AccessKeeper } from '../../src/access/counts/keeper.ts';
import { SharedGate } from '../../src/access/gate.ts';
import { dayOf } from '../../src/access/quotas/bucket.ts';
import { createAccessMemory } from '../../src/access/quotas/memory.ts';
import { SqliteKeyDirectory } from '../../src/accounts/keys/sqlite-key-directory.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { systemClock } from '../../src/clock.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { admit } from './admit.ts';

const database = openDatabase({
  path: join(Bun.argv[2] ?? '', DATABASE_NAME),
  schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA, DAILY_COUNTS_SCHEMA],
  create: true,
});
const directory = new SqliteKeyDirectory(database);
const memory = createAccessMemory({ seed: 1, startedAtMs: systemClock.wallMs() });
const onError = (error: unknown): void => console.error(error);
const keeper = new AccessKeeper({
  memory,
  store: await CountStore.open({ sql: sqliteSql(database), onError }, dayOf(systemClock.wallMs())),
  directory,
  clock: systemClock,
  onError,
});
keeper.start();
const gate = new SharedGate({ memory, directory, clock: systemClock });
let admitted = 0;
setInterval(() => {
  for (let index = 0; index < 20; index++) {
    const address = `10.0.${admitted % 200}.${admitted % 7}`;
    if (admit(gate, null, address, 1).refusal === null) admitted++;
  }
  console.log(admitted);
}, 5);
