// What one HTTP thread is made of: its own reader of the store, its queries, its routes and its listener. Main runs the
// first; http-worker.ts runs the others on the same port.

import { join } from 'node:path';
import { createGate } from '../access/create-gate.ts';
import { SqliteKeyDirectory } from '../accounts/key-directory.ts';
import { KEYS_SCHEMA } from '../accounts/schema.ts';
import { ArchiveReader } from '../archive/archive-reader.ts';
import { ARCHIVE_SCHEMA } from '../archive/schema.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import { createApp } from '../http/app.ts';
import { OddsAnswers } from '../http/odds-answers.ts';
import { catalogueRoutes } from '../http/routes/catalogue.ts';
import { convertRoutes } from '../http/routes/convert.ts';
import { eventRoutes } from '../http/routes/events.ts';
import { oddsRoutes } from '../http/routes/odds.ts';
import { operationsRoutes } from '../http/routes/operations.ts';
import { platformRoutes } from '../http/routes/platform.ts';
import { resolveRoutes } from '../http/routes/resolve.ts';
import { resultRoutes } from '../http/routes/results.ts';
import { usageRoutes } from '../http/routes/usage.ts';
import { type HttpServer, startHttp } from '../http/serve.ts';
import type { Log } from '../log.ts';
import { createQueries } from '../query/queries.ts';
import { SlateReader } from '../store/reader.ts';
import { openAccounts } from './accounts.ts';

export interface HttpThreadOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
  readonly accessMemory: SharedArrayBuffer;
}

export interface HttpThread {
  readonly server: HttpServer;
  /** Closes the thread's connections; call it when the server has stopped. */
  close(): Promise<void>;
}

export function startHttpThread(options: HttpThreadOptions): HttpThread {
  const { config, clock, log } = options;
  const windows = { liveMs: config.liveFreshnessMs, prematchMs: config.prematchFreshnessMs };
  const path = join(config.dataDir, DATABASE_NAME);
  const gateDatabase = openDatabase({ path, schemas: [KEYS_SCHEMA], create: false, check: false });
  const archiveDatabase = openDatabase({ path, schemas: [ARCHIVE_SCHEMA], create: false, check: false });
  const gate = createGate({
    memory: options.accessMemory,
    directory: new SqliteKeyDirectory(gateDatabase),
    clock,
  });
  const accounts = openAccounts({ config, clock, log, accessMemory: options.accessMemory });
  const archive = new ArchiveReader(archiveDatabase);
  const queries = createQueries({ reader: new SlateReader(options.storeBuffer), archive, windows });
  const answers = new OddsAnswers(queries.slate, queries.encoder);
  const app = createApp([
    operationsRoutes(queries),
    catalogueRoutes(queries),
    eventRoutes(queries),
    oddsRoutes(queries, answers),
    resolveRoutes(queries),
    convertRoutes(),
    resultRoutes(queries),
    usageRoutes(gate),
    platformRoutes(accounts, config.publicUrl.startsWith('https:')),
  ]);
  const server = startHttp({
    app,
    deps: {
      clock,
      gate,
      publicUrl: config.publicUrl,
      log: { error: (message, fields) => log.error(message, fields as Record<string, string>) },
      nextRequestId: () => crypto.randomUUID(),
      observe: () => {},
    },
    hostname: config.host,
    port: config.port,
    reusePort: config.httpThreads > 1,
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
  });
  return {
    server,
    close: async () => {
      (await accounts).close();
      gateDatabase.close();
      archiveDatabase.close();
    },
  };
}
