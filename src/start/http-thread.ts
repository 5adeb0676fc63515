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
import { BytesCache } from '../http/bytes-cache.ts';
import { allowedHostnames } from '../http/host-check.ts';
import { OddsAnswers } from '../http/odds-answers.ts';
import { catalogueRoutes } from '../http/routes/catalogue.ts';
import { convertRoutes } from '../http/routes/convert.ts';
import { docsRoutes } from '../http/routes/docs.ts';
import { eventRoutes } from '../http/routes/events.ts';
import { mcpRoutes } from '../http/routes/mcp.ts';
import { oddsRoutes } from '../http/routes/odds.ts';
import { operationsRoutes } from '../http/routes/operations.ts';
import { platformRoutes } from '../http/routes/platform.ts';
import { resolveRoutes } from '../http/routes/resolve.ts';
import { resultRoutes } from '../http/routes/results.ts';
import { toolRoutes } from '../http/routes/tools.ts';
import { usageRoutes } from '../http/routes/usage.ts';
import { type HttpServer, startHttp } from '../http/serve.ts';
import type { Log } from '../log.ts';
import { McpEndpoint } from '../mcp/handler.ts';
import { serveLocalTools } from '../mcp/served-tool.ts';
import { createQueries, type Queries } from '../query/queries.ts';
import { ScoringPool } from '../scoring/pool.ts';
import { SlateReader } from '../store/reader.ts';
import { type CompiledTool, compileTool } from '../tools/call-tool.ts';
import { createTools } from '../tools/registry.ts';
import { VERSION } from '../version.ts';
import { openAccounts } from './accounts.ts';

export interface HttpThreadOptions {
  /** Scoring workers of this thread. */
  readonly scoringThreads: number;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
  readonly accessMemory: SharedArrayBuffer;
}

export interface HttpThread {
  readonly server: HttpServer;
  readonly tooling: Tooling;
  /** Closes the thread's connections; call it when the server has stopped. */
  close(): Promise<void>;
}

export function startHttpThread(options: HttpThreadOptions): HttpThread {
  const { config, clock, log, accessMemory } = options;
  const path = join(config.dataDir, DATABASE_NAME);
  const gateDatabase = openDatabase({ path, schemas: [KEYS_SCHEMA], create: false, check: false });
  const gate = createGate({ memory: accessMemory, directory: new SqliteKeyDirectory(gateDatabase), clock });
  const accounts = openAccounts({ config, clock, log, accessMemory });
  const tooling = createTooling(options);
  const { queries, tools } = tooling;
  const mcp = createMcpEndpoint(tools, options);
  const answers = new OddsAnswers({
    slate: queries.slate,
    encoder: queries.encoder,
    cache: new BytesCache(),
  });
  const groups = [
    operationsRoutes(queries),
    catalogueRoutes(queries),
    eventRoutes(queries),
    oddsRoutes(queries, answers),
    resolveRoutes(queries),
    convertRoutes(),
    resultRoutes(queries),
    usageRoutes(gate),
    platformRoutes(accounts, config.publicUrl.startsWith('https:')),
    toolRoutes(tools),
    mcpRoutes(mcp),
  ];
  const docs = docsRoutes({
    routes: groups.flatMap((group) => group.routes),
    tools: tools.map(({ tool }) => tool),
    publicUrl: config.publicUrl,
  });
  const server = startHttp({
    app: createApp([...groups, docs]),
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
    tooling,
    close: async () => {
      await mcp.close();
      await tooling.close();
      (await accounts).close();
      gateDatabase.close();
    },
  };
}

export interface Tooling {
  readonly queries: Queries;
  readonly tools: readonly CompiledTool[];
  close(): Promise<void>;
}

/** The use cases and tools of one thread, with its scoring pool: all that HTTP and the embedded stdio server share. */
export function createTooling(
  options: Pick<HttpThreadOptions, 'config' | 'log' | 'storeBuffer' | 'scoringThreads'>,
): Tooling {
  const { config, log, storeBuffer } = options;
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA],
    create: false,
    check: false,
  });
  const pool = ScoringPool.start({
    storeBuffer,
    threads: options.scoringThreads,
    onWorkerLost: (reason) => log.error('scoring_worker_lost', { reason }),
  });
  const queries = createQueries({
    reader: new SlateReader(storeBuffer),
    archive: new ArchiveReader(database),
    windows: { liveMs: config.liveFreshnessMs, prematchMs: config.prematchFreshnessMs },
    scorer: pool,
  });
  const services = {
    queries,
    maxEdge: config.valueEdgeMaxPct / 100,
    maxMargin: config.arbitrageMarginMaxPct / 100,
  };
  const tools = createTools(services).map((tool) => compileTool(tool, { checkOutput: !config.production }));
  return {
    queries,
    tools,
    close: async () => {
      await pool.stop();
      database.close();
    },
  };
}

function createMcpEndpoint(tools: readonly CompiledTool[], { config, log }: HttpThreadOptions): McpEndpoint {
  const { publicUrl } = config;
  function report(where: string, failure: unknown): void {
    log.error('mcp_failure', {
      where,
      error: failure instanceof Error ? (failure.stack ?? '') : String(failure),
    });
  }
  const hostnames = allowedHostnames(config.allowedHosts, publicUrl);
  return new McpEndpoint({
    tools: serveLocalTools(tools, { publicUrl, report }),
    version: VERSION,
    publicUrl,
    allowedHostnames: hostnames,
    allowedOriginHostnames: hostnames,
    report,
  });
}
