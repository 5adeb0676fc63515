// The start of a server on Postgres waits for every answer that it needs, not only for the first.

import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/clock.ts';
import { createLog } from '../../../src/log.ts';
import { openServiceDatabase } from '../../../src/start/data/service-database.ts';
import { attachMetricsMemory, createMetricsMemory } from '../../../src/telemetry/metrics-memory.ts';
import { NodeNumbers } from '../../../src/telemetry/node-numbers.ts';
import { until } from '../../support/condition.ts';
import { POSTGRES_MISSING, PostgresServer } from '../../support/postgres-server.ts';
import { preparedPool } from '../../support/postgres-tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.skipIf(POSTGRES_MISSING !== null)(
  `the start waits for a Postgres that fails to answer after its first answer${POSTGRES_MISSING ? `: ${POSTGRES_MISSING}` : ''}`,
  async () => {
    await using postgres = await PostgresServer.start();
    using folder = temporaryFolder();
    const dataDir = join(folder.path, 'data');
    mkdirSync(dataDir);
    const pool = await preparedPool(postgres.url());
    const lines: string[] = [];
    const locked = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const holding = pool.transaction(async (sql) => {
      await sql.run('LOCK TABLE daily_counts IN ACCESS EXCLUSIVE MODE');
      locked.resolve();
      await free.promise;
    }, 120_000);
    await locked.promise;
    const opening = openServiceDatabase({
      config: { dataDir, databaseUrl: postgres.url(), role: 'serve' },
      clock: systemClock,
      log: createLog({
        ...{ level: 'warn', json: false, clock: systemClock },
        write: (line: string) => lines.push(line),
      }),
      numbers: new NodeNumbers(attachMetricsMemory(createMetricsMemory(1))),
      onDamageCheck: () => {},
      onError: () => {},
    });
    const settled = opening.then(
      () => 'opened',
      (error: unknown) => String(error),
    );
    await until('it waits', () => lines.some((line) => line.includes('waiting_for_database')));
    free.resolve();
    await holding;
    expect(await settled).toBe('opened');
    await (await opening).close();
    await pool.close();
  },
  120_000,
);
